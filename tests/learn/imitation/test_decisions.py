"""Turns of people: whose, which, and how much they count."""

import numpy as np
import pytest

from choosing import ADVISERS, some_games
from tamaya.agents.learned.people.situation import EXPERIENCE, sizes_of
from tamaya.learn.imitation import decisions as module
from tamaya.learn.imitation.decisions import decisions_of
from tamaya.learn.imitation.games import PersonGame
from tamaya.rules import Rules

TWO = Rules(players=2)


@pytest.fixture(scope="module")
def games() -> list[PersonGame]:
    return some_games(6, TWO, people=4)


@pytest.fixture(scope="module")
def decisions(games):
    return decisions_of(games, ADVISERS)


def test_only_turns_of_people_count_in_the_order_of_the_games(games, decisions):
    moves = [move for each in games for k, move in enumerate(each.game.moves) if k % 2 == 1]
    assert decisions.moves.tolist() == moves and len(decisions) == len(moves)
    assert decisions.legal[np.arange(len(moves)), moves].all()
    assert decisions.people == ("p0", "p1", "p2", "p3")
    said = [each.experience for each in games for _ in each.game.moves[1::2]]
    places = [EXPERIENCE.index(word) if word else -1 for word in said]
    assert decisions.experience.tolist() == places
    assert decisions.situations.votes.shape == (len(moves), 20, sizes_of(TWO, 2).vote)


def test_hints_that_are_not_legal_are_zeros(decisions):
    idle = ~decisions.legal[:, 10:]
    assert idle.any() and not decisions.situations.hints[idle].any()


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_weights_of_people_follow_their_turns(decisions, power):
    weights, n = decisions.weights(power), np.bincount(decisions.person)
    sums = np.bincount(decisions.person, weights)
    assert np.allclose(sums / n**power, sums[0] / n[0] ** power, rtol=1e-5)
    assert abs(weights.mean() - 1) < 1e-5


def test_chunks_make_no_difference_and_progress_is_told(games, decisions, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 7)
    seen: list[int] = []
    again = decisions_of(games, ADVISERS, seen.append)
    assert seen == [1, 2, 3, 4, 5, 6]
    for one, other in zip(decisions.situations, again.situations, strict=True):
        assert np.array_equal(one, other)


def test_games_without_people_are_refused(games):
    with pytest.raises(ValueError, match="no turns of people"):
        decisions_of([PersonGame(games[0].game, (), "nobody")], [])
