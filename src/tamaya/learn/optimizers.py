"""Compact states of learners whose network and optimiser are torch's: weights and moments.

See `compact`. Adam has running means of gradients and of their squares, RMSProp only the latter.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tamaya.agents.learned.files import halved
from tamaya.checked_files import Arrays, check_array
from tamaya.learn.halves import count_of, halved_moments, whole_moments

Optimizer = torch.optim.Adam | torch.optim.RMSprop


def compact_arrays(network: nn.Module, optimizer: Optimizer) -> Arrays:
    """Weights, moments and steps in half precision."""
    weights = {name: part.detach().numpy() for name, part in network.named_parameters()}
    means, squares = (
        np.concatenate([part.numpy().ravel() for part in parts]) for parts in _moments(optimizer)
    )
    n_steps = max((int(state["step"]) for state in optimizer.state.values()), default=0)
    return {**halved(weights), **halved_moments(means, squares), "n_steps": np.array(n_steps)}


@torch.no_grad()
def restore_arrays(network: nn.Module, optimizer: Optimizer, arrays: Arrays) -> None:
    """Continue from a compact state."""
    parameters = dict(network.named_parameters())
    for name, part in parameters.items():
        saved = check_array(arrays, name, "f", tuple(part.shape)).astype(np.float32)
        part.copy_(torch.from_numpy(saved))
    n_steps = count_of(arrays, "n_steps")
    if n_steps == 0:  # the optimiser begins with its first step
        return
    sizes = [part.numel() for part in parameters.values()]
    flats = (torch.from_numpy(flat).split(sizes) for flat in whole_moments(arrays, sum(sizes)))
    for part, mean, square in zip(parameters.values(), *flats, strict=True):
        state: dict[str, Any] = optimizer.state[part]
        state["step"] = torch.tensor(float(n_steps))
        if isinstance(optimizer, torch.optim.Adam):
            state["exp_avg"] = mean.view_as(part).clone()
            state["exp_avg_sq"] = square.view_as(part).clone()
        else:
            state["square_avg"] = square.view_as(part).clone()


def _moments(optimizer: Optimizer) -> tuple[list[Tensor], list[Tensor]]:
    """Running means of gradients and of their squares, zero where an optimiser has none."""
    means, squares = [], []
    for group in optimizer.param_groups:
        for part in group["params"]:
            state = optimizer.state.get(part, {})
            nothing = torch.zeros(part.shape)
            means.append(state.get("exp_avg", nothing))
            squares.append(state.get("exp_avg_sq", state.get("square_avg", nothing)))
    return means, squares
