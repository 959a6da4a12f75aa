"""Sections on how agents play, and on published tables played again."""

from math import isnan

from tamaya.arena.published import PublishedTable, load_table
from tamaya.arena.reproduce import BOUND
from tamaya.report.charts import KINDS, conditional_chart, kinds_chart, z_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Result, Selection


def behaviour(selection: Selection, gallery: Gallery) -> Section | None:
    """What agents do, how precise it is, and what follows what."""
    if not selection.behaviour:
        return None
    content = [
        element("p", "What agents do in self-play, and which action follows which. D1 discards the "
                "oldest card, P5 plays the fifth, CR hints red, R1 hints ones; the next action is "
                "that of the next seat. A dot is less than half a percent, an empty row an action "
                "never seen.")
    ]  # fmt: skip
    for (players, rules), figures in by_table(selection.behaviour).items():
        title = table_name(players, rules)
        content += [element("h3", title), _rates(title, figures, gallery)]
        content.append(
            element("div", *(_following(title, f, gallery) for f in figures), class_="halves")
        )
    return Section("behaviour", "Behaviour", join(content), selection.behaviour)


def reproduced(selection: Selection, gallery: Gallery) -> Section | None:
    """Published tables beside our own."""
    figures = sorted(selection.reproduced, key=lambda figure: figure.data["table"])
    if not figures:
        return None
    intro = element("p", "Published figures and ours. z is the difference in combined standard "
                    f"errors; within ±{BOUND:g} a figure counts as reproduced.")  # fmt: skip
    content = join((intro, *(_published(figure, gallery) for figure in figures)))
    return Section("reproduced", "Published tables played again", content, figures)


def others(unread: list[tuple[Result, str]]) -> Section | None:
    """Results of the store that the page cannot show."""
    if not unread:
        return None
    rows = [
        [result["id"], result["protocol"], result["name"], result["version"], reason]
        for result, reason in unread
    ]
    columns = ["result", "protocol", "name", "version", "why it is not shown"]
    content = table("Results in the store that are not shown", columns, rows, left=5, head=2)
    return Section("others", "Not shown", content, [])


def _rates(title: str, figures: list[Figure], gallery: Gallery) -> Html:
    """Rates and precision of all agents at one table."""
    documents = [figure.data for figure in figures]
    rows = [
        [
            data["agent"],
            *(percent(data["rates"][kind]) for kind in KINDS),
            number(data["turns_per_game"], 1),
            number(data["hints_per_game"], 1),
            percent(data["play_success"]),
            number(data["lives_lost_per_game"]),
            percent(data["playable_hint_precision"]),
            percent(data["touched_playable"]),
            number(data["discarded_critical_per_game"]),
            f"{data['counts']['games']:,}",
        ]
        for data in documents
    ]
    columns = ["agent", *(f"{kind}" for kind in KINDS.values()), "turns per game", "hints per game",
               "plays that score", "lives lost per game", "hints touching a playable card",
               "new touches that are playable", "critical discards per game",
               "games"]  # fmt: skip
    bars = [
        {"agent": data["agent"], "kind": name, "share": data["rates"][kind]}
        for data in documents
        for kind, name in KINDS.items()
        if not isnan(data["rates"][kind])
    ]
    chart = gallery.figure(
        f"behaviour-{title}",
        kinds_chart(bars),
        f"Shares of plays, discards and hints of {len(documents)} agents with {title}; the table "
        "gives all numbers.",
        f"Kinds of moves, {title}.",
    )
    content = table(f"Rates and precision, {title}", columns, rows)
    return element("div", content, chart)


def _following(title: str, figure: Figure, gallery: Gallery) -> Html:
    """P(next action | action) of one agent."""
    data = figure.data
    agent, labels = data["agent"], data["labels"]
    lines, marginal = data["conditional"], data["marginal"]
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
        f"{data['counts']['games']:,} games, seed {data['seed']}.",
    )
    rows = [
        [label, *(percent(None if share < 0 else share) for share in line)]
        for label, line in zip([*labels, "all"], [*lines, marginal], strict=True)
    ]
    numbers = fold("All numbers", table(f"{agent}: P(next action | action)", ["", *labels], rows))
    return element("div", chart, numbers)


def _published(figure: Figure, gallery: Gallery) -> Html:
    """One published table."""
    name, rows = figure.data["table"], figure.data["rows"]
    try:
        source: PublishedTable | None = load_table(name)
    except ValueError:  # of another version
        source = None
    digits = 4 if source is not None and source.protocol == "histogram" else 2
    measured = [row for row in rows if row["measured"] is not None]
    counts = {status: sum(row["status"] == status for row in rows)
              for status in dict.fromkeys(row["status"] for row in rows)}  # fmt: skip
    facts = "; ".join(f"{n} {status}" for status, n in counts.items())
    head = [element("h3", f"{name}: {source.title}" if source else name)]
    if source is not None:
        head.append(element("p", f"{source.citation}. {source.note}", class_="note"))
    head.append(element("p", f"{len(rows)} figures: {facts}."))
    any_perfect = any(row.get("perfect") is not None for row in rows)
    any_turns = any(row.get("turns") for row in rows)
    cells = [
        [row["row"], "2–5" if row["players"] == 0 else row["players"],  # noqa: RUF001
         row["hand_size"] or "usual", number(row["published"], digits),
         with_error(row["measured"], row["se"], digits), number(row["z"], 1, sign=True),
         *(_perfect_cells(row) if any_perfect else ()),
         *([_turns_cell(row)] if any_turns else ()),
         element("span", row["status"], class_=f"status {row['status'].split()[0]}"),
         f"{row['games']:,}" if row["games"] else "–"]  # noqa: RUF001
        for row in rows
    ]  # fmt: skip
    columns = ["row", "players", "cards", "published", "measured ± se", "z",
               *(["perfect, published", "perfect, measured", "z"] if any_perfect else ()),
               *(["turns of training"] if any_turns else ()),
               "status", "games"]  # fmt: skip
    content = table(f"{name}, published and measured", columns, cells)
    if not measured:
        return element("div", *head, content)
    points = [{"name": _place(row), "z": row["z"], "status": row["status"]} for row in measured]
    chart = gallery.figure(
        f"reproduced-{name}",
        z_chart(points, BOUND),
        f"Differences of {len(measured)} measured figures to those of {name}: {facts}. "
        "The table gives all numbers.",
        f"{name}: measured minus published. The band is ±{BOUND:g} standard errors; the axis is "
        "logarithmic away from zero.",
    )
    return element("div", *head, chart, content)


def _place(row: Result) -> str:
    """A row of a published table in short."""
    players = "2–5" if row["players"] == 0 else row["players"]  # noqa: RUF001
    cards = f", {row['hand_size']} cards" if row["hand_size"] else ""
    return f"{row['row']} {players}p{cards}"


def _turns_cell(row: Result) -> str:
    """Turns that ours was trained for."""
    return f"{row['turns'] / 1e6:,.0f} million" if row.get("turns") else ""


def _perfect_cells(row: Result) -> list[str]:
    """Shares of perfect games, published and measured, and their difference."""
    return [percent(row.get("published_perfect"), 2), percent(row.get("perfect"), 2),
            number(row.get("perfect_z"), 1, sign=True)]  # fmt: skip
