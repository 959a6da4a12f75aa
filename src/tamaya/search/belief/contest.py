"""The contest: a race of moves on the deals of a support, on any number of threads.

Rules and statistics are those of ``tamaya.search.race``; here ``samples`` is the number of rollouts
of all moves together, the deals of a round are divided among threads, and the budget of dropped
moves goes to the others. If the budget suffices for all remaining deals, all of them are played,
and the expectations are exact (``tamaya.search.endgame.orders``).

A *check* plays the chosen move and the blueprint's on fresh deals: the winner among many moves has
usually been lucky, so only fresh deals show what it really gains.
"""

from time import monotonic_ns
from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.records import GAME, record
from tamaya.search.belief.blueprints import Blueprint
from tamaya.search.belief.rollouts import ROLLOUT, Deals
from tamaya.search.belief.support import Support
from tamaya.search.endgame.orders import n_orders
from tamaya.search.race import (
    ARM,
    MAX_DEALS,
    Race,
    add_values,
    chosen,
    drop_worse,
    is_good_enough,
    is_settled,
    leader,
    live_moves,
    mean_and_error,
    most_gain,
)
from tamaya.search.team import Snapshot
from tamaya.search.workspace import N_IDS

FIRST_ROUND = 16
EQUAL = 1e-9  # smaller differences of expectations count as none
DOUBT = record([("margin", np.float64), ("errors", np.float64)])


class Terms(NamedTuple):
    """The budget of a contest, and when its winner replaces the blueprint's move."""

    samples: int = 10_000  # rollouts of all moves together
    deadline: int = 0  # in nanoseconds of ``monotonic_ns``; if not 0, it replaces samples
    margin: float = 0.05  # points that a move must gain
    exact_margin: float = 0.0  # the same if expectations are exact
    errors: float = 2.5  # standard errors by which moves are dropped
    rollout: int = 160  # plies
    keep: bool = False  # a bomb keeps the points
    check: int = 0  # deals of the second batch
    watch: int = -1  # a move whose defeat ends the contest: then the outcome's move is -1
    threads: int = 1
    seed: int = 1


class Outcome(NamedTuple):
    """The move, and the statistics of all that competed."""

    move: int
    default: int  # the blueprint's
    arms: np.ndarray  # [move] -> ARM
    n_deals: int
    is_exact: bool  # all remaining deals were played
    check: tuple[float, float]  # gain of the move on fresh deals, and its standard error


@hot
def judge(view, arms, values, first, n, default, doubt):
    """Add the outcomes of deals ``first`` to ``n`` and drop the worse moves; returns how many stay.

    Returns 0 if the contest is decided.
    """
    reference = default if default >= 0 else leader(arms, -1)
    counts = np.zeros(1, np.int64)
    counts[0] = n
    nothing = Snapshot(np.zeros(1, GAME), np.zeros(1, np.uint64))
    race = Race(arms, values, counts, nothing, default, reference)
    for k in range(first, n):
        add_values(arms, values[k], reference)
    if doubt.errors <= 0 or n == 0:
        return popcount(live_moves(arms))
    n_live = drop_worse(race, doubt)
    if is_good_enough(race, view) or is_settled(race, n_live, doubt):
        return 0
    return n_live


