"""V-trace (Espeholt et al. 2018): the value of turns played by another policy.

All arrays are ``[turn, unroll]``; ``values`` has one turn more than the others. A discount is zero
where a game ended, so that the next game does not count.
"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Targets:
    """The targets of turns."""

    values: Tensor  # for the baseline
    advantages: Tensor  # of the moves, weighted by how likely they are by now


def vtrace(
    log_ratios: Tensor,
    rewards: Tensor,
    discounts: Tensor,
    values: Tensor,
    clips: tuple[float, float] = (1.0, 1.0),
) -> Targets:
    """Targets of turns, corrected for the policy that played them.

    ``log_ratios`` are the logarithms of how much likelier our policy makes the moves; their ratios
    are clipped twice, as weights of TD errors (rho) and as traces back in time (c).
    """
    ratios = log_ratios.exp()
    rho, trace = ratios.clamp(max=clips[0]), ratios.clamp(max=clips[1])
    td_errors = rho * (rewards + discounts * values[1:] - values[:-1])
    corrected = values.clone()
    behind = torch.zeros_like(values[0])
    for turn in range(len(rewards) - 1, -1, -1):
        behind = td_errors[turn] + discounts[turn] * trace[turn] * behind
        corrected[turn] += behind
    advantages = rho * (rewards + discounts * corrected[1:] - values[:-1])
    return Targets(corrected[:-1], advantages)
