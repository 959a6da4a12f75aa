"""The charts of a report: pure functions from rows of data to Altair charts.

Widths fit a phone; the theme is applied when a chart is drawn, see ``tamaya.report.theme``. Names
of agents are data, so charts read them from fields and never build expressions from them.
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, isfinite
from typing import Any

import altair as alt

from tamaya.report.names import short_names
from tamaya.report.theme import (
    BAND,
    BLUE,
    GREEN,
    INK,
    LINE,
    ON_DARK,
    ON_LIGHT,
    ORANGE,
    PLUM,
    SOFT,
)

Rows = Sequence[Mapping[str, Any]]

WIDTH = 220  # of the plot; names are to the left of it
KINDS = {
    "play": "play",
    "discard": "discard",
    "hint_colour": "hint colour",
    "hint_rank": "hint rank",
}
STATUSES = {"reproduced": (GREEN, "circle"), "above": (BLUE, "triangle-up"),
            "below": (ORANGE, "triangle-down")}  # fmt: skip


def interval_chart(rows: Rows, title: str, domain: tuple[float, float]) -> alt.LayerChart:
    """Dots with intervals, one line per name in the given order: name, value, low, high."""
    base = _lines(rows)
    axis = alt.Axis(title=title, tickCount=5)
    scale = alt.Scale(domain=domain, nice=False)
    interval = base.mark_rule(color=BLUE, strokeWidth=2, clip=True).encode(
        x=alt.X("low:Q", title=title, scale=scale, axis=axis), x2="high:Q"
    )
    dots = base.mark_circle(color=BLUE, size=70, opacity=1).encode(x=alt.X("value:Q", scale=scale))
    return alt.LayerChart(layer=[interval, dots]).properties(width=WIDTH, height=alt.Step(24))


def histogram_chart(rows: Rows, order: Sequence[str], max_score: int) -> alt.FacetChart:
    """Shares of games by score, one strip per agent: agent, score, share, mean."""
    names = short_names(order)
    values = [{**row, "agent": names[row["agent"]]} for row in rows]
    base = alt.Chart(alt.InlineData(values=values))
    scale = alt.Scale(domain=(-0.5, max_score + 0.5), nice=False)
    axis = alt.Axis(title="score", values=list(range(0, max_score + 1, 5)), grid=False)
    bars = (
        base.transform_calculate(start="datum.score - 0.42", end="datum.score + 0.42")
        .mark_bar()
        .encode(
            x=alt.X("start:Q", scale=scale, axis=axis),
            x2="end:Q",
            y=alt.Y("share:Q", axis=None),
            y2=alt.datum(0),
            color=alt.condition(f"datum.score == {max_score}", alt.value(ORANGE), alt.value(BLUE)),
        )
    )
    mean = base.mark_rule(color=INK, strokeDash=[3, 2]).encode(x=alt.X("mean(mean):Q", scale=scale))
    floor_line = base.mark_rule(color=LINE).encode(y=alt.YDatum(0, axis=None))
    return (
        alt.layer(floor_line, bars, mean)
        .properties(width=WIDTH, height=46)
        .facet(
            row=alt.Row(
                "agent:N",
                sort=list(names.values()),
                header=alt.Header(title=None, labelAngle=0, labelAlign="left", labelOrient="left",
                                  labelPadding=6),
            ),
            spacing=6,
        )
        .resolve_scale(y="independent")
    )  # fmt: skip


def crosstable_chart(
    names: Sequence[str], means: Sequence[Sequence[float]], max_score: int
) -> alt.LayerChart:
    """Heat map of a crosstable with the means in its cells."""
    names = list(short_names(names).values())
    cells = [
        _cell(row, column, mean, max_score, f"{mean:.1f}")
        for row, line in zip(names, means, strict=True)
        for column, mean in zip(names, line, strict=True)
    ]
    return _heat_map(cells, (names, names), (0, max_score), 38, "with copies of")


def conditional_chart(
    labels: Sequence[str], conditional: Sequence[Sequence[float]], marginal: Sequence[float]
) -> alt.VConcatChart:
    """Heat map of P(next action | action) in percent, with P(action) below; -1 is never seen."""
    lines = [(label, line) for label, line in zip(labels, conditional, strict=True)]
    shares = [share for _, line in [*lines, ("", marginal)] for share in line]
    top = max(0.01, *shares)

    def cells(row: str, line: Sequence[float]) -> list[dict[str, Any]]:
        return [
            _cell(row, column, share, top, "·" if share < 0.005 else f"{100 * share:.0f}")
            for column, share in zip(labels, line, strict=True)
        ]

    table = [cell for label, line in lines for cell in cells(label, line)]
    upper = _heat_map(table, (labels, labels), (0, top), 24, "next action")
    lower = _heat_map(cells("all", marginal), (("all",), labels), (0, top), 24, None)
    return alt.vconcat(upper, lower, spacing=10)


def pairs_chart(rows: Rows, series: tuple[str, str], max_score: int) -> alt.LayerChart:
    """Two values per name joined by a line: name, series, value, se."""
    base = _lines(rows)
    scale = alt.Scale(domain=(0, max_score), nice=False)
    colour = alt.Color("series:N", scale=alt.Scale(domain=series, range=[ORANGE, BLUE]))
    shape = alt.Shape("series:N", scale=alt.Scale(domain=series, range=["circle", "diamond"]))
    link = base.mark_line(color=LINE, strokeWidth=3).encode(
        x=alt.X("value:Q", scale=scale, title="mean score"), detail="name:N"
    )
    dots = base.mark_point(filled=True, size=75, opacity=1).encode(
        x=alt.X("value:Q", scale=scale), color=colour, shape=shape
    )
    return alt.LayerChart(layer=[link, dots]).properties(width=WIDTH, height=alt.Step(24))


def kinds_chart(rows: Rows) -> alt.Chart:
    """Shares of the four kinds of action as bars, one per agent: agent, kind, share."""
    names = short_names([row["agent"] for row in rows])
    places = {kind: place for place, kind in enumerate(KINDS.values())}
    values = [{**row, "agent": names[row["agent"]], "place": places[row["kind"]]} for row in rows]
    colours = alt.Scale(domain=list(KINDS.values()), range=[BLUE, ORANGE, PLUM, GREEN])
    return (
        alt.Chart(alt.InlineData(values=values))
        .mark_bar(height=14)
        .encode(
            x=alt.X("share:Q", scale=alt.Scale(domain=(0, 1), nice=False),
                    axis=alt.Axis(title="share of all moves", format="%", tickCount=5)),
            y=alt.Y("agent:N", sort=list(names.values()), title=None),
            color=alt.Color("kind:N", scale=colours, legend=alt.Legend(columns=2)),
            order="place:Q",
        )
        .properties(width=WIDTH, height=alt.Step(26))
    )  # fmt: skip


def z_chart(rows: Rows, bound: float) -> alt.LayerChart:
    """Differences to published figures in standard errors, by row: label, z, status."""
    finite = [abs(row["z"]) for row in rows if isfinite(row["z"])]
    edge = _edge(max([2 * bound, *finite]))
    shown = [{**row, "z": max(-edge, min(edge, row["z"]))} for row in rows]
    base = _lines(shown, 30)
    marks = [bound, *([20 if edge <= 200 else 50] if edge >= 100 else []), edge]
    ticks = [-mark for mark in reversed(marks)] + [0, *marks]
    scale = alt.Scale(type="symlog", domain=(-edge, edge), nice=False)
    axis = alt.Axis(title="z, in combined standard errors", values=ticks, labelOverlap=False)
    areas = alt.Chart(alt.InlineData(values=[{"from": -bound, "to": bound}]))
    band = areas.mark_rect(color=BAND).encode(
        x=alt.X("from:Q", scale=scale, axis=axis), x2="to:Q", y=alt.value(0), y2=alt.value("height")
    )
    zero = areas.mark_rule(color=SOFT).encode(x=alt.XDatum(0, scale=scale, axis=axis))
    used = [status for status in STATUSES if any(row["status"] == status for row in rows)]
    colours = alt.Scale(domain=used, range=[STATUSES[status][0] for status in used])
    shapes = alt.Scale(domain=used, range=[STATUSES[status][1] for status in used])
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("z:Q", scale=scale, axis=axis),
        color=alt.Color("status:N", scale=colours),
        shape=alt.Shape("status:N", scale=shapes),
    )
    return alt.LayerChart(layer=[band, zero, dots]).properties(
        width=WIDTH - 30, height=alt.Step(19)
    )


def score_domain(lows: Sequence[float], max_score: int) -> tuple[float, float]:
    """Range of an axis of scores: from below the lowest to the highest possible score."""
    return float(max(0, floor(min(lows)) - 1)), float(max_score)


def share_domain(highs: Sequence[float]) -> tuple[float, float]:
    """Range of an axis of shares in percent, at least one."""
    top = 1.05 * max(highs)
    return 0.0, 1.0 if top <= 1 else float(min(100, 5 * ceil(top / 5)))


def _lines(rows: Rows, length: int = 18) -> alt.Chart:
    """A chart with a line for each name, in the order of the rows."""
    names = short_names([row["name"] for row in rows], length)
    values = [{**row, "name": names[row["name"]]} for row in rows]
    axis = alt.Axis(grid=True, gridColor=LINE, gridDash=[1, 3], labelLimit=200)
    y = alt.Y("name:N", sort=list(names.values()), title=None, axis=axis)
    return alt.Chart(alt.InlineData(values=values)).encode(y=y)


def _edge(value: float) -> float:
    """A round number that is not smaller."""
    return next((edge for edge in (10, 20, 50, 100, 200, 500) if value <= edge), 1000)


def _cell(row: str, column: str, value: float, top: float, text: str) -> dict[str, Any]:
    """A cell of a heat map; the number is dark on the bright half of the colours."""
    is_seen = value >= 0
    is_filled = is_seen and text != "·"
    ink = SOFT if not is_filled else ON_LIGHT if value > 0.45 * top else ON_DARK
    return {"row": row, "column": column, "value": value if is_filled else None,
            "text": text, "ink": ink, "is_seen": is_seen}  # fmt: skip


def _heat_map(
    cells: Rows,
    names: tuple[Sequence[str], Sequence[str]],
    domain: tuple[float, float],
    step: int,
    title: str | None,
) -> alt.LayerChart:
    """Coloured cells with numbers; columns are named above, or not at all without a title."""
    rows, columns = names
    is_short = max(map(len, columns)) <= 2
    axis = None
    if title is not None:
        axis = alt.Axis(orient="top", title=title, labelAngle=0 if is_short else -40, ticks=False,
                        labelLimit=100, labelColor=INK, labelFontSize=12, grid=False)  # fmt: skip
    base = alt.Chart(alt.InlineData(values=[dict(cell) for cell in cells])).encode(
        x=alt.X("column:N", scale=alt.Scale(domain=list(columns)), axis=axis),
        y=alt.Y("row:N", scale=alt.Scale(domain=list(rows)), title=None),
    )
    scale = alt.Scale(scheme="viridis", domain=domain)
    squares = base.transform_filter("datum.value !== null").mark_rect(cornerRadius=2).encode(
        color=alt.Color("value:Q", scale=scale, legend=None),
    )  # fmt: skip
    seen = base.transform_filter("datum.is_seen")
    empty = seen.mark_rect(color=BAND, cornerRadius=2)
    numbers = seen.mark_text(fontSize=11).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    return (
        alt.LayerChart(layer=[empty, squares, numbers])
        .resolve_scale(color="independent")  # the numbers have their own colours
        .properties(width=alt.Step(step), height=alt.Step(max(24, round(0.72 * step))))
    )
