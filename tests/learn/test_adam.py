"""Adam in one pass: the same steps as torch's."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.adam import Adam


def some_factors(rng, n, rows, columns):
    """Factors of a slope, of which the left has many zeros."""
    left = rng.normal(size=(n, rows)) * (rng.random((n, rows)) < 0.4)
    return tuple(torch.from_numpy(part.astype(np.float32))
                 for part in (left, rng.normal(size=(n, columns))))  # fmt: skip


@pytest.mark.parametrize("epsilon", [3.125e-5, 1e-8])
def test_steps_equal_those_of_torch(epsilon):
    rng = np.random.default_rng(1)
    shapes = [(5, 33), (1, 7), (12, 8)]
    ours = [torch.from_numpy(rng.normal(size=shape).astype(np.float32)) for shape in shapes]
    theirs = [torch.nn.Parameter(matrix.clone().double()) for matrix in ours]
    adam = Adam(ours, 0.01, epsilon)
    reference = torch.optim.Adam(theirs, lr=0.01, eps=epsilon)
    for n in (1, 3, 4, 9, 32, 8, 2, 5):
        slopes = [some_factors(rng, n, *shape) for shape in shapes]
        adam.step(slopes)
        for parameter, (left, right) in zip(theirs, slopes, strict=True):
            parameter.grad = left.double().T @ right.double()
        reference.step()
        for mine, parameter in zip(ours, theirs, strict=True):
            assert torch.allclose(mine.double(), parameter.detach(), atol=2e-6)


def test_it_finds_the_lowest_point():
    matrix = torch.zeros(1, 2)
    adam = Adam([matrix], 0.05, 1e-8)
    for _ in range(500):
        adam.step([(torch.ones(1, 1), matrix - torch.tensor([[1.0, -2.0]]))])
    assert torch.allclose(matrix, torch.tensor([[1.0, -2.0]]), atol=1e-3)


def test_restored_it_goes_on_alike():
    rng = np.random.default_rng(2)
    matrices = [torch.ones(3, 4), torch.ones(3, 4)]
    one, other = (Adam([matrix], 0.1, 1e-8) for matrix in matrices)
    for _ in range(3):
        one.step([some_factors(rng, 5, 3, 4)])
    matrices[1].copy_(matrices[0])
    other.restore(one.state())
    slope = some_factors(rng, 5, 3, 4)
    one.step([slope])
    other.step([slope])
    assert torch.equal(*matrices)
