"""Agents that decide in Python play at compiled tables, and their faults are named."""

import numpy as np
import pytest

from tamaya.agent import AgentFault
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.rng import random_below
from tamaya.rules import Rules
from tamaya.search.blueprint import blueprint_named
from tamaya.search.bridge import PythonAgent
from tamaya.seat import Seat
from tamaya.table import play


def wander(view, memory, params):
    """Any legal move, by the generator of its memory, which it advances."""
    legal = legal_mask(view)
    return nth_move(legal, random_below(memory, int(legal).bit_count()))


def fail(view, memory, params):
    raise RuntimeError("no idea")


def agent(act, **options):
    return PythonAgent("python", act, nested={"blueprint": blueprint_named("random")}, **options)


def test_it_plays_the_same_on_any_number_of_threads_and_in_a_seat():
    rules, wanderer = Rules(players=3), agent(wander)
    games = [play(wanderer, rules, 6, seed=3, threads=n, record=True) for n in (1, 2)]
    moves = [[played.game(k).moves for k in range(6)] for played in games]
    assert moves[0] == moves[1]
    game = Game(rules, seed=3)
    seats = [Seat(wanderer, game, seat) for seat in range(3)]
    while not game.is_over:
        game.apply(seats[game.mover].act())
    assert game.moves == moves[0][0]


@pytest.mark.skipif(not JIT, reason="exceptions pass through with the compiler off")
def test_a_fault_at_a_table_names_agent_and_seat(monkeypatch):
    seen = []
    monkeypatch.setattr("sys.unraisablehook", lambda args: seen.append(args.exc_value))
    with pytest.raises(AgentFault, match=r"'python'.*raised"):
        play(agent(fail), Rules(players=2), 1)
    assert str(seen[0]) == "no idea"
    with pytest.raises(AgentFault, match="seat 0, turn 1"):
        Seat(agent(fail), Game(Rules(players=2)), 0).act()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_it_rehearses_once_for_all_its_variants():
    rehearsed = []
    first = agent(wander, params={"depth": 1}, rehearse=lambda params: rehearsed.append(params))
    for depth in (1, 2, 3):
        first.with_params({"depth": depth}).compile()
    assert len(rehearsed) == 1
    assert isinstance(rehearsed[0], np.record)
