"""Facts for rules: what is known about a card, how likely it is something, which hint tells it.

``note_facts`` fills the scratch space of a decision from ``tamaya.knowledge``; the other kernels
compute what the rules of the competition framework need.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.board import board_with, lowest_firework
from tamaya.knowledge.copies import (
    Copies,
    probability,
    put,
    take,
    undiscarded,
    unseen_by,
    with_hand,
    without_hand,
)
from tamaya.knowledge.sets import known_colour, known_rank
from tamaya.moves import NO_MOVE, hint_colour, hint_rank
from tamaya.records import SEER


@hot
def note_facts(view, memory, ghosts):
    """Fill the scratch space for a decision.

    With ``ghosts``, cards that the seat itself played or discarded count as not seen: a bug of the
    first version of the framework, with which the figures of 2017 were obtained.
    """
    memory.is_read = 0
    left = undiscarded(view)
    board = board_with(view, left)
    memory.playable = board.playable
    memory.played = board.played
    memory.dead = board.dead
    memory.critical = board.critical
    copies = unseen_by(view, view.seat, take(left, board.played))
    if view.observation == SEER:  # including its own hand
        copies = without_hand(copies, view, view.seat)
    if ghosts:
        for k in range(view.n_moves):
            event = view.history[k]
            if event.seat == view.seat and event.card >= 0:
                copies = put(copies, BIT[event.card])
    memory.ones = copies.ones
    memory.twos = copies.twos


@hot
def unseen_copies(memory):
    """Copies that the seat does not see."""
    return Copies(np.int64(memory.ones), np.int64(memory.twos))


@hot
def chance(memory, possible, wanted):
    """Probability that a card of mine is in a set, given what it can be by hints."""
    return probability(unseen_copies(memory), possible, wanted)


@hot
def candidates(view, memory, slot):
    """Mask of what the card in an own slot can be."""
    return view.possible[view.seat, slot] & (memory.ones | memory.twos)


@hot
def put_back(view, memory, seat):
    """Count another seat's hand as not seen, as its owner does, for ``their_chance``.

    This is an approximation: the owner also sees my cards, which I do not know.
    """
    copies = with_hand(unseen_copies(memory), view, seat)
    memory.theirs_ones = copies.ones
    memory.theirs_twos = copies.twos


@hot
def their_chance(memory, possible, wanted):
    """Probability that a card is in a set for the seat whose hand was put back."""
    copies = Copies(np.int64(memory.theirs_ones), np.int64(memory.theirs_twos))
    return probability(copies, possible, wanted)


@hot
def is_blank(possible):
    """Whether neither colour nor rank is known."""
    return known_colour(possible) < 0 and known_rank(possible) < 0


@hot
def is_known_useless(view, memory, possible):
    """Whether the known colour, rank or both make a card useless."""
    colour, rank = known_colour(possible), known_rank(possible)
    if rank >= 0 and rank < lowest_firework(view):
        return True
    if colour < 0:
        return False
    if view.firework[colour] == view.ranks:
        return True
    return rank >= 0 and BIT[5 * colour + rank] & memory.dead != 0


@hot
def is_known_playable(view, possible):
    """Whether colour and rank are known and the card can be played."""
    colour, rank = known_colour(possible), known_rank(possible)
    return colour >= 0 and rank >= 0 and view.firework[colour] == rank


@hot
def likeliest_slot(view, memory, wanted):
    """Own slot most likely to hold a card of a set (ties: highest), and the probability."""
    best, best_chance = -1, -1.0
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            here = chance(memory, view.possible[view.seat, slot], wanted)
            if here >= best_chance:
                best, best_chance = slot, here
    return best, best_chance


@hot
def rank_first(view, offset, seat, slot):
    """Tell what is not known about a card: the rank, else the colour."""
    possible, card = view.possible[seat, slot], view.card[seat, slot]
    if known_rank(possible) < 0:
        return hint_rank(view, offset, card % 5)
    if known_colour(possible) < 0:
        return hint_colour(view, offset, card // 5)
    return NO_MOVE


@hot
def colour_first(view, offset, seat, slot):
    """Tell what is not known about a card: the colour, else the rank."""
    possible, card = view.possible[seat, slot], view.card[seat, slot]
    if known_colour(possible) < 0:
        return hint_colour(view, offset, card // 5)
    if known_rank(possible) < 0:
        return hint_rank(view, offset, card % 5)
    return NO_MOVE
