"""Charts of evolution: the curves of a run, and the map of styles."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tamaya.report.theme import BLUE, LINE_LEGEND, ORANGE

Rows = Sequence[Mapping[str, Any]]


def curves_chart(generations: Rows) -> alt.Chart:
    """Best and mean fitness by generation."""
    values = [
        {"generation": row["generation"], "fitness": row[kind], "kind": kind}
        for row in generations
        for kind in ("best", "mean")
    ]
    scale = alt.Scale(domain=["best", "mean"], range=[BLUE, ORANGE])
    return (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(strokeWidth=1.5)
        .encode(
            x=alt.X("generation:Q", axis=alt.Axis(grid=False)),
            y=alt.Y("fitness:Q", scale=alt.Scale(zero=False), axis=alt.Axis(grid=True)),
            color=alt.Color("kind:N", scale=scale, legend=LINE_LEGEND),
        )
        .properties(width=420, height=220)
    )


def elites_chart(rows: Rows, cells: int) -> alt.Chart:
    """Score by style: communicativeness to the right, risk aversion upwards."""
    values = [
        {
            "x": row["cell"][0] / cells,
            "x2": (row["cell"][0] + 1) / cells,
            "y": row["cell"][1] / cells,
            "y2": (row["cell"][1] + 1) / cells,
            "mean score": row["mean"],
        }
        for row in rows
    ]
    scale = alt.Scale(domain=(0, 1), nice=False)
    axis = alt.Axis(format=".1f", tickCount=5)
    return (
        alt.Chart(alt.InlineData(values=values))
        .mark_rect()
        .encode(
            x=alt.X("x:Q", scale=scale, axis=axis, title="communicativeness"),
            x2="x2:Q",
            y=alt.Y("y:Q", scale=scale, axis=axis, title="risk aversion"),
            y2="y2:Q",
            color=alt.Color("mean score:Q", scale=alt.Scale(scheme="viridis"),
                            legend=alt.Legend(title="mean score")),
        )
        .properties(width=360, height=360)
    )  # fmt: skip
