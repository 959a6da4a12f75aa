"""The clock of compiled code."""

from time import sleep

import pytest

from tamaya.compiled import hot
from tamaya.search.clock import nanoseconds

pytestmark = pytest.mark.interpreted


@hot
def now():
    return nanoseconds()


def test_it_runs_as_fast_as_other_clocks():
    before = now()
    sleep(0.05)
    assert 0.05 <= (now() - before) / 1e9 < 5


def test_it_never_runs_backwards():
    times = [now() for _ in range(1000)]
    assert times == sorted(times)
