"""Recording games in progress: when a game ends, each seat's turns are an episode.

The team's rewards between two turns of a seat belong to the first of the two. A seat's last turn
gets the rewards until the end of the game.
"""

from typing import Any

import numpy as np
import torch

from tamaya.learn.replay_buffer import Replay
from tamaya.rules import Rules


class Episodes:
    """All turns of the games that are being played, ``[game, turn]``."""

    def __init__(self, rules: Rules, n_games: int, length: int) -> None:
        self.players = rules.players
        shape = n_games, rules.longest_game
        self.vectors = np.zeros((*shape, -(-length // 8)), np.uint8)  # packed
        self.legal = np.zeros((*shape, rules.n_moves), np.bool_)
        self.moves = np.zeros(shape, np.uint8)
        self.rewards = np.zeros(shape, np.int8)
        self.n_turns = np.zeros(n_games, np.int64)

    def note(
        self, packed: np.ndarray, legal: np.ndarray, moves: np.ndarray, rewards: np.ndarray
    ) -> None:
        """Record a turn of every game: what the mover saw, its move, and the reward of the team.

        Vectors are packed, eight bits a byte.
        """
        now = np.arange(len(moves)), self.n_turns
        self.vectors[now] = packed
        self.legal[now] = legal
        self.moves[now], self.rewards[now] = moves, rewards
        self.n_turns += 1

    def hand_over(self, games: np.ndarray, replay: Replay) -> None:
        """Move the episodes of all seats of some finished games into the replay buffer."""
        for game in games:
            n = int(self.n_turns[game])
            for first in range(min(self.players, n)):
                own = slice(first, n, self.players)
                starts = np.arange(first, n, self.players)
                rewards = np.add.reduceat(self.rewards[game, :n], starts)
                replay.add(self.vectors[game, own], self.legal[game, own], self.moves[game, own],
                           rewards)  # fmt: skip
            self.n_turns[game] = 0

    def state(self) -> dict[str, Any]:
        """The episodes recorded so far."""
        names = ("vectors", "legal", "moves", "rewards", "n_turns")
        return {name: torch.from_numpy(getattr(self, name)) for name in names}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        for name, part in state.items():
            getattr(self, name)[:] = part.numpy()
