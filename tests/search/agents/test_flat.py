"""Flat Monte Carlo: how many rollouts it makes, and that they help."""

import numpy as np
import pytest

from search.agents.strength import assert_better
from search.positions import hinted_game
from tamaya.registry import find_agent
from tamaya.rng import GOLDEN
from tamaya.seat import Seat


@pytest.mark.interpreted
@pytest.mark.parametrize(("samples", "rounds"), [(1, 1), (30, 2), (45, 3), (46, 4)])
def test_samples_are_rollouts_of_all_moves_together(samples, rounds):
    game = hinted_game()
    assert len(game.legal_moves) == 15
    seat = Seat(find_agent(f"flat-mc:blueprint=example,rollout=0,samples={samples}"), game, 1)
    before = np.uint64(seat.memory["rng"][0])
    seat.act()
    # One seed for the blueprint's own move, and one for each round.
    assert np.uint64(seat.memory["rng"][0]) == before + np.uint64(rounds + 1) * GOLDEN


def test_it_improves_its_blueprint():
    agent = "flat-mc:moves=good,blueprint=iggi,samples=300,margin=0.2"
    assert_better(agent, "iggi", 3, 12, 2000)
