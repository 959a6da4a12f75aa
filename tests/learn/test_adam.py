"""Adam in one pass: the same steps as torch's."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.compiled import hot
from tamaya.learn.adam import Adam, step_by_sum, step_with


def step(adam: Adam, gradients: np.ndarray) -> None:
    """One step of all weights at once."""
    parts = [part[None] for part in (adam.weights, adam.means, adam.squares)]
    step_with(gradients[None], 0, *parts, 0, adam.begin_step())


@pytest.mark.parametrize("epsilon", [3.125e-5, 1e-8])
def test_steps_equal_those_of_torch(epsilon):
    """Also where gradients are zero: weights go on moving by the mean of earlier ones."""
    rng = np.random.default_rng(1)
    weights = rng.normal(size=77).astype(np.float32)
    theirs = torch.nn.Parameter(torch.from_numpy(weights).double())
    adam = Adam(weights, 0.01, epsilon)
    reference = torch.optim.Adam([theirs], lr=0.01, eps=epsilon)
    for is_zero in (False, True, False, False, True, True, True, False):
        gradients = rng.normal(size=77).astype(np.float32) * ~np.bool_(is_zero)
        before = weights.copy()
        step(adam, gradients)
        theirs.grad = torch.from_numpy(gradients).double()
        reference.step()
        assert np.allclose(weights, theirs.detach(), atol=2e-6)
        assert (weights != before).all()


def test_it_finds_the_lowest_point():
    weights, lowest = np.zeros(2, np.float32), np.array([1, -2], np.float32)
    adam = Adam(weights, 0.05, 1e-8)
    for _ in range(500):
        step(adam, weights - lowest)
    assert np.allclose(weights, lowest, atol=1e-3)


@hot
def step_by_sums(values, places, n, gradients, weights, means, squares, scales):
    """Machine code can only be called by compiled code; the second row steps, but for its end."""
    for first in range(0, weights.shape[1] - 128 + 1, 128):
        step_by_sum(values, 1, places, 0, n, gradients, weights, means, squares, 1, first, scales)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_steps_by_sums_are_those_by_the_whole_gradient(n):
    rng = np.random.default_rng(2)
    weights, others, gradients = rng.normal(size=(3, 9, 272)).astype(np.float32)
    values, places = rng.normal(size=(2, 3)).astype(np.float32), np.array([[4, 0, 8]])
    one, other = (Adam(weights[:2].flatten(), 0.01, 1e-5) for _ in range(2))
    for _ in range(3):
        parts = (part.reshape(2, 272) for part in (one.weights, one.means, one.squares))
        step_by_sums(values, places, n, gradients, *parts, one.begin_step())
        total = (values[1, :n] @ gradients[places[0, :n]])[None]
        total[:, 256:] = 0
        parts = (part.reshape(2, 272) for part in (other.weights, other.means, other.squares))
        step_with(total, 0, *parts, 1, other.begin_step())
        gradients += others
    assert (one.weights[:272] == weights[0]).all() and not one.means[:272].any()
    for name in ("weights", "means", "squares"):
        assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-5, atol=1e-7)
    assert (n == 0) == (one.weights == weights[:2].ravel()).all()
