"""The section on training: curves of all runs with the best highlighted, and test scores."""

from collections.abc import Hashable, Iterator, Sequence

import altair as alt

from tamaya.arena.protocols.training import Curve
from tamaya.arena.published import load_table
from tamaya.report.charts import histogram_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Selection, StoredResult
from tamaya.report.theme import BLUE, GREEN, LINE, LINE_LEGEND, ORANGE, PLUM, SOFT
from tamaya.rules import Rules

WIDTH, HEIGHT = 420, 240
_PUBLISHED = {"Rainbow": "rainbow", "ACHA": "acha", "BAD": "bad"}  # rows of challenge-1
_COLOURS = {"ppo": BLUE, "rainbow": ORANGE, "acha": PLUM, "bad": GREEN}


def curve_figures(selection: Selection) -> list[Figure[Curve]]:
    """The newest curve of every run."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Curve]]]:
        for curve in stored.result.curves:
            rules = Rules.parse(curve.rules)
            key = curve.name, curve.algorithm, curve.seed, rules
            yield key, Figure.at(stored, rules, curve)

    return selection.newest("training", split)


def training(selection: Selection, gallery: Gallery) -> Section | None:
    """Training curves by table."""
    found = curve_figures(selection)
    if not found:
        return None
    intro = element(
        "p", "Mean score of greedy play on fixed validation deals along the turns of training. "
        "The best run of each algorithm is emphasised, other seeds and members of a population are "
        "faint; dashed lines are the final scores of the same algorithms in the Hanabi Challenge, "
        "after 100 million turns (Rainbow) or without limit (ACHA, BAD)."
    )  # fmt: skip
    groups = by_table(found)
    content = [_table_of(group, figures, gallery) for group, figures in groups.items()]
    return Section("training", "Training", join((intro, *content)), found)


def learning_chart(curves: Sequence[Curve], players: int = 0) -> alt.LayerChart:
    """A line for each curve; the best of each algorithm is emphasised."""
    strong = _best_runs(curves)
    values = [
        {"run": k, "turns": turns / 1e6, "score": score, "algorithm": curve.algorithm}
        for k, curve in enumerate(curves)
        for turns, score in curve.points
    ]
    names = list(dict.fromkeys(curve.algorithm for curve in curves))
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
            (set(range(len(curves))) - strong, 1, 0.45), (strong, 2, 1),
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


def _best_runs(curves: Sequence[Curve]) -> set[int]:
    """Indices of the runs with the highest validation score of each algorithm."""
    best: dict[str, int] = {}
    for k, curve in enumerate(curves):
        known = best.get(curve.algorithm)
        if known is None or curve.best > curves[known].best:
            best[curve.algorithm] = k
    return set(best.values())


def _table_of(group: tuple[int, str], figures: list[Figure[Curve]], gallery: Gallery) -> Html:
    """Curves, numbers and scores of the runs at one table."""
    title, players = table_name(*group), group[0]
    curves = [figure.data for figure in figures]
    curves.sort(key=lambda curve: (-curve.best, curve.name))
    best = curves[0]
    chart = gallery.figure(
        f"training-{title}",
        learning_chart(curves, players if not group[1] else 0),
        f"Learning curves of {len(curves)} runs with {title}; the best is {best.name} "
        f"({best.algorithm}) with {best.best:.2f}. The table gives the numbers.",
        f"Validation score by turns, {title}.",
    )
    cells = [
        [curve.name, curve.algorithm, curve.preset, curve.seed, f"{curve.turns / 1e6:,.1f}M",
         number(curve.cpu_seconds / 3600, 2), number(curve.best),
         with_error(test["mean"], test["se"], 3) if test else "",
         percent(test["perfect"]) if test else "",
         f"{test['games']:,}" if test else ""]
        for curve, test in ((curve, curve.test) for curve in curves)
    ]  # fmt: skip
    columns = ["run", "algorithm", "preset", "seed", "turns", "CPU hours", "best validation",
               "test ± se", "perfect", "test games"]  # fmt: skip
    numbers = table(f"Runs, {title}", columns, cells, left=3)
    tested = [curve for curve in curves if curve.test and "histogram" in curve.test]
    spread = _spread(title, tested, figures[0].max_score, gallery) if tested else None
    charts = element("div", chart, spread, class_="halves")
    return element("div", element("h3", title), charts, numbers)


def _spread(title: str, curves: list[Curve], top: int, gallery: Gallery) -> Html:
    """Histograms of the test scores."""
    strips = [
        {"agent": curve.name, "score": score, "share": count / curve.test["games"],
         "mean": curve.test["mean"]}
        for curve in curves
        if curve.test
        for score, count in enumerate(curve.test["histogram"])
    ]  # fmt: skip
    return gallery.figure(
        f"training-scores-{title}",
        histogram_chart(strips, [curve.name for curve in curves], top),
        f"Histograms of the test scores of {len(curves)} trained networks with {title}.",
        f"Scores on the test deals, {title}.",
    )
