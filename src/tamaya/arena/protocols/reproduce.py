"""Published tables played again: published and measured side by side.

Differences are in combined standard errors. Where a paper prints no error, the published one is
derived from our own spread and the paper's number of games; where it prints 0.00, the figure is
still known only to half of its last digit. A published share of perfect games is compared as
well. Histograms are compared by the share of games scoring at least k: more is better at every k.

Rows of human play are not played: they take their figure from logged games, if ``run`` gets any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

from tamaya.agent import AgentError
from tamaya.arena.human_play import HumanPlay, HumanScore
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.pools import POOLS
from tamaya.arena.protocols.documents import record_of
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    config_of,
)
from tamaya.arena.published import PublishedRow, PublishedTable, load_table
from tamaya.arena.runner import Outcome, Range, Runner
from tamaya.arena.tally import Tally, z_score
from tamaya.lookup import find_agent

ROUNDING = 0.005  # of a figure printed with two digits
SHARE_ROUNDING = 0.0005  # of a percentage printed with one
BOUND = 4.0  # combined standard errors
REPRODUCED, ABOVE, BELOW, MISSING = "reproduced", "above", "below", "no agent here"
TOO_FEW = "too few games"
NO_LOGS = "no games of people here"


@dataclass(frozen=True)
class Reproduced:
    """A published figure and ours; ours is None if there is no such agent, or no logged games."""

    row: str
    players: int
    hand_size: int
    published: float
    published_se: float | None
    measured: float | None
    se: float | None
    games: int
    z: float | None
    status: str
    seconds: float = 0.0  # of work on its games, added up over workers
    published_perfect: float | None = None  # share of games with the highest score
    perfect: float | None = None
    perfect_z: float | None = None
    agent: str = ""  # ours
    turns: int = 0  # of training, if ours was trained

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """A published table to play again."""

    table: str  # its name, such as bouzy-1
    games: int = 0  # per match; 0 means as many as the paper played
    seed: int = 0  # of deals, seats and play
    data: str = ""  # path of logged games of people
    fingerprint: str = ""  # of what was read from there
    row: str = ""  # only rows whose names contain this

    @property
    def title(self) -> str:
        """The table, which rows if not all, and the file of logged games if there is one."""
        table = f"{self.table}: {self.row}" if self.row else self.table
        return f"{table}, people: {self.data}" if self.data else table

    @property
    def games_text(self) -> str:
        """Games per match."""
        return f"{self.games:,} per match" if self.games else "as in the paper"

    @property
    def rules_text(self) -> str:
        """Rules of the table that differ from the standard ones."""
        try:
            return load_table(self.table).rules
        except ValueError:  # a table that does not exist in this version
            return "of the table"

    def n_games(self) -> int:
        """Games that reproducing the table takes."""
        return n_games(load_table(self.table), self.seed, self.games, self.row)

    def arguments(self) -> list[object]:
        """`tamaya reproduce` with all options that matter."""
        return ["reproduce", self.table, "-n", self.games, "--seed", self.seed,
                *(["--row", self.row] if self.row else []),
                *(["--data", self.data] if self.data else [])]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """A published table, row by row, next to our figures."""

    config: Config
    figures: tuple[Reproduced, ...]
    seconds: float
    human: tuple[HumanScore, ...] = ()  # all means of the logged games

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        rows = [figure.as_dict() for figure in self.figures]
        human = {"human": [score.as_dict() for score in self.human]} if self.human else {}
        return {"table": self.config.table, "rows": rows, **human, "seconds": self.seconds}

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back; seconds were not always in it."""
        figures = tuple(record_of(Reproduced, row) for row in document["rows"])
        human = tuple(record_of(HumanScore, row) for row in document.get("human", ()))
        known = config_of(Config, config, table=document["table"])
        return cls(known, figures, document.get("seconds", 0.0), human)

    def rows(self) -> list[Row]:
        """A row for each published figure, and for each mean of logged games."""
        rows = [
            {"figure": "reproduced", "rules": self.config.rules_text, **figure.as_dict(),
             "mean": figure.measured}
            for figure in self.figures
        ]  # fmt: skip
        rows += [{"figure": "human play", "row": score.program, **score.as_dict()}
                 for score in self.human]  # fmt: skip
        return rows


