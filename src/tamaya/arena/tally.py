"""Tallies: counts over many games, whole numbers that add up exactly.

The sum of the tallies of some games and of others is the tally of all, to the last digit, in any
order and on any machine. Every statistic is derived from the counts. A tally also has the number of
the first game with each score, so that an example of any score can be shown: game k of a match is
quickly replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np

from tamaya.records import GAVE_UP, OUT_OF_LIVES

N_SCORES = 26
_ZEROS = (0,) * N_SCORES


@dataclass(frozen=True)
class Tally:
    """Counts over games under the same rules."""

    scores: tuple[int, ...] = _ZEROS  # games with score 0, 1, ..., 25
    points: tuple[int, ...] = _ZEROS  # games with 0, 1, ... points, even after a bomb-out
    bombed: int = 0  # games that ended without lives
    moves: int = 0
    differences: tuple[int, ...] = ()  # of a pair: games with difference -25, ..., 25
    firsts: tuple[int, ...] = ()  # number of the first game with score 0, 1, ..., 25, -1 for none
    gave_up: int | None = 0  # games that an agent ended; None where 0.1.0 did not count them

    @classmethod
    def of(cls, results: np.ndarray, other: np.ndarray | None = None, first: int = 0) -> "Tally":
        """The tally of ``RESULT`` records, with the differences to others on the same deals.

        ``first`` is the number of the first of these games.
        """
        scores, places = np.unique(results["score"], return_index=True)
        firsts = [-1] * N_SCORES
        for score, place in zip(scores.tolist(), places.tolist(), strict=True):
            firsts[score] = first + place
        differences: tuple[int, ...] = ()
        if other is not None:
            gained = results["score"].astype(np.int64) - other["score"]
            differences = tuple(np.bincount(gained + 25, minlength=2 * N_SCORES - 1).tolist())
        return cls(
            tuple(np.bincount(results["score"], minlength=N_SCORES).tolist()),
            tuple(np.bincount(results["points"], minlength=N_SCORES).tolist()),
            int((results["status"] == OUT_OF_LIVES).sum()),
            int(results["n_moves"].sum()),
            differences,
            tuple(firsts),
            int((results["status"] == GAVE_UP).sum()),
        )

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            _add(self.scores, other.scores),
            _add(self.points, other.points),
            self.bombed + other.bombed,
            self.moves + other.moves,
            _add(self.differences, other.differences),
            _earlier(self.firsts, other.firsts),
            _add_known(self.gave_up, other.gave_up),
        )

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.scores)

    @property
    def mean(self) -> float:
        """Mean score."""
        return moments(self.scores)[0]

    @property
    def sd(self) -> float:
        """Standard deviation of a score."""
        return moments(self.scores)[1]

    @property
    def se(self) -> float:
        """Standard error of the mean."""
        return self.sd / sqrt(self.games) if self.games else float("nan")

    @property
    def mean_points(self) -> float:
        """Mean of the points, even after bomb-outs."""
        return moments(self.points)[0]

    @property
    def difference(self) -> tuple[float, float]:
        """Mean difference of a pair on the same deals, and its standard error."""
        mean, sd = moments(self.differences, -25)
        return mean, sd / sqrt(self.games) if self.games else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "scores": list(self.scores),
            "points": list(self.points),
            "bombed": self.bombed,
            "moves": self.moves,
            "differences": list(self.differences),
            "firsts": list(self.firsts),
            "gave_up": self.gave_up,
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> "Tally":
        """Reads ``to_dict`` back."""
        return cls(
            tuple(document["scores"]),
            tuple(document["points"]),
            document["bombed"],
            document["moves"],
            tuple(document["differences"]),
            tuple(document.get("firsts", ())),
            document.get("gave_up"),
        )


def _add(counts: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Sum of two rows of counts, of which one may be missing."""
    if not counts or not others:
        return counts or others
    return tuple(a + b for a, b in zip(counts, others, strict=True))


def _add_known(count: int | None, other: int | None) -> int | None:
    """Sum of two counts; None if one of them was not counted."""
    return None if count is None or other is None else count + other


def _earlier(firsts: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """The lower number for each score, among those that exist."""
    if not firsts or not others:
        return firsts or others
    return tuple(max(a, b) if min(a, b) < 0 else min(a, b)
                 for a, b in zip(firsts, others, strict=True))  # fmt: skip


def moments(counts: Sequence[int], first: int = 0) -> tuple[float, float]:
    """Mean and standard deviation of numbers counted from ``first`` on; NaN where there is none.

    Sums are whole numbers, so the result does not depend on the order of the games.
    """
    n = sum(counts)
    if n == 0:
        return float("nan"), float("nan")
    total = sum(count * value for value, count in enumerate(counts, first))
    squares = sum(count * value * value for value, count in enumerate(counts, first))
    spread = squares * n - total * total
    return total / n, sqrt(spread / (n * (n - 1))) if n > 1 else float("nan")


def wilson_interval(successes: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Interval for a share, 95 % by default, that behaves near 0 and 1."""
    if n == 0:
        return 0.0, 1.0
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # Rounding would leave the ends slightly off 0 and 1, which they are if all games agree.
    low = max(0.0, centre - half) if successes > 0 else 0.0
    return low, min(1.0, centre + half) if successes < n else 1.0


def z_score(difference: float, *errors: float) -> float:
    """A difference in units of its combined standard error."""
    combined = sqrt(sum(error * error for error in errors))
    if combined == 0.0:
        return 0.0 if difference == 0.0 else float("inf") * (1 if difference > 0 else -1)
    return difference / combined


def without_nan(value: Any) -> Any:
    """A document in which NaN is replaced by null, because JSON cannot express it."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
