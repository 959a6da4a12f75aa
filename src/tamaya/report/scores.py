"""Sections on self-play: the leaderboard, and score histograms with perfect games.

The best of each family comes first; the members of the families and the full standings of each
table size are folded. Agents played under rules that they are not made for are omitted.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import isnan
from typing import Any

from tamaya.arena.match import Match
from tamaya.arena.pools import packaged_agent, unmet_rules
from tamaya.arena.protocols.selfplay import Comparison, Summary
from tamaya.arena.rule_texts import options_text
from tamaya.report.charts import histogram_chart, interval_chart, score_domain, share_domain
from tamaya.report.families import family_of
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import (
    Html,
    counted,
    element,
    fold,
    join,
    number,
    percent,
    table,
    with_error,
)
from tamaya.report.selection import Figure, Selection, StoredResult
from tamaya.rules import Rules

Z95 = 1.96  # standard errors of a 95 % interval
Scores = Figure[Summary]  # of one agent at one table
Groups = dict[tuple[int, str], list[Scores]]
ByAgent = dict[str, dict[int, Scores]]


def selfplay_figures(selection: Selection) -> list[Scores]:
    """The newest scores of every agent at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Scores]]:
        result = stored.result
        if not misfit(stored):
            for rules, summary in zip(result.tables, result.summaries, strict=True):
                yield (result.config.agent, rules), Figure.at(stored, rules, summary)

    return selection.newest("selfplay", split)


def comparison_figures(selection: Selection) -> list[Figure[Comparison]]:
    """The newest comparison of every pair of agents at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Comparison]]]:
        result = stored.result
        pair = result.config.agent, result.config.against
        if not misfit(stored):
            for rules, comparison in zip(result.tables, result.comparisons, strict=False):
                yield (*pair, rules), Figure.at(stored, rules, comparison)

    return selection.newest("selfplay", split)


def misfits(selection: Selection) -> list[tuple[StoredResult, str]]:
    """Self-play under rules that the agent is not made for, with the reason for omitting it."""
    found = ((stored, misfit(stored)) for stored in selection.results.get("selfplay", ()))
    return [(stored, reason) for stored, reason in found if reason]


def misfit(stored: StoredResult) -> str:
    """The rules that an agent is made for but was not played under; empty if there are none."""
    player = packaged_agent(stored.result.config.agent)
    unmet = unmet_rules(player, stored.result.tables[0]) if player else {}
    return f"the agent is made for {options_text(unmet)}" if unmet else ""


def leaderboard(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents by mean score, for every number of players."""
    played, compared = selfplay_figures(selection), comparison_figures(selection)
    if not played:
        return None
    groups = by_table(played)
    content = [
        element("p", "Self-play, by mean score. A bomb-out scores zero under the standard rules; "
                "“points kept” is the mean of the fireworks, as if bomb-outs kept their points."),
        *_by_rules(groups, lambda some: _boards(some, gallery)),
    ]  # fmt: skip
    if compared:
        content.append(_comparisons(compared))
    return Section("leaderboard", "Leaderboard", join(content), [*played, *compared])


def histograms(selection: Selection, gallery: Gallery) -> Section | None:
    """Distributions of scores, and shares of perfect games."""
    played = selfplay_figures(selection)
    if not played:
        return None
    content = [
        element("p", "How often each score occurs. Every strip is scaled to its own tallest bar; "
                "the dashed line is the mean, the highest score is orange. Intervals of the share "
                "of perfect games are 95 % Wilson intervals.")
    ]  # fmt: skip

    def spreads(groups: Groups) -> list[Html]:
        return [_spread(group, best_first(figures), gallery) for group, figures in groups.items()]

    content += _by_rules(by_table(played), spreads)
    return Section("scores", "Scores and perfect games", join(content), played)


def best_first(figures: list[Scores]) -> list[Scores]:
    """Figures of one table, the highest mean first."""
    return sorted(figures, key=lambda figure: (-figure.data.mean, figure.agent))


def rules_of(figure: Scores) -> Rules:
    """The table of a figure."""
    result = figure.stored.result
    rules: Rules = result.tables[result.summaries.index(figure.data)]
    return rules


def behind(gallery: Gallery, figure: Scores, content: object) -> Html:
    """A score that opens its games."""
    match = Match((figure.agent,), rules_of(figure), figure.seed)
    title = f"{figure.agent}, {table_name(figure.players, figure.rules)}"
    return gallery.games.behind(content, match, figure.data.games, title)


