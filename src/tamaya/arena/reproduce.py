"""Published tables played again: published and measured side by side.

The difference is given in combined standard errors. Where a paper prints no error, or less than
half of what its games allow, the published one is taken from our own spread and their number;
where it prints 0.00, a printed figure is still only known to half of its last digit.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from tamaya.agent import AgentError
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.pools import POOLS
from tamaya.arena.published import PublishedRow, PublishedTable
from tamaya.arena.runner import Outcome, Range, Runner
from tamaya.arena.tally import Tally, z_score
from tamaya.registry import find_agent

ROUNDING = 0.005  # of a figure printed with two digits
BOUND = 4.0  # combined standard errors
REPRODUCED, ABOVE, BELOW, MISSING = "reproduced", "above", "below", "not implemented"
TOO_FEW = "too few games"


@dataclass(frozen=True)
class Reproduced:
    """A published figure and ours; ours is None while the agent is not implemented."""

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

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def matches_of(row: PublishedRow, seed: int) -> list[Match]:
    """The matches behind a published figure; empty while an agent of it is not implemented."""
    if not _exists(row.agent):
        return []
    tables = row.rules_played()
    if row.protocol != "mixed":
        return [Match((row.agent,), rules, seed, ALL) for rules in tables]
    partners = POOLS[row.pool]
    if not all(_exists(partner) for partner in partners):
        return []
    return [
        Match((row.agent, partner), rules, seed, ONE) for rules in tables for partner in partners
    ]


def reproduce(table: PublishedTable, seed: int, runner: Runner, games: int = 0) -> list[Reproduced]:
    """Play what is implemented of a table, by default as many games as the paper did."""
    plans = [_plan(row, seed, games) for row in table.rows]
    outcomes = iter(runner.play_ranges([entry for plan in plans for entry in plan]))
    return [
        _compared(row, [next(outcomes) for _ in plan])
        for row, plan in zip(table.rows, plans, strict=True)
    ]


def n_games(table: PublishedTable, seed: int, games: int = 0) -> int:
    """Games that reproducing a table takes."""
    entries = {entry for row in table.rows for entry in _plan(row, seed, games)}
    return sum(stop - start for _, (start, stop) in entries)


def _plan(row: PublishedRow, seed: int, games: int) -> list[tuple[Match, Range]]:
    """The games behind a row; rows share those that they have in common."""
    return [(match, (0, games_per_match(row, games))) for match in matches_of(row, seed)]


def games_per_match(row: PublishedRow, games: int) -> int:
    """Games to play of each match of a row."""
    if games:
        return games
    n_tables = len(row.rules_played())
    n_partners = len(POOLS[row.pool]) if row.pool else 1
    return max(1, (row.games or 10_000) // (n_tables * n_partners))


def _exists(agent: str) -> bool:
    if not agent:
        return False
    try:
        find_agent(agent)
    except AgentError:
        return False
    return True


def _compared(row: PublishedRow, outcomes: Sequence[Outcome]) -> Reproduced:
    place = row.row, row.players, row.hand_size, row.published
    if not outcomes:
        return Reproduced(*place, row.published_se, None, None, 0, None, MISSING)
    error = row.published_se
    tally = sum((outcome.tally for outcome in outcomes), Tally())
    seconds = sum(outcome.seconds for outcome in outcomes)
    if row.score is not None:
        measured = tally.scores[row.score] / tally.games
        se = sqrt(max(measured, 1 / tally.games) * (1 - measured) / tally.games)
        error = error or 0.0
    else:
        measured, se = tally.mean, tally.se
        own = tally.sd / sqrt(row.games) if row.games else 0.0
        if error is None or error < own / 2:
            error = own
        error = max(error, ROUNDING)
    if tally.games < 2:
        return Reproduced(*place, row.published_se, measured, None, 1, None, TOO_FEW, seconds)
    z = z_score(measured - row.published, se, error)
    status = REPRODUCED if abs(z) <= BOUND else ABOVE if z > 0 else BELOW
    return Reproduced(*place, row.published_se, measured, se, tally.games, z, status, seconds)
