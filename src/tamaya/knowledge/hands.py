"""Hands: which seat comes next, where a card is, what a visible slot holds.

Slots are numbered from the oldest card where hands are shifted, but not where gaps are refilled in
place: ``oldest_slot`` and ``newest_slot`` go by the order of drawing, ``first_slot`` and
``last_slot`` by the number of the slot.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot


@hot
def seat_after(table, seat):
    """The seat that moves next after a seat."""
    return seat + 1 if seat + 1 < table.players else 0


@hot
def seat_from(table, seat, offset):
    """Absolute seat at an offset from a seat."""
    other = np.int64(seat) + offset
    return other - table.players if other >= table.players else other


@hot
def seat_at(view, offset):
    """Absolute seat at an offset from the viewer."""
    return seat_from(view, view.seat, offset)


@hot
def slot_of_order(view, seat, order):
    """Slot in which a seat holds the card with an order, or -1."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] == order:
            return slot
    return -1


@hot
def newest_slot(view, seat):
    """Slot of the card drawn last, 0 if the hand is empty."""
    newest = 0
    for slot in range(1, view.hand_size):
        if view.order[seat, slot] > view.order[seat, newest]:
            newest = slot
    return newest


@hot
def oldest_slot(view, seat):
    """Slot of the card drawn first, -1 if the hand is empty."""
    oldest = -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and (oldest < 0 or order < view.order[seat, oldest]):
            oldest = slot
    return oldest


@hot
def first_slot(view, seat):
    """Lowest slot that holds a card, -1 if the hand is empty."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] >= 0:
            return slot
    return -1


@hot
def last_slot(view, seat):
    """Highest slot that holds a card, -1 if the hand is empty."""
    for slot in range(view.hand_size - 1, -1, -1):
        if view.order[seat, slot] >= 0:
            return slot
    return -1


@hot
def filled_slots(view, seat):
    """Slots of a seat that hold a card, as bits."""
    slots = 0
    for slot in range(view.hand_size):
        if view.order[seat, slot] >= 0:
            slots |= 1 << slot
    return slots


@hot
def nth_slot(slots, n):
    """The n-th lowest of some slots, given as bits; -1 if there are not so many."""
    slot = 0
    while slots >> slot:
        if slots >> slot & 1:
            if n == 0:
                return slot
            n -= 1
        slot += 1
    return -1


@hot
def has_gap(view, seat):
    """Whether a slot of a seat is empty, which happens only in the last round."""
    return view.n_cards[seat] < view.hand_size


@hot
def holds(view, seat, slot, wanted):
    """Whether a visible slot holds a card of a set."""
    card = view.card[seat, slot]
    return card >= 0 and BIT[card] & wanted != 0
