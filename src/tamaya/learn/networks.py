"""The networks that are trained, and their weights as ``tamaya.agents.learned`` plays them."""

import numpy as np
import torch
from torch import Tensor, nn

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
