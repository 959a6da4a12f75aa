"""What everybody remembers of hints: for each card how it was first told, for each seat the last.

Conventions refer to it: the newest of the cards just touched, the chop (the oldest card that no
hint has touched) at the time of the hint. It follows from the events and from the order of the
cards in the hands, which all seats see.
"""

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.moves import HINT_RANK, kind_of, value_of
from tamaya.records import record
from tamaya.rules import MAX_PLAYERS

# Bits of ``marks``: how a card was touched.
TOLD, NEWEST, OLDEST, ALONE, ON_CHOP, AGAIN = 1, 2, 4, 8, 16, 32
NO_HINT, COLOUR, RANK = 0, 1, 2  # values of ``kind``

HINTS = record([
    ("marks", np.uint8, DECK_SIZE),        # [order] -> TOLD | NEWEST | ...
    # The last hint to each seat since its last move.
    ("kind", np.int8, MAX_PLAYERS),
    ("value", np.int8, MAX_PLAYERS),       # colour or rank
    ("touched", np.int32, MAX_PLAYERS),    # slots, as bits
    ("newly", np.int32, MAX_PLAYERS),      # those that no hint had touched before
    ("on_chop", np.int8, MAX_PLAYERS),     # whether the chop is one of them
])  # fmt: skip


@hot
def forget(hints):
    """Remember nothing, as at the deal."""
    hints.marks[:] = 0
    hints.kind[:] = NO_HINT
    hints.value[:] = 0
    hints.touched[:] = 0
    hints.newly[:] = 0
    hints.on_chop[:] = 0


@hot
def chop_of(view, hints, seat):
    """The slot of the oldest card of a seat that no hint has touched, or -1."""
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and not hints.marks[order] & TOLD:
            return slot
    return -1


@hot
def note(view, event, hints):
    """Remember an event; ``view`` is a game or any seat's view after it."""
    hints.kind[event.seat] = NO_HINT  # it has moved: what it was told is no longer news
    target = np.int64(event.target)
    if target < 0:
        return
    chop = chop_of(view, hints, target)
    touched = np.int64(event.touched)
    newest, oldest, n_new, newly = -1, -1, 0, 0
    for slot in range(view.hand_size):
        order = view.order[target, slot]
        if order >= 0 and touched >> slot & 1 and not hints.marks[order] & TOLD:
            newly |= 1 << slot
            n_new += 1
            if oldest < 0 or order < view.order[target, oldest]:
                oldest = slot
            if newest < 0 or order > view.order[target, newest]:
                newest = slot
    for slot in range(view.hand_size):
        order = view.order[target, slot]
        if order < 0 or not touched >> slot & 1:
            continue
        mark = TOLD
        if not newly >> slot & 1:
            mark |= AGAIN
        if slot == newest:
            mark |= NEWEST
        if slot == oldest:
            mark |= OLDEST
        if slot == newest and n_new == 1:
            mark |= ALONE
        if slot == chop:
            mark |= ON_CHOP
        hints.marks[order] |= np.uint8(mark)
    hints.kind[target] = RANK if kind_of_hint(view, event.move) == HINT_RANK else COLOUR
    hints.value[target] = value_of(view, np.int64(event.move))
    hints.touched[target] = touched
    hints.newly[target] = newly
    hints.on_chop[target] = 1 if chop >= 0 and touched >> chop & 1 else 0


@hot
def kind_of_hint(view, move):
    """HINT_COLOUR or HINT_RANK."""
    return kind_of(view, np.int64(move))
