"""A network of distributions of returns over fixed atoms (C51, Bellemare et al. 2017).

All weights lie in one flat array, so that an optimiser may treat them as one.
"""

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.learn.flat import aligned_zeros, split
from tamaya.learn.networks import masked
from tamaya.learn.rainbow_kernels import Layers
from tamaya.learn.sparse import padded


class Categorical(nn.Module):
    """Two hidden layers, and for every move a distribution of the return over the atoms.

    With ``dueling`` the logits of a move are its advantage over the mean of all moves, legal or
    not, added to common ones; ``weights`` contains the sums. All parameters are matrices.

    A target network always evaluates all moves and has its output layer ``by_units`` in memory:
    the weights of a unit one after the other, padded with zeros.
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
        self.sizes = n_inputs, width, n_moves, len(atoms)
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
        # Their layout in memory: rows are padded, and the output layer may be transposed.
        rooms = [(rows, padded(columns)) for rows, columns in self.shapes]
        if by_units:
            rooms[4] = width, padded(n_out)
        self.rooms, self.by_units = rooms, by_units
        self.flat = aligned_zeros(sum(rows * columns for rows, columns in rooms))
        for (name, (_, bound)), part in zip(
            begin.items(), self.parameters_in(self.flat), strict=True
        ):
            part.copy_(torch.empty(part.shape).uniform_(-bound, bound))
            setattr(self, name, nn.Parameter(part, requires_grad=False))

    def parameters_in(self, flat: np.ndarray) -> list[Tensor]:
        """The matrices in a flat array of weights, or of as many other numbers."""
        parts = []
        for k, (part, (rows, columns)) in enumerate(zip(split(flat, self.rooms), self.shapes,
                                                        strict=True)):  # fmt: skip
            parts.append(part[:, :rows].T if self.by_units and k == 4 else part[:, :columns])
        return parts

    def layers(self, flat: np.ndarray) -> Layers:
        """The same in the form for compiled code, without the dueling part."""
        return Layers(*(part.numpy() for part in split(flat, self.rooms)[:6]))

    def hidden(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Units of both hidden layers for float vectors."""
        first = torch.addmm(self.first_bias, vectors, self.first).relu_()
        return first, torch.addmm(self.second_bias, first, self.second).relu_()

    def head(self) -> tuple[Tensor, Tensor]:
        """Weights [move, atom, unit] and biases [move, atom] of the distributions."""
        weight = self.out.reshape(self.n_moves, self.n_atoms, -1)
        bias = self.out_bias.reshape(self.n_moves, self.n_atoms)
        if self.dueling:
            weight = weight - weight.mean(0) + self.common
            bias = bias - bias.mean(0) + self.common_bias
        return weight, bias

    def added_up(self) -> tuple[Tensor, Tensor]:
        """The output layer of an equivalent network without dueling."""
        weight, bias = self.head()
        return weight.flatten(0, 1), bias.flatten()[None]

    def logits(self, vectors: Tensor) -> Tensor:
        """Logits of the atoms for all moves, [row, move, atom]."""
        weight, bias = self.head()
        _, hidden = self.hidden(vectors)
        flat = torch.addmm(bias.flatten(), hidden, weight.flatten(0, 1).T)
        return flat.view(len(vectors), self.n_moves, self.n_atoms)

    def values(self, vectors: Tensor, legal: Tensor) -> Tensor:
        """Expected returns of the moves, of which only the legal ones count."""
        return masked(self.logits(vectors).softmax(-1) @ self.atoms, legal)

    def weights(self) -> dict[str, np.ndarray]:
        """The weights as ``tamaya.agents.learned.distributions.layout`` has them."""
        weight, bias = self.head()
        named = {
            "first": self.first, "first bias": self.first_bias[0],
            "second": self.second, "second bias": self.second_bias[0],
            "out": weight.transpose(1, 2), "out bias": bias, "atoms": self.atoms,
        }  # fmt: skip
        return {name: part.numpy().copy() for name, part in named.items()}

    def load_weights(self, parts: dict[str, np.ndarray]) -> None:
        """Load weights in the form of ``weights``; ValueError if their atoms differ."""
        if not np.allclose(parts["atoms"], self.atoms.numpy(), rtol=1e-3, atol=1e-3):
            first, *_, last = parts["atoms"]
            raise ValueError(f"its atoms go from {first:g} to {last:g}, not from "
                             f"{self.atoms[0]:g} to {self.atoms[-1]:g}")  # fmt: skip
        whole = {name: torch.from_numpy(part.astype(np.float32)) for name, part in parts.items()}
        for name in ("first", "second"):
            getattr(self, name).copy_(whole[name])
            getattr(self, f"{name}_bias").copy_(whole[f"{name} bias"][None])
        weight, bias = whole["out"].transpose(1, 2), whole["out bias"]
        self.out.copy_(weight.flatten(0, 1))
        self.out_bias.copy_(bias.flatten()[None])
        if self.dueling:  # all of it goes to the common part; the differences to the mean remain
            self.common.copy_(weight.mean(0))
            self.common_bias.copy_(bias.mean(0)[None])
