"""Self-play: one agent in all seats, and the statistics of its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamaya.arena.match import ALL, PAIR, Match
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    AgentConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import Runner
from tamaya.arena.tally import Tally, wilson_interval
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
    mean_points_kept: float  # mean of the fireworks, even after a bomb-out
    histogram: list[int]  # games with score 0, 1, ..., 25
    moves: int  # in all games together
    seconds: float
    gave_up: float | None = None  # share of games that an agent ended; None if not counted

    def as_dict(self) -> dict[str, Any]:
        """For JSON, in which a spread of one game is null."""
        return document_of(self)


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
        gave_up=None if tally.gave_up is None else tally.gave_up / n,
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
        return document_of(self)


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


@dataclass(frozen=True)
class Config(AgentConfig):
    """Self-play of one agent at some table sizes."""

    agent: str  # as commands accept it
    players: str = "2-5"  # table sizes, such as 3, 2-5 or 2,4
    games: int = 1000  # per table size
    seed: int = 0  # of deals and play
    rules: str = ""  # what differs from the standard rules
    until_se: float = 0.0  # stop early at this standard error; 0 never
    against: str = ""  # another agent to compare with on the same deals

    @property
    def games_text(self) -> str:
        """Games per table size."""
        return f"{self.games:,} per number of players"

    def n_games(self) -> int:
        """Games at all table sizes, including those of the comparison."""
        agents = (self.agent, self.against) if self.against else (self.agent,)
        check_agents(agents, self.tables())
        return self.games * len(self.tables()) * len(agents)

    def arguments(self) -> list[object]:
        """`tamaya selfplay` with all options that matter."""
        return ["selfplay", self.agent, "-p", self.players, "-n", self.games, "--seed", self.seed,
                *rules_arguments(self.rules),
                *(["--until-se", self.until_se] if self.until_se else ()),
                *(["--against", self.against] if self.against else ())]  # fmt: skip


def _counted(summary: Summary) -> dict[str, Any]:
    """A summary without figures that were not counted, as in documents of 0.1.0."""
    row = summary.as_dict()
    if summary.gave_up is None:
        del row["gave_up"]
    return row


@dataclass(frozen=True)
class Result(ProtocolResult):
    """The scores of one agent by table size."""

    config: Config
    tables: tuple[Rules, ...]
    summaries: tuple[Summary, ...]  # one for each table
    comparisons: tuple[Comparison, ...]  # one for each table, if there is an agent to compare with
    seconds: float

    @property
    def mean(self) -> float:
        """Mean score over all table sizes."""
        return sum(summary.mean for summary in self.summaries) / len(self.summaries)

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        sizes = ("players", "hand_size")
        options = self.tables[0].as_dict()
        document = {
            "agent": self.config.agent,
            "seed": self.config.seed,
            "rules": {name: value for name, value in options.items() if name not in sizes},
            "results": [_counted(summary) for summary in self.summaries],
            "seconds": self.seconds,
        }
        if self.comparisons:
            document["comparisons"] = [comparison.as_dict() for comparison in self.comparisons]
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        summaries = tuple(record_of(Summary, row) for row in document["results"])
        comparisons = (record_of(Comparison, row) for row in document.get("comparisons", ()))
        tables = tuple(Rules(players=row.players, hand_size=row.hand_size, **document["rules"])
                       for row in summaries)  # fmt: skip
        known = config_of(
            Config, config, agent=document["agent"], seed=document["seed"],
            players=",".join(str(row.players) for row in summaries),
            games=max(row.games for row in summaries), rules=rule_text(tables[0]),
        )  # fmt: skip
        return cls(known, tables, summaries, tuple(comparisons), document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each table size, and one for each comparison."""
        rows = []
        for summary in self.summaries:
            low, high = summary.perfect_interval
            histogram = " ".join(map(str, summary.histogram))
            rows.append({"figure": "selfplay", "row": self.config.agent, **summary.as_dict(),
                         "perfect_low": low, "perfect_high": high,
                         "histogram": histogram})  # fmt: skip
            del rows[-1]["perfect_interval"]
        for comparison in self.comparisons:
            rows.append({"figure": "comparison", "row": self.config.agent,
                         "partner": self.config.against, **comparison.as_dict()})  # fmt: skip
        return rows

    def command(self) -> str:
        """The command line that repeats it.

        Version 0.1 did not always store the standard error at which a run was to stop: then every
        table size has its own command, with the number of games that were played.
        """
        stopped = [row for row in self.summaries if row.games != self.config.games]
        if not stopped or self.config.until_se:
            return self.config.command()
        alone = [
            replace(self.config, players=str(row.players), games=row.games, against="").command()
            for row in self.summaries
        ]
        return " && ".join([*alone, self.config.command()] if self.config.against else alone)


def run(config: Config, runner: Runner) -> Result:
    """Run self-play at every table size."""
    return run_many([config], runner)[0]


def run_many(configs: Sequence[Config], runner: Runner) -> list[Result]:
    """Play several agents, with all of their games in one queue so that no worker idles."""
    plan = [
        (Match((config.agent,), rules, config.seed, ALL), (0, config.games))
        for config in configs
        for rules in config.tables()
        if not config.until_se
    ]
    outcomes = iter(runner.play_ranges(plan))
    results = []
    for config in configs:
        tables, fixed = tuple(config.tables()), (config.games, config.seed, runner)
        summaries, comparisons = [], []
        for rules in tables:
            if config.until_se:
                summaries.append(selfplay(config.agent, rules, *fixed, config.until_se))
            else:
                outcome = next(outcomes)
                summaries.append(summary_of(outcome.tally, rules, outcome.seconds))
            if config.against:
                comparisons.append(compare(config.agent, config.against, rules, *fixed))
        seconds = sum(summary.seconds for summary in summaries)
        results.append(Result(config, tables, tuple(summaries), tuple(comparisons), seconds))
    return results


PROTOCOL = RegisteredProtocol("selfplay", Config, Result, run, run_many)
