"""Updates of Rainbow's network, the targets that it learns from, and its moves.

The loss is the weighted mean of the cross-entropies of the moves' distributions to target ones;
the optimiser is Adam. `rainbow_kernels` does the work.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from tamaya.learn.adam import Adam
from tamaya.learn.categorical import Categorical
from tamaya.learn.flat import aligned_zeros
from tamaya.learn.rainbow_kernels import (
    Workspace,
    new_gradients,
    new_workspace,
    step_hidden,
    step_matrix,
    step_out,
    write_best,
    write_hidden,
    write_targets,
)
from tamaya.learn.replay_buffer import Samples


def check_size(packed: np.ndarray, work: tuple[Any, ...]) -> None:
    """Check that the rows fit, which compiled code does not do."""
    n = len(Workspace(*work).first)
    if len(packed) != n:
        raise ValueError(f"there is room for {n} rows, not for {len(packed)}")


class Player:
    """Chooses moves by a network."""

    def __init__(self, network: Categorical, n: int) -> None:
        # Numba finds the types of plain tuples much faster than those of named ones.
        self.network, self.layers = network, tuple(network.layers(network.flat))
        self.work = tuple(new_workspace(n, *network.sizes))

    def best(self, packed: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """The legal moves of highest expected return for rows of packed bits."""
        layers, network = self.layers, self.network
        if network.dueling:
            out, out_bias = (np.zeros_like(part) for part in layers[4:])
            for room, part in zip((out, out_bias), network.added_up(), strict=True):
                room[:, : part.shape[1]] = part.numpy()
            layers = (*layers[:4], out, out_bias)
        check_size(packed, self.work)
        best = np.empty(len(packed), np.int64)
        write_best(packed, legal, network.atoms.numpy(), layers, self.work, best)
        return best


class Target:
    """The target network, a copy of the online network."""

    def __init__(self, network: Categorical, n: int) -> None:
        n_inputs, width, n_moves, _ = network.sizes
        self.network = Categorical(n_inputs, width, n_moves, network.atoms, by_units=True)
        self.layers = tuple(self.network.layers(self.network.flat))
        self.work = tuple(new_workspace(n, *network.sizes))

    def copy(self, network: Categorical) -> None:
        """Copy the current weights of a network; dueling outputs are added up."""
        out, out_bias = network.added_up()
        state = {**network.state_dict(), "out": out, "out_bias": out_bias}
        self.network.load_state_dict(state, strict=not network.dueling)

    def restore(self, state: dict[str, Tensor]) -> None:
        """Continue from a state, also from that of a network with dueling outputs."""
        if "common" in state:  # format of older checkpoints
            n_inputs, width, n_moves, _ = self.network.sizes
            other = Categorical(n_inputs, width, n_moves, self.network.atoms, dueling=True)
            other.load_state_dict(state)
            self.copy(other)
        else:
            self.network.load_state_dict(state)

    def distributions(self, samples: Samples, legal: np.ndarray) -> np.ndarray:
        """The target distributions, if the best of some moves follow."""
        atoms = self.network.atoms.numpy()
        out = np.empty((len(legal), len(atoms)), np.float32)
        check_size(samples.later_packed, self.work)
        later = samples.later_packed, legal, samples.gains, samples.discounts
        write_targets(later, atoms, self.layers, self.work, out)
        return out


class Update:
    """Updates a network batch by batch, all of the same size."""

    def __init__(self, network: Categorical, batch: int, rate: float, epsilon: float) -> None:
        self.network = network
        self.adam = Adam(network.flat, rate, epsilon)
        flats = network.flat, self.adam.means, self.adam.squares
        self.layers = tuple(network.layers(flat) for flat in flats)
        self.work = new_workspace(batch, *network.sizes)
        self.gradients = new_gradients(batch, *network.sizes)

    def __call__(self, samples: Samples, target: np.ndarray) -> np.ndarray:
        """One step; returns the cross-entropies, which the next step overwrites."""
        work, gradients, scales = tuple(self.work), tuple(self.gradients), self.adam.begin_step()
        check_size(samples.packed, work)
        layers = tuple(map(tuple, self.layers))
        write_hidden(samples.packed, layers[0], work)
        shares = samples.weights / np.float32(len(target))
        if self.network.dueling:
            self._step_dueling(samples.moves, target, shares, scales)
        else:
            step_out(samples.moves, target, shares, work, gradients, (*layers, scales))
        step_hidden(work, gradients, (*layers, scales))
        return self.gradients.losses

    def _step_dueling(
        self, moves: np.ndarray, target: np.ndarray, shares: np.ndarray, scales: np.ndarray
    ) -> None:
        """Like ``step_out``, for logits that depend on all moves."""
        n, network = len(moves), self.network
        width = network.sizes[1]
        second, wanted = torch.from_numpy(self.work.second)[:, :width], torch.from_numpy(target)
        weight, bias = network.head()
        own = weight[moves]  # [sample, atom, unit]
        log_probs = (torch.einsum("sau,su->sa", own, second) + bias[moves]).log_softmax(-1)
        self.gradients.losses[:] = -(wanted * log_probs).sum(-1).numpy()
        of_logits = (log_probs.exp() - wanted) * torch.from_numpy(shares)[:, None]
        of_second = torch.einsum("sa,sau->su", of_logits, own)
        self.gradients.of_second[:, :width] = of_second.numpy()

        of_out = torch.zeros(n, network.n_moves, network.n_atoms)
        of_out[torch.arange(n), moves] = of_logits
        of_out -= of_logits[:, None] / network.n_moves
        flat = aligned_zeros(len(network.flat))
        parts = network.parameters_in(flat)[4:]
        for k, gradient in enumerate((of_out.flatten(1), of_logits)):
            parts[2 * k].copy_(gradient.T @ second)
            parts[2 * k + 1].copy_(gradient.sum(0, keepdim=True))
        begin = sum(rows * columns for rows, columns in network.rooms[:4])
        rows = [part[begin:][None] for part in (flat, network.flat, self.adam.means,
                                                self.adam.squares)]  # fmt: skip
        step_matrix(*rows, scales)

    def state(self) -> dict[str, Any]:
        """Steps and moments, without the padding of rows."""
        moments = {name: torch.cat([part.flatten() for part in self.network.parameters_in(flat)])
                   for name, flat in self._moments().items()}  # fmt: skip
        return {"n_steps": self.adam.n_steps, **moments}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.adam.n_steps = state["n_steps"]
        for k, (name, flat) in enumerate(self._moments().items()):
            if "moments" in state:  # format of older checkpoints, by matrix
                saved = torch.cat([both[k].flatten() for both in state["moments"]])
            else:
                saved = state[name]
            parts = self.network.parameters_in(flat)
            sizes = [part.numel() for part in parts]
            for part, own in zip(parts, saved.split(sizes), strict=True):
                part.copy_(own.view(part.shape))

    def _moments(self) -> dict[str, np.ndarray]:
        return {"means": self.adam.means, "squares": self.adam.squares}
