"""Cross-play: every agent with every other, as a crosstable.

Row i, column j: agent i in one random seat, copies of agent j in all others. On the diagonal an
agent plays with itself. With two players the cells (i, j) and (j, i) are the same team, so they
are played once and shown twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import Runner
from tamaya.arena.tally import without_nan
from tamaya.rules import Rules


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """A crosstable of some agents at one table."""

    agents: tuple[str, ...]  # of the rows, and in the same order of the columns
    rules: str  # the table, with its size, as ``Rules.parse`` reads it
    games: int = 1000  # per cell
    seed: int = 0  # of deals, seats and play

    @property
    def table(self) -> Rules:
        """The rules."""
        return Rules.parse(self.rules)

    @property
    def title(self) -> str:
        """The table size."""
        return f"{self.table.players} players"

    @property
    def games_text(self) -> str:
        """Games per cell."""
        return f"{self.games:,} per cell"

    @property
    def rules_text(self) -> str:
        """Rules that differ from the standard ones, without the table size."""
        return rule_text(self.table)

    def n_games(self) -> int:
        """Games of all distinct cells."""
        check_agents(self.agents, [self.table])
        return self.games * n_cells(len(self.agents), self.table.players)

    def arguments(self) -> list[object]:
        """`tamaya crossplay` with all options that matter."""
        return ["crossplay", *self.agents, "-p", self.table.players, "-n", self.games,
                "--seed", self.seed, *rules_arguments(self.rules_text)]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Result(ProtocolResult):
    """Mean scores of all pairs of agents under one set of rules."""

    config: Config
    means: np.ndarray  # [row agent, column partner]
    errors: np.ndarray  # standard errors
    points: np.ndarray  # means with points kept
    seconds: float

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents of the rows and columns."""
        return self.config.agents

    @property
    def rules(self) -> Rules:
        """Rules of all games."""
        return self.config.table

    @property
    def seed(self) -> int:
        """Seed of deals, seats and play."""
        return self.config.seed

    @property
    def games(self) -> int:
        """Games per cell."""
        return self.config.games

    def match(self, row: int, column: int) -> Match:
        """The match of a cell."""
        if self.rules.players == 2 and row > column:
            row, column = column, row  # the same team
        return match_of(self.agents, (row, column), self.rules, self.seed)

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

    def to_document(self) -> dict[str, Any]:
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

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        known = config_of(Config, config, agents=document["agents"], games=document["games"],
                          rules=Rules.from_mapping(document["rules"]).to_text(),
                          seed=document["seed"])  # fmt: skip
        shape = len(known.agents), len(known.agents)
        means, errors, points = (
            np.array(document[name], float).reshape(shape) for name in ("means", "errors", "points")
        )
        return cls(known, means, errors, points, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each cell."""
        return [
            {"figure": "cell", "row": agent, "partner": partner, "players": self.rules.players,
             "hand_size": self.rules.hand_size, "games": self.games,
             "mean": float(self.means[i, j]), "se": float(self.errors[i, j]),
             "mean_points_kept": float(self.points[i, j])}
            for i, agent in enumerate(self.agents)
            for j, partner in enumerate(self.agents)
        ]  # fmt: skip


Crosstable = Result  # what is shown of it


def crossplay(
    agents: Sequence[str], rules: Rules, games: int, seed: int, runner: Runner
) -> Crosstable:
    """Play all pairs of some agents."""
    return run(Config(tuple(agents), rules.to_text(), games, seed), runner)


def run(config: Config, runner: Runner) -> Result:
    """Play all pairs of the agents."""
    rules, n = config.table, len(config.agents)
    cells = cells_of(n, rules.players)
    matches = [match_of(config.agents, cell, rules, config.seed) for cell in cells]
    outcomes = runner.play(matches, config.games)
    means, errors, points = (np.zeros((n, n)) for _ in range(3))
    for (row, column), outcome in zip(cells, outcomes, strict=True):
        for place in {(row, column), (column, row)} if rules.players == 2 else {(row, column)}:
            means[place] = outcome.tally.mean
            errors[place] = outcome.tally.se
            points[place] = outcome.tally.mean_points
    seconds = sum(outcome.seconds for outcome in outcomes)
    return Result(config, means, errors, points, seconds)


def n_cells(n_agents: int, players: int) -> int:
    """Number of matches of a crosstable."""
    return len(cells_of(n_agents, players))


def cells_of(n_agents: int, players: int) -> list[tuple[int, int]]:
    """The cells that are played, by row and column."""
    return [(i, j) for i in range(n_agents) for j in range(n_agents) if i <= j or players > 2]


def match_of(agents: Sequence[str], cell: tuple[int, int], rules: Rules, seed: int) -> Match:
    """The match of a cell."""
    row, column = cell
    if row == column:
        return Match((agents[row],), rules, seed, ALL)
    return Match((agents[row], agents[column]), rules, seed, ONE)


PROTOCOL = RegisteredProtocol("crossplay", Config, Result, run)