def matches_of(row: PublishedRow, seed: int) -> list[Match]:
    """The matches behind a published figure; empty for human play, or if there is no such agent."""
    if not _plays(row.agent, row):
        return []
    tables = row.rules_played()
    if row.protocol != "mixed":
        return [Match((row.agent,), rules, seed, ALL) for rules in tables]
    partners = POOLS[row.pool]
    if not all(_plays(partner, row) for partner in partners):
        return []
    return [
        Match((row.agent, partner), rules, seed, ONE) for rules in tables for partner in partners
    ]


def reproduce(table: PublishedTable, seed: int, runner: Runner, games: int = 0) -> list[Reproduced]:
    """Play those rows of a table that have an agent, by default as many games as the paper."""
    return _reproduce(table, table.rows, seed, runner, games, None)[0]


def run(config: Config, runner: Runner, human: HumanPlay | None = None) -> Result:
    """Play those rows of a table that have an agent; rows of human play come from logged games."""
    table = load_table(config.table)
    if human is not None:
        check_logs(table, human)
    rows = rows_named(table, config.row)
    figures, seconds = _reproduce(table, rows, config.seed, runner, config.games, human)
    return Result(config, tuple(figures), seconds, human.scores if human is not None else ())


def rows_named(table: PublishedTable, part: str) -> list[PublishedRow]:
    """The rows of a table whose names contain a text, in upper or lower case."""
    found = [row for row in table.rows if part.casefold() in row.row.casefold()]
    if not found:
        known = ", ".join(repr(name) for name in dict.fromkeys(row.row for row in table.rows))
        raise ValueError(f"no row of table {table.name!r} is named like {part!r}: rows are {known}")
    return found


def check_logs(table: PublishedTable, human: HumanPlay) -> None:
    """Refuse logged games if a table has no use for them, or has a row that lacks its games."""
    partners = [row.partner for row in table.rows if row.partner]
    if not partners:
        raise ValueError(f"{human.source}: table {table.name!r} has no row of human play")
    for partner in partners:
        if human.first_games(partner) is None:
            known = ", ".join(map(repr, human.programs))
            raise ValueError(f"{human.source}: no first game of a person with {partner!r}; people "
                             f"played with {known}")  # fmt: skip


def _reproduce(
    table: PublishedTable, rows: Sequence[PublishedRow], seed: int, runner: Runner, games: int,
    human: HumanPlay | None,
) -> tuple[list[Reproduced], float]:  # fmt: skip
    """Some rows of a table and the seconds of work; rows with the same games share them."""
    plans = [_plan(row, seed, games) for row in rows]
    entries = [entry for plan in plans for entry in plan]
    outcomes = dict(zip(entries, runner.play_ranges(entries), strict=True))
    figures = []
    for row, plan in zip(rows, plans, strict=True):
        if row.partner:
            figures.append(_logged(row, human))
            continue
        found = _compared(table, row, [outcomes[entry] for entry in plan])
        figures.append(replace(found, agent=row.agent, turns=training_turns(row)))
    return figures, sum(outcome.seconds for outcome in outcomes.values())


def _logged(row: PublishedRow, human: HumanPlay | None) -> Reproduced:
    """A row of human play next to the logged first games."""
    place = row.row, row.players, row.hand_size, row.published, row.published_se
    found = human.first_games(row.partner) if human is not None else None
    if found is None:
        return Reproduced(*place, None, None, 0, None, NO_LOGS)
    if found.games < 2:
        return Reproduced(*place, found.mean, None, found.games, None, TOO_FEW)
    error = _published_error(row, found.se * sqrt(found.games))
    z = z_score(found.mean - row.published, found.se, error)
    return Reproduced(*place, found.mean, found.se, found.games, z, _status(z))


def n_games(table: PublishedTable, seed: int, games: int = 0, part: str = "") -> int:
    """Games that reproducing a table takes, or those rows whose names contain a text."""
    entries = {entry for row in rows_named(table, part) for entry in _plan(row, seed, games)}
    return sum(stop - start for _, (start, stop) in entries)


