"""What everybody knows: the set of cards that each card in a hand can be, and what follows.

``memory.excluded[order]`` is the set of cards that the card at a place of the deck is publicly
known not to be; nothing at the deal. Words and conventions add to it, then the sets are closed: a
card of which every copy has been played, discarded or publicly recognised is nowhere else. Nothing
else is remembered but the meaning of the last move, for people.

In a team of SmartBots the true card is always in its set. Team-mates with other conventions make
sets wrong: a convention that would leave a set empty is not believed, and words that contradict a
set replace it (``restrict``, ``told_set``).
"""

from typing import NamedTuple

import numpy as np

from tamaya.agents.hat.board import dead_cards
from tamaya.agents.hat.tables import is_one, public_set
from tamaya.cards import BIT, COLOUR_MASK, DECK_SIZE
from tamaya.compiled import hot, popcount
from tamaya.records import SCORED

# All of it is common knowledge, so that one memory serves the table.
MEMORY = [
    ("excluded", np.int32, DECK_SIZE),  # [order] -> mask
    ("meaning", np.int8),               # of the last move, see tamaya.agents.smartbot.listening
    ("about", np.int8),                 # order of the card that it spoke about, -1 for none
    ("cleared", np.int8),               # order of the card that its silence cleared, -1 for none
]  # fmt: skip


class Board(NamedTuple):
    """What fireworks and discards make of the cards, as masks."""

    playable: int
    dead: int  # can never score again
    critical: int  # the last copy of a card that is still needed


@hot
def board_of(view, ones, twos, playable, played):
    """The board by the copies outside the discard pile, the next cards and the played ones."""
    dead = dead_cards(view, ones | twos, played)
    return Board(playable, dead, ones & ~twos & ~dead)


@hot
def board_before(view, event, ones, twos, playable, played):
    """The board before the last move, from what ``undiscarded`` and ``next_and_played`` say now."""
    if event.card >= 0:
        bit = BIT[event.card]
        if event.effect & SCORED:
            played &= ~bit
            playable = playable & ~COLOUR_MASK[event.card // 5] | bit
        else:
            twos ^= bit & ones  # the carry
            ones ^= bit
    return board_of(view, ones, twos, playable, played)


@hot
def is_sure(cards, wanted):
    """Whether all cards of a set that is not empty are wanted."""
    return cards & ~wanted == 0


@hot
def is_doubtful(cards, wanted):
    """Whether some cards of a set are wanted and some are not."""
    return (cards & wanted != 0) & (cards & ~wanted != 0)


@hot
def chop(view, memory, seat, board):
    """Slot that everybody expects a seat to discard next, or -1 if it has something better to do.

    The card most likely to be dead among those not surely critical, all cards of a set being
    equally likely; the oldest of equals. A card that is surely playable or dead comes before it.
    """
    best, best_dead, best_size = -1, 0, 1
    for slot in range(view.hand_size):
        cards = public_set(view, memory, seat, slot)
        if cards == 0:
            continue
        if is_sure(cards, board.playable) or is_sure(cards, board.dead):
            return -1
        if not is_sure(cards, board.critical):
            n_dead, size = popcount(cards & board.dead), popcount(cards)
            if best < 0 or n_dead * best_size > best_dead * size:
                best, best_dead, best_size = slot, n_dead, size
    return best


@hot
def may_be_critical(cards, rank_mask, board):
    """Whether a hint of a rank to a card would be news of its being critical."""
    return is_doubtful(cards, board.critical) and cards & rank_mask & board.critical != 0


@hot
def told_set(view, seat, slot, cards, words):
    """What is left of a set after words; if nothing, what all words so far leave."""
    left = cards & words
    return left if left != 0 else view.possible[seat, slot] & words


@hot
def restrict(view, memory, order, cards):
    """Restrict a card to a set, unless that is impossible."""
    if view.all_cards & ~memory.excluded[order] & cards:
        memory.excluded[order] |= ~cards


@hot
def take_copies(ones, twos, cards):
    """Numbers of copies less one of each card of a set, as far as there is one left."""
    cards &= ones | twos
    ones ^= cards
    twos ^= cards & ones  # the borrow
    return ones, twos


@hot
def believable_set(view, seat, slot, gone):
    """What all words so far leave of a card, for a set that has turned out to be wrong."""
    words = view.possible[seat, slot]
    return words & ~gone if words & ~gone else words


@hot
def place_recognised(view, memory, ones, twos):
    """Copies less those that are publicly recognised; a card that cannot be there is not."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            cards = public_set(view, memory, seat, slot)
            if not is_one(cards):
                continue
            if not cards & (ones | twos):
                cards = believable_set(view, seat, slot, cards)
                memory.excluded[view.order[seat, slot]] = ~cards
                continue
            ones, twos = take_copies(ones, twos, cards)
    return ones, twos


@hot
def close_sets(view, memory, ones, twos):
    """Draw all conclusions from counting; the copies are those neither played nor discarded."""
    ones, twos = place_recognised(view, memory, ones, twos)
    gone = view.all_cards & ~(ones | twos)
    checked = 0
    while gone != checked:  # each round removes only what has become impossible since the last
        news = gone & ~checked
        checked = gone
        for seat in range(view.players):
            for slot in range(view.hand_size):
                cards = public_set(view, memory, seat, slot)
                if cards & news == 0 or is_one(cards):
                    continue
                cards &= ~news
                if cards == 0:
                    cards = believable_set(view, seat, slot, gone)
                memory.excluded[view.order[seat, slot]] = ~cards
                if is_one(cards):
                    ones, twos = take_copies(ones, twos, cards)
        gone = view.all_cards & ~(ones | twos)
