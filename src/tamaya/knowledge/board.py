"""The board: what follows from fireworks and discards for every card, as masks from one pass.

``playable`` cards can be played now, ``played`` ones have been, ``dead`` ones can never score again
(played, or out of reach because every copy of a card below is discarded), and a ``critical`` card
is the last copy of one that is still needed. Whole games are 1.5 to 1.7 times as fast with all
masks from one pass as with one pass for each.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import BIT, COLOUR_MASK
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import cards_in, put, singles, take, undiscarded
from tamaya.records import SCORED

COLUMN = (1 << np.arange(6)) - 1  # [n] -> mask of the n lowest cards of the first colour


class Board(NamedTuple):
    """What follows from fireworks and discards for the cards, as masks."""

    playable: int
    played: int
    dead: int  # can never score again
    critical: int  # the last copy of a card that is still needed


@hot
def critical_cards(left, dead):
    """The last copies, by the copies outside the discards, of cards that are not dead."""
    return singles(left) & ~dead


@hot
def board_below(view, left, lowered):
    """The board, given the copies outside the discards; one colour, if not -1, lacks its top card.

    All masks come from one loop: a second one, for dead cards, slows rule agents measurably.
    """
    playable, played, dead = 0, 0, 0
    lost = view.all_cards & ~cards_in(left)
    for colour in range(view.colours):
        height = view.firework[colour] - (colour == lowered)
        below = COLUMN[height] << (5 * colour)
        played |= below
        dead |= below
        if height < view.ranks:
            playable |= BIT[5 * colour + height]
        blocked = lost & COLOUR_MASK[colour] & ~below
        if blocked:
            dead |= COLOUR_MASK[colour] & ~((blocked & -blocked) - 1)
    dead &= view.all_cards
    return Board(playable, played, dead, critical_cards(left, dead))


@hot
def board_with(view, left):
    """The board, for callers that have the copies outside the discards (``undiscarded``)."""
    return board_below(view, left, -1)


@hot
def board_now(view):
    """The current board."""
    return board_with(view, undiscarded(view))


@hot
def board_before(view, event):
    """The copies outside the discards and the board as they were before the last move."""
    left, lowered = undiscarded(view), -1
    if event.card >= 0:
        if event.effect & SCORED:
            lowered = event.card // 5
        else:
            left = put(left, np.int64(BIT[event.card]))
    return left, board_below(view, left, lowered)


@hot
def public_copies(view):
    """Copies of each card neither played nor discarded: in a hand or in the deck."""
    played = 0
    for colour in range(view.colours):
        played |= COLUMN[view.firework[colour]] << (5 * colour)
    return take(undiscarded(view), played)


@hot
def next_cards(view, heights):
    """The cards that come next on fireworks of some heights."""
    cards = 0
    for colour in range(view.colours):
        if heights[colour] < view.ranks:
            cards |= BIT[5 * colour + heights[colour]]
    return cards


@hot
def playable_mask(view):
    """Cards that can be played right now."""
    return next_cards(view, view.firework)


@hot
def dead_mask(view):
    """Cards that can never score again: already played, or out of reach for ever."""
    return board_now(view).dead


@hot
def critical_mask(view):
    """Cards still needed of which one copy is left outside the discard pile."""
    return board_now(view).critical


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
def lowest_firework(view):
    """Height of the lowest firework."""
    height = view.firework[0]
    for colour in range(1, view.colours):
        height = min(height, view.firework[colour])
    return height


@hot
def n_to_come(view, dead):
    """Points that can still be scored."""
    return popcount(view.all_cards & ~dead)


@hot
def n_discarded(view):
    """Cards in the discard pile, misplayed ones included."""
    n = view.n_all - view.deck_size - view.points
    for seat in range(view.players):
        n -= view.n_cards[seat]
    return n
