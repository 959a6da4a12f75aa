"""Crosstables: the packaged data, shrinkage, and the best answer."""

import numpy as np
import pytest

from tamaya.adapt.crosstable import Crosstable, crosstable, shrunk
from tamaya.adapt.families import library


@pytest.mark.parametrize("players", range(2, 6))
def test_the_packaged_tables_have_the_library(players):
    table = crosstable(players)
    assert table.players == players
    assert table.agents == library(players)
    assert table.means.shape == table.errors.shape == (len(table.agents),) * 2
    assert table.means.min() >= -1
    assert table.means.max() <= 26
    if players == 2:
        assert np.allclose(table.means, table.means.T)


def test_noise_is_shrunk_and_certainty_is_not():
    rng = np.random.default_rng(1)
    rows, columns = rng.normal(10, 3, (30, 1)), rng.normal(0, 3, (1, 30))
    truth = rows + columns + rng.normal(0, 0.5, (30, 30))
    errors = np.full((30, 30), 1.0)
    means = truth + rng.normal(0, 1, (30, 30))
    off = ~np.eye(30, dtype=bool)
    before, after = ((x - truth)[off].std() for x in (means, shrunk(means, errors)))
    assert after < 0.6 * before
    assert np.allclose(shrunk(truth, 0 * errors), truth)
    assert np.array_equal(np.diag(shrunk(means, errors)), np.diag(means))


def test_the_answer_goes_best_with_the_probabilities():
    means = np.array([[20.0, 5, 5], [5, 15, 12], [10, 10, 24]])
    table = Crosstable(2, ("a", "b", "c"), means, np.zeros((3, 3)))
    assert table.answer(table.agents, {"a": 1.0, "b": 0.0}) == ("a", 20)
    assert table.answer(("a", "b"), {"c": 1.0}) == ("b", 12)
    assert table.answer(table.agents, {"a": 0.2, "b": 0.8}) == ("b", 13)
