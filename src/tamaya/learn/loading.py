"""Networks from the weights in an agent's file: the inverse of their ``weights``.

A network can also begin with a narrower one of the same kind, which it equals at first: each unit
becomes several that share what it passes on, in random proportions, so that learning will tell them
apart (Chen, Goodfellow & Shlens 2016).
"""

import numpy as np
import torch
from torch import Tensor

from tamaya.agents.learned.files import Weights
from tamaya.agents.learned.lstm import N_LAYERS
from tamaya.learn.networks import Heads, PublicPolicy, RecurrentPolicyValue


@torch.no_grad()
def load_weights(network: Heads, weights: Weights) -> None:
    """Load weights in the form of ``weights``."""
    whole = {name: torch.from_numpy(part.astype(np.float32)) for name, part in weights.items()}
    is_recurrent = isinstance(network, RecurrentPolicyValue)
    for name in ["first"] if is_recurrent else ["first", "second"]:
        layer = getattr(network, name)
        layer.weight.copy_(whole[name].T)
        layer.bias.copy_(whole[f"{name} bias"])
    for name in ["first", "top"] if is_recurrent else ["first", "second"]:
        norm = getattr(network, f"{name}_norm")
        norm.weight.copy_(whole[f"{name} scale"])
        norm.bias.copy_(whole[f"{name} shift"])
    if isinstance(network, PublicPolicy):
        network.private.weight.copy_(whole["private"].T)
    if isinstance(network, RecurrentPolicyValue):
        _load_lstm(network, whole)
    out, bias = whole["out"].T, whole["out bias"]
    network.policy.weight.copy_(out[:-1])
    network.value.weight.copy_(out[-1:])
    network.policy.bias.copy_(bias[:-1])
    network.value.bias.copy_(bias[-1:])


def _load_lstm(network: RecurrentPolicyValue, whole: dict[str, Tensor]) -> None:
    """The LSTM layers; of torch's two biases for each, the second becomes zero."""
    for layer in range(N_LAYERS):
        below, own, below_bias, own_bias = network.lstm.all_weights[layer]
        joined = whole[f"lstm {layer + 1}"].T
        below.copy_(joined[:, : below.shape[1]])
        own.copy_(joined[:, below.shape[1] :])
        below_bias.copy_(whole[f"lstm {layer + 1} bias"])
        own_bias.zero_()


def widened(weights: Weights, times: int, rng: np.random.Generator) -> Weights:
    """The weights of a wider network of two hidden layers that is equal at first."""
    wide = {}
    for name, part in weights.items():
        whole = part.astype(np.float32)
        if name in ("second", "out"):  # what units pass on: shared by those they became
            shares = rng.dirichlet(np.full(times, 8.0), len(whole)).astype(np.float32)
            whole = (whole[:, None] * shares[:, :, None]).reshape(-1, whole.shape[1])
        if not name.startswith("out"):
            whole = np.repeat(whole, times, axis=-1)
        wide[name] = whole
    return wide
