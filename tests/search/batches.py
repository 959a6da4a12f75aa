"""Batch agents that tests of search share: with and without a state, and one that is compiled too.

Their numbers are small integers, which floats add up without rounding in any order.
"""

from functools import cache

import numpy as np

from tamaya.agent import BatchAgent
from tamaya.registry import find_agent, register
from tamaya.seat import ask

MODULUS = 1009


@cache
def weights(n_inputs: int, n_outputs: int) -> np.ndarray:
    """Weights for vectors of any length, as good as random."""
    rows, columns = np.arange(n_inputs)[:, np.newaxis], np.arange(n_outputs)
    return ((rows * rows * 7919 + rows * columns * 104729 + columns * 31) % 41 - 20).astype(
        np.float32
    )


def best_legal(scores: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """The legal moves with the highest scores."""
    return np.where(legal, scores, -np.inf).argmax(axis=1)


def act_at_once(observations, legal, state):
    """A linear network."""
    return best_legal(observations @ weights(observations.shape[1], legal.shape[1]), legal)


def act_by_state(observations, legal, state):
    """A linear network whose state depends on all that its seat has seen at its turns."""
    seen = observations @ weights(observations.shape[1], 1)[:, 0]
    state[:, 0] = (3 * state[:, 0] + seen) % MODULUS
    scores = observations @ weights(observations.shape[1], legal.shape[1])
    return best_legal((scores + np.outer(state[:, 0], np.arange(legal.shape[1]))) % MODULUS, legal)


def as_batch_agent(text: str) -> BatchAgent:
    """A compiled agent without a memory, called view by view."""
    code = find_agent(text).compile()
    memory = np.zeros(max(1, code.memory_size), np.uint8)

    def act(views, legal, state):
        return np.array([ask(code.act, view, memory.ctypes.data, code.params.ctypes.data)
                         for view in views], np.int64)  # fmt: skip

    return register(BatchAgent(f"{text}-in-batches", act, encoder="views"))


AT_ONCE = register(BatchAgent("at-once", act_at_once, players="2-3"))
BY_STATE = register(BatchAgent("by-state", act_by_state, state_size=1, players="2-3"))
