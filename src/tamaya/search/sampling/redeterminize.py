"""Re-determinization: redrawing a seat's hand in the tree from what that seat knows.

Before another seat decides, its hand goes back into the deck and is drawn again from what that seat
knows: its own hints and what it sees. So the tree cannot exploit cards that the mover does not
know. After its move the hand that the root really sees is restored (``give_back``), without the
card that was used, and without cards of which the imagined move took the last copy: there the
redrawn card stays.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.hands import slot_of_order
from tamaya.records import record
from tamaya.rules import MAX_HAND
from tamaya.search.sampling.determinize import plan_hand, redeal

TRUTH = record([
    ("n", np.int64),
    ("order", np.int64, MAX_HAND),   # of each card of the hand
    ("card", np.int64, MAX_HAND),    # that the root sees there
])  # fmt: skip


@hot
def blindfold(game, seat, truth, plan, memory):
    """Replace the hand of a seat by one that it may hold, and save the original."""
    truth.n = 0
    for slot in range(game.hand_size):
        if game.order[seat, slot] >= 0:
            truth.order[truth.n] = game.order[seat, slot]
            truth.card[truth.n] = game.card[seat, slot]
            truth.n += 1
    plan_hand(game, seat, plan)
    redeal(game, seat, plan, memory)


@hot
def give_back(game, seat, truth):
    """Restore a seat's true cards, except those used in the meantime."""
    settled = 0  # slots, as bits, that hold their true card
    for k in range(truth.n):
        slot = slot_of_order(game, seat, truth.order[k])
        if slot >= 0 and game.card[seat, slot] == truth.card[k]:
            settled |= 1 << slot
    for k in range(truth.n):
        slot = slot_of_order(game, seat, truth.order[k])
        if slot >= 0 and not settled >> slot & 1:
            if fetch_card(game, seat, slot, truth.card[k], settled):
                settled |= 1 << slot
    for slot in range(game.hand_size):
        # A hand must never contain what hints exclude: redealing relies on that.
        card = game.card[seat, slot]
        if card >= 0 and not game.possible[seat, slot] & BIT[card]:
            game.possible[seat, slot] |= BIT[card]


@hot
def fetch_card(game, seat, slot, card, settled):
    """Move a card into a slot from the deck or an unsettled slot; returns whether it could."""
    place = game.order[seat, slot]
    for other in range(game.n_all - game.deck_size, game.n_all):
        if game.deck[other] == card:
            game.deck[other] = game.deck[place]
            game.deck[place] = card
            game.card[seat, slot] = card
            return True
    for other in range(game.hand_size):
        if other != slot and game.card[seat, other] == card and not settled >> other & 1:
            game.card[seat, other] = game.card[seat, slot]
            game.deck[game.order[seat, other]] = game.card[seat, slot]
            game.card[seat, slot] = card
            game.deck[place] = card
            return True
    return False
