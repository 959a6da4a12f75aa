"""Adam (Kingma & Ba 2015) in one pass over flat arrays.

With small batches an update is bound by memory: it reads and writes the weights and two moments of
a million parameters. The gradient of a matrix is therefore never stored, but summed in registers
right before the step. Where it is zero, weights still move by the mean of earlier gradients, so
that every step is exactly that of the dense algorithm.
"""

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from tamaya.compiled import JIT, hot_sums
from tamaya.learn.flat import aligned_zeros
from tamaya.learn.sparse import COLUMNS

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


if JIT:
    from tamaya.learn.sparse import VectorCode

    @intrinsic
    def step_by_sum(typing_context, values, value_row, places, place_row, n, gradients, weights,
                    means, squares, row, first, scales):  # fmt: skip
        """One step of COLUMNS weights of a row, from the first on; gradients are not stored.

        These are the sum of values[value_row, k] * gradients[places[place_row, k]] for k below n.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, signature, arguments)
            row, first = arguments[9], arguments[10]
            sums = code.zeros()
            value_row, place_row = code.row(0, arguments[1]), code.row(2, arguments[3])
            code.add_rows(sums, first, (code.number(0), arguments[4]), value_row, place_row, 5)
            own = (code.vectors(builder.gep(code.row(k, row), [first])) for k in (6, 7, 8))
            rate, root, epsilon = (code.spread(code.item(11, k)) for k in range(3))
            keeps, takes = ([code.constant(number) for number in both] for both in (KEEP, _TAKE))
            for total, *places in zip(sums, *own, strict=True):
                gradient, (weight, mean, square) = builder.load(total), map(code.load, places)
                mean = code.fused(keeps[0], mean, code.times(takes[0], gradient))
                share = code.times(takes[1], gradient)
                square = code.fused(share, gradient, code.times(keeps[1], square))
                below = code.fused(code.square_root(square), root, epsilon)
                change = builder.fdiv(code.times(rate, mean), below)
                for value, place in zip((builder.fsub(weight, change), mean, square), places,
                                        strict=True):  # fmt: skip
                    builder.store(value, place).align = 4
            return context.get_dummy_value()

        number = types.int64
        return types.void(values, number, places, number, number, gradients, weights, means,
                          squares, number, number, scales), generate  # fmt: skip

else:

    def step_by_sum(values, value_row, places, place_row, n, gradients, weights, means,  # type: ignore[misc]
                    squares, row, first, scales):  # fmt: skip
        """One step of COLUMNS weights of a row, from the first on; gradients are not stored."""
        columns = slice(first, first + COLUMNS)
        total = values[value_row, :n] @ gradients[places[place_row, :n], columns]
        parts = (part[row : row + 1, columns] for part in (weights, means, squares))
        step_with(total[None], 0, *parts, 0, scales)


class Adam:
    """The optimiser of a flat array of weights, which steps change in place, row by row."""

    def __init__(self, weights: np.ndarray, rate: float, epsilon: float) -> None:
        self.weights = weights
        self.rate, self.epsilon = rate, epsilon
        self.n_steps = 0
        self.means, self.squares = (aligned_zeros(len(weights)) for _ in range(2))

    def begin_step(self) -> np.ndarray:
        """Begin the next step, which each part takes once; returns its scales."""
        self.n_steps += 1
        mean_share, square_share = 1 - KEEP.astype(np.float64) ** self.n_steps
        shares = self.rate / mean_share, 1 / square_share**0.5
        return np.array([*shares, self.epsilon], np.float32)
