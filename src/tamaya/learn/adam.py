"""Adam (Kingma & Ba 2015) in one pass: a row's slope is found and used while it is at hand.

At small batches an update is bound by memory: parameters, slopes and moments of a million weights
go through it. Here slopes are never written down, and zeros among the factors cost nothing.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tamaya.compiled import hot
from tamaya.learn.threads import Helper

KEEP = np.array([0.9, 0.999], np.float32)  # of the running means of slopes and their squares
_TAKE = 1 - KEEP


@hot
def add_multiples(factors, rows, chosen, total):
    """Add multiples of some rows to a sum, four at a time."""
    n_fours = len(chosen) // 4
    for four in range(n_fours):
        i, j, k, m = chosen[4 * four : 4 * four + 4]
        a, b, c, d = rows[i], rows[j], rows[k], rows[m]
        fa, fb, fc, fd = factors[i], factors[j], factors[k], factors[m]
        for x in range(len(total)):
            total[x] += (fa * a[x] + fb * b[x]) + (fc * c[x] + fd * d[x])
    for place in range(4 * n_fours, len(chosen)):
        factor, row = factors[chosen[place]], rows[chosen[place]]
        for x in range(len(total)):
            total[x] += factor * row[x]


@hot
def step_rows(left, right, matrix, moments, scales, first, last):
    """One step for some rows of a matrix whose slope is the product of left and right."""
    rate, root, epsilon = scales
    keep_mean, keep_square, take_mean, take_square = KEEP[0], KEEP[1], _TAKE[0], _TAKE[1]
    n_samples = left.shape[1]
    slope = np.empty(matrix.shape[1], np.float32)
    chosen = np.empty(n_samples + 1, np.int64)
    for row in range(first, last):
        n = 0
        for sample in range(n_samples):  # without a branch, which nobody could predict
            chosen[n] = sample
            n += left[row, sample] != 0
        slope[:] = 0
        add_multiples(left[row], right, chosen[:n], slope)
        weights, means, squares = matrix[row], moments[0, row], moments[1, row]
        for x in range(len(slope)):
            mean = keep_mean * means[x] + take_mean * slope[x]
            square = keep_square * squares[x] + take_square * slope[x] * slope[x]
            means[x], squares[x] = mean, square
            weights[x] -= rate * mean / (np.sqrt(square) * root + epsilon)


class Adam:
    """The optimiser of some matrices; their slopes are given as two factors each."""

    def __init__(self, matrices: Iterable[Tensor], rate: float, epsilon: float) -> None:
        self.matrices = list(matrices)
        self.rate, self.epsilon = rate, epsilon
        self.n_steps = 0
        self.moments = [torch.zeros(2, *matrix.shape) for matrix in self.matrices]

    def step(self, slopes: Iterable[tuple[Tensor, Tensor]], helper: Helper | None = None) -> None:
        """Change the matrices by slopes left.T @ right, with a row per sample in each factor.

        A helper with a thread changes half of the rows.
        """
        self.n_steps += 1
        mean_share, square_share = 1 - KEEP.astype(np.float64) ** self.n_steps
        scales = np.array([self.rate / mean_share, 1 / square_share**0.5, self.epsilon], np.float32)
        work = [
            (left.T.contiguous().numpy(), right.numpy(), matrix.numpy(), moments.numpy(), scales)
            for matrix, moments, (left, right)
            in zip(self.matrices, self.moments, slopes, strict=True)
        ]  # fmt: skip
        if helper and helper.has_thread:
            second_half = helper.ask(_step_part, work, 0.5, 1.0)
            _step_part(work, 0.0, 0.5)
            second_half()
        else:
            _step_part(work, 0.0, 1.0)

    def state(self) -> dict[str, Any]:
        """Everything that decides how the next steps go."""
        return {"n_steps": self.n_steps, "moments": self.moments}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.n_steps = state["n_steps"]
        for moments, saved in zip(self.moments, state["moments"], strict=True):
            moments.copy_(saved)


def _step_part(work: list[tuple[Any, ...]], begin: float, end: float) -> None:
    """A share of the rows of every matrix."""
    for left, *rest in work:
        step_rows(left, *rest, int(begin * len(left)), int(end * len(left)))
