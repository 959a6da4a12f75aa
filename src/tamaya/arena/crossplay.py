"""Cross-play: every agent with every other, as a crosstable.

Row i, column j: agent i in one random seat, copies of agent j in all others. On the diagonal an
agent plays with itself. With two players the cells (i, j) and (j, i) are the same team, so they
are played once and shown twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.runner import Runner
from tamaya.arena.tally import without_nan
from tamaya.rules import Rules


@dataclass(frozen=True)
class Crosstable:
    """Mean scores of all pairs of agents under one set of rules."""

    agents: tuple[str, ...]
    rules: Rules
    seed: int
    games: int
    means: np.ndarray  # [row agent, column partner]
    errors: np.ndarray  # standard errors
    points: np.ndarray  # means with points kept
    seconds: float

    def statistics(self) -> dict[str, Any]:
        """Mean of the diagonal and off it, and the best partner of each agent."""
        n = len(self.agents)
        off = self.means[~np.eye(n, dtype=bool)]
        best = {}
        for row, name in enumerate(self.agents):
            others = [column for column in range(n) if column != row]
            if others:
                partner = max(others, key=lambda column: self.means[row, column])
                best[name] = {"partner": self.agents[partner],
                              "mean": float(self.means[row, partner])}  # fmt: skip
        return {
            "diagonal": float(np.diag(self.means).mean()),
            "off_diagonal": float(off.mean()) if n > 1 else None,
            "best_partner": best,
        }

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return without_nan(
            {
                "agents": list(self.agents),
                "rules": self.rules.as_dict(),
                "players": self.rules.players,
                "seed": self.seed,
                "games": self.games,
                "means": self.means.tolist(),
                "errors": self.errors.tolist(),
                "points": self.points.tolist(),
                "statistics": self.statistics(),
                "seconds": self.seconds,
            }
        )


def crossplay(
    agents: Sequence[str], rules: Rules, games: int, seed: int, runner: Runner
) -> Crosstable:
    """Play all pairs of some agents."""
    cells = _cells(len(agents), is_symmetric=rules.players == 2)
    outcomes = runner.play([_match(agents, cell, rules, seed) for cell in cells], games)
    n = len(agents)
    means, errors, points = (np.zeros((n, n)) for _ in range(3))
    for (row, column), outcome in zip(cells, outcomes, strict=True):
        places = {(row, column), (column, row)} if rules.players == 2 else {(row, column)}
        for place in places:
            means[place] = outcome.tally.mean
            errors[place] = outcome.tally.se
            points[place] = outcome.tally.mean_points
    seconds = sum(outcome.seconds for outcome in outcomes)
    return Crosstable(tuple(agents), rules, seed, games, means, errors, points, seconds)


def n_cells(n_agents: int, players: int) -> int:
    """Number of matches of a crosstable."""
    return len(_cells(n_agents, is_symmetric=players == 2))


def _cells(n: int, is_symmetric: bool) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(n) if i <= j or not is_symmetric]


def _match(agents: Sequence[str], cell: tuple[int, int], rules: Rules, seed: int) -> Match:
    row, column = cell
    if row == column:
        return Match((agents[row],), rules, seed, ALL)
    return Match((agents[row], agents[column]), rules, seed, ONE)
