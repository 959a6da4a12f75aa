"""The same games as OpenSpiel's Hanabi: legal moves, scores, ends and vectors."""

import random

import pytest

from tamaya.encoding import encode_hle, hle_length
from tamaya.game import Game
from tamaya.rules import Rules

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: parity not checked")

import numpy as np  # noqa: E402

CONFIGURATIONS = [
    *(Rules(players=players) for players in range(2, 6)),
    *(Rules.preset("small", players=players) for players in range(2, 6)),
    Rules.preset("very-small", players=2),
    Rules(players=3, colours=4, ranks=3, hand_size=3, tokens=5, lives=30),
]


def open_spiel_game(rules: Rules):
    return pyspiel.load_game("hanabi", {
        "players": rules.players, "colors": rules.colours, "ranks": rules.ranks,
        "hand_size": rules.hand_size, "max_information_tokens": rules.tokens,
        "max_life_tokens": rules.lives,
    })  # fmt: skip


def deal_all(state, game: Game, n_dealt: int) -> int:
    """Let OpenSpiel's chance player deal the cards of our deck."""
    while state.is_chance_node():
        card = game.deck[n_dealt]
        state.apply_action(card // 5 * game.rules.ranks + card % 5)
        n_dealt += 1
    return n_dealt


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=Rules.to_text)
def test_random_games_agree(rules):
    rng = random.Random(rules.to_text())
    peer = open_spiel_game(rules)
    vector = np.zeros(hle_length(rules), np.uint8)
    for seed in range(50):
        game, state = Game(rules, seed), peer.new_initial_state()
        n_dealt = deal_all(state, game, 0)
        while not state.is_terminal():
            assert state.legal_actions() == game.legal_moves
            assert state.current_player() == game.mover
            for seat in range(rules.players):
                encode_hle(game.record, seat, vector)
                assert state.observation_tensor(seat) == vector.tolist()
            move = rng.choice(game.legal_moves)
            game.apply(move)
            state.apply_action(move)
            if not state.is_terminal():
                n_dealt = deal_all(state, game, n_dealt)
        assert game.is_over
        assert state.returns() == [game.score] * rules.players
