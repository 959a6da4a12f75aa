"""Published tables played again: published and measured side by side.

The difference is given in combined standard errors. Where a paper prints no error, the published
one is taken from our own spread and the paper's number of games; where it prints 0.00, a printed
figure is still only known to half of its last digit. A published share of perfect games is compared
as well. In a histogram what is compared is the share of games with at least so many points: there
more is better at every score.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
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
SHARE_ROUNDING = 0.0005  # of a percentage printed with one
BOUND = 4.0  # combined standard errors
REPRODUCED, ABOVE, BELOW, MISSING = "reproduced", "above", "below", "no agent here"
TOO_FEW = "too few games"


@dataclass(frozen=True)
class Reproduced:
    """A published figure and ours; ours is None while there is no such agent."""

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


def matches_of(row: PublishedRow, seed: int) -> list[Match]:
    """The matches behind a published figure; empty while there is no such agent."""
    if not _plays(row.agent, row.players):
        return []
    tables = row.rules_played()
    if row.protocol != "mixed":
        return [Match((row.agent,), rules, seed, ALL) for rules in tables]
    partners = POOLS[row.pool]
    if not all(_plays(partner, row.players) for partner in partners):
        return []
    return [
        Match((row.agent, partner), rules, seed, ONE) for rules in tables for partner in partners
    ]


def reproduce(table: PublishedTable, seed: int, runner: Runner, games: int = 0) -> list[Reproduced]:
    """Play what there are agents for of a table, by default as many games as the paper did."""
    plans = [_plan(row, seed, games) for row in table.rows]
    outcomes = iter(runner.play_ranges([entry for plan in plans for entry in plan]))
    return [
        replace(_compared(table, row, [next(outcomes) for _ in plan]), agent=row.agent,
                turns=training_turns(row))
        for row, plan in zip(table.rows, plans, strict=True)
    ]  # fmt: skip


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


def training_turns(row: PublishedRow) -> int:
    """Turns from which our agent of a row was learned; 0 if it was not."""
    if not _plays(row.agent, row.players):
        return 0
    networks = getattr(find_agent(row.agent), "networks", None)
    return networks[row.players].card["turns"] if networks else 0


def _plays(name: str, players: int) -> bool:
    """Whether there is such an agent, and it knows the game of so many players."""
    if not name:
        return False
    try:
        agent = find_agent(name)
    except AgentError:
        return False
    networks = getattr(agent, "networks", None)  # of a learned agent, by number of players
    return players in networks if networks else True


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
    error = row.published_se
    if error is None:
        error = tally.sd / sqrt(row.games) if row.games else 0.0
    error = max(error, ROUNDING)
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


def _status(*zs: float) -> str:
    """Below if any figure is, above if any is and none below."""
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
