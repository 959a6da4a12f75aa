"""Population-based training: selection and variation by their definitions."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from damage import damaged_bytes, wrong_documents
from tamaya.checked_files import FileError
from tamaya.learn.acha import PRIORS
from tamaya.learn.pbt import (
    PopulationGeneration,
    Takeover,
    explored,
    first_values,
    read_history,
    schedule,
    select,
    write_history,
)


def test_members_begin_with_one_value_of_each_part_of_the_priors():
    values = first_values(8, PRIORS, 1)
    for name, bounds in PRIORS.items():
        low, high = np.log(bounds)
        parts = sorted(int(8 * (np.log(each[name]) - low) / (high - low)) for each in values)
        assert parts == list(range(8))
    assert values == first_values(8, PRIORS, 1) != first_values(8, PRIORS, 2)


def test_values_are_changed_by_a_fifth_or_drawn_anew():
    rng = np.random.default_rng(1)
    values = {"learning_rate": 1e-3, "entropy": 1e-3}
    ratios = np.array([[explored(values, PRIORS, rng)[name] / values[name] for name in PRIORS]
                       for _ in range(2000)])  # fmt: skip
    for column, bounds in zip(ratios.T, PRIORS.values(), strict=True):
        is_kept = np.isclose(column, 0.8) | np.isclose(column, 1.2)
        assert abs(is_kept.mean() - 0.75) < 4 * (0.75 * 0.25 / 2000) ** 0.5
        assert abs(np.isclose(column, 0.8).mean() - 0.375) < 4 * (0.375 * 0.625 / 2000) ** 0.5
        anew = np.log(1e-3 * column[~is_kept])
        low, high = np.log(bounds)
        assert low <= anew.min() and anew.max() <= high
        spread = (high - low) / 12**0.5
        assert abs(anew.mean() - (low + high) / 2) < 4 * spread / len(anew) ** 0.5


def beginning(size: int) -> PopulationGeneration:
    return PopulationGeneration(0, 0, [], [], first_values(size, PRIORS, 1))


def test_the_worst_quarter_takes_over_from_the_best():
    first = beginning(8)
    scores = [3.0, 9.0, 1.0, 5.0, 8.0, 2.0, 7.0, 6.0]
    for seed in range(20):
        after = select(first, 100, scores, PRIORS, seed)
        assert {each.member for each in after.takeovers} == {2, 5}
        assert {each.source for each in after.takeovers} <= {1, 4}
        for member in range(8):
            taken = [each for each in after.takeovers if each.member == member]
            assert after.values[member] == (taken[0].values if taken else first.values[member])
        assert (after.number, after.turns, after.scores) == (1, 100, scores)


def test_nobody_takes_over_from_a_member_that_is_no_better():
    after = select(beginning(4), 100, [2.0, 2.0, 2.0, 2.0], PRIORS, 1)
    assert after.takeovers == [] and after.values == beginning(4).values


def test_the_schedule_of_a_network_follows_its_takeovers(tmp_path):
    def values(number: float) -> dict[str, float]:
        return {"learning_rate": number, "entropy": 1.0}

    history = [
        PopulationGeneration(0, 0, [], [], [values(1), values(2)]),
        PopulationGeneration(1, 10, [5, 3], [Takeover(1, 0, values(3))], [values(1), values(3)]),
        PopulationGeneration(2, 20, [4, 5], [Takeover(0, 1, values(4))], [values(4), values(3)]),
    ]
    write_history(tmp_path, history)
    assert read_history(tmp_path) == history
    rates = [(row["turns"], row["learning_rate"]) for row in schedule(history, 0)]
    assert rates == [(0, 1), (10, 3), (20, 4)]
    rates = [(row["turns"], row["learning_rate"]) for row in schedule(history, 1)]
    assert rates == [(0, 1), (10, 3)]


def test_damaged_histories_are_named(tmp_path):
    """Whatever is not refused can be followed."""
    values = [{"learning_rate": 0.1, "entropy": 0.2}] * 2
    takeover = Takeover(1, 0, values[0])
    history = [PopulationGeneration(0, 0, [], [], values),
               PopulationGeneration(1, 9, [3.0, 2.0], [takeover], values)]  # fmt: skip
    write_history(tmp_path, history)
    path = tmp_path / "population.jsonl"
    data = path.read_bytes()
    first, second = map(json.loads, data.splitlines())
    rows = [[wrong, second] for _, wrong in wrong_documents(first)]
    rows += [[first, wrong] for _, wrong in wrong_documents(second)]
    texts = ["".join(json.dumps(row) + "\n" for row in each).encode() for each in rows]
    n_refused = 0
    for damaged in (*texts, *damaged_bytes(data, 200)):
        path.write_bytes(damaged)
        try:
            history = read_history(tmp_path)
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
        else:
            assert not history or all(schedule(history, k) for k in range(len(history[0].values)))
    assert n_refused > 200
