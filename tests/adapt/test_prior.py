"""The prior of models: which families it is made of, and what it is worth for others."""

import numpy as np
import pytest

from tamaya.adapt import prior as module
from tamaya.adapt.families import CODES, FAMILIES, family_of
from tamaya.adapt.features import N_WEIGHTS
from tamaya.adapt.model import choices_of, fitted, log_likelihood
from tamaya.adapt.prior import (
    PEOPLE,
    SIZES,
    among_people,
    known_weights,
    people,
    plain_agents,
    prior,
)
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play


def games_of(name: str, n: int, seed: int) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=2), n, seed=seed, record=True, threads=1)
    return [played.game(k) for k in range(n)]


@pytest.mark.parametrize("players", range(2, 6))
def test_the_packaged_models_are_complete(players):
    known = known_weights(players)
    least = max(size for size in SIZES if size <= players)
    expected = {name for size in SIZES[least] for name in plain_agents(size)}
    assert set(known) == expected
    assert not {family_of(name) for name in known} & set(CODES)
    assert {"smartbot", "fireflower", "ppo", "iggi", "osawa"} < set(map(family_of, known))
    assert (PEOPLE in known) == (players == 2)
    assert all(np.abs(weights).max() > 0.5 for weights in known.values())


def test_families_that_must_not_be_known_have_no_part_in_it(monkeypatch):
    with_all = prior(2)
    for family in {family_of(name) for name in known_weights(2)}:
        assert not np.array_equal(prior(2, (family,)).mean, with_all.mean)
        assert not np.array_equal(prior(2, (family,)).variance, with_all.variance)
    before = prior(2, ("smartbot",))
    changed = {name: weights + (family_of(name) == "smartbot")
               for name, weights in known_weights(2).items()}  # fmt: skip
    monkeypatch.setattr(module, "known_weights", lambda players: changed)
    after = prior.__wrapped__(2, ("smartbot",))
    assert np.array_equal(after.mean, before.mean)
    assert np.array_equal(after.variance, before.variance)


def test_every_family_counts_once(monkeypatch):
    weights = {"iggi": 0.0, "piers": 2.0, "smartbot": 3.0}
    known = {name: np.full(N_WEIGHTS, weight) for name, weight in weights.items()}
    monkeypatch.setattr(module, "known_weights", lambda players: known)
    found = prior.__wrapped__(2)
    assert found.mean == pytest.approx(module.KEPT * 2.0)
    spread = ((4 + 0) / 2 + 1) / 2
    assert found.variance == pytest.approx(module.LEAST_VARIANCE + spread)


def test_if_nothing_may_be_known_all_weights_are_alike():
    nothing = prior(2, tuple(FAMILIES))
    assert not nothing.mean.any()
    assert np.ptp(nothing.variance) == 0


def test_people_are_known_unless_they_must_not_be():
    assert people(2) is not None
    assert people(2, (PEOPLE,)) is None
    assert people(3) is None


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
@pytest.mark.parametrize("name", ["piers", "tamaya-mirror", "acha"])
def test_it_helps_to_predict_a_family_that_is_not_in_it(name):
    samples, others = games_of(name, 8, 72_500), choices_of(games_of(name, 20, 73_500))
    expected = prior(2, (family_of(name),))
    gains = [log_likelihood(others, fitted([game], expected))
             - log_likelihood(others, fitted([game])) for game in samples]  # fmt: skip
    assert np.mean(gains) > 0.03


def test_people_are_expected_to_be_close_to_each_other():
    person = among_people(2)
    assert person is not None
    assert np.array_equal(person.mean, people(2))
    assert (person.variance < 0.1 * prior(2).variance).all()
    others = among_people(2, ("ppo",))
    assert others is not None
    assert not np.array_equal(others.variance, person.variance)  # nothing of ppo is used
    assert among_people(2, ("human",)) is None
    assert among_people(3) is None
