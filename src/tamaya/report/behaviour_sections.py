"""The section on how agents play: rates of actions, precision of hints, following actions."""

from collections.abc import Hashable, Iterator
from math import isnan

from tamaya.arena.protocols.behaviour import Result
from tamaya.report.charts import KINDS, conditional_chart, kinds_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table
from tamaya.report.selection import Figure, Selection, StoredResult


def behaviour_figures(selection: Selection) -> list[Figure[Result]]:
    """The newest behaviour of every agent at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Result]]]:
        result: Result = stored.result
        rules = result.counted.rules
        yield (result.config.agent, rules), Figure.at(stored, rules, result)

    return selection.newest("behaviour", split)


def behaviour(selection: Selection, gallery: Gallery) -> Section | None:
    """Rates and precision of actions, and which action follows which."""
    found = behaviour_figures(selection)
    if not found:
        return None
    content = [
        element("p", "What agents do in self-play, and which action follows which. D1 discards the "
                "oldest card, P5 plays the fifth, CR hints red, R1 hints ones; the next action is "
                "that of the next seat. A dot is less than half a percent, an empty row an action "
                "never seen.")
    ]  # fmt: skip
    for (players, rules), figures in by_table(found).items():
        title = table_name(players, rules)
        content += [element("h3", title), _rates(title, figures, gallery)]
        content.append(
            element("div", *(_following(title, f, gallery) for f in figures), class_="halves")
        )
    return Section("behaviour", "Behaviour", join(content), found)


def _rates(title: str, figures: list[Figure[Result]], gallery: Gallery) -> Html:
    """Rates and precision of all agents at one table."""
    counts = [(figure.agent, figure.data.counted) for figure in figures]
    rows = [
        [
            agent,
            *(percent(counted.rates[kind]) for kind in KINDS),
            number(counted.turns_per_game, 1),
            number(counted.hints_per_game, 1),
            percent(counted.play_success),
            number(counted.lives_lost_per_game),
            percent(counted.playable_hint_precision),
            percent(counted.touched_playable),
            number(counted.discarded_critical_per_game),
            f"{counted.games:,}",
        ]
        for agent, counted in counts
    ]
    columns = ["agent", *(f"{kind}" for kind in KINDS.values()), "turns per game", "hints per game",
               "plays that score", "lives lost per game", "hints touching a playable card",
               "new touches that are playable", "critical discards per game",
               "games"]  # fmt: skip
    bars = [
        {"agent": agent, "kind": name, "share": counted.rates[kind]}
        for agent, counted in counts
        for kind, name in KINDS.items()
        if not isnan(counted.rates[kind])
    ]
    chart = gallery.figure(
        f"behaviour-{title}",
        kinds_chart(bars),
        f"Shares of plays, discards and hints of {len(counts)} agents with {title}; the table "
        "gives all numbers.",
        f"Kinds of moves, {title}.",
    )
    content = table(f"Rates and precision, {title}", columns, rows)
    return element("div", content, chart)


def _following(title: str, figure: Figure[Result], gallery: Gallery) -> Html:
    """P(next action | action) of one agent."""
    agent, counted = figure.agent, figure.data.counted
    labels, lines = counted.labels(), figure.data.conditional()
    marginal = counted.marginal().tolist()
    top, after, first = max(
        (share, after, first)
        for first, line in zip(labels, lines, strict=True)
        for after, share in zip(labels, line, strict=True)
    )
    commonest = f" The likeliest pair is {first}, then {after}: {percent(top, 0)}."
    chart = gallery.figure(
        f"following-{agent}-{title}",
        conditional_chart(labels, lines, marginal),
        f"Probability of the next action given an action of {agent} with {title}."
        f"{commonest if top >= 0 else ''} All numbers are in the table that can be unfolded.",
        f"{agent}: P(next action | action) in percent, last row P(action); "
        f"{counted.games:,} games, seed {figure.seed}.",
    )
    rows = [
        [label, *(percent(None if share < 0 else share) for share in line)]
        for label, line in zip([*labels, "all"], [*lines, marginal], strict=True)
    ]
    numbers = fold("All numbers", table(f"{agent}: P(next action | action)", ["", *labels], rows))
    return element("div", chart, numbers)
