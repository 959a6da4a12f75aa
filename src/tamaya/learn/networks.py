"""The networks that are trained, and their weights as ``tamaya.agents.learned`` plays them."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from tamaya.agents.learned.lstm import N_LAYERS

FORBIDDEN = -1e9  # logit of a move that is not legal


class PolicyValue(nn.Module):
    """Two hidden layers, normalised, shared by the logits of the moves and the value."""

    def __init__(self, n_inputs: int, width: int, n_moves: int) -> None:
        super().__init__()
        self.first = nn.Linear(n_inputs, width)
        self.first_norm = nn.LayerNorm(width)
        self.second = nn.Linear(width, width)
        self.second_norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, n_moves)
        self.value = nn.Linear(width, 1)
        for layer, gain in ((self.first, 2**0.5), (self.second, 2**0.5), (self.policy, 0.01),
                            (self.value, 0.01)):  # fmt: skip
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all moves, legal or not, and the values of float vectors."""
        hidden = torch.relu(self.first_norm(self.first(vectors)))
        hidden = torch.relu(self.second_norm(self.second(hidden)))
        return self.policy(hidden), self.value(hidden).squeeze(-1)

    def parts(self) -> dict[str, np.ndarray]:
        """The weights by the names and shapes of ``tamaya.agents.learned.network.layout``."""
        parts: dict[str, Tensor] = {}
        layers = (("first", self.first, self.first_norm), ("second", self.second, self.second_norm))
        for name, layer, norm in layers:
            parts |= {name: layer.weight.T, f"{name} bias": layer.bias,
                      f"{name} scale": norm.weight, f"{name} shift": norm.bias}  # fmt: skip
        parts["out"] = torch.cat([self.policy.weight, self.value.weight]).T
        parts["out bias"] = torch.cat([self.policy.bias, self.value.bias])
        return {name: part.detach().numpy().copy() for name, part in parts.items()}


def masked(logits: Tensor, legal: Tensor) -> Tensor:
    """Logits of which only those of legal moves count."""
    return logits.masked_fill(~legal, FORBIDDEN)


State = tuple[Tensor, Tensor]  # outputs and cells of the LSTM layers, [layer, row, unit]


class RecurrentPolicyValue(nn.Module):
    """A hidden layer and two LSTM layers, shared by the logits of the moves and the value."""

    def __init__(self, n_inputs: int, width: int, n_moves: int) -> None:
        super().__init__()
        self.first = nn.Linear(n_inputs, width)
        self.lstm = nn.LSTM(width, width, N_LAYERS)
        self.policy = nn.Linear(width, n_moves)
        self.value = nn.Linear(width, 1)

    def forward(self, inputs: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        """Logits of all moves, values and next states of single turns, a row each."""
        hidden, state = self.lstm(torch.relu(self.first(inputs))[None], state)
        return self.policy(hidden[0]), self.value(hidden[0]).squeeze(-1), state

    def unroll(self, inputs: Tensor, state: State, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values along turns, ``[unroll, turn]``, from the states at their beginnings.

        Where ``ends`` is set a game ended with that turn: the next one begins with a blank state.
        """
        n_unrolls, n_turns = inputs.shape[:2]
        pieces = cut_at_ends(ends.numpy())
        rows = torch.from_numpy(pieces.rows)
        hidden = torch.relu(self.first(inputs.flatten(0, 1)[rows]))
        owner, is_first = torch.from_numpy(pieces.unrolls), torch.from_numpy(pieces.is_first)
        starts = tuple(part[:, owner] * is_first[:, None] for part in state)
        packed = PackedSequence(hidden, torch.from_numpy(pieces.n_at))
        hidden = self.lstm(packed, starts)[0].data
        logits, values = self.policy(hidden), self.value(hidden).squeeze(-1)
        place = torch.empty_like(rows)
        place[rows] = torch.arange(len(rows))
        return (logits[place].view(n_unrolls, n_turns, -1), values[place].view(n_unrolls, n_turns))

    def parts(self) -> dict[str, np.ndarray]:
        """The weights by the names and shapes of ``tamaya.agents.learned.lstm.layout``."""
        parts: dict[str, Tensor] = {"first": self.first.weight.T, "first bias": self.first.bias}
        for layer in range(N_LAYERS):
            below, own, below_bias, own_bias = self.lstm.all_weights[layer]
            parts[f"lstm {layer + 1}"] = torch.cat([below, own], 1).T
            parts[f"lstm {layer + 1} bias"] = below_bias + own_bias
        parts["out"] = torch.cat([self.policy.weight, self.value.weight]).T
        parts["out bias"] = torch.cat([self.policy.bias, self.value.bias])
        return {name: part.detach().numpy().copy() for name, part in parts.items()}


@dataclass(frozen=True)
class Pieces:
    """Unrolls cut where games end, longest pieces first, as packed sequences take them."""

    rows: np.ndarray  # all turns, first those that begin pieces, then the second ones, ...
    n_at: np.ndarray  # how many pieces are so long
    unrolls: np.ndarray  # of each piece
    is_first: np.ndarray  # whether a piece begins its unroll and so goes on from a state


def cut_at_ends(ends: np.ndarray) -> Pieces:
    """Cut unrolls after turns where ``ends``, ``[unroll, turn]``, is set."""
    n_unrolls, n_turns = ends.shape
    begins = np.ones((n_unrolls, n_turns), np.bool_)
    begins[:, 1:] = ends[:, :-1]
    first = np.flatnonzero(begins)
    lengths = np.diff(first, append=n_unrolls * n_turns)
    order = np.argsort(-lengths, kind="stable")
    first, lengths = first[order], lengths[order]
    n_at = (lengths[:, None] > np.arange(lengths[0])).sum(axis=0)
    rows = np.concatenate([first[:n] + turn for turn, n in enumerate(n_at)])
    return Pieces(rows, n_at, first // n_turns, first % n_turns == 0)
