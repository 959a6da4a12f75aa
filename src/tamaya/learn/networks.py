"""The networks that are trained, and their weights in the form of ``tamaya.agents.learned``."""

import torch
from torch import Tensor, nn

from tamaya.agents.learned.files import Weights
from tamaya.agents.learned.lstm import N_LAYERS
from tamaya.agents.learned.public import Sizes
from tamaya.learn.lstm import LayerAlongUnrolls

FORBIDDEN = -1e9  # logit of a move that is not legal
State = tuple[Tensor, Tensor]  # outputs and cells of the LSTM layers, [layer, row, unit]


class PolicyValue(nn.Module):
    """Two hidden layers, normalised, shared by the logits of the moves and the value.

    The hidden layers can be computed in ``bfloat16``, which is enough for them, but not for logits
    and values. The weights themselves are always in single precision.
    """

    def __init__(self, n_inputs: int, width: int, n_moves: int, bfloat16: bool = False) -> None:
        super().__init__()
        self.in_bfloat16 = bfloat16
        self.first = nn.Linear(n_inputs, width)
        self.first_norm = nn.LayerNorm(width)
        self.second = nn.Linear(width, width)
        self.second_norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, n_moves)
        self.value = nn.Linear(width, 1)
        _begin(self, self.first, self.second)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all moves, legal or not, and the values of vectors."""
        vectors = vectors.to(torch.bfloat16 if self.in_bfloat16 else torch.float32)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_bfloat16):
            hidden = torch.relu(self.first_norm(self.first(vectors)))
            hidden = torch.relu(self.second_norm(self.second(hidden)))
        hidden = hidden.float()
        return self.policy(hidden), self.value(hidden).squeeze(-1)

    def weights(self) -> Weights:
        """The weights by the names and shapes of ``tamaya.agents.learned.network.layout``."""
        weights: dict[str, Tensor] = {}
        layers = (("first", self.first, self.first_norm), ("second", self.second, self.second_norm))
        for name, layer, norm in layers:
            weights |= {name: layer.weight.T, f"{name} bias": layer.bias,
                        f"{name} scale": norm.weight, f"{name} shift": norm.bias}  # fmt: skip
        return _arrays({**weights, **_out_weights(self)})


class PublicPolicy(nn.Module):
    """BAD's network: a public layer, then one that also gets the hand that the mover sees."""

    def __init__(self, sizes: Sizes, width: int, n_moves: int) -> None:
        super().__init__()
        self.sizes = sizes
        self.first = nn.Linear(sizes.public + sizes.belief, width)
        self.first_norm = nn.LayerNorm(width)
        self.second = nn.Linear(width, width)
        self.private = nn.Linear(sizes.hand + sizes.marks, width, bias=False)
        self.second_norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, n_moves)
        self.value = nn.Linear(width, 1)
        _begin(self, self.first, self.second)
        nn.init.orthogonal_(self.private.weight, 2**0.5)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all moves, legal or not, and the values of vectors as in ``Sizes``."""
        sizes = self.sizes
        parts = (sizes.hand, sizes.public + sizes.belief, sizes.marks)
        hand, public, marks = vectors.split(parts, dim=-1)
        hidden = torch.relu(self.first_norm(self.first(public)))
        seen = self.private(torch.cat([hand, marks], -1))
        hidden = torch.relu(self.second_norm(self.second(hidden) + seen))
        return self.policy(hidden), self.value(hidden).squeeze(-1)

    def weights(self) -> Weights:
        """The weights by the names and shapes of ``tamaya.agents.learned.public.layout``."""
        return _arrays({
            "first": self.first.weight.T, "first bias": self.first.bias,
            "first scale": self.first_norm.weight, "first shift": self.first_norm.bias,
            "second": self.second.weight.T, "second bias": self.second.bias,
            "private": self.private.weight.T, "second scale": self.second_norm.weight,
            "second shift": self.second_norm.bias, **_out_weights(self),
        })  # fmt: skip


class RecurrentPolicyValue(nn.Module):
    """A hidden layer and two LSTM layers, shared by the logits of the moves and the value.

    At first the output of two LSTM layers differs little from turn to turn. The policy would learn
    what to do on average long before it can tell turns apart, and swing between bombing out and
    never playing. Hence the normalisation, and initial weights with little memory.
    """

    def __init__(self, n_inputs: int, width: int, n_moves: int) -> None:
        super().__init__()
        self.first = nn.Linear(n_inputs, width)
        self.first_norm = nn.LayerNorm(width)
        self.lstm = nn.LSTM(width, width, N_LAYERS)
        self.top_norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, n_moves)
        self.value = nn.Linear(width, 1)
        _begin(self, self.first)
        _begin_without_memory(self.lstm)

    def forward(self, inputs: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        """Logits of all moves, values and next states of single turns, a row each."""
        hidden, state = self.lstm(self.enter(inputs)[None], state)
        return *self.leave(hidden[0]), state

    def enter(self, inputs: Tensor) -> Tensor:
        """The input of the LSTM."""
        return torch.relu(self.first_norm(self.first(inputs)))

    def leave(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values from the output of the LSTM."""
        hidden = self.top_norm(hidden)
        return self.policy(hidden), self.value(hidden).squeeze(-1)

    def unroll(self, inputs: Tensor, state: State, ends: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values along turns, ``[turn, unroll]``, from the states at their beginnings.

        Where ``ends`` is set a game ended with that turn: the next turn begins with a zero state.
        """
        keep = torch.ones(*ends.shape, 1)
        keep[1:, :, 0] -= ends[:-1].float()
        hidden = self.enter(inputs)
        for layer in range(N_LAYERS):
            below, own, below_bias, own_bias = self.lstm.all_weights[layer]
            start = state[0][layer], state[1][layer]
            bias = below_bias + own_bias
            hidden = LayerAlongUnrolls.apply(hidden, keep, *start, below, own, bias)
        return self.leave(hidden)

    def weights(self) -> Weights:
        """The weights by the names and shapes of ``tamaya.agents.learned.lstm.layout``."""
        weights: dict[str, Tensor] = {
            "first": self.first.weight.T, "first bias": self.first.bias,
            "first scale": self.first_norm.weight, "first shift": self.first_norm.bias,
        }  # fmt: skip
        for layer in range(N_LAYERS):
            below, own, below_bias, own_bias = self.lstm.all_weights[layer]
            weights[f"lstm {layer + 1}"] = torch.cat([below, own], 1).T
            weights[f"lstm {layer + 1} bias"] = below_bias + own_bias
        weights |= {"top scale": self.top_norm.weight, "top shift": self.top_norm.bias}
        return _arrays({**weights, **_out_weights(self)})


Heads = PolicyValue | PublicPolicy | RecurrentPolicyValue


def _begin(network: Heads, *hidden: nn.Linear) -> None:
    """Initial weights: all moves nearly equally likely, values nearly zero."""
    layers = (*((layer, 2**0.5) for layer in hidden), (network.policy, 0.01), (network.value, 0.01))
    for layer, gain in layers:
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)


def _begin_without_memory(lstm: nn.LSTM) -> None:
    """Initial weights: the current turn counts more than earlier ones."""
    for below, own, below_bias, own_bias in lstm.all_weights:
        for below_gate, own_gate in zip(below.chunk(4), own.chunk(4), strict=True):
            nn.init.orthogonal_(below_gate, 2.0)
            nn.init.orthogonal_(own_gate, 0.1)
        nn.init.zeros_(below_bias)
        nn.init.zeros_(own_bias)
        nn.init.constant_(own_bias.chunk(4)[1], -1.0)  # of the gate that keeps the cells


def _out_weights(network: Heads) -> dict[str, Tensor]:
    """Moves and value as one layer."""
    return {"out": torch.cat([network.policy.weight, network.value.weight]).T,
            "out bias": torch.cat([network.policy.bias, network.value.bias])}  # fmt: skip


def _arrays(weights: dict[str, Tensor]) -> Weights:
    return {name: tensor.detach().numpy().copy() for name, tensor in weights.items()}


def masked(logits: Tensor, legal: Tensor) -> Tensor:
    """Logits with illegal moves masked out."""
    return logits.masked_fill(~legal, FORBIDDEN)
