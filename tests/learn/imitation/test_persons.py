"""Persons: what is common to those who are learned from, and what a person's own games add."""

import numpy as np
import pytest

from tamaya.adapt.model import choices_of, log_likelihood
from tamaya.learn.imitation.games import TRAIN, PersonGame, games_in, parts_of
from tamaya.learn.imitation.persons import (
    EACH,
    by_games_seen,
    by_person,
    common_model,
    personal_model,
)
from tamaya.rules import Rules
from tamaya.table import play

AGENTS = ("piers", "outer", "iggi", "internal", "van-den-bergh", "certainty")
PEOPLE = [f"{agent} {k}" for agent in AGENTS for k in range(3)]


def games_of(person: str, n: int) -> list[PersonGame]:
    """Games of somebody who moves like an agent, in seat 1; the other seat plays at random."""
    agent, number = person.split()
    rules = Rules(players=2, bomb="keep", lives=100)
    played = play(["legal-random", agent], rules, n, seed=int(number), record=True, threads=1)
    return [PersonGame(played.game(k), (1,), person) for k in range(n)]


@pytest.fixture(scope="module")
def crowd() -> list[PersonGame]:
    """Five games of each."""
    return [game for person in PEOPLE for game in games_of(person, 5)]


def test_a_person_is_predicted_better_after_some_games(crowd):
    rows = by_games_seen(crowd, (0, 3), split=1)
    assert [row.seen for row in rows] == [0, 3]
    assert (rows[0].gain, rows[0].gain_se) == (0, 0)
    held_out = [person for person, part in parts_of(crowd, 1).items() if part != TRAIN]
    later = [game for person in held_out for game in by_person(crowd)[person][3:]]
    n_moves = sum((game.game.events["seat"] == 1).sum() for game in later)
    assert (rows[0].people, rows[0].moves) == (len(held_out), n_moves)
    assert rows[1].gain == pytest.approx(rows[0].nats - rows[1].nats)
    assert rows[1].gain > 0.05


def test_what_is_common_comes_from_those_who_are_learned_from(crowd):
    learned = games_in(crowd, (TRAIN,), 1)
    common = common_model(crowd, 1)
    assert np.array_equal(common, common_model(learned, 1))
    assert (
        log_likelihood(choices_of([game.game for game in learned], [0b10] * len(learned)), common)
        > -2
    )
    assert personal_model([], common) is common


def test_nobody_outweighs_the_others(crowd):
    much = [*crowd, *games_of(games_in(crowd, (TRAIN,), 1)[0].person, EACH + 5)[5:]]
    more = [*much, *games_of(games_in(crowd, (TRAIN,), 1)[0].person, EACH + 15)[EACH + 5 :]]
    assert np.array_equal(common_model(much, 1), common_model(more, 1))


def test_people_must_have_played_enough(crowd):
    with pytest.raises(ValueError, match="nobody held out by split 1 has played more than 5 games"):
        by_games_seen(crowd, (0, 5), split=1)