def _by_rules(groups: Groups, show: Callable[[Groups], Iterable[Html]]) -> list[Html]:
    """Tables of the first rules, and those of all other rules in one fold."""
    first = next(iter(groups))[1]
    others = {key: figures for key, figures in groups.items() if key[1] != first}
    shown = [*show({key: figures for key, figures in groups.items() if key[1] == first})]
    if others:
        names = ", ".join(dict.fromkeys(rules for _, rules in others))
        shown.append(fold(f"Other rules: {names}", *show(others), class_="size"))
    return shown


def _boards(groups: Groups, gallery: Gallery) -> list[Html]:
    """Families, then all agents by table size."""
    return [
        *(_overview(rules, groups, gallery)
          for rules in dict.fromkeys(rules for _, rules in groups)),
        element("h3", "All agents by table"),
        *(_standings(group, best_first(figures), gallery) for group, figures in groups.items()),
    ]  # fmt: skip


def _overview(rules: str, groups: Groups, gallery: Gallery) -> Html:
    """The best of each family for each table size under some rules, with folds of members."""
    counts = [players for players, text in groups if text == rules]
    agents: ByAgent = {}
    for players in counts:
        for figure in groups[players, rules]:
            agents.setdefault(figure.agent, {})[players] = figure
    families: dict[str, ByAgent] = {}
    for agent, figures in agents.items():
        families.setdefault(family_of(agent), {})[agent] = figures
    best = {n: max(figure.data.mean for figure in groups[n, rules]) for n in counts}

    def leader(family: ByAgent, players: int) -> object:
        there = [figures[players] for figures in family.values() if players in figures]
        if not there:
            return _cell(None, best, gallery)
        figure = best_first(there)[0]
        name = element("small", figure.agent)
        return join((_cell(figure, best, gallery, is_short=True), element("br"), name))

    by_strength = sorted(families, key=lambda name: _place(families[name], counts))
    title = rules or "standard rules"
    ids = {name: _anchor(name, rules) for name in families}
    rows = [[element("a", name, href=f"#{ids[name]}"), len(families[name]),
             *(leader(families[name], n) for n in counts)] for name in by_strength]  # fmt: skip
    columns = ["family", "agents", *(f"{n} players" for n in counts)]
    caption = f"The best of each family, mean score ± standard error: {title}"
    members = [
        fold(f"{name}: {counted(len(families[name]), 'agent')}",
             _members(name, families[name], counts, best, gallery, ids[name]), class_="family")
        for name in by_strength
    ]  # fmt: skip
    return join((element("h3", f"By family, {title}"), table(caption, columns, rows), *members))


def _anchor(family: str, rules: str) -> str:
    """The anchor of a family's table."""
    return re.sub(r"[^a-z0-9]+", "-", f"family {family} {rules}".lower()).strip("-")


def _place(family: ByAgent, counts: list[int]) -> tuple[int, float]:
    """Sort key: families that cover most table sizes first, then by their best agents."""
    best = [max(figures[n].data.mean for figures in family.values() if n in figures)
            for n in counts if any(n in figures for figures in family.values())]  # fmt: skip
    return -len(best), -sum(best) / len(best)


def _strength(figures: dict[int, Scores]) -> float:
    """The negative mean over table sizes, so that the best comes first."""
    scores = [figure.data.mean for figure in figures.values()]
    return -sum(scores) / len(scores)


def _members(
    name: str,
    family: ByAgent,
    counts: list[int],
    best: dict[int, float],
    gallery: Gallery,
    anchor: str,
) -> Html:
    """Means and perfect games of all agents of a family."""
    agents = sorted(family, key=lambda agent: (_strength(family[agent]), agent))
    rows = [[agent, *(_cell(family[agent].get(n), best, gallery) for n in counts)]
            for agent in agents]  # fmt: skip
    caption = f"{name}: mean score ± standard error, and perfect games"
    shown = table(caption, ["agent", *(f"{n} players" for n in counts)], rows)
    return element("div", shown, id=anchor)


def _cell(
    figure: Scores | None, best: dict[int, float], gallery: Gallery, is_short: bool = False
) -> object:
    """A mean, emphasised if it is the best of its table size, and perfect games."""
    if figure is None:
        return "–"  # noqa: RUF001
    mean = with_error(figure.data.mean, figure.data.se)
    if figure.data.mean == best[figure.players]:
        mean = element("strong", mean)
    shown = behind(gallery, figure, mean)
    if is_short:
        return shown
    return join((shown, element("br"), element("small", percent(figure.data.perfect))))


