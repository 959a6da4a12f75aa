"""Adam in one pass: the same steps as torch's."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.adam import Adam, step_with, step_without


def step(adam: Adam, gradients: np.ndarray | None) -> None:
    """One step of all weights at once."""
    scales = adam.begin_step()
    parts = [part[None] for part in (adam.weights, adam.means, adam.squares)]
    if gradients is None:
        step_without(*parts, 0, scales)
    else:
        step_with(gradients[None], 0, *parts, 0, scales)


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
        step(adam, None if is_zero else gradients)
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
