"""The analysis of a turn of a game, in the form that commands, charts and pages show.

All legal moves are valued from the mover's view (``tamaya.replays.move_values``): the expected
final score if the blueprint plays on from there. So a move that was right but unlucky loses
nothing. ``tamaya.replays.marks`` decides whether a move lost something, and how surely;
``tamaya.replays.analyst`` adds up the deals.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tamaya.moves import move_text
from tamaya.replays.marks import Gain, Mark, judge
from tamaya.replays.move_values import Choice, MoveValue, move_values

__all__ = ["MoveValue", "TurnAnalysis", "turn_analysis"]


@dataclass(frozen=True)
class TurnAnalysis:
    """One turn: the move played and its mark, a better one if there is one, and all values."""

    turn: int  # from 1
    seat: int
    played: str
    best: str  # for a marked move the surely better one, otherwise the highest mean
    blueprint: str | None  # its own move, None if it has no legal one
    expected: float  # after the move played
    se: float
    loss: float  # gain of the best move
    loss_se: float
    is_clear: bool  # marked as a loss
    mark: Mark
    sure: float  # what was surely lost
    moves: tuple[MoveValue, ...]  # the highest gain first

    @property
    def deals(self) -> int:
        """Deals on which every move was tried; none if there was no choice."""
        return self.moves[0].samples

    def value_of(self, move: str) -> MoveValue:
        """The value of a legal move."""
        return next(value for value in self.moves if value.move == move)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def turn_analysis(choice: Choice, usual: int, weights: np.ndarray) -> TurnAnalysis:
    """The analysis from the sums of a choice; ``usual`` is the blueprint's move, or -1."""
    rules, played = choice.rules, move_text(choice.rules, choice.played)
    values = sorted(move_values(choice, weights), key=lambda value: -value.gain)
    own = next(value for value in values if value.move == played)
    others = [value for value in values if value is not own]
    verdict = judge([Gain(value.gain, value.gain_se) for value in others], rules.max_score)
    if verdict.mark.is_loss:
        best = others[verdict.place]
    else:
        best = values[0] if values[0].gain > 0 else own
    return TurnAnalysis(
        choice.turn, choice.seat, played, best.move,
        move_text(rules, usual) if usual >= 0 else None,
        own.mean, own.se, best.gain, best.gain_se,
        verdict.mark.is_loss, verdict.mark, verdict.sure, tuple(values),
    )  # fmt: skip
