"""Slots of a hand as sets of bits: those known to be playable, those known to be useless."""

from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.sets import is_one, is_subset, lowest_card


@hot
def playable_slots(view, sets, playable):
    """Slots whose cards are known to be playable."""
    slots = 0
    for slot in range(view.hand_size):
        if is_subset(sets[slot], playable):
            slots |= SLOT_BIT[slot]
    return slots


@hot
def useless_slots(view, sets, dead):
    """Slots whose cards are known to be dead, or to duplicate another card of the hand."""
    slots, once, twice = 0, 0, 0
    for slot in range(view.hand_size):
        if is_subset(sets[slot], dead):
            slots |= SLOT_BIT[slot]
        elif is_one(sets[slot]):
            twice |= once & sets[slot]
            once |= sets[slot]
    if twice:
        for slot in range(view.hand_size):
            if is_one(sets[slot]) and sets[slot] & twice:
                slots |= SLOT_BIT[slot]
    return slots


@hot
def nth_slot(slots, n):
    """The n-th slot (from 0) of a set of slots."""
    for _ in range(n):
        slots &= slots - 1
    return lowest_card(slots)
