"""Osawa's self-recognition: outer, which estimates its own hand before it discards at random.

If the partner's last move was a hint, a slot counts as the card for which more than ``ratio`` times
as much speaks as for any other; what is playable then is played, what has been played discarded.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.agents.osawa.recognition import hand_weights, is_asked, recognised_card
from tamaya.agents.osawa.strategies import FIGURES, informed_move, some_discard
from tamaya.cards import BIT, card_name
from tamaya.compiled import hot
from tamaya.knowledge.board import board_now
from tamaya.moves import NO_MOVE, discard, play
from tamaya.rules import MAX_HAND


@hot
def recognised_move(view, board, params):
    """Play or discard a card that the last hint gives away, or NO_MOVE."""
    weights = np.zeros((MAX_HAND, 25))
    hand_weights(view, board, params.lowest, weights)
    move = NO_MOVE
    for slot in range(view.n_cards[view.seat]):
        card = recognised_card(weights[slot], params.ratio)
        if card >= 0 and BIT[card] & board.playable:
            return play(view, slot)
        if card >= 0 and BIT[card] & board.played and move == NO_MOVE:
            move = discard(view, slot)
    return move if view.tokens < view.max_tokens else NO_MOVE


@agent(
    "osawa-2015-self", params={"ratio": 2.5, "lowest": False}, players="2", source="Osawa 2015",
    made_for=FIGURES, least={"ratio": 1.0},
)  # fmt: skip
def self_recognition(view, memory, params):
    """Plays like outer, and infers its own cards from the hints that its partner chose."""
    board = board_now(view)
    move = informed_move(view, memory, board, True, params.lowest)
    if move == NO_MOVE and is_asked(view):
        move = recognised_move(view, board, params)
    return move if move != NO_MOVE else some_discard(view, memory, params.lowest)


@self_recognition.explain
def explain_recognition(view, memory, params):
    """What the last hint says about each own card, as shares of what speaks for the likeliest."""
    if not is_asked(view):
        return [("last move", "no hint to this seat")]
    weights = np.zeros((MAX_HAND, 25))
    hand_weights(view, board_now(view), params["lowest"] != 0, weights)
    rows = []
    for slot in range(view.n_cards[view.seat]):
        total = weights[slot].sum()
        if total > 0:
            cards = np.argsort(-weights[slot], kind="stable")[:3]
            texts = [f"{card_name(int(card))} {weights[slot, card] / total:.2f}"
                     for card in cards if weights[slot, card] > 0]  # fmt: skip
            rows.append((f"slot {slot}", ", ".join(texts)))
    return rows
