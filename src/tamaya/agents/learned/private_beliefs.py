"""BAD's belief about its own cards: the public belief, and the hand that only it sees.

The public belief is that of somebody who sees no hand. Its likelihoods, how well the moves of the
other seat agree with each card, are valid for the holder too; they are multiplied by the copies
that the holder does not see, and slots are made consistent exactly instead of in rounds.
"""

import numpy as np

from tamaya.agents.learned.beliefs import N_SEATS, V2
from tamaya.agents.learned.network import fits
from tamaya.knowledge.hand_beliefs import counted_beliefs, weighted_beliefs


def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """Hands weighted by the likelihood of the moves so far, mixed with a little counting."""
    counted = counted_beliefs(view)
    brain = params["brain"]
    is_decoded = memory.is_awake and brain["version"] == V2
    if not is_decoded or view.players != N_SEATS or not fits(view, brain["network"]):
        return counted
    likelihood = memory.likelihood[view.seat, : int(view.hand_size)]
    mixing = float(brain["mixing"])
    return (1 - mixing) * weighted_beliefs(view, likelihood) + mixing * counted
