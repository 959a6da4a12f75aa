"""Analysis of a finished or stopped game: what each move was worth to the seat that made it.

At every turn the mover's view is searched as ``tamaya.search.depth_one`` does, nothing dropped:
the expected final score of each legal move if the blueprint goes on from there. The *loss* of a
move is what the best one gains over it on the same deals; because the best is picked from noisy
values, small losses mean nothing, and only those above two standard errors are called clear.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tamaya.agent import check_players
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rng import seed_of, wrapped_seed
from tamaya.search.blueprint import BlueprintAgent
from tamaya.search.weighing import ALL, N_IDS, WEIGHT, mean_and_error, weigh

CLEAR = 2.0  # standard errors


@dataclass(frozen=True)
class MoveValue:
    """The expected final score after a move, and its gain over the move that was played."""

    move: str
    mean: float
    se: float
    gain: float
    gain_se: float
    samples: int


@dataclass(frozen=True)
class TurnAnalysis:
    """One turn: the move played, the best one, what the blueprint would do, and all values."""

    turn: int  # from 1
    seat: int
    played: str
    best: str
    blueprint: str | None  # None if it has no legal move
    expected: float  # after the move played
    se: float
    loss: float
    loss_se: float
    is_clear: bool
    moves: tuple[MoveValue, ...]  # the best first

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def analyst(blueprint: str, samples: int) -> BlueprintAgent:
    """The search agent that analyses: all legal moves, as many deals for each."""
    searcher = find_agent("search")
    assert isinstance(searcher, BlueprintAgent)
    agent = searcher.with_params(
        {"blueprint": blueprint, "samples": samples, "errors": 0, "hints": ALL, "stretch": 1}
    )
    assert isinstance(agent, BlueprintAgent)
    return agent


def analyse(
    game: Game,
    agent: BlueprintAgent,
    turns: Sequence[int],
    *,
    seed: int = 0,
    threads: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> list[TurnAnalysis]:
    """Analyse some turns of a game, counted from 1; each is fixed by the seed and its number."""
    check_players(agent, game.rules.players)
    for turn in turns:
        if not 1 <= turn <= game.turn:
            raise ValueError(f"turn {turn} is not one of this game: it has 1 to {game.turn}")
    agent.compile()
    rows = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            for row in pool.map(lambda turn: analyse_turn(game, agent, turn, seed), turns):
                rows.append(row)
                if on_progress:
                    on_progress(1)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return rows


def analyse_turn(game: Game, agent: BlueprintAgent, turn: int, seed: int) -> TurnAnalysis:
    """The values of all legal moves at a turn, from the view of the seat to move."""
    position, played = game.at(turn - 1), game.moves[turn - 1]
    weights = np.zeros(N_IDS, WEIGHT)
    params = agent.compile().params[0]
    with np.errstate(over="ignore"):  # for generators with the compiler off
        first = np.uint64(seed_of(wrapped_seed(seed), turn))
        usual = int(weigh(position.view(), first, params, played, weights))
    legal = position.legal_moves
    if len(legal) == 1:
        weights[played].n = 0
    values = sorted((_value(game, move, weights[move]) for move in legal), key=lambda v: -v.gain)
    own = next(value for value in values if value.move == move_text(game.rules, played))
    best = values[0] if values[0].gain > 0 else own
    return TurnAnalysis(
        turn, position.mover, own.move, best.move,
        move_text(game.rules, usual) if usual >= 0 else None,
        own.mean, own.se, best.gain, best.gain_se,
        best.gain > CLEAR * best.gain_se, tuple(values),
    )  # fmt: skip


def _value(game: Game, move: int, weight: np.record) -> MoveValue:
    mean, se = mean_and_error(weight.n, weight.total, weight.squares)
    gain, gain_se = mean_and_error(weight.n, weight.gain, weight.gain_squares)
    name, n = move_text(game.rules, move), int(weight.n)
    return MoveValue(name, float(mean), float(se), float(gain), float(gain_se), n)
