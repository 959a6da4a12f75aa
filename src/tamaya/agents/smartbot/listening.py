"""What a move tells everybody: the conventions of SmartBot, read from any seat.

A hint points at a play: it makes some card surely playable, or the newest touched card that may be
playable is. A hint of a rank to the next seat that touches its chop warns instead, if the chop may
be critical by it. At full tokens a hint of a rank to the seat on the right that touches its oldest
card is a pass. Silence: whoever could have hinted the next seat and did something else says that
its chop is not critical. Who discards a card that everybody knows to be playable says that somebody
else holds it as his newest.

Everything is judged by the position before the move; the cards of a hand are kept by their order,
so that only the board has to be taken back.
"""

from tamaya.agents.hat.board import next_and_played, undiscarded
from tamaya.agents.hat.tables import public_set
from tamaya.agents.smartbot.public import (
    board_before,
    chop,
    close_sets,
    is_doubtful,
    is_sure,
    may_be_critical,
    restrict,
    told_set,
)
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import HINT_RANK, kind_of, value_of
from tamaya.records import DREW, GAINED_TOKEN

# Values of ``memory.meaning``.
NOTHING, POINTED, SHOWN, WARNED, PASSED, FINESSED = 0, 1, 2, 3, 4, 5


@hot
def seat_after(view, seat):
    """The seat that moves next after a seat."""
    return seat + 1 if seat + 1 < view.players else 0


@hot
def newest_slot(view, seat):
    """Last slot of a seat with a card, -1 if it has none."""
    for slot in range(view.hand_size - 1, -1, -1):
        if view.order[seat, slot] >= 0:
            return slot
    return -1


@hot
def note_silence(view, event, memory, board):
    """Who did not hint the next seat, though it could, says that its chop is not critical."""
    seat = seat_after(view, event.seat)
    could_hint = event.target >= 0 or view.tokens - (event.effect & GAINED_TOKEN != 0) > 0
    had_deck = view.deck_size > 0 or event.effect & DREW
    if event.target == seat or not could_hint or not had_deck:
        return
    slot = chop(view, memory, seat, board)
    if slot >= 0:
        order = view.order[seat, slot]
        memory.excluded[order] |= board.critical
        memory.cleared = order


@hot
def is_pass(view, event):
    """Whether a hint of a rank is a move that had to be made at full tokens."""
    was_full = view.tokens + 1 == view.max_tokens
    is_right = seat_after(view, event.target) == event.seat
    return was_full and is_right and event.touched & SLOT_BIT[0] != 0


@hot
def note_warning(view, event, memory, rank_mask, board):
    """Whether a hint of a rank warns the next seat; then its chop is critical."""
    if event.target != seat_after(view, event.seat):
        return False
    slot = chop(view, memory, event.target, board)
    if slot < 0 or not event.touched & SLOT_BIT[slot]:
        return False
    if not may_be_critical(public_set(view, memory, event.target, slot), rank_mask, board):
        return False
    memory.about = view.order[event.target, slot]
    restrict(view, memory, memory.about, board.critical)
    return True


@hot
def note_words(view, event, memory, hint, playable):
    """Take a hint, as a mask, by its words; gives the order of the card that it points at.

    -1 if it shows some card to be playable, the untouched ones too, or points at none.
    """
    target, pointed, is_shown = event.target, -1, False
    for slot in range(view.hand_size - 1, -1, -1):
        order = view.order[target, slot]
        if order < 0:
            continue
        is_touched = event.touched & SLOT_BIT[slot] != 0
        before = public_set(view, memory, target, slot)
        after = told_set(view, target, slot, before, hint if is_touched else ~hint)
        memory.excluded[order] = ~after
        if is_doubtful(before, playable):
            if is_sure(after, playable):
                is_shown = True
            elif after & playable and is_touched and pointed < 0:
                pointed = order
    if is_shown:
        memory.meaning = SHOWN
        return -1
    return pointed


@hot
def note_hint(view, event, memory, board):
    """Take a hint by its words and by what it means."""
    value = value_of(view, event.move)
    if kind_of(view, event.move) == HINT_RANK:
        hint = RANK_MASK[value]
        meaning = NOTHING
        if is_pass(view, event):
            meaning = PASSED
        elif note_warning(view, event, memory, hint, board):
            meaning = WARNED
        pointed = note_words(view, event, memory, hint, board.playable)
        if meaning != NOTHING:
            memory.meaning = meaning
            return
    else:
        pointed = note_words(view, event, memory, COLOUR_MASK[value], board.playable)
    if pointed >= 0:
        restrict(view, memory, pointed, board.playable)
        memory.meaning = POINTED
        memory.about = pointed


@hot
def note_finesse(view, event, memory, board):
    """Who throws a card away that everybody knows to be playable has seen it as a newest card.

    Whoever sees it nowhere else holds it, but for the one who discarded.
    """
    bit = BIT[event.card]
    if view.all_cards & ~memory.excluded[event.order] != bit or not bit & board.playable:
        return
    holder = view.seat if view.seat != event.seat else -1
    for seat in range(view.players - 1, -1, -1):
        slot = newest_slot(view, seat)
        if seat != event.seat and seat != view.seat and slot >= 0:
            if view.card[seat, slot] == event.card:
                holder = seat
    if holder >= 0 and newest_slot(view, holder) >= 0:
        memory.meaning = FINESSED
        memory.about = view.order[holder, newest_slot(view, holder)]
        restrict(view, memory, memory.about, bit)


@hot
def note_move(view, event, memory):
    """Keep the sets after a move."""
    ones, twos = undiscarded(view)
    playable, played = next_and_played(view)
    board = board_before(view, event, ones, twos, playable, played)
    memory.meaning = NOTHING
    memory.about = -1
    memory.cleared = -1
    note_silence(view, event, memory, board)
    if event.target >= 0:
        note_hint(view, event, memory, board)
    elif event.move < view.hand_size:
        note_finesse(view, event, memory, board)
    close_sets(view, memory, ones ^ played, twos ^ (played & ~ones))
