"""Conditions of a line: comparisons of public information with a number.

``IfLives>1``, ``IfTokens<4``, ``IfDeck=0&Lives>1``; ``IfHailMary`` stands for "lives to spare and
the deck is empty", which in the original is never true, because an agent counts its own hand as
part of the deck. ``Misplays`` counts the lives that others lost, ``Repeats`` the hints of others
that told nothing new: both reveal reckless and random partners.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.moves import PLAY, kind_of
from tamaya.records import SCORED
from tamaya.rng import random_unit

FIELDS = ("lives", "tokens", "deck", "points", "players", "turn", "misplays", "repeats", "chance",
          "hailmary")  # fmt: skip
(LIVES, TOKENS, DECK, POINTS, PLAYERS, TURN, MISPLAYS, REPEATS, CHANCE,
 HAIL_MARY) = range(len(FIELDS))  # fmt: skip
RELATIONS = ("<", "<=", ">", ">=", "=", "!=")
LESS, AT_MOST, MORE, AT_LEAST, EQUAL, OTHER = range(len(RELATIONS))


@hot
def n_misplays(view):
    """Lives that other seats lost."""
    n = 0
    for k in range(view.n_moves):
        event = view.history[k]
        if event.seat != view.seat and event.target < 0 and not event.effect & SCORED:
            if kind_of(view, event.move) == PLAY:
                n += 1
    return n


@hot
def n_repeats(view):
    """Hints of other seats that named no card for the first time."""
    n = 0
    for k in range(view.n_moves):
        event = view.history[k]
        if event.seat != view.seat and event.target >= 0 and event.newly == 0:
            n += 1
    return n


@hot
def field_value(view, memory, field):
    """The number that a condition compares."""
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
    if field == MISPLAYS:
        return np.float64(n_misplays(view))
    if field == REPEATS:
        return np.float64(n_repeats(view))
    return random_unit(memory)


@hot
def compare(value, relation, bound):
    """Whether a number satisfies a comparison with a bound."""
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
    """Whether all conditions of a line are true."""
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
