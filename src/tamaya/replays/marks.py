"""Marks on the moves of a game: which of them lost points, and surely so.

Every other legal move has a measured *gain* over the move played, with a standard error. Even where
all moves are equal the best of twenty noisy gains is above zero, so a move is marked by its
*sure loss*: the highest gain minus three standard errors among the other moves. A move that may
well have lost something, but not surely, is *open*: more deals can decide it.

This module does not depend on where the gains come from; commands, charts and pages share it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

CAUTION = 3.0  # standard errors
FULL_SCORE = 25  # thresholds are points of the full game; smaller games are scaled to it
OPEN_GAIN = 0.5  # the smallest gain whose loss is a mistake


class Mark(StrEnum):
    """The mark of a move."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"
    NONE = "none"  # no other move is surely better
    OPEN = "open"  # too few deals to tell
    FORCED = "forced"  # there was no other legal move

    @property
    def sign(self) -> str:
        """The mark in one or two characters, as chess players write it."""
        return SIGNS[self]

    @property
    def is_loss(self) -> bool:
        """Whether the move surely lost points."""
        return self in LEAST_LOSS


SIGNS = {
    Mark.BLUNDER: "??",
    Mark.MISTAKE: "?",
    Mark.INACCURACY: "?!",
    Mark.NONE: "",
    Mark.OPEN: "…",
    Mark.FORCED: "□",
}
# Least sure loss for each mark, the worst first.
LEAST_LOSS = {Mark.BLUNDER: 1.0, Mark.MISTAKE: 0.5, Mark.INACCURACY: 0.2}


class Gain(NamedTuple):
    """What another move gains over the one played, in points of the game."""

    mean: float
    se: float


class Verdict(NamedTuple):
    """The mark of a move, what it surely lost, and which of the other moves shows it."""

    mark: Mark
    sure: float  # points of the game, never negative
    place: int  # in the gains, -1 if no other move is surely better


def judge(gains: Sequence[Gain], max_score: int = FULL_SCORE) -> Verdict:
    """Mark a move by the gains of all other legal moves over it."""
    if not gains:
        return Verdict(Mark.FORCED, 0.0, -1)
    scale = FULL_SCORE / max_score
    lowest = [gain.mean - CAUTION * gain.se for gain in gains]
    place = max(range(len(gains)), key=lowest.__getitem__)
    sure = lowest[place]
    for mark, least in LEAST_LOSS.items():
        if scale * sure >= least:
            return Verdict(mark, sure, place)
    is_open = any(scale * (gain.mean + CAUTION * gain.se) >= OPEN_GAIN for gain in gains)
    mark = Mark.OPEN if is_open else Mark.NONE
    return Verdict(mark, max(0.0, sure), place if sure > 0 else -1)


class MarkedTurn(Protocol):
    """The fields of a turn that a summary reads."""

    @property
    def seat(self) -> int: ...
    @property
    def mark(self) -> Mark: ...
    @property
    def sure(self) -> float: ...
    @property
    def played(self) -> str: ...
    @property
    def blueprint(self) -> str | None: ...


@dataclass(frozen=True)
class SeatSummary:
    """The turns of one seat: how many got each mark, and what the marked ones lost."""

    seat: int
    turns: int
    blunder: int
    mistake: int
    inaccuracy: int
    open: int
    sure_loss: float  # of the turns marked as losses, added up
    choices: int  # turns with more than one legal move
    agreed: int  # those at which the blueprint would have made the same move

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def summarise(turns: Iterable[MarkedTurn]) -> list[SeatSummary]:
    """One summary per seat that made a move, in order of the seats."""
    by_seat: dict[int, list[MarkedTurn]] = {}
    for turn in turns:
        by_seat.setdefault(turn.seat, []).append(turn)
    return [_summary(seat, by_seat[seat]) for seat in sorted(by_seat)]


def _summary(seat: int, turns: Sequence[MarkedTurn]) -> SeatSummary:
    marks = Counter(turn.mark for turn in turns)
    chosen = [turn for turn in turns if turn.mark != Mark.FORCED]
    return SeatSummary(
        seat=seat,
        turns=len(turns),
        blunder=marks[Mark.BLUNDER],
        mistake=marks[Mark.MISTAKE],
        inaccuracy=marks[Mark.INACCURACY],
        open=marks[Mark.OPEN],
        sure_loss=sum(turn.sure for turn in turns if turn.mark.is_loss),
        choices=len(chosen),
        agreed=sum(turn.played == turn.blueprint for turn in chosen),
    )
