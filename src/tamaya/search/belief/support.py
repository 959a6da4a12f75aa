"""The support: the hands that a seat may hold, by hints, by counting and by what others did.

It is built card by card, the oldest first. Hands of the j oldest cards are filtered by the moves
that others made while the seat held no younger ones, then expanded by the next card. So an early
move is tested on few cards, and what was learned since, from hints and revealed cards, narrows
them.

A hand with which a partner would have moved differently gets a *strike*. Hands with more than the
fewest strikes are dropped or, with ``tolerance`` e > 0, weighted by e per strike. If no hand
explains a move, all get the strike and nothing is learned.

While an expansion would exceed ``most`` hands, its filters are deferred: whole hands are sampled
that begin with those known so far, and tested one by one by the remaining filters (``is_exact`` is
then False). Weighted, they have the distribution of the support, and every hint makes it smaller.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from tamaya.cards import DECK_SIZE, N_CARDS
from tamaya.search.belief.blueprints import Blueprint
from tamaya.search.belief.filtering import MOST, OUT, Drawn, draw_hands, on_threads
from tamaya.search.belief.hands import Sight, expanded, sight_of, unpack, weights_of
from tamaya.search.belief.past import NOWHERE, Past

Verdict = Callable[[np.ndarray, int], np.ndarray]  # which hands of the oldest cards remain
NEGLIGIBLE = 0.003  # hands with a lower weight by strikes are dropped
EFFORT = 50  # hands sampled for each one kept, on average
BLOCK = 4096  # hands sampled at most before those kept are counted
MOST_BY_REPLAY = 50  # divisor of the number of hands if the history must be replayed for each


class Believing(NamedTuple):
    """The settings for building a support."""

    tolerance: float = 0.0  # probability of a searcher's move that is not the blueprint's
    most: int = 100_000  # hands; more are sampled instead of listed
    draws: int = 2000  # sampled hands to keep
    threads: int = 1  # 0 for all cores
    seed: int = 1
    searcher: int = -1  # the seat that always searches, -1 for all seats
    late: int = DECK_SIZE  # cards in the deck at which the others begin to search

    @property
    def slack(self) -> int:
        """Strikes above the fewest that a hand may have."""
        if self.tolerance <= 0:
            return 0
        return min(100, int(log(NEGLIGIBLE) / log(min(self.tolerance, 0.99))))

    def costs(self, past: Past) -> np.ndarray:
        """Strikes for each move of the past that a hand does not explain: too many, or one."""
        may_search = past.views["deck_size"] <= self.late
        if self.searcher >= 0:
            may_search |= past.views["seat"] == self.searcher
        return np.where(may_search, 1, self.slack + 1).astype(np.uint8)


@dataclass(frozen=True)
class Support:
    """Hands that a seat may hold, and how likely they are."""

    sight: Sight
    past: Past
    hands: np.ndarray  # sorted and different, if the support is exact
    strikes: np.ndarray
    weights: np.ndarray  # proportional to probabilities
    is_exact: bool  # all hands are listed

    @property
    def n_cards(self) -> int:
        """Cards of a hand."""
        return len(self.sight.orders)

    def marginals(self, hand_size: int) -> np.ndarray:
        """[slot, card] -> probability."""
        found = np.zeros((hand_size, N_CARDS))
        total = self.weights.sum()
        for place, slot in enumerate(self.sight.slots.tolist()):
            cards = self.hands >> np.uint64(5 * (self.n_cards - 1 - place)) & np.uint64(31)
            found[slot] = np.bincount(cards.astype(np.int64), self.weights, N_CARDS) / total
        return found

    def top(self, n: int) -> list[tuple[list[int], float]]:
        """The likeliest hands, cards by slot, and their probabilities."""
        hands, place = np.unique(self.hands, return_inverse=True)
        weights = np.bincount(place, self.weights)
        best = np.argsort(-weights, kind="stable")[:n]
        by_slot = np.argsort(self.sight.slots)
        total = weights.sum()
        return [
            ([unpack(int(hands[k]), self.n_cards)[j] for j in by_slot], float(weights[k] / total))
            for k in best
        ]


def support_of(
    view: np.record, blueprint: Blueprint, how: Believing, sight: Sight | None = None,
    searched: np.ndarray = NOWHERE, verdicts: Sequence[Verdict] = (),
) -> Support:  # fmt: skip
    """What the seat of a view may hold if the others follow a blueprint.

    ``sight`` is what it knows about its hand, by default what the view shows. Moves of ``searched``
    turns need not be the blueprint's; ``verdicts`` exclude hands that do not explain them.
    """
    sight = sight or sight_of(view)
    past = blueprint.past(view, sight.orders, searched)
    past = past._replace(costs=how.costs(past))
    hands, strikes = np.zeros(1, np.uint64), np.zeros(1, np.uint8)
    for n in range(len(sight.orders)):
        by_replay = bool((past.lengths[past.events >= past.parted] > n).any())
        most = how.most // MOST_BY_REPLAY if by_replay else how.most
        longer, origin = expanded(hands, n, int(sight.masks[n]), sight.unseen)
        if len(longer) > most:
            return _drawn(view, blueprint, how, sight, past, hands, strikes, n)
        if len(longer) == 0:
            break  # hints contradict the count: impossible in a game
        hands, strikes = longer, strikes[origin]
        for verdict in verdicts:
            is_left = verdict(hands, n + 1)
            if is_left.any():
                hands, strikes = hands[is_left], strikes[is_left]
        hands, strikes = _explained(view, blueprint, how, sight, past, hands, strikes, n + 1)
    weights = weights_of(hands, len(sight.orders), sight.unseen)
    return Support(sight, past, hands, strikes, _by_strikes(weights, strikes, how), True)


def _explained(
    view: np.record, blueprint: Blueprint, how: Believing, sight: Sight, past: Past,
    hands: np.ndarray, strikes: np.ndarray, n: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Hands of n cards that explain the moves made while the seat held just these."""
    for k in np.flatnonzero((past.lengths == n) & (past.events < past.parted)).tolist():
        one = past.only(slice(k, k + 1))
        blueprint.strike(hands, n, strikes, int(view.seat), one, MOST, how.threads)
        hands, strikes = _kept(hands, strikes, how)
    later = (past.lengths == n) & (past.events >= past.parted)
    if later.any():
        _replay(view, blueprint, how, sight, hands, strikes, n, past, later)
        hands, strikes = _kept(hands, strikes, how)
    return hands, strikes


