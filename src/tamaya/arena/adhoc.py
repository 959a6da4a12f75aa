"""Ad-hoc teams of the Hanabi Challenge.

Before a trial the evaluated agent is given ten complete self-play games of its future team-mates,
then it plays one game with them in a random seat and forgets everything. Agents learn from the
samples through their ``prepare`` hook, which answers with parameters; agents without it ignore
them. Reported beside the team-mates' own self-play.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any

from tamaya.agent import Agent
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.runner import Outcome, Runner
from tamaya.arena.tally import Tally, without_nan
from tamaya.game import Game
from tamaya.registry import agent_file, find_agent
from tamaya.rules import Rules

SAMPLES = 10  # games an agent sees before a trial
SETS = 100  # different sets of samples, the least that the paper asks for
_SAMPLE_SEED = 1_000_003  # samples come from other deals than trials


@dataclass(frozen=True)
class AdHoc:
    """One agent in ad-hoc teams with one partner."""

    agent: str
    partner: str
    rules: Rules
    seed: int
    trials: Tally
    selfplay: Tally  # of the partner
    sets: int
    prepared: bool  # whether the agent made use of the samples
    se: float  # of the mean; trials of one set are no independent ones if the agent prepared
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return without_nan(
            {
                "agent": self.agent,
                "partner": self.partner,
                "players": self.rules.players,
                "rules": self.rules.as_dict(),
                "seed": self.seed,
                "trials": self.trials.games,
                "sets": self.sets,
                "samples": SAMPLES,
                "prepared": self.prepared,
                "mean": self.trials.mean,
                "se": self.se,
                "mean_points_kept": self.trials.mean_points,
                "bombed": self.trials.bombed / self.trials.games,
                "partner_selfplay": {"mean": self.selfplay.mean, "se": self.selfplay.se},
                "seconds": self.seconds,
            }
        )


def adhoc(
    agent: str, partner: str, rules: Rules, trials: int, seed: int, runner: Runner, sets: int = SETS
) -> AdHoc:
    """Evaluate an agent in ad-hoc teams with a partner; trials are spread evenly over the sets."""
    if trials % sets:
        raise ValueError(f"trials ({trials}) must be a multiple of the number of sets ({sets})")
    player = find_agent(agent)
    per_set = trials // sets
    if isinstance(player, Agent) and player.prepare_function is not None:
        plan = []
        for number in range(sets):
            samples = sample_games(partner, rules, seed, number)
            prepared = player.prepared(samples)
            match = Match((spec_in(agent, prepared), partner), rules, seed, ONE)
            plan.append((match, (number * per_set, (number + 1) * per_set)))
        outcomes = runner.play_ranges(plan)
        is_prepared = True
    else:
        outcomes = runner.play([Match((agent, partner), rules, seed, ONE)], trials)
        is_prepared = False
    [alone] = runner.play([Match((partner,), rules, seed, ALL)], trials)
    total = _total(outcomes)
    se = stdev(outcome.tally.mean for outcome in outcomes) / sets**0.5 if is_prepared else total.se
    seconds = sum(outcome.seconds for outcome in (*outcomes, alone))
    return AdHoc(agent, partner, rules, seed, total, alone.tally, sets, is_prepared, se, seconds)


def spec_in(text: str, player: Agent) -> str:
    """The spec of an agent under the name it was asked for, which may be a file of the user."""
    file = agent_file(text)
    return player.spec if file is None else f"{file}:{player.spec}"


def sample_games(partner: str, rules: Rules, seed: int, number: int) -> list[Game]:
    """The self-play games of a partner that make up one set of samples."""
    match = Match((partner,), rules, seed + _SAMPLE_SEED, ALL)
    played = match.play(number * SAMPLES, SAMPLES, record=True, threads=1)
    return [played.game(k) for k in range(SAMPLES)]


def _total(outcomes: Sequence[Outcome]) -> Tally:
    total = Tally()
    for outcome in outcomes:
        total = total + outcome.tally
    return total
