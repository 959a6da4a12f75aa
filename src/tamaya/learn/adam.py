"""Adam (Kingma & Ba 2015) in one pass over flat arrays.

At small batches an update is bound by memory: weights and two moments of a million parameters go
through it. Where gradients are known to be zero none are read; weights still move there, by the
mean of earlier gradients, so that every step is exactly that of the dense algorithm.
"""

from typing import Any

import numpy as np
import torch

from tamaya.compiled import hot_sums
from tamaya.learn.flat import aligned_zeros

KEEP = np.array([0.9, 0.999], np.float32)  # of the running means of gradients and their squares
_TAKE = 1 - KEEP


@hot_sums
def step_with(gradients, weights, means, squares, scales):
    """One step of some weights."""
    rate, root, epsilon = scales[0], scales[1], scales[2]
    keep_mean, keep_square, take_mean, take_square = KEEP[0], KEEP[1], _TAKE[0], _TAKE[1]
    for k in range(len(weights)):
        gradient = gradients[k]
        mean = keep_mean * means[k] + take_mean * gradient
        square = keep_square * squares[k] + take_square * gradient * gradient
        means[k], squares[k] = mean, square
        weights[k] -= rate * mean / (np.sqrt(square) * root + epsilon)


@hot_sums
def step_without(weights, means, squares, scales):
    """One step of some weights whose gradients are zero."""
    rate, root, epsilon = scales[0], scales[1], scales[2]
    keep_mean, keep_square = KEEP[0], KEEP[1]
    for k in range(len(weights)):
        mean, square = keep_mean * means[k], keep_square * squares[k]
        means[k], squares[k] = mean, square
        weights[k] -= rate * mean / (np.sqrt(square) * root + epsilon)


class Adam:
    """The optimiser of a flat array of weights, which it changes in place, part by part."""

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

    def part(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights and both moments between two places."""
        return self.weights[first:last], self.means[first:last], self.squares[first:last]

    def state(self) -> dict[str, Any]:
        """Everything that decides how the next steps go."""
        return {"n_steps": self.n_steps, "means": torch.from_numpy(self.means),
                "squares": torch.from_numpy(self.squares)}  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.n_steps = state["n_steps"]
        for k, name in enumerate(("means", "squares")):
            if "moments" in state:  # as older checkpoints have them, both of each matrix together
                saved = torch.cat([both[k].flatten() for both in state["moments"]])
            else:
                saved = state[name]
            getattr(self, name)[:] = saved.numpy()
