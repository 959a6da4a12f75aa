"""Scores: averages by person and by move, noise rates, the agent of the package."""

from math import log

import numpy as np
import pytest

from choosing import DATA, some_games, some_person
from tamaya.learn.imitation.games import TEST, games_in
from tamaya.learn.imitation.scores import (
    Turns,
    best_noise,
    probabilities,
    score,
    score_named,
    score_people,
    score_uniform,
    turns_of,
)
from tamaya.lookup import find_agent
from tamaya.replays.data_files import read_data
from tamaya.replays.person_games import person_games
from tamaya.rules import Rules

TURNS = Turns(("a", "b"), np.array([0, 0, 0, 1]), np.array([3, 4, 5, 6]), np.array([2, 4, 4, 8]))


def test_means_by_person_and_by_move():
    found = score("x", TURNS, np.array([1.0, 1, 1, 0]), np.array([0.0, 0, 0, 2]))
    assert (found.accuracy, found.accuracy_by_move) == (0.5, 0.75)
    assert (found.nats, found.nats_by_move) == (1.0, 0.5)
    assert found.accuracy_se == pytest.approx(0.5) and found.nats_se == pytest.approx(1.0)


def test_uniform_play():
    found = score_uniform(TURNS)
    assert found.nats_by_move == pytest.approx((log(2) + 2 * log(4) + log(8)) / 4)
    assert found.accuracy == pytest.approx(((0.5 + 0.25 + 0.25) / 3 + 1 / 8) / 2)


def test_agents_that_name_a_move_err_at_a_rate():
    named = np.array([3, 4, -1, 6])
    noise = best_noise(TURNS, named)
    losses = [score_named("x", TURNS, named, noise * factor).nats for factor in (0.8, 1, 1.2)]
    assert losses[1] == min(losses)
    found = score_named("x", TURNS, named, 0.5)
    assert found.accuracy_by_move == 0.75 and found.noise == 0.5
    expected = [0.5 + 0.25, 0.5 + 0.125, 0.125, 0.5 + 0.0625]
    assert found.nats_by_move == pytest.approx(-np.log(expected).mean())


def test_an_agent_with_probabilities():
    rules = Rules(players=2)
    games, agent = some_games(3, rules, people=3), some_person(rules)
    turns, probs = turns_of(games), probabilities(agent, games)
    assert probs.shape == (len(turns.moves), 20) and np.allclose(probs.sum(axis=1), 1)
    assert ((probs > 0).sum(axis=1) == turns.n_legal).all()
    found = score_people("x", turns, probs)
    made = [probs[k, move] for k, move in enumerate(turns.moves)]
    assert found.nats_by_move == pytest.approx(-np.log(made).mean())


def test_a_network_for_another_table_is_refused():
    agent = some_person(Rules(players=2))
    with pytest.raises(ValueError, match="somebody has no network for 3 players"):
        probabilities(agent, some_games(1, Rules(players=3)))


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no games of people in {DATA}")
def test_human_predicts_people_that_it_has_not_seen():
    games = games_in(person_games(read_data(DATA / "human-2p.jsonl.gz")), [TEST], 1)
    turns = turns_of(games)
    found = score_people("human", turns, probabilities(find_agent("human"), games))
    assert found.people > 40 and found.moves > 4000
    assert found.accuracy >= 0.51 and found.nats <= 1.60
    assert found.accuracy_by_move >= 0.51 and found.nats_by_move <= 1.60
