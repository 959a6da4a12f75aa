"""A network of distributions of returns over fixed atoms (C51, Bellemare et al. 2017).

All weights lie in one flat array, so that an optimiser may treat them as one.
"""

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.learn.flat import aligned_zeros, split
from tamaya.learn.networks import masked


class Categorical(nn.Module):
    """Two hidden layers, and for every move a distribution of the return over the atoms.

    With ``dueling`` the logits of a move are its difference to the mean of all moves, legal or
    not, added to common ones; ``parts`` has them added up. All parameters are matrices.

    A network that always evaluates all moves is faster ``by_units``: its output layer has the
    weights of a unit one after the other in memory.
    """

    first: Tensor
    first_bias: Tensor
    second: Tensor
    second_bias: Tensor
    out: Tensor
    out_bias: Tensor
    common: Tensor  # these two with ``dueling`` only
    common_bias: Tensor

    def __init__(
        self, n_inputs: int, width: int, n_moves: int, atoms: Tensor, *, dueling: bool = False,
        by_units: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.n_moves, self.n_atoms, self.dueling = n_moves, len(atoms), dueling
        self.register_buffer("atoms", atoms)
        self.atoms: Tensor
        n_out = n_moves * len(atoms)
        # Bounds of the uniform weights that the published agent begins with.
        hidden_bound, out_bound = (6 / (n_inputs + width)) ** 0.5, (3**0.5 / width) ** 0.5
        begin = {
            "first": ((n_inputs, width), hidden_bound), "first_bias": ((1, width), 0),
            "second": ((width, width), (3 / width) ** 0.5), "second_bias": ((1, width), 0),
            "out": ((n_out, width), out_bound), "out_bias": ((1, n_out), 0),
        }  # fmt: skip
        if dueling:
            begin |= {"common": ((len(atoms), width), out_bound),
                      "common_bias": ((1, len(atoms)), 0)}  # fmt: skip
        self.shapes = [shape for shape, _ in begin.values()]
        self.flat = aligned_zeros(sum(rows * columns for rows, columns in self.shapes))
        for (name, (shape, bound)), part in zip(
            begin.items(), split(self.flat, self.shapes), strict=True
        ):
            whole = part.view(shape[::-1]).T if by_units and name == "out" else part
            whole.copy_(torch.empty(shape).uniform_(-bound, bound))
            setattr(self, name, nn.Parameter(whole, requires_grad=False))

    def hidden(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Units of both hidden layers for float vectors."""
        first = torch.addmm(self.first_bias, vectors, self.first).relu_()
        return first, torch.addmm(self.second_bias, first, self.second).relu_()

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

    def parts(self) -> dict[str, np.ndarray]:
        """The weights as ``tamaya.agents.learned.distributions.layout`` has them."""
        weight, bias = self.head()
        parts = {
            "first": self.first, "first bias": self.first_bias[0],
            "second": self.second, "second bias": self.second_bias[0],
            "out": weight.transpose(1, 2), "out bias": bias, "atoms": self.atoms,
        }  # fmt: skip
        return {name: part.numpy().copy() for name, part in parts.items()}