def _replay(
    view: np.record, blueprint: Blueprint, how: Believing, sight: Sight,
    hands: np.ndarray, strikes: np.ndarray, n: int, past: Past, which: np.ndarray,
) -> None:  # fmt: skip
    """Strikes for some moves of the past, by replaying the history with each hand."""
    costs = np.zeros(int(past.events[which].max()) + 1, np.uint8)
    costs[past.events[which]] = past.costs[which]
    blueprint.strike_by_replay(hands, n, strikes, view, sight.orders, costs, how.threads)


def _kept(hands: np.ndarray, strikes: np.ndarray, how: Believing) -> tuple[np.ndarray, np.ndarray]:
    """Hands with few strikes, the fewest counted as none."""
    strikes = strikes - strikes.min()
    is_kept = strikes <= how.slack
    return hands[is_kept], strikes[is_kept]


def _by_strikes(weights: np.ndarray, strikes: np.ndarray, how: Believing) -> np.ndarray:
    """Weights that count less for each strike more than the fewest."""
    return weights * np.power(max(how.tolerance, 0.0), (strikes - strikes.min()).astype(float))


def _drawn(
    view: np.record, blueprint: Blueprint, how: Believing, sight: Sight, past: Past,
    hands: np.ndarray, strikes: np.ndarray, n: int,
) -> Support:  # fmt: skip
    """Sample whole hands from those of the n oldest cards that pass the remaining filters.

    If no hand passes, more strikes are forgiven.
    """
    weights = _by_strikes(weights_of(hands, n, sight.unseen), strikes, how)
    known = hands, np.cumsum(weights), n
    is_later = past.lengths > n
    later = is_later & (past.events >= past.parted)
    # The last move first: a hand that it excludes need not be tested by the others.
    tests = past.only(np.flatnonzero(is_later & (past.events < past.parted))[::-1])
    n_wanted = max(1, how.draws // 4 if later.any() else how.draws)
    found: list[Drawn] = []
    n_found, n_drawn, slack = 0, 0, how.slack
    while n_found < n_wanted:
        if n_drawn >= EFFORT * how.draws:
            if n_found or slack > past.costs[is_later].sum():
                break
            n_drawn, slack = 0, slack + 1
        block = _draw(how, sight, known, n_drawn)
        _sift(block, blueprint, len(sight.orders), int(view.seat), tests, slack, how.threads)
        is_in = block.strikes != OUT
        found.append(Drawn(*(array[is_in] for array in block)))
        n_found += int(np.count_nonzero(is_in))
        n_drawn += len(is_in)
    drawn = Drawn(*(np.concatenate(arrays)[:n_wanted] for arrays in zip(*found, strict=True)))
    if later.any():
        _replay(view, blueprint, how, sight, drawn.hands, drawn.strikes, len(sight.orders), past,
                later)  # fmt: skip
    is_kept = drawn.strikes - drawn.strikes.min(initial=OUT) <= how.slack
    drawn = Drawn(*(array[is_kept] for array in drawn))
    weights = _by_strikes(drawn.weights, drawn.strikes, how)
    return Support(sight, past, drawn.hands, drawn.strikes, weights, False)


def _draw(
    how: Believing, sight: Sight, known: tuple[np.ndarray, np.ndarray, int], first: int
) -> Drawn:
    """Sample a block of hands with numbers from ``first`` on."""
    size, seed = min(BLOCK, 4 * how.draws), np.uint64(how.seed)
    drawn = Drawn(np.empty(size, np.uint64), np.empty(size), np.empty(size, np.uint8))

    def call(part: slice) -> None:
        some = Drawn(*(array[part] for array in drawn))
        draw_hands(sight, known, seed, first + part.start, some)

    on_threads(call, size, how.threads)
    return drawn


def _sift(
    drawn: Drawn, blueprint: Blueprint, n: int, seat: int, tests: Past, slack: int, threads: int
) -> None:
    """Give strikes to sampled hands and exclude those with more than ``slack``."""
    is_in = drawn.strikes != OUT
    if len(tests.moves) and is_in.any():
        strikes = drawn.strikes[is_in]
        blueprint.strike(drawn.hands[is_in], n, strikes, seat, tests, slack, threads)
        drawn.strikes[is_in] = np.where(strikes > slack, OUT, strikes)
