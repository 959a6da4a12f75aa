"""Sets of cards: questions about masks that need no game."""

from collections.abc import Sequence

import numpy as np

from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount


@hot
def is_one(cards):
    """Whether a set has exactly one card."""
    return cards != 0 and cards & (cards - 1) == 0


@hot
def is_subset(cards, of):
    """Whether a set that is not empty lies inside another."""
    return cards != 0 and cards & ~of == 0


@hot
def lowest_card(cards):
    """Lowest card of a set that is not empty."""
    return popcount((cards & -cards) - 1)


@hot
def known_colour(cards):
    """The colour that all cards of a set share, or -1."""
    if cards == 0:
        return -1
    colour = lowest_card(cards) // 5
    return colour if cards & ~COLOUR_MASK[colour] == 0 else -1


@hot
def known_rank(cards):
    """The rank that all cards of a set share, or -1."""
    if cards == 0:
        return -1
    rank = lowest_card(cards) % 5
    return rank if cards & ~RANK_MASK[rank] == 0 else -1


def listed_before(cards: Sequence[int] | np.ndarray) -> np.ndarray:
    """[card] -> the set of cards listed before it in a list of all cards."""
    masks = np.zeros(len(cards), np.int64)
    for place, card in enumerate(cards):
        masks[card] = BIT[cards[:place]].sum()
    return masks
