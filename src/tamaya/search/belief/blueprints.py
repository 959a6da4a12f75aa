"""Blueprints as exact beliefs ask them: what they would have done, and how they play on.

Supports and contests get a ``Blueprint`` and need not know how it decides. A compiled agent is
called by address, one decision at a time (``CompiledBlueprint``); a batch agent decides in many
imagined games at once (``tamaya.search.belief.lanes``). Hands, deals and statistics are the same.
"""

from typing import Protocol

import numpy as np

from tamaya.player import Player
from tamaya.search.belief.filtering import on_threads, strike, strike_by_replay
from tamaya.search.belief.lanes import BatchBlueprint
from tamaya.search.belief.past import BLUEPRINT, NOWHERE, Past, past_of
from tamaya.search.belief.rollouts import Deals, try_deals
from tamaya.search.blueprint import any_blueprint_fields, batch_agent_at
from tamaya.search.endgame.orders import exact_means

REPLAYED = 64  # hands for which a thread replays the history at a time
DEALS_AT_A_TIME = 8  # that a thread plays


class Blueprint(Protocol):
    """What all seats are assumed to follow; the results do not depend on the number of threads."""

    @property
    def pace(self) -> float:
        """Rollouts per millisecond from the middle of a game, on a core, roughly."""
        ...

    @property
    def identity(self) -> bytes:
        """What distinguishes it from other blueprints in this process."""
        ...

    def for_any_rules(self) -> "Blueprint":
        """One for which the same kernels are compiled, and that can be asked under any rules."""
        ...

    def past(self, view: np.record, orders: np.ndarray, searched: np.ndarray = NOWHERE) -> Past:
        """The moves of others that a seat's present cards of some orders must explain."""
        ...

    def strike(self, hands: np.ndarray, n: int, strikes: np.ndarray, seat: int, past: Past,
               slack: int, threads: int) -> None:  # fmt: skip
        """Strikes for hands of n cards that do not explain the moves of a past, in its order.

        Hands with more than ``slack`` are not tested any further.
        """
        ...

    def strike_by_replay(self, hands: np.ndarray, n: int, strikes: np.ndarray, view: np.record,
                         orders: np.ndarray, costs: np.ndarray, threads: int) -> None:  # fmt: skip
        """The same by replaying the history with each hand; the strikes of a turn are in costs."""
        ...

    def play(self, view: np.record, how: np.ndarray, deals: Deals, moves: int, first: int,
             values: np.ndarray, threads: int) -> np.ndarray:  # fmt: skip
        """Play each move of a mask on deals ``first`` and following, while time allows.

        Writes the outcomes, [deal, move], and returns which deals are done.
        """
        ...

    def exact_means(self, view: np.record, how: np.ndarray, deals: Deals, moves: int,
                    threads: int) -> np.ndarray:  # fmt: skip
        """[hand, move] -> mean outcome of the moves of a mask over all orders of the deck."""
        ...


class CompiledBlueprint:
    """A compiled agent; its owner must keep it alive."""

    pace = 15.0  # of a light one

    def __init__(self, record: np.ndarray) -> None:
        self.record = record

    @property
    def identity(self) -> bytes:
        """Its addresses."""
        return self.record.tobytes()

    def for_any_rules(self) -> "CompiledBlueprint":
        """Itself: compiled agents play under any rules."""
        return self

    def past(self, view: np.record, orders: np.ndarray, searched: np.ndarray = NOWHERE) -> Past:
        """Positions and memories of earlier moves."""
        return past_of(view, self.record, orders, searched)

    def strike(self, hands: np.ndarray, n: int, strikes: np.ndarray, seat: int, past: Past,
               slack: int, threads: int) -> None:  # fmt: skip
        """Strikes, hand by hand."""

        def call(part: slice) -> None:
            strike(hands[part], n, strikes[part], seat, self.record[0], past, slack)

        on_threads(call, len(hands), threads)

    def strike_by_replay(self, hands: np.ndarray, n: int, strikes: np.ndarray, view: np.record,
                         orders: np.ndarray, costs: np.ndarray, threads: int) -> None:  # fmt: skip
        """Strikes, hand by hand."""

        def call(part: slice) -> None:
            strike_by_replay(hands[part], n, strikes[part], view, self.record[0], orders, costs)

        on_threads(call, len(hands), threads, REPLAYED)

    def play(self, view: np.record, how: np.ndarray, deals: Deals, moves: int, first: int,
             values: np.ndarray, threads: int) -> np.ndarray:  # fmt: skip
        """Outcomes, game by game."""
        is_done = np.zeros(len(values), np.uint8)

        def call(part: slice) -> None:
            try_deals(view, self.record[0], how[0], deals, np.uint64(moves), first + part.start,
                      values[part], is_done[part])  # fmt: skip

        on_threads(call, len(values), threads, DEALS_AT_A_TIME)
        return is_done

    def exact_means(self, view: np.record, how: np.ndarray, deals: Deals, moves: int,
                    threads: int) -> np.ndarray:  # fmt: skip
        """Means, hand by hand."""
        return exact_means(view, self.record, how, deals, moves, threads)


def record_of(params: np.record) -> np.ndarray:
    """The record of the blueprint among the parameters of a search agent."""
    found = np.zeros(1, BLUEPRINT)
    for name in BLUEPRINT.names or ():
        found[name] = params[name]
    return found


def blueprint_of(params: np.record) -> Blueprint:
    """The blueprint among the parameters of a search agent."""
    return _blueprint_in(record_of(params))


def blueprint_record(player: Player) -> np.ndarray:
    """The record of an agent as a blueprint."""
    found = np.zeros(1, BLUEPRINT)
    for name, value in any_blueprint_fields("", player).items():
        found[name] = value
    return found


def blueprint_for(player: Player) -> Blueprint:
    """An agent as a blueprint."""
    return _blueprint_in(blueprint_record(player))


def _blueprint_in(record: np.ndarray) -> Blueprint:
    number = int(record["blueprint_batch"][0])
    return BatchBlueprint(batch_agent_at(number)) if number else CompiledBlueprint(record)
