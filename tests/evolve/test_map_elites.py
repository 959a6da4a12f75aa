"""MAP-Elites: styles, batches, and configs that make no sense."""

from dataclasses import replace

import numpy as np
import pytest

from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.map_elites import ElitesConfig, next_batch, styles
from tamaya.evolve.rule_sets import rule_set

SMALL = ElitesConfig(rule_set("old"), Protocol(players=(2,)), length=6, cells=8, random=60,
                     variants=120, games=3, seed=2)  # fmt: skip


def test_styles():
    counted = np.array([[10.0, 5.0, 4.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
    assert styles(counted).tolist() == [[0.5, 0.75], [0.0, 1.0]]


def test_batches_are_random_lists_first_and_then_variants_of_parents():
    parents = np.array([[0] * 6, [1] * 6])
    config = replace(SMALL, mutation=0.0, crossover=1.0)
    rng = np.random.default_rng(1)
    assert next_batch(config, 59, 40, parents, rng).max() > 1
    children = next_batch(config, 60, 40, parents, rng)
    assert set(children.ravel()) == {0, 1} and (children.min(axis=1) < children.max(axis=1)).any()
    alone = next_batch(replace(config, crossover=0.0), 60, 40, parents, rng)
    assert (alone.min(axis=1) == alone.max(axis=1)).all()
    assert next_batch(config, 60, 40, parents[:0], rng).max() > 1


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="games must be at least 1"):
        replace(SMALL, games=0)
    with pytest.raises(ValueError, match="variants must be at least 0"):
        replace(SMALL, variants=-1)
    with pytest.raises(ValueError, match="crossover must be between 0 and 1"):
        replace(SMALL, crossover=2.0)
