"""Tallies add up exactly, and their statistics equal NumPy's and SciPy's on known data."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya.arena.tally import Tally, moments, wilson_interval, z_score
from tamaya.rules import Rules
from tamaya.table import play

counts = st.lists(st.integers(0, 10**6), min_size=26, max_size=26)


@given(counts.filter(lambda row: sum(row) > 1))
def test_moments_equal_numpy(row):
    values = np.arange(26)
    mean = np.average(values, weights=row)
    variance = np.average((values - mean) ** 2, weights=row) * sum(row) / (sum(row) - 1)
    assert moments(row)[0] == pytest.approx(mean)
    assert moments(row)[1] == pytest.approx(variance**0.5, abs=1e-9)


def test_a_tally_of_parts_is_the_tally_of_all():
    results = play("example", Rules(players=3), 700, seed=3).results
    parts = [Tally.of(results[k : k + 100], first=k) for k in range(0, 700, 100)]
    assert sum(reversed(parts), Tally()) == Tally.of(results)
    assert Tally.of(results).mean == pytest.approx(results["score"].mean())
    assert Tally.of(results).se == pytest.approx(results["score"].std(ddof=1) / 700**0.5)


def test_differences_of_a_pair():
    ours = play("certainty", Rules(players=2), 400, seed=1).results
    theirs = play("example", Rules(players=2), 400, seed=1).results
    gained = ours["score"].astype(float) - theirs["score"]
    mean, se = Tally.of(ours, theirs).difference
    assert mean == pytest.approx(gained.mean())
    assert se == pytest.approx(gained.std(ddof=1) / 20)


def test_json_round_trip():
    tally = Tally.of(play("random", Rules(players=2), 50).results)
    assert Tally.from_dict(json.loads(json.dumps(tally.to_dict()))) == tally


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (500, 1000), (1000, 1000)])
def test_interval_of_a_share_equals_scipy(k, n):
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    expected = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert wilson_interval(k, n) == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_nothing_is_known_of_no_games():
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert np.isnan(Tally().mean)


def test_differences_in_combined_errors():
    assert z_score(5.0, 3.0, 4.0) == 1.0
    assert z_score(0.0, 0.0) == 0.0
    assert z_score(-1.0, 0.0) == -float("inf")


def test_games_that_were_given_up_are_counted_or_unknown():
    results = play("rules:PlaySafeCard", Rules(players=2), 20).results
    tally = Tally.of(results)
    assert tally.gave_up == 20
    assert (tally + tally).gave_up == 40
    old = tally.to_dict()
    del old["gave_up"]  # as version 0.1.0 stored it
    assert Tally.from_dict(old).gave_up is None
    assert (tally + Tally.from_dict(old)).gave_up is None


def test_intervals_of_nothing_and_everything_end_at_0_and_1():
    for n in range(1, 200):
        assert wilson_interval(0, n)[0] == 0.0
        assert wilson_interval(n, n)[1] == 1.0
