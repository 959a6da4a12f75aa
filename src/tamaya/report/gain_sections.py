"""The section on search: what it gained by turn, among how many hands, and in what time."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import ceil, floor, isnan, log10
from typing import Any

import altair as alt

from tamaya.arena.gains import Phase
from tamaya.arena.protocols.gains import Table
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Selection, StoredResult
from tamaya.report.theme import BAND, BLUE, LINE, SOFT

Rows = Sequence[Mapping[str, Any]]
TURNS = 5  # of a point of the charts
WIDTH = 280
INTRO = (
    "Agents that search over exact beliefs. A move that replaces the blueprint's is tried again on "
    "fresh deals, so its gain is not that of a lucky winner; all other moves gain nothing. If only "
    "one seat searches, the gains of a game add up, on average, to the difference of the scores of "
    "the agent and its blueprint. The support is the hands that the seat could hold; it counts "
    "where it is listed in full, not where hands were only sampled. Time is CPU time of one core."
)


def gain_figures(selection: Selection) -> list[Figure[Table]]:
    """The newest record of every agent at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Table]]]:
        for games in stored.result.tables:
            yield (stored.result.config.agent, games.rules), Figure.at(stored, games.rules, games)

    return selection.newest("gains", split)


def gains(selection: Selection, gallery: Gallery) -> Section | None:
    """What search gained at each table."""
    found = gain_figures(selection)
    if not found:
        return None
    content = [element("p", INTRO)]
    for (players, rules), figures in by_table(found).items():
        title = table_name(players, rules)
        content += [element("h3", title), _sums(title, figures)]
        charts = [_by_turn(title, figure, gallery) for figure in figures
                  if figure.data.whole.searched]  # fmt: skip
        content.append(element("div", *charts, class_="halves"))
    return Section("search", "Search", join(content), found)


def _sums(title: str, figures: list[Figure[Table]]) -> Html:
    """A row for each agent: what search is worth per game, and what a move costs."""
    rows = [
        [figure.agent, with_error(*games.score, 3), with_error(*games.gain, 3),
         with_error(*games.difference, 3), percent(games.whole.changed / games.whole.searched),
         with_error(games.whole.gain, games.whole.se, 4), number(games.whole.rollouts, 0),
         number(games.whole.seconds.median, 3), number(games.whole.seconds.most, 3),
         f"{games.games:,}"]
        for figure in figures
        if (games := figure.data).whole.searched
    ]  # fmt: skip
    columns = ["agent", "mean ± se", "gained per game ± se", "above the blueprint ± se",
               "moves changed", "gain per move ± se", "rollouts per move", "CPU seconds per move",
               "at most", "games"]  # fmt: skip
    return table(f"What search gained, {title}", columns, rows)


def _by_turn(title: str, figure: Figure[Table], gallery: Gallery) -> Html:
    """Gain, support and time along the turns of one agent's games."""
    phases = figure.data.phases_of(TURNS)
    most = max(phases, key=lambda phase: phase.gain)
    chart = gallery.figure(
        f"search-{figure.agent}-{title}",
        gain_chart([row_of(phase) for phase in phases]),
        f"Gain per searched move, size of the support and CPU time of {figure.agent} with {title} "
        f"by turn. Turns {most.first} to {most.last} gain most, {number(most.gain, 3)} points per "
        "move. All numbers are in the table that can be unfolded.",
        f"{figure.agent}, {title}: points gained per searched move with standard errors; hands in "
        f"the support and CPU time, median and the middle eight tenths; {TURNS} turns each, "
        f"{figure.data.games:,} games, seed {figure.seed}.",
    )
    rows = [
        [f"{phase.first}–{phase.last}", f"{phase.moves:,}",  # noqa: RUF001
         percent(phase.searched / max(1, phase.moves), 0),
         percent(phase.changed / phase.searched, 0), with_error(phase.gain, phase.se, 4),
         percent(phase.listed / phase.searched, 0),
         number(phase.support.median, 0), number(phase.support.high, 0),
         percent(phase.exact / phase.searched, 0), number(phase.rollouts, 0),
         number(phase.seconds.median, 3), number(phase.seconds.most, 3)]
        for phase in figure.data.phases
    ]  # fmt: skip
    columns = ["turns", "moves", "searched", "changed", "gain per move ± se", "listed", "hands",
               "a tenth above", "exact", "rollouts per move", "CPU seconds",
               "at most"]  # fmt: skip
    numbers = fold("All numbers", table(f"{figure.agent} by turn, {title}", columns, rows))
    return element("div", chart, numbers)


