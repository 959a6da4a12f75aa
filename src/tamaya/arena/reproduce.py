"""Published tables played again: published and measured side by side.

The difference is given in combined standard errors. Where a paper prints no error, the published
one is taken from our own spread and the paper's number of games; where it prints 0.00, a printed
figure is still only known to half of its last digit.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from tamaya.agent import AgentError
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.pools import POOLS
from tamaya.arena.published import PublishedRow, PublishedTable
from tamaya.arena.runner import Outcome, Runner
from tamaya.arena.tally import Tally, z_score
from tamaya.registry import find_agent

ROUNDING = 0.005  # of a figure printed with two digits
BOUND = 4.0  # combined standard errors
REPRODUCED, ABOVE, BELOW, MISSING = "reproduced", "above", "below", "not implemented"


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
    plan = [(row, matches_of(row, seed)) for row in table.rows]
    done: dict[Match, Outcome] = {}
    for count in sorted({games_per_match(row, games) for row, _ in plan}):
        wanted = {
            match for row, matches in plan for match in matches
            if games_per_match(row, games) == count
        }  # fmt: skip
        ordered = sorted(wanted - set(done), key=lambda match: match.key)
        done.update((outcome.match, outcome) for outcome in runner.play(ordered, count))
    return [_compared(row, [done[match] for match in matches]) for row, matches in plan]


def n_games(table: PublishedTable, seed: int, games: int = 0) -> int:
    """Games that reproducing a table takes."""
    counts = {
        match: games_per_match(row, games) for row in table.rows for match in matches_of(row, seed)
    }
    return sum(counts.values())


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
    tally = sum((outcome.tally for outcome in outcomes), Tally())
    if row.score is not None:
        measured = tally.scores[row.score] / tally.games
        se = sqrt(max(measured, 1 / tally.games) * (1 - measured) / tally.games)
        published_se = row.published_se or 0.0
    else:
        measured, se = tally.mean, tally.se
        own = tally.sd / sqrt(row.games) if row.games else 0.0
        published_se = max(own if row.published_se is None else row.published_se, ROUNDING)
    z = z_score(measured - row.published, se, published_se)
    status = REPRODUCED if abs(z) <= BOUND else ABOVE if z > 0 else BELOW
    return Reproduced(*place, published_se, measured, se, tally.games, z, status)
