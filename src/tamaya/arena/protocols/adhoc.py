"""Ad-hoc teams of the Hanabi Challenge.

Before a trial the evaluated agent receives ten complete self-play games of its future team-mates,
then it plays one game with them in a random seat and forgets everything. Agents learn from the
samples through their ``prepare`` hook, which returns parameters; agents without it ignore them.
Results are reported next to the team-mates' own self-play. An agent that knows other agents can be
made to forget the partner's family (``held_out``), and can get fewer samples, or none.

In a *series* it gets no samples, but plays several games in a row with the same partner and learns
from those: ``tamaya.arena.series``. There is a result for each game of the series, the first, the
second and so on, over all series.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from statistics import fmean, stdev
from typing import Any

from tamaya.adapt.families import SAME
from tamaya.agent import AgentError, Player
from tamaya.arena.match import ALL, ONE, Match, code_of
from tamaya.arena.pools import pool_text
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
from tamaya.arena.runner import NullStore, Outcome, Runner
from tamaya.arena.series import LONGEST, MOST_SAMPLES, Series, SeriesTask, spec_in
from tamaya.arena.tally import Tally, without_nan
from tamaya.fingerprint import fingerprint
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.params import shortened
from tamaya.rules import Rules

SAMPLES = 10  # games an agent sees before a trial
SETS = 100  # different sets of samples, the minimum that the paper requires
NAMED, WITHOUT = "partner", "without"  # parameters: whom an agent recognised, and must not know
KNOWING = ("ally", "model", "code")  # parameters of an agent that knows its partner
_SAMPLE_SEED = 1_000_003  # samples come from deals other than the trials'


@dataclass(frozen=True)
class AdHoc:
    """One agent in ad-hoc teams with one partner."""

    agent: str
    partner: str
    rules: Rules
    seed: int
    trials: int
    sets: int  # of samples
    prepared: bool  # whether the agent made use of the samples
    mean: float
    se: float  # of the mean; trials of one set are not independent if the agent prepared
    mean_points_kept: float  # mean of the fireworks, even after a bomb-out
    bombed: float  # share of trials that ended without lives
    partner_mean: float  # of the partner's own self-play
    partner_se: float
    seconds: float
    samples: int = SAMPLES  # games that the agent saw
    held_out: str = ""  # the family that the agent was made to forget
    identified: float | None = None  # share of the sets of which it named the partner, if it does
    game: int = 0  # in series of games with the partner; 0 if it saw the partner's own games

    @property
    def fraction(self) -> float:
        """The mean as a fraction of the partner's self-play."""
        return self.mean / self.partner_mean if self.partner_mean > 0 else float("nan")

    @property
    def fraction_se(self) -> float:
        """Its standard error, that of the partner's self-play included."""
        if not self.partner_mean > 0:
            return float("nan")
        return hypot(self.se, self.fraction * self.partner_se) / self.partner_mean

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return without_nan(
            {
                "agent": self.agent,
                "partner": self.partner,
                "players": self.rules.players,
                "rules": self.rules.as_dict(),
                "seed": self.seed,
                "trials": self.trials,
                "sets": self.sets,
                "samples": self.samples,
                "prepared": self.prepared,
                "mean": self.mean,
                "se": self.se,
                "mean_points_kept": self.mean_points_kept,
                "bombed": self.bombed,
                "partner_selfplay": {"mean": self.partner_mean, "se": self.partner_se},
                "seconds": self.seconds,
                **({"held_out": self.held_out} if self.held_out else {}),
                **({} if self.identified is None else {"identified": self.identified}),
                **({"game": self.game} if self.game else {}),
            }
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "AdHoc":
        """Reads ``as_dict`` back."""
        alone = document["partner_selfplay"]
        flat = {**document, "rules": Rules.from_mapping(document["rules"]),
                "partner_mean": alone["mean"], "partner_se": alone["se"]}  # fmt: skip
        return record_of(cls, flat)


@dataclass(frozen=True)
class Config(AgentConfig):
    """Ad-hoc teams of one agent with every partner of a pool."""

    agent: str  # as commands accept it
    pool: tuple[str, ...]  # the partners
    players: str = "2"  # table sizes, such as 3, 2-5 or 2,4
    trials: int = 1000  # games per partner and table size, a multiple of 100
    seed: int = 0  # of samples, deals, seats and play
    rules: str = ""  # what differs from the standard rules
    pool_name: str = ""  # name of the pool, such as C
    samples: tuple[int, ...] = (SAMPLES,)  # numbers of games that the agent sees
    sets: int = SETS  # of samples per partner
    held_out: tuple[str, ...] = ()  # family of each partner of the pool, to be forgotten
    series: int = 0  # games in a row with the partner, of which there are ``trials`` series

    @property
    def games_text(self) -> str:
        """Trials per partner."""
        return f"{self.trials:,} {'series ' if self.series else ''}per partner"

    def n_games(self) -> int:
        """Trials, and as many self-play games of every partner."""
        if self.series:
            _check_series(self)
        else:
            _check_trials(self.trials, self.sets)
            _check_samples(self.samples)
        check_agents((self.agent, *self.pool), self.tables())
        for family in self.held_out:
            forgetting(self.agent, family)
        teams = len(self.tables()) * len(self.pool)
        return (len(self.steps) + 1) * self.trials * teams

    @property
    def steps(self) -> Sequence[int]:
        """What results are listed by: numbers of samples, or of games in a series."""
        return range(1, self.series + 1) if self.series else self.samples

    def arguments(self) -> list[object]:
        """`tamaya adhoc` with all options that matter."""
        return ["adhoc", self.agent, "--pool", pool_text(self.pool), "-p", self.players,
                "-n", self.trials, "--seed", self.seed, *rules_arguments(self.rules),
                *self._protocol_arguments()]  # fmt: skip

    def _protocol_arguments(self) -> list[object]:
        """What differs from the paper's protocol."""
        changes: list[object] = []
        if self.samples != (SAMPLES,):
            changes += ["--samples", ",".join(map(str, self.samples))]
        if self.sets != SETS:
            changes += ["--sets", self.sets]
        if self.series:
            changes += ["--series", self.series]
        return [*changes, "--hold-out", "family"] if self.held_out else changes


@dataclass(frozen=True)
class Result(ProtocolResult):
    """The ad-hoc teams of one agent."""

    config: Config
    teams: tuple[AdHoc, ...]  # by table size and partner
    seconds: float

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {
            "agent": self.config.agent,
            "pool": self.config.pool_name or pool_text(self.config.pool),
            "teams": [team.as_dict() for team in self.teams],
            "seconds": self.seconds,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        teams = tuple(AdHoc.from_dict(team) for team in document["teams"])
        sizes = dict.fromkeys(str(team.rules.players) for team in teams)
        known = config_of(
            Config, config, agent=document["agent"],
            pool=list(dict.fromkeys(team.partner for team in teams)), players=",".join(sizes),
            trials=teams[0].trials, seed=teams[0].seed, rules=rule_text(teams[0].rules),
            pool_name=document["pool"],
        )  # fmt: skip
        return cls(known, teams, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each team."""
        return [
            {"figure": "team", "row": team.agent, "partner": team.partner,
             "players": team.rules.players, "hand_size": team.rules.hand_size,
             "games": team.trials, "mean": team.mean, "se": team.se,
             "mean_points_kept": team.mean_points_kept, "bombed": team.bombed,
             "partner_mean": team.partner_mean, "partner_se": team.partner_se,
             "fraction": team.fraction, "fraction_se": team.fraction_se,
             "sets": team.sets, "samples": team.samples, "held_out": team.held_out,
             "prepared": team.prepared, "identified": team.identified,
             "game": team.game or None, "seconds": team.seconds}
            for team in self.teams
        ]  # fmt: skip


def adhoc(
    agent: str, partner: str, rules: Rules, trials: int, seed: int, runner: Runner,
    sets: int = SETS, samples: int = SAMPLES, held_out: str = "",
) -> AdHoc:  # fmt: skip
    """Evaluate an agent in ad-hoc teams with a partner; trials are spread evenly over the sets."""
    _check_trials(trials, sets)
    player = forgetting(agent, held_out) if held_out else find_agent(agent)
    text, per_set = spec_in(agent, player), trials // sets
    is_prepared = samples > 0 and player.learns_from_samples
    identified = None
    if is_prepared:
        plan, named = [], []
        for number in range(sets):
            prepared = player.prepared(sample_games(partner, rules, seed, number, samples))
            named.append(prepared.settings.get(NAMED))
            match = Match((spec_in(agent, prepared), partner), rules, seed, ONE)
            plan.append((match, (number * per_set, (number + 1) * per_set)))
        outcomes = runner.play_ranges(plan)
        if NAMED in player.settings and not held_out:
            identified = named.count(SAME.get(partner, partner)) / sets
    else:
        outcomes = runner.play([Match((text, partner), rules, seed, ONE)], trials)
    [alone] = runner.play([Match((partner,), rules, seed, ALL)], trials)
    total = _total(outcomes)
    se = stdev(outcome.tally.mean for outcome in outcomes) / sets**0.5 if is_prepared else total.se
    seconds = sum(outcome.seconds for outcome in (*outcomes, alone))
    return AdHoc(agent, partner, rules, seed, trials, sets, is_prepared, total.mean, se,
                 total.mean_points, total.bombed / total.games, alone.tally.mean, alone.tally.se,
                 seconds, samples, held_out, identified)  # fmt: skip


def adhoc_series(
    agent: str, partner: str, rules: Rules, n_series: int, seed: int, runner: Runner, length: int,
    held_out: str = "",
) -> list[AdHoc]:  # fmt: skip
    """Evaluate an agent in series of games with a partner: the first games, the second, ..."""
    player = forgetting(agent, held_out) if held_out else find_agent(agent)
    match = Match((spec_in(agent, player), partner), rules, seed, ONE)
    played = _played_series(match, n_series, length, runner)
    [alone] = runner.play([Match((partner,), rules, seed, ALL)], n_series)
    seconds = sum(series.seconds for series in played) + alone.seconds
    teams, can_name = [], NAMED in player.settings and not held_out
    for k in range(length):
        scores = [series.scores[k] for series in played]
        named = [series.named[k] for series in played]
        teams.append(AdHoc(
            agent, partner, rules, seed, n_series, n_series, k > 0 and player.learns_from_samples,
            fmean(scores), stdev(scores) / n_series**0.5,
            fmean(series.points[k] for series in played),
            fmean(series.bombed[k] for series in played),
            alone.tally.mean, alone.tally.se, seconds / length, min(k, MOST_SAMPLES), held_out,
            named.count(SAME.get(partner, partner)) / n_series if k and can_name else None, k + 1,
        ))  # fmt: skip
    return teams


def _played_series(match: Match, n_series: int, length: int, runner: Runner) -> list[Series]:
    """Series of a match in order; they are stored one by one, so that a stopped run can resume."""
    store, kind = runner.store or NullStore(), f"series {length} {fingerprint(Series.__module__)}"
    played = {number: record_of(Series, document)
              for number, document in store.parts(match, kind).items()
              if number < n_series}  # fmt: skip
    runner.note_stored(length * len(played))
    code = code_of(match.agents)
    missing = [SeriesTask(match, number, length, NAMED, code)
               for number in range(n_series) if number not in played]  # fmt: skip
    for series in runner.carry_out(missing):
        store.add_part(match, kind, series.number, document_of(series))
        played[series.number] = series
        runner.note_played(length, series.seconds)
    return [played[number] for number in range(n_series)]


def run(config: Config, runner: Runner) -> Result:
    """Evaluate an agent in ad-hoc teams with every partner of its pool."""
    held_out = config.held_out or ("",) * len(config.pool)
    if config.series:
        found = [
            adhoc_series(config.agent, partner, rules, config.trials, config.seed, runner,
                         config.series, family)
            for rules in config.tables()
            for partner, family in zip(config.pool, held_out, strict=True)
        ]  # fmt: skip
        in_series = tuple(team for teams in found for team in teams)
        return Result(config, in_series, sum(team.seconds for team in in_series))
    teams = tuple(
        adhoc(config.agent, partner, rules, config.trials, config.seed, runner, config.sets,
              samples, family)
        for rules in config.tables()
        for partner, family in zip(config.pool, held_out, strict=True)
        for samples in config.samples
    )  # fmt: skip
    return Result(config, teams, sum(team.seconds for team in teams))


def forgetting(agent: str, family: str) -> Player:
    """An agent that does not know a family."""
    player = find_agent(agent)
    if WITHOUT not in player.settings:
        raise AgentError(f"agent {agent!r} cannot leave a family out: "
                         f"it has no parameter {WITHOUT!r}")  # fmt: skip
    if known := [key for key in KNOWING if player.settings.get(key)]:
        raise AgentError(f"agent {shortened(agent)!r} knows its partner already, by its parameter "
                         f"{known[0]!r}: no family can be left out")  # fmt: skip
    others = str(player.settings[WITHOUT])
    return player.with_params({WITHOUT: "+".join(filter(None, (others, family)))})


def sample_games(
    partner: str, rules: Rules, seed: int, number: int, samples: int = SAMPLES
) -> list[Game]:
    """The self-play games of a partner that make up one set of samples, or the first of them."""
    match = Match((partner,), rules, seed + _SAMPLE_SEED, ALL)
    played = match.play(number * SAMPLES, samples, record=True, threads=1)
    return [played.game(k) for k in range(samples)]


def _check_trials(trials: int, sets: int) -> None:
    if trials % sets:
        raise ValueError(
            f"trials ({trials}) must be a multiple of the number of sets ({sets}, see --sets)"
        )


def _check_samples(samples: Sequence[int]) -> None:
    for number in samples:
        if list(samples).count(number) > 1:
            raise ValueError(f"--samples names {number} twice")


def _check_series(config: Config) -> None:
    if not 2 <= config.series <= LONGEST:
        raise ValueError(f"a series has 2 to {LONGEST} games, not {config.series}")
    if config.samples != (SAMPLES,):
        raise ValueError("--samples does not go with --series, in which the agent learns from "
                         "its own games")  # fmt: skip
    if config.sets != SETS:
        raise ValueError("--sets does not go with --series: there are no samples, of which these "
                         "would be sets")  # fmt: skip


def _total(outcomes: Sequence[Outcome]) -> Tally:
    total = Tally()
    for outcome in outcomes:
        total = total + outcome.tally
    return total


PROTOCOL = RegisteredProtocol("adhoc", Config, Result, run)
