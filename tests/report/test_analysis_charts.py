"""The chart of an analysed game: a bar and a sign per turn, nothing for forced moves."""

import pytest

from tamaya.replays.marks import Mark
from tamaya.report.analysis_charts import SURE, UNSURE, analysis_chart


def row(turn: int, mark: Mark) -> dict:
    return {"turn": turn, "expected": 20.0, "se": 0.5, "loss": 0.7, "mark": mark}


def values(marks: list[Mark]) -> list[dict]:
    rows = [row(turn, mark) for turn, mark in enumerate(marks, start=1)]
    (data,) = analysis_chart(rows, 17).to_dict()["datasets"].values()  # all parts draw the same
    return data


@pytest.mark.parametrize("mark", Mark)
def test_a_sure_loss_has_a_sign(mark):
    drawn = values([Mark.NONE, mark])
    if mark is Mark.FORCED:
        assert [value["turn"] for value in drawn] == [1]
        return
    assert drawn[1]["kind"] == (SURE if mark.is_loss else UNSURE)
    assert drawn[1]["sign"] == (mark.sign if mark.is_loss else "")
    assert (drawn[1]["low"], drawn[1]["high"], drawn[1]["loss"]) == (19.0, 21.0, 0.7)


def test_marks_may_come_from_json():
    assert values(["blunder"])[0]["sign"] == "??"
