"""Shared by the scripts: positions of random games, and the time of a compiled loop."""

import gc
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from tamaya.bench.own import pick_moves
from tamaya.envs.vector import HanabiVectorEnv
from tamaya.rules import Rules

N_POSITIONS = 1000


def positions(players: int) -> np.ndarray:
    """Game records in the middle of random games."""
    env = HanabiVectorEnv(N_POSITIONS, Rules(players=players))
    _, info = env.reset(seed=0)
    moves = np.zeros(N_POSITIONS, np.int64)
    for turn in range(20):
        pick_moves(info["action_mask"], np.uint64(turn << 32), moves)
        _, _, _, _, info = env.step(moves)
    return env.games


def nanoseconds(loop: Callable[..., Any], *arguments: Any, per: int = N_POSITIONS) -> float:
    """Best time of a loop over all positions, divided by the number of things it does."""
    loop(*arguments)
    gc.collect()
    best = float("inf")
    for _ in range(15):
        started = process_time()
        for _ in range(30):
            loop(*arguments)
        best = min(best, process_time() - started)
    return 1e9 * best / 30 / per
