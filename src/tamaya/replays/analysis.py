"""Analysis of a finished or stopped game: what each move was worth to the seat that made it.

At every turn all legal moves are valued from the mover's view (``tamaya.replays.move_values``):
the expected final score if the blueprint plays on from there. So a move that was right but unlucky
loses nothing. Whether one lost something, and how surely, is said by ``tamaya.replays.marks``.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tamaya.agent import Agent, check_players
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays.marks import Gain, Mark, judge
from tamaya.replays.move_values import (
    MoveValue,
    analyst,
    move_values,
    new_weights,
    slice_seed,
    weigh_turn,
)
from tamaya.workers import in_order

__all__ = ["MoveValue", "TurnAnalysis", "analyse", "analyse_turn", "analyst", "turn_analysis"]


@dataclass(frozen=True)
class TurnAnalysis:
    """One turn: the move played and its mark, a better one if there is one, and all values."""

    turn: int  # from 1
    seat: int
    played: str
    best: str  # of a marked move the one that is surely better, otherwise the highest mean
    blueprint: str | None  # its own move, None if it has no legal one
    expected: float  # after the move played
    se: float
    loss: float  # gain of the best move
    loss_se: float
    is_clear: bool  # marked as a loss
    mark: Mark
    sure: float  # what was surely lost
    moves: tuple[MoveValue, ...]  # the highest gain first

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def analyse(
    game: Game,
    agent: Agent,
    turns: Sequence[int],
    *,
    seed: int = 0,
    slices: int = 1,
    threads: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> list[TurnAnalysis]:
    """Analyse some turns of a game, counted from 1; each is decided by the seed and its number.

    Turns that are open after the first slice of deals get more, up to ``slices`` slices.
    """
    check_players(agent, game.rules.players)
    for turn in turns:
        if not 1 <= turn <= game.turn:
            raise ValueError(f"turn {turn} is not one of this game: it has 1 to {game.turn}")
    agent.compile()
    rows = []
    n_threads = threads or os.cpu_count() or 1

    def analysed(turn: int) -> TurnAnalysis:
        return analyse_turn(game, agent, turn, seed, slices)

    for row in in_order(analysed, turns, n_threads):
        rows.append(row)
        if on_progress:
            on_progress(1)
    return rows


def analyse_turn(
    game: Game, agent: Agent, turn: int, seed: int = 0, slices: int = 1
) -> TurnAnalysis:
    """The values of all legal moves at a turn, from the view of the seat to move."""
    weights = new_weights()
    usual = weigh_turn(game, agent, turn, slice_seed(seed, turn, 0), weights)
    row = turn_analysis(game, turn, usual, weights)
    for number in range(1, slices):
        if row.mark != Mark.OPEN:
            break
        weigh_turn(game, agent, turn, slice_seed(seed, turn, number), weights)
        row = turn_analysis(game, turn, usual, weights)
    return row


def turn_analysis(game: Game, turn: int, usual: int, weights: np.ndarray) -> TurnAnalysis:
    """What the sums of a turn say; ``usual`` is the blueprint's move, or -1."""
    rules, played = game.rules, move_text(game.rules, game.moves[turn - 1])
    values = sorted(move_values(game, turn, weights), key=lambda value: -value.gain)
    own = next(value for value in values if value.move == played)
    others = [value for value in values if value is not own]
    verdict = judge([Gain(value.gain, value.gain_se) for value in others], rules.max_score)
    if verdict.mark.is_loss:
        best = others[verdict.place]
    else:
        best = values[0] if values[0].gain > 0 else own
    return TurnAnalysis(
        turn, game.at(turn - 1).mover, played, best.move,
        move_text(rules, usual) if usual >= 0 else None,
        own.mean, own.se, best.gain, best.gain_se,
        verdict.mark.is_loss, verdict.mark, verdict.sure, tuple(values),
    )  # fmt: skip
