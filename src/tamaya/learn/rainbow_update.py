"""An update of Rainbow's network: gradients written out by hand, and a step of Adam.

The loss is the weighted mean of the cross-entropies of the moves' distributions to target ones.
Only the moves that were made take part in it: other moves' logits are not computed at all. Each
layer takes its step as soon as its weights are not needed any more, while its gradients are still
in the processor's cache.
"""

import numpy as np
import torch
from torch import Tensor

from tamaya.learn.adam import Adam, step_with
from tamaya.learn.categorical import Categorical
from tamaya.learn.flat import aligned_zeros, split
from tamaya.learn.rainbow_kernels import (
    pass_relu,
    spread_back,
    step_biases,
    step_moves,
    write_cross_entropies,
    write_logits,
)
from tamaya.learn.replay import Samples
from tamaya.learn.threads import Helper


class Update:
    """Changes a network by one batch after the other, all of one size."""

    def __init__(self, network: Categorical, batch: int, rate: float, epsilon: float) -> None:
        self.network = network
        self.adam = Adam(network.flat, rate, epsilon)
        # Where each matrix begins among all weights.
        self.places = np.cumsum([0, *(rows * columns for rows, columns in network.shapes)])
        n_inputs, width = network.shapes[0]
        # Of weights and biases of one hidden layer; both layers use it in turn.
        self.gradients = aligned_zeros((max(n_inputs, width) + 1) * width)
        n_out = self.places[-1] - self.places[4]
        self.out_gradients = aligned_zeros(n_out) if network.dueling else None
        self.losses = np.empty(batch, np.float32)
        self.logits, self.of_logits = np.empty((2, batch, network.n_atoms), np.float32)
        self.of_first, self.of_second = torch.empty(2, batch, width)

    def __call__(self, samples: Samples, target: Tensor, helper: Helper) -> np.ndarray:
        """One step; returns the cross-entropies, which the next step overwrites.

        A helper with a thread takes the step of the output layer.
        """
        network, moves = self.network, samples.moves.numpy()
        first, second = network.hidden(samples.vectors)
        weight, bias = (part.numpy() for part in network.head())
        write_logits(second.numpy(), moves, weight, bias, self.logits)
        shares = samples.weights.numpy() / np.float32(len(moves))
        write_cross_entropies(self.logits, target.numpy(), shares, self.losses, self.of_logits)
        spread_back(self.of_logits, moves, weight, self.of_second.numpy())

        scales = self.adam.begin_step()
        step_out = self._step_dueling if network.dueling else self._step_out
        finish = helper.ask(step_out, moves, second, scales)
        below = self.of_first, network.second
        self._step_layer(2, first, self.of_second, second, scales, below)
        self._step_layer(0, samples.vectors, self.of_first, first, scales)
        finish()
        return self.losses

    def _step_layer(
        self, matrix: int, inputs: Tensor, gradient: Tensor, units: Tensor, scales: np.ndarray,
        below: tuple[Tensor, Tensor] | None = None,
    ) -> None:  # fmt: skip
        """The step of a hidden layer from the gradient of its units before their ReLU.

        Before it, the gradient of its inputs may be written, by the layer's weights.
        """
        shapes = self.network.shapes[matrix : matrix + 2]
        begin, end = self.places[[matrix, matrix + 2]]
        own = self.gradients[: end - begin]
        of_weights, of_bias = split(own, shapes)
        pass_relu(gradient.numpy(), units.numpy(), of_bias.numpy()[0])
        if below:
            torch.mm(gradient, below[1].T, out=below[0])
        torch.mm(inputs.T, gradient, out=of_weights)
        step_with(own, *self.adam.part(begin, end), scales)

    def _step_out(self, moves: np.ndarray, second: Tensor, scales: np.ndarray) -> None:
        """The step of the output layer."""
        begin, middle, end = self.places[4:7]
        parts = (part.reshape(self.network.n_moves, -1) for part in self.adam.part(begin, middle))
        step_moves(self.of_logits, moves, second.numpy(), *parts, scales)
        step_biases(self.of_logits, moves, *self.adam.part(middle, end), scales)

    def _step_dueling(self, moves: np.ndarray, second: Tensor, scales: np.ndarray) -> None:
        """The step of both output layers when the logits of a move depend on all moves."""
        n, network, of_logits = len(moves), self.network, torch.from_numpy(self.of_logits)
        of_out = torch.zeros(n, network.n_moves, network.n_atoms)
        of_out[torch.arange(n), moves] = of_logits
        of_out -= of_logits[:, None] / network.n_moves
        assert self.out_gradients is not None
        parts = split(self.out_gradients, network.shapes[4:])
        for k, gradient in enumerate((of_out.flatten(1), of_logits)):
            torch.mm(gradient.T, second, out=parts[2 * k])
            torch.sum(gradient, 0, keepdim=True, out=parts[2 * k + 1])
        step_with(self.out_gradients, *self.adam.part(*self.places[[4, -1]]), scales)
