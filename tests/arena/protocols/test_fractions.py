"""Means of ad-hoc teams over partners and over families."""

import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.protocols.adhoc import AdHoc, Config, run
from tamaya.arena.protocols.fractions import (
    CAP,
    family_means,
    mean_of_families,
    partner_means,
)
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


def team(partner: str, mean: float, alone: float = 20.0, identified: float | None = None) -> AdHoc:
    """A result with some means; both have a standard error of 0.2."""
    return AdHoc("adaptive", partner, Rules(players=2), 0, 100, 10, True, mean, 0.2, mean, 0.0,
                 alone, 0.2, 1.0, identified=identified)  # fmt: skip


def test_fractions_are_averaged_over_partners_that_score():
    result = run(Config("example", ("certainty", "random"), trials=100), Runner(Threads(1)))
    [one] = partner_means(result.teams)
    assert one[:2] == (2, 10)
    assert (one.partners, one.identified) == (1, None)
    assert one.mean == one.lowest == result.teams[0].fraction


def test_who_was_identified_is_averaged_too():
    [one] = partner_means([team("piers", 20, identified=1.0), team("iggi", 10, identified=0.5),
                           team("random", 1, alone=0.1, identified=0.0)])  # fmt: skip
    assert (one.mean, one.lowest, one.identified) == (0.75, 0.5, 0.75)


def test_each_family_counts_once_and_not_too_much():
    teams = [team("piers", 18), team("iggi", 22), team("outer", 30), team("smartbot", 10),
             team("information", 2)]  # fmt: skip
    means = {one.family: one for one in family_means(teams)}
    assert [means[name].mean for name in ("iggi", "osawa", "smartbot", "information")] == [
        pytest.approx(1.0), 1.5, 0.5, 0.1]  # fmt: skip
    assert means["iggi"].partners == 2
    errors = [team("piers", 18).fraction_se, team("iggi", 22).fraction_se]
    assert means["iggi"].error == pytest.approx((errors[0] ** 2 + errors[1] ** 2) ** 0.5 / 2)
    assert means["information"].speaks_code
    assert mean_of_families(list(means.values())) == pytest.approx((1.0 + CAP + 0.5) / 3)
