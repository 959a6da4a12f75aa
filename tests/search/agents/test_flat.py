"""Flat Monte Carlo: how many rollouts it makes, and that they help."""

import pytest

from search.agents.strength import assert_better
from search.positions import hinted_game
from tamaya.moves import DISCARD, PLAY, describe
from tamaya.registry import find_agent
from tamaya.rng import GOLDEN
from tamaya.seat import Seat


@pytest.mark.interpreted
@pytest.mark.parametrize(("samples", "rounds"), [(1, 1), (30, 2), (45, 3), (46, 4)])
def test_samples_are_rollouts_of_all_moves_together(samples, rounds):
    game = hinted_game()
    assert len(game.legal_moves) == 15
    seat = Seat(find_agent(f"flat-mc:blueprint=example,rollout=0,samples={samples}"), game, 1)
    before = int(seat.memory["rng"][0])
    seat.act()
    # One seed for the blueprint's own move, and one for each round.
    assert int(seat.memory["rng"][0]) == (before + (rounds + 1) * int(GOLDEN)) % 2**64


def test_it_improves_its_blueprint():
    agent = "flat-mc:moves=good,blueprint=iggi,samples=300,margin=0.2"
    assert_better(agent, "iggi", 3, 12, 2000)


@pytest.mark.interpreted
@pytest.mark.parametrize(("margin", "kind"), [(0, PLAY), (1, DISCARD)])
def test_another_move_must_gain_the_margin(margin, kind):
    """The blueprint discards; to play instead gains a point on some deals, never more."""
    game = hinted_game()
    options = f"blueprint=first-legal,rollout=0,keep=true,samples=300,margin={margin}"
    move = Seat(find_agent(f"flat-mc:{options}"), game, 1).act()
    assert describe(game.rules, move)[0] == kind
