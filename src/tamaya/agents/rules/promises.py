"""A convention of our own: what a hint promises beyond what it says.

The *chop* of a hand is its oldest card that no hint has touched, the one to be discarded. A hint
has one *focus*: the chop if it touches it, else the newest card touched for the first time, else
the newest card that it says something new about. A rank hint whose focus is the chop, and whose
rank has a critical card that cannot be played now, *saves* the focus. Every other hint *promises*
that its focus can be played.

All of it follows from public events, so every seat infers the same promises for every hand. They
are computed from the whole history whenever a rule needs them, so rule agents need no memory and
other lists pay nothing.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.board import next_cards
from tamaya.knowledge.hints import named_mask
from tamaya.moves import HINT_RANK, kind_of, slot_of, value_of
from tamaya.records import DREW, SCORED

NO_PROMISE = 0


@hot
def read_promises(view, memory):
    """Fill the scratch space, by order: which cards hints have touched, and what was promised."""
    if memory.is_read:
        return
    memory.is_read = 1
    memory.was_told[:] = 0
    memory.promise[:] = NO_PROMISE
    memory.height[:] = 0
    memory.gone[:] = 0
    n_dealt = 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            memory.hand[seat, slot] = n_dealt
            n_dealt += 1
    for k in range(view.n_moves):
        event = view.history[k]
        if event.target >= 0:
            read_hint(view, memory, event)
        else:
            n_dealt += read_use(view, memory, event, n_dealt)


@hot
def read_use(view, memory, event, n_dealt):
    """Follow a play or discard; returns the number of cards drawn."""
    seat, slot = event.seat, slot_of(view, event.move)
    if event.effect & SCORED:
        memory.height[event.card // 5] += 1
    else:
        memory.gone[event.card] += 1
    if not view.refills_in_place:
        for later in range(slot, view.hand_size - 1):
            memory.hand[seat, later] = memory.hand[seat, later + 1]
        slot = view.hand_size - 1
    drew = event.effect & DREW != 0
    memory.hand[seat, slot] = n_dealt if drew else -1
    return 1 if drew else 0


@hot
def read_hint(view, memory, event):
    """Record what a hint promised or saved."""
    seat = event.target
    is_rank = kind_of(view, event.move) == HINT_RANK
    focus = focus_of(view, memory, seat, event.touched, event.newly)
    if focus >= 0:
        order = memory.hand[seat, focus]
        value = value_of(view, event.move)
        saves = is_rank and focus == chop_of(view, memory, seat) and may_save(view, memory, value)
        promised = next_cards(view, memory.height) & named_mask(view, event.move)
        memory.promise[order] = NO_PROMISE if saves else promised
    for slot in range(view.hand_size):
        if event.touched & SLOT_BIT[slot]:
            memory.was_told[memory.hand[seat, slot]] = 1


@hot
def chop_of(view, memory, seat):
    """Slot of the oldest card of a hand that no hint has touched, or -1."""
    chop = -1
    for slot in range(view.hand_size):
        order = memory.hand[seat, slot]
        if order >= 0 and not memory.was_told[order]:
            if chop < 0 or order < memory.hand[seat, chop]:
                chop = slot
    return chop


@hot
def focus_of(view, memory, seat, touched, newly):
    """Slot that a hint is about; -1 if it says nothing new."""
    chop = chop_of(view, memory, seat)
    if chop >= 0 and touched & SLOT_BIT[chop]:
        return chop
    fresh, again = -1, -1
    for slot in range(view.hand_size):
        order = memory.hand[seat, slot]
        if order < 0 or not touched & SLOT_BIT[slot]:
            continue
        if not memory.was_told[order]:
            if fresh < 0 or order > memory.hand[seat, fresh]:
                fresh = slot
        elif newly & SLOT_BIT[slot] and (again < 0 or order > memory.hand[seat, again]):
            again = slot
    return fresh if fresh >= 0 else again


@hot
def may_save(view, memory, rank):
    """Whether a rank had a card of which one copy was left and that could not be played yet."""
    for colour in range(view.colours):
        card = 5 * colour + rank
        if rank > memory.height[colour] and view.copies[card] - memory.gone[card] == 1:
            return True
    return False


@hot
def promise_in(view, memory, seat, slot):
    """What the card in a slot can be by a promise that is still valid; 0 without one."""
    order = view.order[seat, slot]
    if order < 0:
        return np.int32(0)
    return memory.promise[order] & view.possible[seat, slot]
