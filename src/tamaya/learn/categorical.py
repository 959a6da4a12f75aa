"""Distributions of returns over fixed atoms (C51, Bellemare et al. 2017): projection, network.

The network's slopes are written out by hand: only the moves that were made take part in them, and
the optimiser takes them as the factors they are products of.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.compiled import hot
from tamaya.learn.networks import masked


def project(gains: Tensor, discounts: Tensor, chances: Tensor, atoms: Tensor) -> Tensor:
    """The distribution of gain + discount x return, brought back onto the atoms.

    The probability of what falls between two atoms is shared among them by nearness; what falls
    beyond the outermost goes to these.
    """
    n, step = len(atoms), atoms[1] - atoms[0]
    places = (gains[:, None] + discounts[:, None] * atoms - atoms[0]) / step
    places = places.clamp(0, n - 1)
    below = places.floor()
    above_chances = chances * (places - below)
    index = below.long()
    result = torch.zeros_like(chances)
    result.scatter_add_(1, index, chances - above_chances)
    return result.scatter_add_(1, (index + 1).clamp(max=n - 1), above_chances)


@hot
def write_logits(hidden, moves, weight, bias, out):
    """Write the logits of one move per row of hidden units."""
    products = np.empty(hidden.shape[1], np.float32)
    for sample in range(len(moves)):
        move = moves[sample]
        for atom in range(out.shape[1]):
            own = weight[move, atom]
            for k in range(len(products)):
                products[k] = own[k] * hidden[sample, k]
            # Halves onto halves: unlike a running sum, that is done in vectors.
            n = len(products)
            while n > 1:
                half = (n + 1) // 2
                for k in range(n - half):
                    products[k] += products[half + k]
                n = half
            out[sample, atom] = products[0] + bias[move, atom]


@hot
def spread_back(slopes, moves, weight, out):
    """Write the slopes of hidden units from those of one move's logits per row."""
    for sample in range(len(moves)):
        total = out[sample]
        total[:] = 0
        for atom in range(slopes.shape[1]):
            slope, own = slopes[sample, atom], weight[moves[sample], atom]
            for k in range(len(total)):
                total[k] += slope * own[k]


class Slopes(NamedTuple):
    """How the mean loss changes with each matrix of a network, and the losses."""

    losses: Tensor
    factors: list[tuple[Tensor, Tensor]]  # the slope of matrix k is left.T @ right


class Categorical(nn.Module):
    """Two hidden layers, and for every move a distribution of the return over the atoms.

    With ``dueling`` the logits of a move are its difference to the mean of all moves, legal or
    not, added to common ones; ``parts`` has them added up. All parameters are matrices.
    """

    def __init__(
        self, n_inputs: int, width: int, n_moves: int, atoms: Tensor, dueling: bool = False
    ) -> None:
        super().__init__()
        self.n_moves, self.n_atoms = n_moves, len(atoms)
        self.register_buffer("atoms", atoms)
        self.atoms: Tensor
        # As the published agent begins.
        self.first = _uniform(n_inputs, width, (6 / (n_inputs + width)) ** 0.5)
        self.first_bias = _uniform(1, width, 0)
        self.second = _uniform(width, width, (6 / (width + width)) ** 0.5)
        self.second_bias = _uniform(1, width, 0)
        self.out = _uniform(n_moves * len(atoms), width, (3**0.5 / width) ** 0.5)
        self.out_bias = _uniform(1, n_moves * len(atoms), 0)
        self.dueling = dueling
        if dueling:
            self.common = _uniform(len(atoms), width, (3**0.5 / width) ** 0.5)
            self.common_bias = _uniform(1, len(atoms), 0)

    def hidden(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Units of both hidden layers for float vectors."""
        first = torch.relu(torch.addmm(self.first_bias, vectors, self.first))
        return first, torch.relu(torch.addmm(self.second_bias, first, self.second))

    def head(self) -> tuple[Tensor, Tensor]:
        """Weights [move, atom, unit] and biases [move, atom] of the distributions."""
        weight = self.out.view(self.n_moves, self.n_atoms, -1)
        bias = self.out_bias.view(self.n_moves, self.n_atoms)
        if self.dueling:
            weight = weight - weight.mean(0) + self.common
            bias = bias - bias.mean(0) + self.common_bias
        return weight, bias

    def logits(self, vectors: Tensor) -> Tensor:
        """Logits of the atoms for all moves, [row, move, atom]."""
        weight, bias = self.head()
        _, hidden = self.hidden(vectors)
        flat = torch.addmm(bias.flatten(), hidden, weight.flatten(0, 1).T)
        return flat.view(len(vectors), self.n_moves, self.n_atoms)

    def values(self, vectors: Tensor, legal: Tensor) -> Tensor:
        """Expected returns of the moves, of which only the legal ones count."""
        return masked(self.logits(vectors).softmax(-1) @ self.atoms, legal)

    def slopes(self, vectors: Tensor, moves: Tensor, target: Tensor, weights: Tensor) -> Slopes:
        """Cross-entropies of the moves' distributions to target ones, and of their weighted mean
        the slopes, in the order of the parameters.
        """
        n, places = len(moves), moves.numpy()
        first, second = self.hidden(vectors)
        weight, bias = (part.numpy() for part in self.head())
        logits, of_second = torch.empty(n, self.n_atoms), torch.empty_like(second)
        write_logits(second.numpy(), places, weight, bias, logits.numpy())
        log_chances = logits.log_softmax(-1)
        losses = -(target * log_chances).sum(-1)

        own = (log_chances.exp() - target) * (weights / n)[:, None]
        spread_back(own.numpy(), places, weight, of_second.numpy())
        of_second *= second > 0
        of_first = (of_second @ self.second.T) * (first > 0)
        out = torch.zeros(n, self.n_moves, self.n_atoms)
        out[torch.arange(n), moves] = own
        if self.dueling:
            out -= own[:, None] / self.n_moves
        out = out.flatten(1)
        one = torch.ones(n, 1)
        factors = [(vectors, of_first), (one, of_first), (first, of_second), (one, of_second),
                   (out, second), (one, out)]  # fmt: skip
        if self.dueling:
            factors += [(own, second), (one, own)]
        return Slopes(losses, factors)

    def parts(self) -> dict[str, np.ndarray]:
        """The weights as ``tamaya.agents.learned.distributions.layout`` has them."""
        weight, bias = self.head()
        parts = {
            "first": self.first, "first bias": self.first_bias[0],
            "second": self.second, "second bias": self.second_bias[0],
            "out": weight.transpose(1, 2), "out bias": bias, "atoms": self.atoms,
        }  # fmt: skip
        return {name: part.numpy().copy() for name, part in parts.items()}


def _uniform(n_rows: int, n_columns: int, bound: float) -> nn.Parameter:
    """Random weights between -bound and bound."""
    weights = torch.empty(n_rows, n_columns).uniform_(-bound, bound)
    return nn.Parameter(weights, requires_grad=False)
