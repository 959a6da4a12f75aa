"""Hands as numbers: five bits a card, the oldest card in the highest bits.

A set of hands is a sorted array of such numbers. The cards of a hand are listed by age, so that a
hand's older cards are a *prefix* of it: ``hand >> 5`` is the hand before its newest card came. A
prefix is expanded by every card that may follow, in ascending order, and the array stays sorted.

The weight of a hand is the number of deals that contain it: a falling factorial of the copies that
its holder does not see, recomputed from the position every time.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot
from tamaya.rules import MAX_HAND
from tamaya.view import count_unseen

BITS = np.uint64(5)
CARD_BITS = np.uint64(31)


class Sight(NamedTuple):
    """What a seat knows about its hand without interpreting moves; oldest card first."""

    orders: np.ndarray  # [card] -> place in the deck
    slots: np.ndarray  # [card] -> slot
    masks: np.ndarray  # [card] -> what hints leave possible
    unseen: np.ndarray  # [25] -> copies in the deck or in its own hand


@hot
def write_sight(view, orders, slots, masks, unseen):
    """Write what a seat knows about its hand; returns the number of its cards."""
    count_unseen(view)
    unseen[:] = view.unseen
    n, seat = 0, np.int64(view.seat)
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order < 0:
            continue
        place = n
        while place > 0 and orders[place - 1] > order:
            orders[place] = orders[place - 1]
            slots[place] = slots[place - 1]
            masks[place] = masks[place - 1]
            place -= 1
        orders[place] = order
        slots[place] = slot
        masks[place] = view.possible[seat, slot]
        card = view.card[seat, slot]
        if card >= 0:  # a seer
            masks[place] = BIT[card]
            unseen[card] += 1
        n += 1
    return n


def sight_of(view: np.record) -> Sight:
    """What the seat of a view knows about its own hand."""
    orders, slots, masks = (np.zeros(MAX_HAND, np.int64) for _ in range(3))
    unseen = np.zeros(N_CARDS, np.int64)
    n = int(write_sight(view, orders, slots, masks, unseen))
    return Sight(orders[:n], slots[:n], masks[:n], unseen)


@hot
def n_held(hand, n, card):
    """Number of copies of a card among the n cards of a hand."""
    found = 0
    for _ in range(n):
        found += np.int64(hand & CARD_BITS) == card
        hand >>= BITS
    return found


@hot
def expand(hands, n, mask, unseen, expanded, origin):
    """Append every available card of a mask to each hand of n cards; returns the number of hands.

    ``origin`` gets the index of the hand that each one continues. Only counts if both are empty.
    """
    place, is_written = 0, len(expanded) > 0
    for k in range(len(hands)):
        hand = hands[k]
        for card in range(N_CARDS):
            if mask & BIT[card] and n_held(hand, n, card) < unseen[card]:
                if is_written:
                    expanded[place] = hand << BITS | np.uint64(card)
                    origin[place] = k
                place += 1
    return place


@hot
def weigh(hands, n, unseen, weights):
    """Write the number of ways in which each hand of n cards can be dealt."""
    for k in range(len(hands)):
        hand, weight = hands[k], 1.0
        for length in range(n, 0, -1):
            card = np.int64(hand & CARD_BITS)
            hand >>= BITS
            weight *= unseen[card] - n_held(hand, length - 1, card)
        weights[k] = weight


def expanded(hands: np.ndarray, n: int, mask: int, unseen: np.ndarray) -> tuple[np.ndarray, ...]:
    """Hands with one more card, and the index of the hand that each continues."""
    nothing = np.zeros(0, np.uint64), np.zeros(0, np.int64)
    size = int(expand(hands, n, mask, unseen, *nothing))
    if size == 0:
        return nothing
    found, origin = np.empty(size, np.uint64), np.empty(size, np.int64)
    expand(hands, n, mask, unseen, found, origin)
    return found, origin


def weights_of(hands: np.ndarray, n: int, unseen: np.ndarray) -> np.ndarray:
    """In how many ways each hand can be dealt."""
    weights = np.empty(len(hands))
    weigh(hands, n, unseen, weights)
    return weights


def pack(cards: list[int]) -> int:
    """The number of a hand, the oldest card first."""
    hand = 0
    for card in cards:
        hand = hand << 5 | card
    return hand


def unpack(hand: int, n: int) -> list[int]:
    """The n cards of a hand, the oldest first."""
    return [int(hand) >> 5 * (n - 1 - k) & 31 for k in range(n)]
