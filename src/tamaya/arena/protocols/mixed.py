"""Mirror and mixed evaluation of the CIG competition.

Mirror: n games with copies of the agent for each table size. Mixed: n games for each table size and
each partner of a pool, one tested agent in a random seat and copies of the partner in the others;
seats and deals are the same for every agent that is tested with the same seed. Averages give every
cell the same weight.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.pools import pool_text
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    AgentConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
)
from tamaya.arena.runner import Outcome, Runner
from tamaya.arena.tally import Tally
from tamaya.rules import Rules


@dataclass(frozen=True)
class Cell:
    """The scores with one partner at one table size."""

    players: int
    partner: str  # the agent itself in mirror play
    mean: float
    se: float
    mean_points_kept: float  # mean of the fireworks, even after a bomb-out
    bombed: float  # share of games that ended without lives


@dataclass(frozen=True)
class SizeAverage:
    """The scores with all partners at one table size."""

    players: int
    games: int
    mean: float
    se: float
    mean_points_kept: float


@dataclass(frozen=True)
class Evaluation:
    """One agent with itself or with the partners of a pool, at several table sizes."""

    agent: str
    partners: tuple[str, ...]  # empty for mirror play
    seed: int
    games_per_cell: int
    mean: float
    se: float
    mean_points_kept: float
    by_players: tuple[SizeAverage, ...]
    cells: tuple[Cell, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return document_of(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Evaluation":
        """Reads ``as_dict`` back."""
        read = record_of(cls, document)
        sizes = tuple(record_of(SizeAverage, row) for row in document["by_players"])
        cells = tuple(record_of(Cell, row) for row in document["cells"])
        return replace(read, by_players=sizes, cells=cells)


@dataclass(frozen=True)
class Config(AgentConfig):
    """Mirror and mixed play of one agent."""

    agent: str  # as commands accept it
    pool: tuple[str, ...]  # the partners of mixed play
    players: str = "2-5"  # table sizes, such as 3, 2-5 or 2,4
    games: int = 400  # per cell, that is per table size and partner
    seed: int = 0  # of deals, seats and play
    rules: str = "bomb=keep"  # what differs from the standard rules; the competition keeps points
    pool_name: str = ""  # name of the pool, such as C

    @property
    def games_text(self) -> str:
        """Games per cell."""
        return f"{self.games:,} per cell"

    def n_games(self) -> int:
        """Games of mirror and mixed play."""
        check_agents((self.agent, *self.pool), self.tables())
        return self.games * len(self.tables()) * (1 + len(self.pool))

    def arguments(self) -> list[object]:
        """`tamaya mixed` with all options that matter."""
        return ["mixed", self.agent, "--pool", pool_text(self.pool), "-p", self.players,
                "-n", self.games, "--seed", self.seed, "--rules", self.rules]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """Both evaluations of an agent."""

    config: Config
    mirror: Evaluation
    mixed: Evaluation
    seconds: float

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {
            "agent": self.config.agent,
            "pool": self.config.pool_name or pool_text(self.config.pool),
            "rules": self.config.rules,
            "mirror": self.mirror.as_dict(),
            "mixed": self.mixed.as_dict(),
            "seconds": self.seconds,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        mirrored = Evaluation.from_dict(document["mirror"])
        among = Evaluation.from_dict(document["mixed"])
        known = config_of(
            Config, config, agent=document["agent"], pool=among.partners, seed=among.seed,
            players=",".join(str(size.players) for size in mirrored.by_players),
            games=among.games_per_cell, rules=document["rules"], pool_name=document["pool"],
        )  # fmt: skip
        return cls(known, mirrored, among, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each cell, and for each average over cells."""
        rows: list[Row] = []
        for figure, evaluation in (("mirror", self.mirror), ("mixed", self.mixed)):
            games = evaluation.games_per_cell
            rows += [{"figure": figure, "games": games, **document_of(cell)}
                     for cell in evaluation.cells]  # fmt: skip
            rows += [{"figure": f"{figure} by size", **document_of(size)}
                     for size in evaluation.by_players]  # fmt: skip
            rows.append({"figure": f"{figure} average", "games": games * len(evaluation.cells),
                         "mean": evaluation.mean, "se": evaluation.se,
                         "mean_points_kept": evaluation.mean_points_kept})  # fmt: skip
        return [{"row": self.config.agent, **row} for row in rows]


def mirror(
    agent: str, tables: Sequence[Rules], games: int, seed: int, runner: Runner
) -> Evaluation:
    """Evaluate an agent with copies of itself."""
    matches = [Match((agent,), rules, seed, ALL) for rules in tables]
    return _evaluation(agent, (), seed, games, runner.play(matches, games))


def mixed(
    agent: str,
    partners: Sequence[str],
    tables: Sequence[Rules],
    games: int,
    seed: int,
    runner: Runner,
) -> Evaluation:
    """Evaluate an agent with every partner of a pool."""
    matches = [
        Match((agent, partner), rules, seed, ONE) for rules in tables for partner in partners
    ]
    return _evaluation(agent, tuple(partners), seed, games, runner.play(matches, games))


def run(config: Config, runner: Runner) -> Result:
    """Evaluate an agent with copies of itself and with every partner of its pool."""
    tables, fixed = config.tables(), (config.games, config.seed, runner)
    alone = mirror(config.agent, tables, *fixed)
    among = mixed(config.agent, config.pool, tables, *fixed)
    return Result(config, alone, among, alone.seconds + among.seconds)


def _evaluation(
    agent: str, partners: tuple[str, ...], seed: int, games: int, outcomes: Sequence[Outcome]
) -> Evaluation:
    total = _sum(outcomes)
    sizes = dict.fromkeys(outcome.match.rules.players for outcome in outcomes)
    by_players = {
        players: _sum(outcome for outcome in outcomes if outcome.match.rules.players == players)
        for players in sizes
    }
    return Evaluation(
        agent, partners, seed, games, total.mean, total.se, total.mean_points,
        tuple(SizeAverage(players, tally.games, tally.mean, tally.se, tally.mean_points)
              for players, tally in by_players.items()),
        tuple(Cell(outcome.match.rules.players, outcome.match.agents[-1], outcome.tally.mean,
                   outcome.tally.se, outcome.tally.mean_points,
                   outcome.tally.bombed / outcome.tally.games) for outcome in outcomes),
        sum(outcome.seconds for outcome in outcomes),
    )  # fmt: skip


def _sum(outcomes: Iterable[Outcome]) -> Tally:
    return reduce(add, (outcome.tally for outcome in outcomes))


PROTOCOL = RegisteredProtocol("mixed", Config, Result, run)
