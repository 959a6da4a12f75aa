"""What a seat remembers of a game: how each card was first hinted at, and how others have played.

The *focus* of a hint is the card it is probably about: the chop, the oldest card that no hint had
touched, if the hint touches it; otherwise the newest of the cards that it touches first; otherwise
the newest that it touches.
"""

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, kind_of, slot_of
from tamaya.records import SCORED
from tamaya.rules import MAX_HAND, MAX_PLAYERS

# How a card was touched by hints.
UNTOUCHED, FOCUS, FOCUS_ON_CHOP, BESIDE, FOCUS_AGAIN = range(5)
N_ROLES = 5
# Kinds of moves of which a player's habits are counted.
DISCARDED, PLAYED, MISPLAYED, TOLD_A_COLOUR, TOLD_A_RANK = range(5)
N_HABITS = 5

TRACE = [
    ("role", np.int8, DECK_SIZE),        # by order: how hints touched the card
    ("since", np.int16, DECK_SIZE),      # by order: moves of the game before its first hint
    ("focus", np.int8, MAX_PLAYERS),     # order + 1 of the focus of the latest hint to a seat
    ("habit", np.int16, (MAX_PLAYERS, N_HABITS)),  # moves of each seat by kind
    ("discards", np.int16, MAX_HAND),    # own discards by slot
    ("plays", np.int16, MAX_HAND),       # own plays by slot
    ("n_chop", np.int16),                # own discards of the chop
]  # fmt: skip


@hot
def habit_of(view, event):
    """The kind of a past move, of which habits are counted."""
    kind = kind_of(view, event.move)
    if kind == DISCARD:
        return DISCARDED
    if kind == PLAY:
        return PLAYED if event.effect & SCORED else MISPLAYED
    return TOLD_A_COLOUR if kind == HINT_COLOUR else TOLD_A_RANK


@hot
def chop_of(view, seat):
    """Slot of the oldest card of a seat that no hint has touched, or -1."""
    chop = -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and view.told[seat, slot] == 0:
            if chop < 0 or order < view.order[seat, chop]:
                chop = slot
    return chop


@hot
def newest_of(view, seat, slots):
    """The slot of some, as bits, with the newest card, or -1."""
    newest = -1
    for slot in range(view.hand_size):
        if slots & SLOT_BIT[slot] and view.order[seat, slot] >= 0:
            if newest < 0 or view.order[seat, slot] > view.order[seat, newest]:
                newest = slot
    return newest


@hot
def focus_of(view, seat, touched, fresh, chop):
    """The slot that a hint is about, by the slots it touches, those it touches first, the chop."""
    if chop >= 0 and fresh & SLOT_BIT[chop]:
        return chop
    return newest_of(view, seat, fresh if fresh else touched)


@hot
def note_hint(view, event, memory):
    """Remember how a hint touched the cards of its target."""
    seat, touched = np.int64(event.target), np.int64(event.touched)
    fresh, chop = 0, -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and memory.role[order] == UNTOUCHED:
            fresh |= touched & SLOT_BIT[slot]
            if chop < 0 or order < view.order[seat, chop]:
                chop = slot
    focus = focus_of(view, seat, touched, fresh, chop)
    if focus < 0:
        return
    memory.focus[seat] = view.order[seat, focus] + 1
    for slot in range(view.hand_size):
        if fresh & SLOT_BIT[slot]:
            order = view.order[seat, slot]
            memory.since[order] = view.n_moves
            memory.role[order] = BESIDE
            if slot == focus:
                memory.role[order] = FOCUS_ON_CHOP if slot == chop else FOCUS
    if not fresh & SLOT_BIT[focus]:
        memory.role[view.order[seat, focus]] = FOCUS_AGAIN


@hot
def note_event(view, event, memory):
    """Remember the last move; the view is the one after it."""
    memory.habit[event.seat, habit_of(view, event)] += 1
    if event.target >= 0:
        note_hint(view, event, memory)
    elif event.seat == view.seat:
        slot = slot_of(view, np.int64(event.move))
        if kind_of(view, event.move) == PLAY:
            memory.plays[slot] += 1
            return
        memory.discards[slot] += 1
        if memory.role[event.order] == UNTOUCHED:
            chop = chop_of(view, view.seat)
            if chop < 0 or view.order[view.seat, chop] > event.order:
                memory.n_chop += 1
