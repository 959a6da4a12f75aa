"""What search believes: shares of the deals that it samples."""

import numpy as np
import pytest

from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play


def at_end(text: str, game: Game) -> Seat:
    """The seat to move, having seen the game."""
    position = game.at(0)
    seat = Seat(find_agent(text), position, game.mover)
    for move in game.moves:
        position.apply(move)
        seat.observe()
    return seat


def test_without_filters_it_counts():
    game = play("certainty", Rules(players=3), 1, record=True).game(0).at(12)
    expected = counted_beliefs(game.view())
    for text in ("flat-mc", "ris-mcts", "search:blueprint=certainty", "mcts"):
        np.testing.assert_allclose(at_end(text, game).believe(), expected, atol=1e-9)


def test_a_convention_with_sets_is_the_blueprints_own_belief():
    rules = Rules(players=3, empty_hints=True)
    game = play("hat-information", rules, 1, record=True).game(0).at(12)
    own = at_end("hat-information", game).believe()
    np.testing.assert_allclose(at_end("search", game).believe(), own, atol=1e-9)
    assert np.abs(own - counted_beliefs(game.view())).max() > 0.1


@pytest.mark.parametrize("text", ["ris-mcts-best", "search:blueprint=tamaya-mirror,trust=0.9"])
def test_trust_in_team_mates_tells_of_ones_cards(text):
    rules, own, counting = Rules(players=2), [], []
    for k in range(4):
        finished = play("tamaya-mirror", rules, 1, seed=k, record=True).game(0)
        for turn in range(6, finished.turn, 5):
            game = finished.at(turn)
            found, counted = at_end(text, game).believe(), counted_beliefs(game.view())
            hand = game.record.card[game.mover, :5]
            own += [found[slot, card] for slot, card in enumerate(hand) if card >= 0]
            counting += [counted[slot, card] for slot, card in enumerate(hand) if card >= 0]
    assert np.log(own).mean() > np.log(counting).mean()
