"""The values of the legal moves of a turn for the seat that moves; the only module that searches.

A ``Choice`` is a turn as its mover saw it. Each legal move is tried on the same imagined deals,
drawn from that view, and the blueprint plays them to the end in all seats. Only sums are stored, an
``ARM`` record per move id. Deals are numbered and each has its own seed, so sums over ranges
of deals add up exactly: more deals sharpen the values, in any order and in any process.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tamaya.agent import Agent
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.records import VIEW
from tamaya.rng import seed_of, wrapped_seed
from tamaya.rules import Rules
from tamaya.search.agents.depth_one import ALL
from tamaya.search.race import ARM, mean_and_error, mean_gain
from tamaya.search.slices import weigh_deals
from tamaya.search.workspace import N_IDS

SUMS = ("n", "total", "squares", "gain", "gain_squares")  # fields that add up


@dataclass(frozen=True)
class MoveValue:
    """The expected final score after a move, and its gain over the move that was played."""

    move: str
    mean: float
    se: float
    gain: float
    gain_se: float
    samples: int


@dataclass(frozen=True, eq=False)
class Choice:
    """A turn as the seat that moved saw it: what it could do, and what it did."""

    rules: Rules
    turn: int  # from 1
    seat: int
    view: np.record
    legal: tuple[int, ...]  # ids of moves
    played: int

    @property
    def is_forced(self) -> bool:
        """Whether there was no other legal move."""
        return len(self.legal) < 2

    @cached_property
    def digest(self) -> str:
        """A hash of what the mover saw and did; equal positions of other games have the same.

        By fields, because the padding between them is undefined.
        """
        digest = hashlib.sha256(f"{self.played} ".encode())
        for name in VIEW.names or ():
            digest.update(np.ascontiguousarray(self.view[name]).tobytes())
        return digest.hexdigest()


def choice_at(game: Game, turn: int) -> Choice:
    """The choice at a turn of a game, counted from 1."""
    if not 1 <= turn <= game.turn:
        raise ValueError(f"turn {turn} is not one of this game: it has 1 to {game.turn}")
    position = game.at(turn - 1)
    return Choice(game.rules, turn, position.mover, position.view(), tuple(position.legal_moves),
                  game.moves[turn - 1])  # fmt: skip


def weigher(blueprint: str) -> Agent:
    """The search agent whose parameters are used: all legal moves, nothing dropped."""
    searcher = find_agent("search")
    assert isinstance(searcher, Agent)
    return searcher.with_params(
        {"blueprint": blueprint, "samples": 1, "errors": 0, "hints": ALL, "stretch": 1}
    )


def new_weights() -> np.ndarray:
    """Empty sums, by move id."""
    return np.zeros(N_IDS, ARM)


def turn_seed(seed: int, turn: int) -> np.uint64:
    """The seed that the deals of a turn are drawn from."""
    with np.errstate(over="ignore"):  # uint64 wraps, also with the compiler off
        return np.uint64(seed_of(wrapped_seed(seed), turn))


def weigh(choice: Choice, agent: Agent, seed: int, deals: range, weights: np.ndarray) -> int:
    """Add some deals to the sums of a choice; returns the blueprint's move, -1 if it has none.

    With one legal move there is nothing to compare, and the sums are unchanged.
    """
    with np.errstate(over="ignore"):
        return int(
            weigh_deals(
                choice.view,
                turn_seed(seed, choice.turn),
                agent.compile().params[0],
                np.int64(choice.played),
                np.int64(deals.start),
                np.int64(len(deals)),
                weights,
            )
        )


def add_sums(weights: np.ndarray, more: np.ndarray) -> None:
    """Add the sums of other deals."""
    for name in SUMS:
        weights[name] += more[name]


def move_values(choice: Choice, weights: np.ndarray) -> list[MoveValue]:
    """The values of all legal moves, in order of their ids."""
    return [_value(choice, move, weights[move]) for move in choice.legal]


def _value(choice: Choice, move: int, weight: np.record) -> MoveValue:
    mean, se = mean_and_error(weight.n, weight.total, weight.squares)
    gain, gain_se = (0.0, 0.0) if move == choice.played else mean_gain(weight)
    name, n = move_text(choice.rules, move), int(weight.n)
    return MoveValue(name, float(mean), float(se), float(gain), float(gain_se), n)
