"""The chart of an analysed game: the expected score at each turn, and what the moves lost."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tamaya.replays.marks import Mark
from tamaya.report.theme import BAND, BLUE, LINE, ORANGE

Rows = Sequence[Mapping[str, Any]]
WIDTH = 520
SURE, UNSURE = "surely lost", "not sure"


def analysis_chart(rows: Rows, score: int) -> alt.VConcatChart:
    """Expected score above, loss and mark below, by turn: turn, expected, se, loss, mark."""
    values = [
        {
            "turn": row["turn"],
            "expected": row["expected"],
            "low": row["expected"] - 2 * row["se"],
            "high": row["expected"] + 2 * row["se"],
            "loss": row["loss"],
            "kind": SURE if Mark(row["mark"]).is_loss else UNSURE,
            "sign": Mark(row["mark"]).sign if Mark(row["mark"]).is_loss else "",
        }
        for row in rows
        if row["mark"] != Mark.FORCED  # there was nothing to compare
    ]
    turns = [row["turn"] for row in rows]
    scale = alt.Scale(domain=(min(turns) - 0.5, max(turns) + 0.5), nice=False)
    base = alt.Chart(alt.InlineData(values=values))
    bare = alt.X("turn:Q", scale=scale, axis=alt.Axis(title=None, labels=False, grid=False))
    height = alt.Y("low:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title="expected score"))
    upper = alt.layer(
        base.mark_area(color=BAND).encode(x=bare, y=height, y2="high:Q"),
        base.mark_rule(color=LINE, strokeDash=[3, 2]).encode(y=alt.YDatum(score)),
        base.mark_line(color=BLUE, strokeWidth=1.5).encode(x=bare, y="expected:Q"),
    ).properties(width=WIDTH, height=170)
    colours = alt.Scale(domain=[SURE, UNSURE], range=[ORANGE, LINE])
    bars = base.mark_bar(size=max(2, min(12, 400 / len(turns)))).encode(
        x=alt.X("turn:Q", scale=scale, axis=alt.Axis(grid=False, tickMinStep=1)),
        y=alt.Y("loss:Q", axis=alt.Axis(title="loss", tickCount=4)),
        color=alt.Color("kind:N", scale=colours),
    )
    signs = base.mark_text(baseline="bottom", dy=-2, fontSize=10).encode(
        x="turn:Q", y="loss:Q", text="sign:N"
    )
    lower = alt.layer(bars, signs).properties(width=WIDTH, height=90)
    return alt.vconcat(upper, lower, spacing=8)
