"""Self-play: one agent in all seats, and what its scores amount to."""

from dataclasses import asdict, dataclass
from typing import Any

from tamaya.arena.match import ALL, PAIR, Match
from tamaya.arena.runner import Runner
from tamaya.arena.tally import Tally, wilson_interval, without_nan
from tamaya.rules import Rules
from tamaya.table import Played


@dataclass(frozen=True)
class Summary:
    """Statistics of games under one set of rules; shares are between 0 and 1."""

    players: int
    hand_size: int
    games: int
    mean: float
    se: float  # standard error of the mean
    sd: float  # standard deviation of a score
    perfect: float  # share of games with the highest score
    perfect_interval: tuple[float, float]  # 95 %, Wilson
    bombed: float  # share of games that ended without lives
    mean_points_kept: float  # mean of the fireworks, whatever a bomb-out scores
    histogram: list[int]  # games with score 0, 1, ..., 25
    moves: int  # in all games together
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON, in which a spread of one game is null."""
        return without_nan(asdict(self))


def summarise(played: Played) -> Summary:
    """Statistics of games that ``tamaya.table.play`` played."""
    return summary_of(Tally.of(played.results), played.rules, played.seconds)


def summary_of(tally: Tally, rules: Rules, seconds: float) -> Summary:
    """Statistics of a tally."""
    n = tally.games
    if n == 0:
        raise ValueError("no games were played, so there is nothing to summarise")
    n_perfect = tally.scores[rules.max_score]
    return Summary(
        players=rules.players,
        hand_size=rules.hand_size,
        games=n,
        mean=tally.mean,
        se=tally.se,
        sd=tally.sd,
        perfect=n_perfect / n,
        perfect_interval=wilson_interval(n_perfect, n),
        bombed=tally.bombed / n,
        mean_points_kept=tally.mean_points,
        histogram=list(tally.scores),
        moves=tally.moves,
        seconds=seconds,
    )


def selfplay(
    agent: str, rules: Rules, games: int, seed: int, runner: Runner, until_se: float = 0.0
) -> Summary:
    """Play an agent with copies of itself, fewer games if the standard error gets small enough."""
    match = Match((agent,), rules, seed, ALL)
    if until_se > 0:
        outcome = runner.play_until(match, games, until_se)
    else:
        [outcome] = runner.play([match], games)
    return summary_of(outcome.tally, rules, outcome.seconds)


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same deals."""

    players: int
    games: int
    mean: float  # of the first agent
    other: float  # of the second
    difference: float
    se: float  # of the difference, smaller than that of two separate runs

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return without_nan(asdict(self))


def compare(
    agent: str, other: str, rules: Rules, games: int, seed: int, runner: Runner
) -> Comparison:
    """Self-play of two agents on the same deals."""
    [outcome] = runner.play([Match((agent, other), rules, seed, PAIR)], games)
    tally = outcome.tally
    difference, se = tally.difference
    return Comparison(
        rules.players, tally.games, tally.mean, tally.mean - difference, difference, se
    )
