"""Gains: what exact search adds to its blueprint, decision by decision.

The winner among many moves has usually been lucky, so its lead in the race that it won is too
large. A *second batch* plays the chosen move and the blueprint's on fresh deals and estimates the
gain without that bias. If everybody else follows the blueprint, the gains of a game add up, on
average, to the difference of the agent's score and its blueprint's. They vary much less than
scores do, so a few games show what search is worth, and at which turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan, sqrt

import numpy as np

from tamaya.agent import AgentError
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.records import VIEW
from tamaya.rng import scramble, seat_seed
from tamaya.rules import Rules
from tamaya.search.agents.sparta import (
    NOTHING_HELD,
    SpartaAgent,
    decide,
    searches,
    terms_of,
)
from tamaya.search.belief.blueprints import blueprint_of
from tamaya.search.belief.contest import Contest, Outcome, Terms
from tamaya.search.belief.support import Support
from tamaya.search.workspace import random_seed
from tamaya.view import fill_view
from tamaya.workers import cpu_time


@dataclass(frozen=True)
class Decision:
    """A move of a seat that searches."""

    game: int  # its number within the match
    turn: int  # from 1
    seat: int
    deck: int  # cards in the deck
    default: str  # the blueprint's move; empty if that is not legal
    move: str
    gain: float  # points over the blueprint's move on fresh deals
    error: float  # its standard error; 0 if the gain is exact
    support: int  # hands that were possible, or so many of them as were sampled
    is_listed: bool  # all of them are known
    rollouts: int  # 0 without a search
    is_exact: bool  # all remaining deals were played
    seconds: float = field(compare=False)  # of CPU time, without the second batch

    @property
    def is_changed(self) -> bool:
        """Whether search replaced the blueprint's move."""
        return bool(self.default) and self.move != self.default


@dataclass(frozen=True)
class Spread:
    """How some figures are distributed."""

    low: float  # a tenth of them is lower
    median: float
    high: float  # a tenth of them is higher
    most: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> "Spread":
        """The spread of some figures, NaN if there are none."""
        if not figures:
            return cls(nan, nan, nan, nan)
        low, median, high = np.quantile(figures, (0.1, 0.5, 0.9)).tolist()
        return cls(low, median, high, float(max(figures)))


@dataclass(frozen=True)
class Phase:
    """The decisions of some turns."""

    first: int
    last: int
    moves: int  # of all seats
    searched: int
    changed: int
    listed: int  # with a support that is known in full
    exact: int
    gain: float  # points per searched move
    se: float
    rollouts: float  # per searched move
    support: Spread  # where it is known in full
    seconds: Spread  # of CPU time


def phase_of(decisions: Sequence[Decision], lengths: Sequence[int], first: int, last: int) -> Phase:
    """What the decisions of some turns have in common, in games of given lengths."""
    searched = [each for each in decisions if first <= each.turn <= last and each.rollouts]
    gain, se = mean_and_se([each.gain for each in searched])
    return Phase(
        first=first, last=last,
        moves=sum(max(0, min(last, length) - first + 1) for length in lengths),
        searched=len(searched),
        changed=sum(each.is_changed for each in searched),
        listed=sum(each.is_listed for each in searched),
        exact=sum(each.is_exact for each in searched),
        gain=gain, se=se,
        rollouts=mean_and_se([each.rollouts for each in searched])[0],
        support=Spread.of([each.support for each in searched if each.is_listed]),
        seconds=Spread.of([each.seconds for each in searched]),
    )  # fmt: skip


def mean_and_se(figures: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error; NaN where there are too few figures."""
    n = len(figures)
    mean = float(np.mean(figures)) if n else nan
    return mean, float(np.std(figures, ddof=1)) / sqrt(n) if n > 1 else nan


def searcher(text: str) -> SpartaAgent:
    """The agent of a text, which must search over exact beliefs, each decision on one thread."""
    agent = find_agent(text)
    if not isinstance(agent, SpartaAgent):
        raise AgentError(f"{text!r} does not search over exact beliefs: expected an agent such as "
                         f"sparta:blueprint=smartbot")  # fmt: skip
    if agent.settings["threads"] != 1:
        raise AgentError(f"CPU time is measured on one thread per decision: leave threads=1 "
                         f"in {text!r}")  # fmt: skip
    return agent


def searched_game(
    agent: SpartaAgent, rules: Rules, seed: int, number: int, check: int
) -> tuple[Game, tuple[Decision, ...]]:
    """A game as the agent plays it at the table, and its decisions.

    ``check`` is the number of deals of a second batch.
    """
    game, params = Game(rules, seed, number), agent.compile().params[0]
    memories = np.zeros(rules.players, agent.memory)
    for seat in range(rules.players):
        memories["rng"][seat] = seat_seed(np.uint64(game.record.seed), seat)
    views, decisions = np.zeros(1, VIEW), []
    while not game.is_over:
        fill_view(game.record, game.mover, views[0])
        move, decision = _decision(game, number, views[0], memories[game.mover], params, check)
        game.apply(move)
        if decision is not None:
            decisions.append(decision)
    return game, tuple(decisions)


def _decision(
    game: Game, number: int, view: np.record, memory: np.record, params: np.record, check: int
) -> tuple[int, Decision | None]:  # fmt: skip
    """The move of a seat, and how it was found if the seat searches."""
    started = cpu_time()
    terms = terms_of(params, int(random_seed(memory)))
    if not searches(view, params):
        move = blueprint_of(params).past(view, NOTHING_HELD).default
        if move >= 0:
            return move, None
    support, outcome = decide(view, params, terms)
    seconds = cpu_time() - started
    gain, error = _gain(view, params, terms, support, outcome, check)
    default = move_text(game.rules, outcome.default) if outcome.default >= 0 else ""
    return outcome.move, Decision(
        number, game.turn + 1, game.mover, int(view.deck_size), default,
        move_text(game.rules, outcome.move), gain, error, len(support.hands), support.is_exact,
        int(outcome.arms["n"].sum()), outcome.is_exact, seconds,
    )  # fmt: skip


def _gain(
    view: np.record, params: np.record, terms: Terms, support: Support, outcome: Outcome, check: int
) -> tuple[float, float]:  # fmt: skip
    """Gain of the chosen move over the blueprint's, and its standard error, by a second batch."""
    move, default = outcome.move, outcome.default
    if default < 0 or move == default:
        return 0.0, 0.0
    if not outcome.is_exact:
        fresh = int(scramble(np.uint64(terms.seed % 2**64)))
        terms = terms._replace(samples=2 * check, deadline=0, errors=0.0, seed=fresh)
        contest = Contest(view, blueprint_of(params), support, terms)
        outcome = contest.run(1 << move | 1 << default)
    arm = outcome.arms[move]
    mean = arm.gain / arm.n
    if outcome.is_exact:
        return float(mean), 0.0
    spread = max(0.0, arm.gain_squares / arm.n - mean * mean)
    return float(mean), sqrt(spread / max(1, arm.n - 1))
