"""How much Eger's players would like to throw a card away.

Every identity that hints leave possible counts as often as copies are left in the deck or in any
hand, the partner's included. A played card is worth +1/2, as it returns a token; all others are a
loss that is greater the lower their rank, the nearer their turn, and greatest for last copies.
"""

from typing import NamedTuple

from tamaya.agents.eger.meaning import COLOUR_ORDER
from tamaya.cards import BIT
from tamaya.compiled import hot

TOKEN = 0.5  # worth of a token


class Term(NamedTuple):
    """A possible identity: its probability, and what it adds to the score."""

    probability: float
    value: float


@hot
def copies_left(view, slot, card):
    """Copies of a card that a slot may hold: neither played nor discarded, nor ruled out."""
    if not view.possible[view.seat, slot] & BIT[card]:
        return 0
    is_played = card % 5 < view.firework[card // 5]
    return max(0, view.copies[card] - view.discarded[card] - is_played)


@hot
def n_left(view, slot):
    """Copies of all cards that a slot may hold."""
    n = 0
    for card in range(25):
        n += copies_left(view, slot, card)
    return n


@hot
def term(view, slot, card, total):
    """The part of a slot's score that an identity contributes."""
    n = copies_left(view, slot, card)
    if n == 0:
        return Term(0.0, 0.0)
    probability = n / total
    rank, height = card % 5 + 1, view.firework[card // 5]
    if height >= rank:
        return Term(probability, probability * TOKEN)
    loss = float(view.ranks + 1 - rank)
    if n > 1:
        distance = rank - height
        loss = probability * loss / (distance * distance)
    if rank == view.ranks:
        loss += TOKEN
    return Term(probability, -(loss * probability))


@hot
def discard_score(view, slot):
    """How good it is to discard a slot; summed in the program's order, which decides ties."""
    total, score = n_left(view, slot), 0.0
    for k in range(5):
        for rank in range(5):
            score += term(view, slot, 5 * COLOUR_ORDER[k] + rank, total).value
    return score


@hot
def best_discard(view):
    """Own slot with the highest score, the lowest of those."""
    best, highest = 0, -1e9
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            score = discard_score(view, slot)
            if score > highest:
                best, highest = slot, score
    return best