def _standings(group: tuple[int, str], figures: list[Scores], gallery: Gallery) -> Html:
    """Table and chart of one number of players."""
    title = table_name(*group)
    rows = [
        [
            place,
            figure.agent,
            behind(gallery, figure, with_error(figure.data.mean, figure.data.se, 3)),
            percent(figure.data.perfect, 2),
            percent(figure.data.bombed, 2),
            number(figure.data.mean_points_kept, 2),
            f"{figure.data.games:,}",
            figure.seed,
        ]
        for place, figure in enumerate(figures, 1)
    ]
    columns = ["", "agent", "mean ± se", "perfect", "bombed", "points kept", "games", "seed"]
    points = [_interval(figure) for figure in figures]
    domain = score_domain([point["low"] for point in points], figures[0].max_score)
    best = figures[0]
    chart = gallery.figure(
        f"leaderboard-{title}",
        interval_chart(points, "mean score", domain),
        f"Mean scores of {len(points)} agents with {title}; the best is {best.agent} with "
        f"{best.data.mean:.2f}. The table gives all numbers.",
        f"Mean scores with 95 % intervals, {title}.",
    )
    standings = table(f"Self-play, {title}", columns, rows, left=2, head=1)
    words = f"{title}: {counted(len(figures), 'agent')}, {best.agent} first"
    return fold(words, element("div", standings, chart, class_="panel"), class_="size")


def _interval(figure: Scores) -> dict[str, Any]:
    """A mean and its 95 % interval, which is a point if there was one game."""
    mean, se = figure.data.mean, figure.data.se
    half = 0.0 if isnan(se) else Z95 * se
    return {"name": figure.agent, "value": mean, "low": mean - half, "high": mean + half}


def _spread(group: tuple[int, str], figures: list[Scores], gallery: Gallery) -> Html:
    """Histograms and shares of perfect games of one number of players."""
    title, top = table_name(*group), figures[0].max_score
    strips = [
        {"agent": figure.agent, "score": score, "share": count / figure.data.games,
         "mean": figure.data.mean}
        for figure in figures
        for score, count in enumerate(figure.data.histogram[: top + 1])
    ]  # fmt: skip
    names = [figure.agent for figure in figures]
    ranges = "; ".join(f"{figure.agent} {_range(figure)}" for figure in figures[:8])
    spread = gallery.figure(
        f"scores-{title}",
        histogram_chart(strips, names, top),
        f"Histograms of the scores with {title}. Lowest to highest score: {ranges}.",
        f"Scores, {title}.",
    )
    shares = [_share(figure) for figure in figures]
    perfect = gallery.figure(
        f"perfect-{title}",
        interval_chart(shares, "perfect games in %", share_domain([s["high"] for s in shares])),
        f"Share of perfect games with {title}, with 95 % intervals; the table gives all numbers.",
        f"Perfect games with 95 % intervals, {title}.",
    )
    rows = [
        [figure.agent, percent(figure.data.perfect, 2),
         f"{number(share['low'])} to {number(share['high'])} %",
         number(figure.data.sd), f"{figure.data.games:,}"]
        for figure, share in zip(figures, shares, strict=True)
    ]  # fmt: skip
    columns = ["agent", "perfect", "95 % interval", "sd", "games"]
    numbers = table(f"Perfect games, {title}", columns, rows)
    right = element("div", perfect, numbers)
    words = f"{title}: {counted(len(figures), 'agent')}"
    return fold(words, element("div", spread, right, class_="halves"), class_="size")


def _share(figure: Scores) -> dict[str, Any]:
    """Perfect games of a figure in percent, with the interval."""
    low, high = figure.data.perfect_interval
    return {"name": figure.agent, "value": 100 * figure.data.perfect,
            "low": 100 * low, "high": 100 * high}  # fmt: skip


def _range(figure: Scores) -> str:
    """Lowest and highest score that occurred."""
    scores = [score for score, count in enumerate(figure.data.histogram) if count]
    return f"{scores[0]} to {scores[-1]}"


def _comparisons(figures: list[Figure[Comparison]]) -> Html:
    """Agents compared on the same deals."""
    rows = [
        [
            figure.agent,
            figure.stored.result.config.against,
            table_name(figure.players, figure.rules),
            number(figure.data.mean, 3),
            number(figure.data.other, 3),
            join((number(figure.data.difference, 3, sign=True),
                  element("small", f" ± {number(figure.data.se, 3)}"))),
            f"{figure.data.games:,}",
        ]
        for figure in figures
    ]  # fmt: skip
    columns = ["agent", "other", "table", "mean", "other's mean", "difference ± se", "games"]
    caption = "Two agents on the same deals"
    return join((element("h3", "Compared on the same deals"), table(caption, columns, rows, 3)))
