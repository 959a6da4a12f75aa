"""The outcome of a run of games: a result for each, and the games themselves if recorded."""

from dataclasses import dataclass

import numpy as np

from tamaya.agent import Player
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import score
from tamaya.records import record
from tamaya.rules import Rules

RESULT = record([
    ("score", np.int8),    # by the rules of the game
    ("points", np.int8),   # sum of the fireworks
    ("lives", np.int8),    # left at the end
    ("status", np.int8),   # why it ended
    ("start", np.int8),    # seat that moved first
    ("n_moves", np.int16),
])  # fmt: skip


@hot
def write_result(game, result):
    """Record how a game ended."""
    result.score = score(game)
    result.points = game.points
    result.lives = game.lives
    result.status = game.status
    result.start = game.start
    result.n_moves = game.n_moves


@dataclass(frozen=True, repr=False)
class Played:
    """Games that were played: one ``RESULT`` record each, and the games if recorded."""

    rules: Rules
    agents: tuple[Player, ...]
    seed: int
    first: int
    results: np.ndarray
    seconds: float  # from the first game to the last
    records: np.ndarray | None = None
    cpu_seconds: float = 0.0  # of CPU time, on all threads

    def game(self, k: int) -> Game:
        """The k-th game of a recorded run."""
        if self.records is None:
            raise ValueError("the games were not recorded: play with record=True")
        return Game.from_record(self.rules, self.records[k])

    def __repr__(self) -> str:
        names = ", ".join(dict.fromkeys(player.name for player in self.agents))
        mean = f", mean score {self.results['score'].mean():.2f}" if len(self.results) else ""
        return (
            f"<Played {len(self.results):,} games of {names}, seed {self.seed} "
            f"({self.rules.to_text()}){mean}>"
        )
