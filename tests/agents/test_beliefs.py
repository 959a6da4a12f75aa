"""Beliefs of agents: better than counting in their own games, and never impossible."""

from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

from support import scaled
from tamaya.arena.rule_texts import options_text, rules_for
from tamaya.game import Game
from tamaya.registry import all_agents, find_agent
from tamaya.seat import Seat
from tamaya.table import play

BENCHMARK = run_path(str(Path(__file__).parents[2] / "benchmarks" / "beliefs.py"))


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("smartbot", 2),
        ("smartbot", 3),
        ("wtfwthat", 3),
        ("information", 2),
        ("information", 5),
        ("fireflower", 2),
        ("fireflower", 4),
        ("hat-information", 3),
    ],
)
def test_agents_know_their_cards_better_than_by_counting(name, players):
    player = find_agent(name)
    rules = rules_for(players, options_text(player.made_for))
    found = BENCHMARK["calibration"](player, rules, max(2, scaled(50)), seed=21)
    assert found.impossible == 0
    assert found.own < found.counting - 3 * found.gain_se
    assert found.own_share > found.counting_share


def test_those_with_conventions_believe():
    believers = {player.name for player in all_agents() if player.has_beliefs}
    family = {"wtfwthat", "wtfwthat-2018", "information", "hat-information", "cox-information"}
    readers = {"smartbot", "smartbot-refined", "fireflower", "fireflower-careful"}
    assert family | readers | {"search", "flat-mc", "ris-mcts-best"} <= believers
    assert not believers & {"certainty", "iggi", "random", "ppo"}


@pytest.mark.parametrize("name", ["smartbot", "information", "fireflower"])
@pytest.mark.parametrize("rules", ["", "refill=in_place empty_hints=true", "hand_size=3"])
def test_moves_of_strangers_are_survived(name, rules):
    """Hints that follow no convention contradict sets; beliefs still are probabilities."""
    finished = play("random", rules_for(3, f"lives=20 {rules}".strip()), 5, record=True)
    for k in range(5):
        end = finished.game(k)
        game = Game(end.rules, deck=end.deck, start=int(end.record.start))
        seats = [Seat(find_agent(name), game, seat) for seat in range(3)]
        for move in end.moves:
            game.apply(move)
            for seat in seats:
                seat.observe()
                found = seat.believe()  # checks every row
                assert np.isfinite(found).all()
