"""The hint budget: for how many of the plays still possible the team will have hints.

Tokens to come (remaining discards, available tokens, fireworks to finish) and known plays are
compared with the plays that still need a hint. Sure plays of the coming round are a lower bound.
"""

from math import exp, log

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    MINE,
    ORDER_BIT,
    PLAY,
    SAVE,
    next_ranks,
    order_at,
    possible,
)
from tamaya.agents.fireflower.questions import is_new
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.knowledge.hands import seat_after
from tamaya.knowledge.sets import is_one

PRICE = 0.85  # of a hint, in plays


@hot
def soft_plus(x, width):
    """A smooth max(0, x)."""
    return width * log(1.0 + exp(x / width))


@hot
def blind_worth(state):
    """The value of an imagined hint without content: more if this player has a new card."""
    seat = state.seat
    n = state.n_cards[seat]
    if n > 1 and is_new(state, seat, order_at(state, seat, n - 2)):
        return 0.45
    if n > 0 and is_new(state, seat, order_at(state, seat, n - 1)):
        return 0.30
    return 0.10


@hot
def tokens_to_come(state):
    """Hints that can still be given, or have nearly the same effect."""
    n_earning = 0
    for colour in range(state.colours):
        if state.firework[colour] < state.ranks and not state.no_completion_token:
            n_earning += 1
    tokens = float(state.max_discards - state.n_discards + state.tokens)
    if state.n_blind > 0:
        tokens += state.n_blind * blind_worth(state)
    return tokens + max(0, n_earning - 1)


@hot
def repairs(state):
    """Hints needed to prevent plays of cards that are visibly not playable."""
    n = 0
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            order = order_at(state, seat, slot)
            card = state.face[order]
            if card >= 0 and state.kind[order] == PLAY and state.place[order] == 0:
                if BIT[card] & (state.playable | state.danger) == 0:
                    if possible(state, COMMON, order) & state.playable != 0:
                        n += 1
    return n * (0.30 / PRICE)


@hot
def saved_worth(state, order, is_oldest):
    """The value, in hints, of knowing that a card is to be kept."""
    card = state.face[order]
    if state.kind[order] != SAVE or card < 0:
        return 0.0
    if BIT[card] & state.danger != 0:
        return (0.35 if is_oldest and state.players != 3 else 0.20) / PRICE
    return 0.10 / PRICE if BIT[card] & state.playable != 0 else 0.0


@hot
def walk_round(state, fine):
    """Known plays, what is known in hints, and plays in turn, over the turns of the next round."""
    n_known, knowledge, n_in_turn = 0, 0.0, 0
    counted, reach = np.int64(0), state.playable
    seat = state.mover
    for _ in range(state.players if state.final < 0 else state.final):
        noted = np.int64(0)
        for slot in range(state.n_cards[seat] - 1, -1, -1):
            order = order_at(state, seat, slot)
            if fine & ORDER_BIT[order] != 0:
                card = possible(state, MINE, order) & state.useful
                if not is_one(card):
                    card = np.int64(0)
                if card & counted == 0:
                    counted |= card
                    noted |= card
                    n_known += 1
                    knowledge += 0.45 / PRICE
            else:
                knowledge += saved_worth(state, order, slot == 0)
            n = popcount(possible(state, COMMON, order))
            knowledge += 0.02 / PRICE if n <= 1 else 0.01 / n
        played = noted & reach
        if played != 0:
            n_in_turn += 1
            reach = (reach & ~played) | next_ranks(state, played)
        seat = seat_after(state, seat)
    return n_known, knowledge, n_in_turn


@hot
def hints_factor(state, n_plays, fine):
    """Share of the plays still possible for which there will be hints."""
    n_known, knowledge, n_in_turn = walk_round(state, fine)
    known = n_known * (0.20 if state.players <= 2 else 0.1625)
    expected, rest = known, n_plays - known
    if rest > 0:
        spare = (tokens_to_come(state) - repairs(state) + knowledge) * PRICE - rest - 3.0
        gap = soft_plus(-spare, 2.5)
        share = soft_plus((n_plays - gap + 3.0) / (n_plays + 3.0), 0.1)
        expected += rest * min(share, 1.0)
    if expected < n_in_turn:
        expected += 0.65 * (n_in_turn - expected)
    return min(expected, n_plays) / n_plays
