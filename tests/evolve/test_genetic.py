"""The genetic algorithm: its operators, and configs that make no sense."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution import GENES, SMALL
from tamaya.evolve.genetic import first_population, next_population, ordered_crossover


@given(st.permutations(range(9)), st.permutations(range(9)), st.integers(0, 9), st.integers(0, 9))
def test_ordered_crossover_keeps_a_segment_and_stays_an_order(one, two, a, b):
    start, stop = min(a, b), max(a, b)
    child = ordered_crossover(one, two, start, stop)
    assert sorted(child) == list(range(9))
    assert child[start:stop] == list(one[start:stop])


def test_ordered_crossover_reads_the_other_parent_from_the_end_of_the_segment():
    assert ordered_crossover([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], 1, 3) == [0, 1, 2, 4, 3]


@pytest.mark.parametrize("variation", ["paper", "front"])
def test_next_population_keeps_the_elite_and_stays_orders(variation):
    config = replace(SMALL, variation=variation)
    population = first_population(config)
    scores = np.arange(len(population), dtype=float)
    following = next_population(config, population, scores, 1)
    best_first = population[::-1]
    assert (following[: config.elite] == best_first[: config.elite]).all()
    assert (np.sort(following, axis=1) == np.arange(len(GENES))).all()
    assert not (following == best_first).all()


def test_variation_leaves_pythons_generator_alone():
    random.seed(1)
    expected = random.random()
    random.seed(1)
    next_population(SMALL, first_population(SMALL), np.zeros(SMALL.population), 1)
    assert random.random() == expected


def test_known_lists_come_first():
    population = first_population(SMALL, [[3, 1], [0]])
    assert population[0, :2].tolist() == [3, 1]
    assert population[1, 0] == 0
    assert (np.sort(population, axis=1) == np.arange(len(GENES))).all()


@pytest.mark.parametrize(("field", "value", "message"), [
    ("population", 1, "population must be at least 2"),
    ("mutation", 1.5, "mutation must be between 0 and 1"),
    ("elite", 16, "leaves none"),
    ("variation", "wild", "variation must be paper or front"),
    ("genes", ("PlaySafeCard",), "at least two rules"),
    ("genes", ("PlaySafeCard", "PlaySafCard"), "did you mean 'PlaySafeCard'"),
])  # fmt: skip
def test_mistakes_in_a_config_are_named(field, value, message):
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **{field: value})
