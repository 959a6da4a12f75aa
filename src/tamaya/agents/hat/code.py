"""The hat code: one number, announced by the form of a hint.

The mover adds the hats of all other seats and announces the sum. Every other seat subtracts the
hats that it sees, which leaves its own: one hint tells each seat its own number.

Where hints may be empty, every hint (seat, colour or rank) is a distinct number. Where they may
not, only the receiver and the choice of rank or colour carry the number, because the value must be
in the hand: there are 2 (players - 1) numbers, and any value in the hand can be named.
"""

import numpy as np

from tamaya.cards import NO_CARD
from tamaya.compiled import hot
from tamaya.knowledge.hands import first_slot
from tamaya.moves import HINT_COLOUR, hint_colour, hint_rank, kind_of, offset_of, value_of


@hot
def n_messages(view):
    """How many numbers a hint can announce."""
    if view.empty_hints:
        return (view.players - 1) * (view.colours + view.ranks)
    return 2 * (view.players - 1)


@hot
def receiver(view, number):
    """Offset of the seat that gets the hint of a number."""
    if view.empty_hints:
        return 1 + number // (view.colours + view.ranks)
    return 1 + number % (view.players - 1)


@hot
def names_rank(view, number):
    """Whether the hint of a number names a rank, not a colour."""
    if view.empty_hints:
        return number % (view.colours + view.ranks) >= view.colours
    return number < view.players - 1


@hot
def first_card(view, seat):
    """Card in the first slot of another seat that has one, or NO_CARD."""
    slot = first_slot(view, seat)
    return np.int64(view.card[seat, slot]) if slot >= 0 else NO_CARD


@hot
def announce(view, number, card):
    """The hint for a number; where the value is free it is that of a card of the receiver."""
    offset = receiver(view, number)
    if view.empty_hints:
        value = number % (view.colours + view.ranks)
        if value < view.colours:
            return hint_colour(view, offset, value)
        return hint_rank(view, offset, value - view.colours)
    if names_rank(view, number):
        return hint_rank(view, offset, card % 5)
    return hint_colour(view, offset, card // 5)


@hot
def announced(view, move):
    """The number that a hint announces."""
    offset = offset_of(view, move)
    is_colour = kind_of(view, move) == HINT_COLOUR
    if view.empty_hints:
        value = value_of(view, move)
        if not is_colour:
            value += view.colours
        return (offset - 1) * (view.colours + view.ranks) + value
    return offset - 1 + (view.players - 1 if is_colour else 0)
