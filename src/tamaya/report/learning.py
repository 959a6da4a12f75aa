"""The section on training: curves of all runs with the best highlighted, and what it scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tamaya.arena.published import load_table
from tamaya.report.charts import histogram_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Selection
from tamaya.report.theme import BLUE, GREEN, LINE, LINE_LEGEND, ORANGE, PLUM, SOFT

WIDTH, HEIGHT = 420, 240
_PUBLISHED = {"Rainbow": "rainbow", "ACHA": "acha", "BAD": "bad"}  # rows of challenge-1
_COLOURS = {"ppo": BLUE, "rainbow": ORANGE, "acha": PLUM, "bad": GREEN}


def training(selection: Selection, gallery: Gallery) -> Section | None:
    """Training curves by table."""
    if not selection.training:
        return None
    intro = element(
        "p", "Mean score of greedy play on fixed validation deals along the turns of training. "
        "The best run of each algorithm is drawn strong, other seeds and members of a population "
        "faint; dashed lines are the final scores of the same algorithms in the Hanabi Challenge, "
        "after 100 million turns (Rainbow) or without limit (ACHA, BAD)."
    )  # fmt: skip
    groups = by_table(selection.training)
    content = [_table_of(group, figures, gallery) for group, figures in groups.items()]
    return Section("training", "Training", join((intro, *content)), selection.training)


def learning_chart(rows: Sequence[Mapping[str, Any]], players: int = 0) -> alt.LayerChart:
    """A line per run: name, algorithm, points, best; the best of each algorithm strong."""
    strong = _best_runs(rows)
    values = [
        {"run": k, "turns": turns / 1e6, "score": score, "algorithm": row["algorithm"]}
        for k, row in enumerate(rows)
        for turns, score in row["points"]
    ]
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    scale = alt.Scale(domain=names, range=[_COLOURS.get(name, SOFT) for name in names])
    colour = alt.Color("algorithm:N", scale=scale, legend=LINE_LEGEND)
    layers = [
        alt.Chart(alt.InlineData(values=[value for value in values if value["run"] in chosen]))
        .mark_line(strokeWidth=width, opacity=opacity, clip=True)
        .encode(
            x=alt.X("turns:Q", title="million turns", scale=alt.Scale(domainMin=0),
                    axis=alt.Axis(grid=False, tickCount=6)),
            y=alt.Y("score:Q", title="score", scale=alt.Scale(domain=(0, 25), nice=False),
                    axis=alt.Axis(grid=True, gridColor=LINE)),
            color=colour,
            detail="run:N",
        )
        for chosen, width, opacity in (
            (set(range(len(rows))) - strong, 1, 0.45), (strong, 2, 1),
        )
    ]  # fmt: skip
    finals = [
        {"score": score, "algorithm": name}
        for name, score in published_scores(players).items()
        if name in names
    ]
    rules = (
        alt.Chart(alt.InlineData(values=finals))
        .mark_rule(strokeDash=[4, 3], strokeWidth=1)
        .encode(y="score:Q", color=colour)
    )
    shown = [*layers, rules] if finals else layers
    return alt.LayerChart(layer=shown).properties(width=WIDTH, height=HEIGHT)


def published_scores(players: int) -> dict[str, float]:
    """Final scores of the paper's learners by our names of the algorithms."""
    rows = load_table("challenge-1").rows
    return {
        _PUBLISHED[row.row]: row.published
        for row in rows
        if row.row in _PUBLISHED and row.agent == _PUBLISHED[row.row] and row.players == players
    }


def _best_runs(rows: Sequence[Mapping[str, Any]]) -> set[int]:
    """Places of the run with the highest validation score of each algorithm."""
    best: dict[str, int] = {}
    for k, row in enumerate(rows):
        known = best.get(row["algorithm"])
        if known is None or row["best"] > rows[known]["best"]:
            best[row["algorithm"]] = k
    return set(best.values())


def _table_of(group: tuple[int, str], figures: list[Figure], gallery: Gallery) -> Html:
    """Curves, numbers and scores of the runs at one table."""
    title, players = table_name(*group), group[0]
    rows = [figure.data for figure in figures]
    rows.sort(key=lambda row: (-row["best"], row["name"]))
    best = rows[0]
    chart = gallery.figure(
        f"training-{title}",
        learning_chart(rows, players if not group[1] else 0),
        f"Learning curves of {len(rows)} runs with {title}; the best is {best['name']} "
        f"({best['algorithm']}) with {best['best']:.2f}. The table gives the numbers.",
        f"Validation score by turns, {title}.",
    )
    cells = [
        [row["name"], row["algorithm"], row["preset"], row["seed"],
         f"{row['turns'] / 1e6:,.1f}M", number(row["cpu_seconds"] / 3600, 2),
         number(row["best"]),
         with_error(row["test"]["mean"], row["test"]["se"], 3) if row["test"] else "",
         percent(row["test"]["perfect"]) if row["test"] else "",
         f"{row['test']['games']:,}" if row["test"] else ""]
        for row in rows
    ]  # fmt: skip
    columns = ["run", "algorithm", "preset", "seed", "turns", "CPU hours", "best validation",
               "test ± se", "perfect", "test games"]  # fmt: skip
    numbers = table(f"Runs, {title}", columns, cells, left=3)
    parts = [element("h3", title), chart, numbers]
    tested = [row for row in rows if row["test"] and "histogram" in row["test"]]
    if tested:
        parts.append(_spread(title, tested, figures[0].max_score, gallery))
    return element("div", *parts)


def _spread(title: str, rows: list[dict[str, Any]], top: int, gallery: Gallery) -> Html:
    """How the scores of the networks that were tested are spread."""
    strips = [
        {"agent": row["name"], "score": score, "share": count / row["test"]["games"],
         "mean": row["test"]["mean"]}
        for row in rows
        for score, count in enumerate(row["test"]["histogram"])
    ]  # fmt: skip
    return gallery.figure(
        f"training-scores-{title}",
        histogram_chart(strips, [row["name"] for row in rows], top),
        f"Histograms of the test scores of {len(rows)} trained networks with {title}.",
        f"Scores on the test deals, {title}.",
    )
