"""The hint budget: how many of the plays still possible the team will have hints for.

Tokens to come (discards that are left, tokens in hand, finished fireworks) and what is already
known are set against the plays that still need a hint. What is surely played in the coming round is
a floor.
"""

from math import exp, log

import numpy as np

from tamaya.agents.fireflower.mind import (
    COMMON,
    MINE,
    ORDER_BIT,
    PLAY,
    SAVE,
    is_one,
    next_ranks,
    order_at,
    possible,
    seat_after,
)
from tamaya.agents.fireflower.questions import is_new
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount

PRICE = 0.85  # of a hint, in plays


@hot
def soft_plus(x, width):
    """A smooth max(0, x)."""
    return width * log(1.0 + exp(x / width))


@hot
def blind_worth(mind):
    """What an imagined hint of no content is worth: more if this player has a new card."""
    seat = mind.seat
    n = mind.n_cards[seat]
    if n > 1 and is_new(mind, seat, order_at(mind, seat, n - 2)):
        return 0.45
    if n > 0 and is_new(mind, seat, order_at(mind, seat, n - 1)):
        return 0.30
    return 0.10


@hot
def tokens_to_come(mind):
    """Hints that can still be given, or are as good as given."""
    n_unfinished = 0
    for colour in range(mind.colours):
        if mind.firework[colour] < mind.ranks:
            n_unfinished += 1
    tokens = float(mind.max_discards - mind.n_discards + mind.tokens)
    if mind.n_blind > 0:
        tokens += mind.n_blind * blind_worth(mind)
    return tokens + max(0, n_unfinished - 1)


@hot
def repairs(mind):
    """Hints needed to stop plays of cards that are seen not to be playable."""
    n = 0
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            order = order_at(mind, seat, slot)
            card = mind.face[order]
            if card >= 0 and mind.kind[order] == PLAY and mind.place[order] == 0:
                if BIT[card] & (mind.playable | mind.danger) == 0:
                    if possible(mind, COMMON, order) & mind.playable != 0:
                        n += 1
    return n * (0.30 / PRICE)


@hot
def saved_worth(mind, order, is_oldest):
    """Hints that knowing to keep a card is worth."""
    card = mind.face[order]
    if mind.kind[order] != SAVE or card < 0:
        return 0.0
    if BIT[card] & mind.danger != 0:
        return (0.35 if is_oldest and mind.players != 3 else 0.20) / PRICE
    return 0.10 / PRICE if BIT[card] & mind.playable != 0 else 0.0


@hot
def walk_round(mind, fine):
    """Known plays, what is known in hints, and plays in turn, over the turns of the next round."""
    n_known, knowledge, n_in_turn = 0, 0.0, 0
    counted, reach = np.int64(0), mind.playable
    seat = mind.mover
    for _ in range(mind.players if mind.final < 0 else mind.final):
        noted = np.int64(0)
        for slot in range(mind.n_cards[seat] - 1, -1, -1):
            order = order_at(mind, seat, slot)
            if fine & ORDER_BIT[order] != 0:
                card = possible(mind, MINE, order) & mind.useful
                if not is_one(card):
                    card = np.int64(0)
                if card & counted == 0:
                    counted |= card
                    noted |= card
                    n_known += 1
                    knowledge += 0.45 / PRICE
            else:
                knowledge += saved_worth(mind, order, slot == 0)
            n = popcount(possible(mind, COMMON, order))
            knowledge += 0.02 / PRICE if n <= 1 else 0.01 / n
        played = noted & reach
        if played != 0:
            n_in_turn += 1
            reach = (reach & ~played) | next_ranks(mind, played)
        seat = seat_after(mind, seat)
    return n_known, knowledge, n_in_turn


@hot
def hints_factor(mind, n_plays, fine):
    """Share of the plays still possible that hints will suffice for."""
    n_known, knowledge, n_in_turn = walk_round(mind, fine)
    known = n_known * (0.20 if mind.players <= 2 else 0.1625)
    expected, rest = known, n_plays - known
    if rest > 0:
        spare = (tokens_to_come(mind) - repairs(mind) + knowledge) * PRICE - rest - 3.0
        gap = soft_plus(-spare, 2.5)
        share = soft_plus((n_plays - gap + 3.0) / (n_plays + 3.0), 0.1)
        expected += rest * min(share, 1.0)
    if expected < n_in_turn:
        expected += 0.65 * (n_in_turn - expected)
    return min(expected, n_plays) / n_plays