def row_of(phase: Phase) -> dict[str, Any]:
    """The figures of some turns for the charts, in the middle of these turns."""
    error = 0.0 if isnan(phase.se) else phase.se
    row = {"turn": (phase.first + phase.last) / 2, "gain": phase.gain,
           "gain_low": phase.gain - error, "gain_high": phase.gain + error}  # fmt: skip
    for name, spread in (("support", phase.support), ("seconds", phase.seconds)):
        row |= {name: spread.median, f"{name}_low": spread.low, f"{name}_high": spread.high}
    return {name: None if isnan(value) else value for name, value in row.items()}


def gain_chart(rows: Rows) -> alt.VConcatChart:
    """Gain, support and CPU time by turn, each with its interval, one below the other."""
    base = alt.Chart(alt.InlineData(values=[dict(row) for row in rows]))
    domain = (min(row["turn"] for row in rows) - TURNS / 2,
              max(row["turn"] for row in rows) + TURNS / 2)  # fmt: skip
    scale = alt.Scale(domain=domain, nice=False)
    bare = alt.X("turn:Q", scale=scale, axis=alt.Axis(title=None, labels=False, grid=False))
    named = alt.X("turn:Q", scale=scale, axis=alt.Axis(title="turn", grid=False, tickMinStep=1))
    return alt.vconcat(
        _gain_layer(base, bare),
        _spread_layer(rows, bare, "support", "hands in the support"),
        _spread_layer(rows, named, "seconds", "CPU seconds"),
        spacing=8,
    )


def _gain_layer(base: alt.Chart, x: alt.X) -> alt.LayerChart:
    """Points with standard errors around a line at zero."""
    axis = alt.Axis(title="points gained per move", grid=True, tickCount=4)
    low = alt.Y("gain_low:Q", axis=axis)
    layers = [
        base.mark_rule(color=SOFT, strokeDash=[3, 2]).encode(y=alt.YDatum(0, axis=axis)),
        base.mark_rule(color=BLUE, strokeWidth=2).encode(x=x, y=low, y2="gain_high:Q"),
        base.mark_circle(color=BLUE, size=50, opacity=1).encode(x=x, y="gain:Q"),
    ]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=130)


def _spread_layer(rows: Rows, x: alt.X, name: str, title: str) -> alt.LayerChart:
    """A line of medians in a band, on a logarithmic scale."""
    known = [dict(row) for row in rows if row[name]]
    base = alt.Chart(alt.InlineData(values=known))
    ticks = log_ticks([row[f"{name}_{end}"] for row in known for end in ("low", "high")])
    axis = alt.Axis(title=title, grid=True, gridColor=LINE, values=ticks, format="~r")
    low = alt.Y(f"{name}_low:Q", axis=axis, scale=alt.Scale(type="log", nice=False))
    layers = [
        base.mark_area(color=BAND).encode(x=x, y=low, y2=f"{name}_high:Q"),
        base.mark_line(color=BLUE, strokeWidth=1.5).encode(x=x, y=f"{name}:Q"),
        base.mark_circle(color=BLUE, size=30, opacity=1).encode(x=x, y=f"{name}:Q"),
    ]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=110)


def log_ticks(figures: Sequence[float]) -> list[float]:
    """Round numbers in the range of some positive figures: powers of ten, or more if few fit."""
    low, high = min(figures, default=1.0), max(figures, default=1.0)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1,), (1, 2, 5)):
        ticks = [step * 10.0**power for power in powers for step in steps]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) > 2:
            break
    return inside
