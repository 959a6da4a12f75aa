"""What the legal moves of a turn are worth to the seat that moves: the one module that searches.

Each legal move is tried on the same imagined deals, drawn from the mover's view, and the blueprint
plays them to the end in all seats. Only sums are kept, an ``ARM`` record per move id, and sums
add up: a turn is weighed in *slices* of deals, in any order, and more slices sharpen its values.
"""

from dataclasses import dataclass

import numpy as np

from tamaya.agent import Agent
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.rng import seed_of, wrapped_seed
from tamaya.search.agents.depth_one import ALL, compare_moves
from tamaya.search.race import ARM, mean_and_error, mean_gain
from tamaya.search.workspace import N_IDS

SUMS = ("n", "total", "squares", "gain", "gain_squares")  # fields that add up
LATER_SLICES = 1 << 32  # their seeds are none of those of the deals of the first slice


@dataclass(frozen=True)
class MoveValue:
    """The expected final score after a move, and its gain over the move that was played."""

    move: str
    mean: float
    se: float
    gain: float
    gain_se: float
    samples: int


def analyst(blueprint: str, samples: int) -> Agent:
    """The search agent that analyses: all legal moves, each on ``samples`` deals per slice."""
    searcher = find_agent("search")
    assert isinstance(searcher, Agent)
    return searcher.with_params(
        {"blueprint": blueprint, "samples": samples, "errors": 0, "hints": ALL, "stretch": 1}
    )


def new_weights() -> np.ndarray:
    """Sums of no deals, by move id."""
    return np.zeros(N_IDS, ARM)


def slice_seed(seed: int, turn: int, number: int) -> np.uint64:
    """The seed of a slice of the deals of a turn; slices count from 0."""
    with np.errstate(over="ignore"):  # uint64 wraps, also with the compiler off
        first = np.uint64(seed_of(wrapped_seed(seed), turn))
        return np.uint64(seed_of(first, LATER_SLICES + number)) if number else first


def weigh_turn(game: Game, agent: Agent, turn: int, seed: np.uint64, weights: np.ndarray) -> int:
    """Add a slice of deals to the sums of a turn; returns the blueprint's move, -1 if it has none.

    With one legal move there is nothing to compare, and the sums stay as they are.
    """
    position, played = game.at(turn - 1), game.moves[turn - 1]
    found = new_weights()
    with np.errstate(over="ignore"):
        params = agent.compile().params[0]
        usual = int(compare_moves(position.view(), seed, params, played, found))
    if len(position.legal_moves) > 1:
        for name in SUMS:
            weights[name] += found[name]
    return usual


def move_values(game: Game, turn: int, weights: np.ndarray) -> list[MoveValue]:
    """The values of all legal moves at a turn, in order of their ids."""
    played = game.moves[turn - 1]
    return [_value(game, move, weights[move], move == played)
            for move in game.at(turn - 1).legal_moves]  # fmt: skip


def _value(game: Game, move: int, weight: np.record, is_played: bool) -> MoveValue:
    mean, se = mean_and_error(weight.n, weight.total, weight.squares)
    gain, gain_se = (0.0, 0.0) if is_played else mean_gain(weight)
    name, n = move_text(game.rules, move), int(weight.n)
    return MoveValue(name, float(mean), float(se), float(gain), float(gain_se), n)
