"""Adam (Kingma & Ba 2015) in one pass over flat arrays.

At small batches an update is bound by memory: weights and two moments of a million parameters go
through it. Where gradients are known to be zero none are read; weights still move there, by the
mean of earlier gradients, so that every step is exactly that of the dense algorithm.
"""

import numpy as np

from tamaya.compiled import hot_sums
from tamaya.learn.flat import aligned_zeros

KEEP = np.array([0.9, 0.999], np.float32)  # of the running means of gradients and their squares
_TAKE = 1 - KEEP


@hot_sums
def step_with(gradients, place, weights, means, squares, row, scales):
    """One step of a row of weights by a row of gradients."""
    rate, root, epsilon = scales[0], scales[1], scales[2]
    keep_mean, keep_square, take_mean, take_square = KEEP[0], KEEP[1], _TAKE[0], _TAKE[1]
    for k in range(weights.shape[1]):
        gradient = gradients[place, k]
        mean = keep_mean * means[row, k] + take_mean * gradient
        square = keep_square * squares[row, k] + take_square * gradient * gradient
        means[row, k], squares[row, k] = mean, square
        weights[row, k] -= rate * mean / (np.sqrt(square) * root + epsilon)


@hot_sums
def step_without(weights, means, squares, row, scales):
    """One step of a row of weights whose gradient is zero."""
    rate, root, epsilon = scales[0], scales[1], scales[2]
    keep_mean, keep_square = KEEP[0], KEEP[1]
    for k in range(weights.shape[1]):
        mean, square = keep_mean * means[row, k], keep_square * squares[row, k]
        means[row, k], squares[row, k] = mean, square
        weights[row, k] -= rate * mean / (np.sqrt(square) * root + epsilon)


class Adam:
    """The optimiser of a flat array of weights, which steps change in place, row by row."""

    def __init__(self, weights: np.ndarray, rate: float, epsilon: float) -> None:
        self.weights = weights
        self.rate, self.epsilon = rate, epsilon
        self.n_steps = 0
        self.means, self.squares = (aligned_zeros(len(weights)) for _ in range(2))

    def begin_step(self) -> np.ndarray:
        """Begin the next step, which all parts take once; returns its scales."""
        self.n_steps += 1
        mean_share, square_share = 1 - KEEP.astype(np.float64) ** self.n_steps
        shares = self.rate / mean_share, 1 / square_share**0.5
        return np.array([*shares, self.epsilon], np.float32)
