"""Information-set MCTS: as many iterations as asked for, and moves that random play rewards."""

import pytest

from agents.stacking import stacked
from search.agents.strength import assert_better
from support import decide
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rng import GOLDEN
from tamaya.rules import Rules
from tamaya.seat import Seat


def told_game() -> Game:
    """Seat 0 knows that its slot 2 is a 1, and nothing is on the table."""
    game = stacked("R3 R4 Y1 Y5 G5 G4 G3 G2 B5 B4", Rules(players=2, lives=1))
    for move in (game.legal_moves[-1], "h11"):
        game.apply(move)
    return game


@pytest.mark.interpreted
@pytest.mark.parametrize("samples", [1, 7, 40])
def test_each_sample_is_a_deal_of_its_own(samples):
    game = Game(Rules(players=2), seed=1)
    seat = Seat(find_agent(f"mcts:samples={samples},rollout=2"), game, 0)
    before = int(seat.memory["rng"][0])
    seat.act()
    assert int(seat.memory["rng"][0]) == (before + samples * int(GOLDEN)) % 2**64


@pytest.mark.interpreted
@pytest.mark.parametrize("visits", ["false", "true"])
def test_it_plays_a_card_that_it_knows(visits):
    # At depth 0 without rollouts the value of a move is the score right after it.
    agent = find_agent(f"mcts:samples=80,depth=0,rollout=0,c=0.1,visits={visits}")
    assert decide(agent, told_game(), 0) == 7


@pytest.mark.interpreted
def test_what_a_bomb_costs_decides_about_plays_in_the_dark():
    # One point is on the table, and three unknown cards in ten make another one.
    game = stacked("R1 R3 R4 Y5 G5 G4 G3 Y2 B5 B4", Rules(players=2, lives=1))
    game.apply("p0")
    agent = find_agent("mcts:samples=150,depth=0,rollout=0")
    assert 5 <= decide(agent.with_params({"keep": True}), game, 1) < 10
    assert not 5 <= decide(agent.with_params({"keep": False}), game, 1) < 10


@pytest.mark.parametrize("players", [2, 5])
def test_search_by_what_each_seat_knows_beats_it(players):
    assert_better("ris-mcts:samples=60", "mcts:samples=60", players, 8)
