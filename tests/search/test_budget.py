"""What a decision may cost, and the clock of compiled code."""

from time import sleep

import numpy as np
import pytest

from tamaya.compiled import hot
from tamaya.search.budget import BUDGET, is_late, is_spent, nanoseconds, set_budget

pytestmark = pytest.mark.interpreted


@hot
def now():
    return nanoseconds()


@hot
def budget_of(samples, ms, budget):
    set_budget(budget, samples, ms)


@hot
def verdicts(budget, n):
    return is_late(budget), is_spent(budget, n)


def new_budget(samples: int, ms: float) -> np.record:
    budget = np.zeros(1, BUDGET)[0]
    budget_of(samples, ms, budget)
    return budget


def test_the_clock_runs_as_fast_as_others():
    before = now()
    sleep(0.05)
    assert 0.05 <= (now() - before) / 1e9 < 5


def test_the_clock_never_runs_backwards():
    times = [now() for _ in range(1000)]
    assert times == sorted(times)


def test_samples_are_counted_if_no_time_is_given():
    budget = new_budget(3, 0.0)
    assert [tuple(verdicts(budget, n)) for n in (0, 2, 3, 4)] == [
        (False, False), (False, False), (False, True), (False, True),
    ]  # fmt: skip


def test_time_counts_instead_of_samples_if_given():
    budget = new_budget(3, 1e6)
    assert tuple(verdicts(budget, 1000)) == (False, False)
    budget = new_budget(3, 1.0)
    sleep(0.002)
    assert tuple(verdicts(budget, 0)) == (True, True)
