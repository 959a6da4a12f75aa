"""Batch agents: the same games as compiled agents, mixed teams, states, faults."""

from random import Random

import numpy as np
import pytest

from support import play_randomly, replay
from tamaya.agent import AgentError, BatchAgent
from tamaya.batch_dispatch import call_batch, call_batch_on_views
from tamaya.encoding import ENCODERS
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.table import AgentFault, play
from tamaya.view import fill_view


def lowest(observations, legal, state):
    return legal.argmax(axis=1)


FIRST = BatchAgent("first-in-batch", lowest)


@pytest.mark.parametrize("players", range(2, 6))
def test_batch_and_compiled_play_the_same_games(players):
    rules = Rules(players=players)
    compiled = play("first-legal", rules, 3000, seed=4)
    batched = play(FIRST, rules, 3000, seed=4)
    assert (compiled.results == batched.results).all()


def test_mixed_teams_of_both_kinds():
    rules = Rules(players=3)
    mixed = play(["certainty", FIRST, "certainty"], rules, 500, seed=1, record=True)
    compiled = play(["certainty", "first-legal", "certainty"], rules, 500, seed=1, record=True)
    assert (mixed.results == compiled.results).all()
    assert all(mixed.game(k) == compiled.game(k) for k in range(500))


def test_seating_seat_batch_agents_anywhere():
    rules = Rules(players=2)
    seatings = np.random.default_rng(0).integers(0, 2, (700, 2))
    mixed = play(["example", FIRST], rules, 700, seed=2, seatings=seatings)
    compiled = play(["example", "first-legal"], rules, 700, seed=2, seatings=seatings)
    assert (mixed.results == compiled.results).all()


def test_a_range_of_games_is_part_of_the_whole():
    rules = Rules(players=2)
    whole = play(FIRST, rules, 1500, seed=9)
    part = play(FIRST, rules, 300, seed=9, first=1100)
    assert (part.results == whole.results[1100:1400]).all()


def test_state_belongs_to_a_seat_of_a_game_and_starts_at_zero():
    seen = []

    def count(views, legal, state):
        seen.append((views["n_moves"].copy(), state[:, 0].copy()))
        state[:, 0] += 1
        return legal.argmax(axis=1)

    play(BatchAgent("counter", count, encoder="views", state_size=1), Rules(players=3), 2500)
    assert len(seen) > 3
    for n_moves, counted in seen:
        assert (counted == n_moves // 3).all()


def test_observations_are_those_of_the_mover():
    def check(observations, legal, state):
        assert observations.dtype == np.uint8
        assert observations.shape[1] == 658
        assert legal.dtype == np.bool_
        assert legal.any(axis=1).all()
        return legal.argmax(axis=1)

    play(BatchAgent("checker", check, dtype=np.uint8), Rules(players=2), 50)


@pytest.mark.parametrize("encoder", [*ENCODERS, "views"])
def test_a_view_is_asked_like_the_game_of_its_mover(encoder):
    asked = []

    def note(observations, legal, state):
        asked.append((observations.tobytes(), legal.tobytes()))
        return legal.argmax(axis=1)

    player, rules, rng = BatchAgent("noting", note, encoder=encoder), Rules(players=3), Random(1)
    games = [replay(play_randomly(Game(rules, seed), rng), turns=9 + seed) for seed in range(4)]
    views = np.zeros(len(games), VIEW)
    for game, view in zip(games, views, strict=True):
        fill_view(game.record, game.mover, view)
    records = np.concatenate([game.array for game in games])
    state = np.zeros((len(games), 0), np.float32)
    by_games = call_batch(player, rules, records, np.arange(len(games)), state)
    assert (call_batch_on_views(player, rules, views) == by_games).all()
    assert asked[0] == asked[1]


def test_an_illegal_move_is_reported_with_its_place():
    def bad(observations, legal, state):
        return np.zeros(len(legal), np.int64)

    with pytest.raises(
        AgentFault, match=r"agent 'bad' in seat 0, seed 3, game 7, turn 1 .*illegal"
    ):
        play(BatchAgent("bad", bad), Rules(players=2), 5, seed=3, first=7)


def test_an_exception_keeps_its_words():
    def fail(observations, legal, state):
        raise ValueError("my own words")

    words = r"agent 'shaky', asked for 5 moves: its act function raised ValueError: my own words"
    with pytest.raises(AgentFault, match=words + r" \(seed 3\)"):
        play(BatchAgent("shaky", fail), Rules(players=2), 5, seed=3)


@pytest.mark.parametrize("answer", [[0.5], [1, 2, 3], "no"])
def test_a_wrong_answer_is_named(answer):
    player = BatchAgent("odd", lambda observations, legal, state: np.asarray(answer))
    with pytest.raises(AgentError, match="agent 'odd' must return 1 whole numbers"):
        play(player, Rules(players=2), 1)


def test_progress_counts_every_game():
    counted = []
    play(FIRST, Rules(players=2), 1300, on_progress=counted.append)
    assert sum(counted) == 1300
