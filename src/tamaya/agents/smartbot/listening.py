"""What a move tells everybody: the conventions of SmartBot, applied from any seat.

A hint points at a play: either it makes some card surely playable, or it says that the newest
touched card that may be playable is. A rank hint to the next seat that touches its chop warns
instead, if the chop may then be critical. At full tokens a rank hint to the seat on the right that
touches its oldest card is a pass. Silence means something too: a player who could have hinted the
next seat and did not implies that that seat's chop is not critical. A player who discards a card
that everybody knows to be playable says that somebody else holds it as their newest card.

Everything is evaluated in the position before the move; sets are stored by the order of the card,
so only the board has to be reconstructed.
"""

from tamaya.agents.smartbot.public import chop, is_doubtful, is_sure, may_be_critical, told_set
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.board import board_before
from tamaya.knowledge.copies import take
from tamaya.knowledge.hands import last_slot, seat_after
from tamaya.knowledge.hints import named_mask
from tamaya.knowledge.tables import close_table, public_set, restrict, set_of
from tamaya.moves import HINT_RANK, kind_of
from tamaya.records import DREW, GAINED_TOKEN

# Values of ``memory.meaning``.
NOTHING, POINTED, SHOWN, WARNED, PASSED, FINESSED = 0, 1, 2, 3, 4, 5


@hot
def note_silence(view, event, memory, board):
    """A mover who could hint the next seat and did not implies its chop is not critical."""
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
    """Whether a rank hint is a mere pass at full tokens."""
    was_full = view.tokens + 1 == view.max_tokens
    is_right = seat_after(view, event.target) == event.seat
    return was_full and is_right and event.touched & SLOT_BIT[0] != 0


@hot
def note_warning(view, event, memory, rank_mask, board):
    """Whether a rank hint warns the next seat; if so, record that its chop is critical."""
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
def note_words(view, event, memory, mask, playable):
    """Apply the literal content of a hint; returns the order of the card that it points at.

    -1 if it shows some card, touched or not, to be playable, or points at none.
    """
    target, pointed, is_shown = event.target, -1, False
    for slot in range(view.hand_size - 1, -1, -1):
        order = view.order[target, slot]
        if order < 0:
            continue
        is_touched = event.touched & SLOT_BIT[slot] != 0
        before = public_set(view, memory, target, slot)
        after = told_set(view, target, slot, before, mask if is_touched else ~mask)
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
    """Apply the literal content of a hint and its meaning."""
    mask, meaning = named_mask(view, event.move), NOTHING
    if kind_of(view, event.move) == HINT_RANK:
        if is_pass(view, event):
            meaning = PASSED
        elif note_warning(view, event, memory, mask, board):
            meaning = WARNED
    pointed = note_words(view, event, memory, mask, board.playable)
    if meaning != NOTHING:
        memory.meaning = meaning
    elif pointed >= 0:
        restrict(view, memory, pointed, board.playable)
        memory.meaning = POINTED
        memory.about = pointed


@hot
def note_finesse(view, event, memory, board):
    """A mover who discards a card that all know to be playable has seen it as a newest card.

    A player who sees it in no other hand holds it, except for the one who discarded it.
    """
    bit = BIT[event.card]
    if set_of(view, memory, event.order) != bit or not bit & board.playable:
        return
    holder = view.seat if view.seat != event.seat else -1
    for seat in range(view.players - 1, -1, -1):
        slot = last_slot(view, seat)
        if seat != event.seat and seat != view.seat and slot >= 0:
            if view.card[seat, slot] == event.card:
                holder = seat
    if holder >= 0 and last_slot(view, holder) >= 0:
        memory.meaning = FINESSED
        memory.about = view.order[holder, last_slot(view, holder)]
        restrict(view, memory, memory.about, bit)


@hot
def note_move(view, event, memory):
    """Update the sets after a move."""
    left, board = board_before(view, event)
    memory.meaning = NOTHING
    memory.about = -1
    memory.cleared = -1
    note_silence(view, event, memory, board)
    if event.target >= 0:
        note_hint(view, event, memory, board)
    elif event.move < view.hand_size:
        note_finesse(view, event, memory, board)
    copies = take(left, board.played)
    if event.card >= 0:
        copies = take(copies, BIT[event.card])
    close_table(view, memory, copies, True)
