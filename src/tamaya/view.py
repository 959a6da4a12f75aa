"""The view: what one seat sees of a game, and the questions agents ask of it.

A view holds no deck, no seed and none of the seat's own cards (a seer's view does hold them; in a
minimal view what hints left possible is blank, though the events are still listed). Questions
about sets of cards answer with masks.
"""

from tamaya.cards import ALL_CARDS, BIT, NO_CARD
from tamaya.compiled import JIT, hot
from tamaya.records import COMMON_NAMES, EVENT_SIZE, HISTORY_OFFSET, MINIMAL, SEER

if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def _copy_head(typing_context, target, source, n_bytes):
        """Copy the first bytes of one record over those of another."""

        def generate(context, builder, signature, arguments):
            to, origin, length = arguments
            cgutils.raw_memcpy(builder, to, origin, length, ir.IntType(64)(1))
            return context.get_dummy_value()

        return types.void(target, source, types.int64), generate

    @hot
    def copy_common(target, source):
        """Copy what everybody knows from one game or view into another."""
        _copy_head(target, source, HISTORY_OFFSET + EVENT_SIZE * source.n_moves)

else:

    def copy_common(target, source):
        """Copy what everybody knows from one game or view into another."""
        for name in COMMON_NAMES:
            target[name] = source[name]


@hot
def fill_view(game, seat, view):
    """Write what a seat sees of a game."""
    n_before = view.n_moves
    copy_common(view, game)
    for k in range(view.n_moves, n_before):  # the record served a longer game before
        forget_event(view.history[k])
    view.seat = seat
    view.is_counted = 0
    view.unseen[:] = 0
    view.unseen_cards = 0
    for other in range(game.players):
        for slot in range(game.hand_size):
            view.card[other, slot] = game.card[other, slot]
    if game.observation != SEER:
        for slot in range(game.hand_size):
            view.card[seat, slot] = NO_CARD
    if game.observation == MINIMAL:
        forget_hints(view)


@hot
def forget_event(event):
    """Make an event as blank as those that have not happened."""
    event.seat = 0
    event.move = 0
    event.target = 0
    event.card = 0
    event.order = 0
    event.touched = 0
    event.newly = 0
    event.effect = 0


@hot
def forget_hints(view):
    """Leave all that hints had told open again."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            view.told[seat, slot] = 0
            if view.order[seat, slot] >= 0:
                view.possible[seat, slot] = view.all_cards


@hot
def seat_at(view, offset):
    """Absolute seat at an offset from the viewer."""
    seat = view.seat + offset
    return seat - view.players if seat >= view.players else seat


@hot
def playable_mask(view):
    """Cards that can be played right now."""
    mask = 0
    for colour in range(view.colours):
        height = view.firework[colour]
        if height < view.ranks:
            mask |= BIT[5 * colour + height]
    return mask


@hot
def is_playable(view, card):
    """Whether a card can be played right now."""
    return view.firework[card // 5] == card % 5


@hot
def reachable_rank(view, colour):
    """Highest height a firework can still reach, given the discards."""
    rank = view.firework[colour]
    while rank < view.ranks:
        card = 5 * colour + rank
        if view.discarded[card] >= view.copies[card]:
            break
        rank += 1
    return rank


@hot
def dead_mask(view):
    """Cards that can never score again: already played, or out of reach for ever."""
    mask = 0
    for colour in range(view.colours):
        top = reachable_rank(view, colour)
        for rank in range(view.ranks):
            if rank < view.firework[colour] or rank >= top:
                mask |= BIT[5 * colour + rank]
    return mask


@hot
def critical_mask(view):
    """Cards still needed of which one copy is left outside the discard pile."""
    mask = 0
    for colour in range(view.colours):
        for rank in range(view.firework[colour], reachable_rank(view, colour)):
            card = 5 * colour + rank
            if view.copies[card] - view.discarded[card] == 1:
                mask |= BIT[card]
    return mask


@hot
def count_unseen(view):
    """Fill ``unseen``, the copies of each card in the deck or in the viewer's own hand.

    Done once per view, by the first question that needs it: counting card by card in every
    question made a ten-line agent five times slower.
    """
    if view.is_counted:
        return
    for card in range(25):
        view.unseen[card] = view.copies[card] - view.discarded[card]
    for colour in range(view.colours):
        for rank in range(view.firework[colour]):
            view.unseen[5 * colour + rank] -= 1
    for seat in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0:
                view.unseen[card] -= 1
    mask = 0
    for card in range(25):
        if view.unseen[card] > 0:
            mask |= BIT[card]
    view.unseen_cards = mask
    view.is_counted = 1


@hot
def n_unseen(view, card):
    """Copies of a card that the viewer does not see: in the deck or in its own hand."""
    count_unseen(view)
    return view.unseen[card]


@hot
def unseen_mask(view):
    """Cards of which the viewer does not see every copy, so that they may be in its own hand."""
    count_unseen(view)
    return view.unseen_cards


@hot
def own_mask(view, slot):
    """What the card in an own slot can be, from hints and all cards in sight."""
    return view.possible[view.seat, slot] & unseen_mask(view)


@hot
def touches_only(view, seat, hint, wanted):
    """Whether a hint, as a mask, touches cards of a seat and only cards of another mask."""
    n_touched = 0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0 and BIT[card] & hint:
            if not BIT[card] & wanted:
                return False
            n_touched += 1
    return n_touched > 0


@hot
def is_subset(mask, of):
    """Whether a set that is not empty lies inside another."""
    return mask != 0 and mask & (ALL_CARDS ^ of) == 0
