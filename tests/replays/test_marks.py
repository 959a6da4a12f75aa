"""Marks: thresholds and scales, silence on noise, planted losses found, summaries."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

from tamaya.replays.marks import LEAST_LOSS, SIGNS, Gain, Mark, SeatSummary, judge, summarise

N_TURNS, N_DEALS, N_MOVES = 1000, 300, 20


@pytest.mark.parametrize(
    ("gains", "mark", "sure", "place"),
    [
        ([], Mark.FORCED, 0.0, -1),
        ([Gain(1.3, 0.1)], Mark.BLUNDER, 1.0, 0),
        ([Gain(1.29, 0.1)], Mark.MISTAKE, 0.99, 0),
        ([Gain(0.8, 0.1)], Mark.MISTAKE, 0.5, 0),
        ([Gain(0.5, 0.1)], Mark.INACCURACY, 0.2, 0),
        ([Gain(0.1, 0.1)], Mark.NONE, 0.0, -1),
        ([Gain(-2.0, 0.1)], Mark.NONE, 0.0, -1),
        ([Gain(0.2, 0.1)], Mark.OPEN, 0.0, -1),  # may be 0.5
        ([Gain(-1.0, 0.5)], Mark.OPEN, 0.0, -1),
        ([Gain(-1.0, 0.49)], Mark.NONE, 0.0, -1),
        ([Gain(0.45, 0.1)], Mark.OPEN, 0.15, 0),  # surely something, but too little to mark
        ([Gain(0.16, 0.01)], Mark.NONE, 0.13, 0),
        ([Gain(3.0, 1.5), Gain(0.6, 0.05), Gain(0.7, 0.1)], Mark.INACCURACY, 0.45, 1),  # not 3.0
    ],
)
def test_a_move_is_marked_by_what_it_surely_lost(gains, mark, sure, place):
    verdict = judge([Gain(gain.mean + 1e-12, gain.se) for gain in gains])
    assert verdict == (mark, pytest.approx(sure, abs=1e-9), place)


@pytest.mark.parametrize("mark", LEAST_LOSS)
@pytest.mark.parametrize("max_score", [25, 15, 4, 1])
def test_thresholds_shrink_with_the_highest_score(mark, max_score):
    least = LEAST_LOSS[mark] * max_score / 25
    assert judge([Gain(least + 1e-9, 0.0)], max_score).mark is mark
    assert judge([Gain(least - 1e-9, 0.0)], max_score).mark is not mark
    assert judge([Gain(least + 1e-9, 0.0)], max_score).sure == pytest.approx(least)  # of its points


def test_the_open_mark_shrinks_too():
    assert judge([Gain(0.0, 0.1)], 25).mark is Mark.NONE
    assert judge([Gain(0.0, 0.1)], 10).mark is Mark.OPEN


def test_every_mark_has_a_sign_and_three_are_losses():
    assert {mark.sign for mark in Mark} == {"??", "?", "?!", "", "…", "□"} == set(SIGNS.values())
    assert [mark for mark in Mark if mark.is_loss] == [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    assert json.dumps([Mark.OPEN]) == '["open"]'


def measured_gains(scores: np.ndarray) -> list[Gain]:
    """Gains of all moves over the first, of scores [deal, move], with their standard errors."""
    gains = scores[:, 1:] - scores[:, :1]
    errors = np.sqrt(gains.var(axis=0) / (len(gains) - 1) + 1 / len(gains) ** 2)
    return [
        Gain(float(mean), float(se)) for mean, se in zip(gains.mean(axis=0), errors, strict=True)
    ]


def test_where_all_moves_are_equal_hardly_anything_is_marked():
    """Scores of equal moves that differ by chance alone; two standard errors mark a fifth."""
    rng = np.random.default_rng(1)
    marks, n_by_old_rule = [], 0
    for _ in range(N_TURNS):
        gains = measured_gains(rng.normal(18, 2, (N_DEALS, N_MOVES)))
        best = max(gains)
        n_by_old_rule += best.mean > 2 * best.se
        marks.append(judge(gains).mark)
    assert n_by_old_rule > 150
    assert marks.count(Mark.BLUNDER) == marks.count(Mark.MISTAKE) == 0
    assert marks.count(Mark.INACCURACY) <= 1


@pytest.mark.parametrize(("loss", "least"), [(3.0, Mark.BLUNDER), (1.2, Mark.INACCURACY)])
def test_planted_losses_are_found(loss, least):
    rng = np.random.default_rng(2)
    for _ in range(100):
        scores = rng.normal(18, 2, (N_DEALS, N_MOVES))
        scores[:, 7] += loss
        verdict = judge(measured_gains(scores))
        assert LEAST_LOSS[verdict.mark] >= LEAST_LOSS[least]
        assert verdict.place == 6
        assert verdict.sure < loss + 0.1  # never more than it was


@dataclass
class Turn:
    seat: int
    mark: Mark
    sure: float = 0.0
    played: str = "p0"
    blueprint: str | None = "p0"


def test_a_seat_is_summed_up_by_its_marks():
    turns = [
        Turn(1, Mark.BLUNDER, 1.5, blueprint="d0"),
        Turn(0, Mark.NONE, 0.1),
        Turn(1, Mark.MISTAKE, 0.5),
        Turn(1, Mark.INACCURACY, 0.25, blueprint=None),
        Turn(1, Mark.OPEN, 0.15),
        Turn(1, Mark.FORCED),
        Turn(1, Mark.NONE, 0.19),
    ]
    first, second = summarise(turns)
    assert first == SeatSummary(0, 1, 0, 0, 0, 0, 0.0, choices=1, agreed=1)
    assert second.as_dict() == {
        "seat": 1, "turns": 6, "blunder": 1, "mistake": 1, "inaccuracy": 1, "open": 1,
        "sure_loss": pytest.approx(2.25), "choices": 5, "agreed": 3,
    }  # fmt: skip


def test_nobody_is_summed_up_to_nothing():
    assert summarise([]) == []
