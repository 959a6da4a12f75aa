"""The layers of the network that weighs moves: in vectors the same sums as in plain loops."""

import numpy as np
import pytest

from support import scaled
from tamaya.agents.wtfwthat.layer import add_inputs, add_outputs
from tamaya.agents.wtfwthat.public_state import N_HIDDEN
from tamaya.compiled import hot

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


@hot
def inputs_added(units, before, rows, direct, inputs, value):
    return add_inputs(units, before, rows, direct, inputs, value)


@hot
def outputs_added(units, weights, value):
    return add_outputs(units, weights, value)


def floats(rng, *shape):
    """Random numbers of very different sizes, a third of them zero."""
    numbers = rng.normal(size=shape) * 10.0 ** rng.integers(-4, 4, shape)
    return (numbers * (rng.random(shape) > 1 / 3)).astype(np.float32)


def test_units_are_the_same_to_the_last_bit():
    rng = np.random.default_rng(1)
    for n_inputs in (1, 2, 7, 30) * scaled(5):
        before, rows = floats(rng, N_HIDDEN), floats(rng, n_inputs, N_HIDDEN)
        direct, inputs = floats(rng, n_inputs), floats(rng, n_inputs)
        units, value = np.zeros(N_HIDDEN, np.float32), np.float32(0.7)
        found = inputs_added(units, before, rows, direct, inputs, value)
        expected = before.copy()
        for k in range(n_inputs):
            for j in range(N_HIDDEN):
                expected[j] += rows[k, j] * inputs[k]
            value += direct[k] * inputs[k]
        assert units.tobytes() == expected.tobytes()
        assert np.float32(found) == value


def test_outputs_are_the_same_to_the_last_bit():
    rng = np.random.default_rng(2)
    for _ in range(scaled(20)):
        units, weights = floats(rng, N_HIDDEN), floats(rng, N_HIDDEN)
        expected = np.float32(-1.3)
        found = outputs_added(units, weights, expected)
        for j in range(N_HIDDEN):
            if units[j] > 0:
                expected += weights[j] * units[j]
        assert np.float32(found) == expected
