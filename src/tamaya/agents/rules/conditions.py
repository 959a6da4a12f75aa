"""Conditions of a line: comparisons of what everybody sees with a number.

``IfLives>1``, ``IfTokens<4``, ``IfDeck=0&Lives>1``; ``IfHailMary`` stands for "lives to spare and
the deck is empty", which in the original is never true, because an agent counts its own hand to
the deck.
"""

import numpy as np

from tamaya.chance import random_unit
from tamaya.compiled import hot

FIELDS = ("lives", "tokens", "deck", "points", "players", "turn", "chance", "hailmary")
LIVES, TOKENS, DECK, POINTS, PLAYERS, TURN, CHANCE, HAIL_MARY = range(len(FIELDS))
RELATIONS = ("<", "<=", ">", ">=", "=", "!=")
LESS, AT_MOST, MORE, AT_LEAST, EQUAL, OTHER = range(len(RELATIONS))


@hot
def field_value(view, memory, field):
    """The number that a condition looks at."""
    if field == LIVES:
        return np.float64(view.lives)
    if field == TOKENS:
        return np.float64(view.tokens)
    if field == DECK:
        return np.float64(view.deck_size)
    if field == POINTS:
        return np.float64(view.points)
    if field == PLAYERS:
        return np.float64(view.players)
    if field == TURN:
        return np.float64(view.n_moves)
    return random_unit(memory)


@hot
def compare(value, relation, bound):
    """Whether a number stands in a relation to a bound."""
    if relation == LESS:
        return value < bound
    if relation == AT_MOST:
        return value <= bound
    if relation == MORE:
        return value > bound
    if relation == AT_LEAST:
        return value >= bound
    if relation == EQUAL:
        return value == bound
    return value != bound


@hot
def holds_for(view, memory, line):
    """Whether all conditions of a line hold."""
    for k in range(line.n_conditions):
        if line.field[k] == HAIL_MARY:
            if line.faithful or view.deck_size > 0 or view.lives <= 1:
                return False
        elif not compare(field_value(view, memory, line.field[k]), line.relation[k], line.bound[k]):
            return False
    return True


@hot
def may_discard(view):
    """Whether a discard is allowed now."""
    return view.tokens < view.max_tokens or view.discard_at_full != 0