def _plan(row: PublishedRow, seed: int, games: int) -> list[tuple[Match, Range]]:
    """The games behind a row; rows with the same games share them."""
    return [(match, (0, games_per_match(row, games))) for match in matches_of(row, seed)]


def games_per_match(row: PublishedRow, games: int) -> int:
    """Games to play of each match of a row."""
    if games:
        return games
    n_tables = len(row.rules_played())
    n_partners = len(POOLS[row.pool]) if row.pool else 1
    return max(1, (row.games or 10_000) // (n_tables * n_partners))


def training_turns(row: PublishedRow) -> int:
    """Turns that our agent of a row was trained on; 0 if it was not trained."""
    if not _plays(row.agent, row):
        return 0
    return find_agent(row.agent).training_turns(row.players)


def _plays(name: str, row: PublishedRow) -> bool:
    """Whether the agent exists and supports all table sizes of a row."""
    if not name:
        return False
    try:
        agent = find_agent(name)
    except AgentError:
        return False
    return all(agent.plays_with(rules.players) for rules in row.rules_played())


def _compared(table: PublishedTable, row: PublishedRow, outcomes: Sequence[Outcome]) -> Reproduced:
    place = row.row, row.players, row.hand_size, row.published, row.published_se
    if not outcomes:
        return Reproduced(*place, None, None, 0, None, MISSING, published_perfect=row.perfect)
    tally = sum((outcome.tally for outcome in outcomes), Tally())
    seconds = sum(outcome.seconds for outcome in outcomes)
    measured = tally.mean if row.score is None else tally.scores[row.score] / tally.games
    if tally.games < 2:
        return Reproduced(*place, measured, None, 1, None, TOO_FEW, seconds)
    if row.score is not None:
        se, z = _share_error(measured, tally.games), _histogram_z(table, row, tally)
        status = _status(z)
        return Reproduced(*place, measured, se, tally.games, z, status, seconds)
    error = _published_error(row, tally.sd)
    z = z_score(measured - row.published, tally.se, error)
    found = measured, tally.se, tally.games, z
    if row.perfect is None:
        return Reproduced(*place, *found, _status(z), seconds)
    # Where the games are not printed, their number follows from the error of the mean.
    n_published = row.games or max(1.0, (tally.sd / error) ** 2)
    perfect = tally.scores[row.rules_played()[0].max_score] / tally.games
    error = max(_share_error(row.perfect, n_published), SHARE_ROUNDING)
    perfect_z = z_score(perfect - row.perfect, _share_error(perfect, tally.games), error)
    shares = row.perfect, perfect, perfect_z
    return Reproduced(*place, *found, _status(z, perfect_z), seconds, *shares)


def _published_error(row: PublishedRow, sd: float) -> float:
    """Standard error of a published mean; where none is printed, by the spread of our own games."""
    error = row.published_se
    if error is None:
        error = sd / sqrt(row.games) if row.games else 0.0
    return max(error, ROUNDING)


def _status(*zs: float) -> str:
    """ "below" if any figure is, otherwise "above" if any figure is."""
    if min(zs) < -BOUND:
        return BELOW
    return ABOVE if max(zs) > BOUND else REPRODUCED


def _share_error(share: float, games: float) -> float:
    """Standard error of a share, as if one more game had gone the other way."""
    return sqrt((share * (1 - share) + 1 / games) / games)


def _histogram_z(table: PublishedTable, row: PublishedRow, tally: Tally) -> float:
    """Difference of the shares of games with at least the row's score."""
    lowest = row.score or 0
    published = sum(
        other.published
        for other in table.rows
        if other.score is not None and other.score >= lowest and other.agent == row.agent
    )
    measured = sum(tally.scores[lowest:]) / tally.games
    error = _share_error(min(1.0, published), row.games)
    return z_score(measured - published, _share_error(measured, tally.games), error)


PROTOCOL = RegisteredProtocol("reproduce", Config, Result, run)