class Contest:
    """Moves of a seat that compete on the deals of its support."""

    def __init__(self, view: np.record, blueprint: Blueprint, support: Support,
                 terms: Terms) -> None:  # fmt: skip
        self.view, self.blueprint, self.terms = view, blueprint, terms
        self.default = support.past.default
        self.how = np.zeros(1, ROLLOUT)
        self.how["seat"], self.how["default"] = view.seat, self.default
        self.how["is_parted"] = support.past.parted <= int(view.n_moves)
        self.how["rollout"], self.how["keep"] = terms.rollout, terms.keep
        self.how["deadline"], self.how["seed"] = terms.deadline, np.uint64(terms.seed % 2**64)
        self.weights, self.is_listed = support.weights, support.is_exact
        sight = support.sight
        self.deals = Deals(support.hands, np.cumsum(support.weights), sight.orders, sight.unseen)
        self.arms = np.zeros(N_IDS, ARM)
        n_most = MAX_DEALS if terms.deadline else max(1, terms.samples // 2)
        self.values = np.zeros((n_most, N_IDS), np.float32)
        self.n_deals = 0

    def run(self, moves: int) -> Outcome:
        """Compare the moves of a mask; returns the best, or the blueprint's."""
        if self._n_orders(moves) * moves.bit_count() <= self._affordable():
            return self._exact(moves)
        if self._loses_duel(moves):
            return self._watched_is_beaten()
        return self._sampled(moves)

    def _affordable(self) -> float:
        """Rollouts that the budget allows, estimated if it is a time."""
        terms = self.terms
        if not terms.deadline:
            return terms.samples
        return self.blueprint.pace * 1e-6 * max(0, terms.deadline - monotonic_ns())

    def _n_orders(self, moves: int) -> int:
        """Number of remaining deals; 2^62 if hands are only sampled."""
        if not self.is_listed or moves.bit_count() < 2:
            return 2**62
        return n_orders(self.deals, int(self.view.deck_size))

    def _exact(self, moves: int) -> Outcome:
        """Compare moves on all deals, without a margin."""
        means = self.blueprint.exact_means(self.view, self.how, self.deals, moves,
                                           self.terms.threads)  # fmt: skip
        expected = np.average(means, axis=0, weights=self.weights)
        n, best = self._n_orders(moves), self.default
        reference = expected[best] if best >= 0 else 0.0
        least = self.terms.exact_margin
        for move in range(N_IDS):
            if moves >> move & 1:
                gain = expected[move] - reference
                self.arms[move] = (n, n * expected[move], n * expected[move] ** 2, n * gain,
                                   n * gain**2, 1)  # fmt: skip
                if best < 0 or gain > least + EQUAL:
                    best, least = move, gain
        return Outcome(best, self.default, self.arms, n, True, (0.0, 0.0))

    def _sampled(self, moves: int) -> Outcome:
        """Compare moves on sampled deals."""
        terms = self.terms
        doubt = np.zeros(1, DOUBT)
        doubt["margin"], doubt["errors"] = terms.margin, terms.errors
        for move in range(N_IDS):
            self.arms["is_live"][move] = moves >> move & 1
        n_live, n_left, size = moves.bit_count(), terms.samples, FIRST_ROUND
        while n_live > 1:
            size = min(size, len(self.values) - self.n_deals)
            if not terms.deadline:
                size = min(size, max(n_left // n_live, 0 if self.n_deals else 1))
            if size <= 0:
                break
            first = self.n_deals
            self.n_deals += self._play(int(live_moves(self.arms)), first, size)
            n_left -= size * n_live
            is_late = self.n_deals < first + size
            size = self.n_deals
            n_live = int(judge(self.view, self.arms, self.values, first, self.n_deals, self.default,
                               doubt[0]))  # fmt: skip
            if is_late:
                break
            if self._is_beaten(terms.watch):
                return self._watched_is_beaten()
        move = int(chosen(self.arms, self.default, terms.margin))
        return Outcome(move, self.default, self.arms, self.n_deals, False, self._check(move))

    def _loses_duel(self, moves: int) -> bool:
        """Whether the watched move will be dropped because it gains too little on the blueprint's.

        Two moves cost less than all. This looks only at rounds that the contest itself would play,
        and at the same deals, so a contest of all moves would drop it as well.
        """
        terms, move, default = self.terms, self.terms.watch, self.default
        if move in (-1, default) or default < 0 or terms.deadline or terms.errors <= 0:
            return False
        n, size = 0, FIRST_ROUND
        while n + size <= min(len(self.values), terms.samples // moves.bit_count()):
            self._play(1 << move | 1 << default, n, size)
            n += size
            size = n
            if most_gain(self.values, move, default, n, terms.errors) < terms.margin:
                return True
            if -most_gain(self.values, default, move, n, terms.errors) > terms.margin:
                return False  # it may already have won
        return False

    def _watched_is_beaten(self) -> Outcome:
        return Outcome(-1, self.default, self.arms, self.n_deals, False, (0.0, 0.0))

    def _is_beaten(self, move: int) -> bool:
        """Whether a move was dropped."""
        return move >= 0 and move != self.default and not self.arms["is_live"][move]

    def _play(self, moves: int, first: int, n: int) -> int:
        """Play deals ``first`` and following; returns how many were played in time."""
        values = self.values[first : first + n]
        is_done = self.blueprint.play(self.view, self.how, self.deals, moves, first, values,
                                      self.terms.threads)  # fmt: skip
        return n if is_done.all() else int(is_done.argmin())

    def _check(self, move: int) -> tuple[float, float]:
        """Gain of a move over the blueprint's on fresh deals, and its standard error."""
        n = self.terms.check
        if n == 0 or move == self.default or self.default < 0:
            return 0.0, 0.0
        how, kept = self.how.copy(), self.values
        self.how["seed"] += np.uint64(1)
        self.how["deadline"] = 0
        self.values = np.zeros((n, N_IDS), np.float32)
        self._play(1 << move | 1 << self.default, 0, n)
        gains = self.values[:, move].astype(float) - self.values[:, self.default]
        self.how, self.values = how, kept
        mean, error = mean_and_error(n, gains.sum(), (gains**2).sum())
        return float(mean), float(error)


def deadline_after(ms: float) -> int:
    """The time so many milliseconds from now, 0 for none."""
    return monotonic_ns() + int(1e6 * ms) if ms > 0 else 0
