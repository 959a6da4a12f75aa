"""Sections on play with others: crosstables, mirror and mixed evaluation, ad-hoc teams."""

from collections.abc import Sequence
from typing import Any

from tamaya.report.charts import crosstable_chart, pairs_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table, with_error
from tamaya.report.names import short_names
from tamaya.report.selection import Figure, Selection


def crosstables(selection: Selection, gallery: Gallery) -> Section | None:
    """Every agent with every other."""
    figures = [f for group in by_table(selection.crosstables).values() for f in group]
    if not figures:
        return None
    intro = element("p", "The agent of the row sits in one random seat among copies of the agent "
                    "of the column; on the diagonal it plays with itself. Brighter is better. "
                    "With two players both orders are the same team.")  # fmt: skip
    content = join((intro, *(_crosstable(figure, gallery) for figure in figures)))
    return Section("crosstables", "Crosstables", content, figures)


def mixed(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents with themselves and among the partners of a pool."""
    figures = sorted(
        selection.mixed,
        key=lambda f: (f.rules, f.data["pool"], -f.data["mixed"]["mean"], f.data["agent"]),
    )
    if not figures:
        return None
    groups: dict[tuple, list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.rules, figure.data["pool"], _sizes(figure)), []).append(figure)
    content = [
        element("p", "Mirror: with copies of oneself. Mixed: one seat among copies of each partner "
                "of a pool. Every partner and number of players has the same weight.")
    ]  # fmt: skip
    for (rules, pool, sizes), group in groups.items():
        content.append(_evaluations(f"pool {pool}, {sizes} players, {rules or 'standard rules'}",
                                    group, gallery))  # fmt: skip
    return Section("mixed", "Mirror and mixed evaluation", join(content), figures)


def adhoc(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents in teams they have not met, beside the team's own strength."""
    if not selection.adhoc:
        return None
    content = [
        element("p", "One seat in a team of copies of the partner, after ten sample games of it. "
                "The partner’s own self-play is what the team reaches without the guest.")  # noqa: RUF001
    ]  # fmt: skip
    for (players, rules), figures in by_table(selection.adhoc).items():
        agents: dict[str, list[Figure]] = {}
        for figure in figures:
            agents.setdefault(figure.data["agent"], []).append(figure)
        for agent, teams in agents.items():
            content.append(_teams(agent, table_name(players, rules), teams, gallery))
    return Section("adhoc", "Ad-hoc teams", join(content), selection.adhoc)


def _crosstable(figure: Figure, gallery: Gallery) -> Html:
    data, title = figure.data, table_name(figure.players, figure.rules)
    names, means, errors = data["agents"], data["means"], data["errors"]
    heading = f"{title}: {_some_of(names)}"
    statistics = data["statistics"]
    most = max(max(row) for row in errors)
    chart = gallery.figure(
        f"crosstable-{title}",
        crosstable_chart(names, means, figure.max_score),
        f"Crosstable of {len(names)} agents with {title}. Mean on the diagonal "
        f"{statistics['diagonal']:.2f}, off it {number(statistics['off_diagonal'])}. "
        "All numbers are in the table that can be unfolded below.",
        f"Mean scores, {title}, {data['games']:,} games per cell, seed {data['seed']}; "
        f"standard errors up to {most:.2f}.",
    )
    facts = element(
        "dl",
        *_fact("on the diagonal", number(statistics["diagonal"])),
        *_fact("off the diagonal", number(statistics["off_diagonal"])),
    )
    best = [[name, entry["partner"], number(entry["mean"])]
            for name, entry in statistics["best_partner"].items()]  # fmt: skip
    partners = table(f"Best partner other than itself, {title}", ["agent", "partner", "mean"],
                     best, left=2) if best else None  # fmt: skip
    rows = [
        [name, *(with_error(mean, error) for mean, error in zip(line, spread, strict=True))]
        for name, line, spread in zip(names, means, errors, strict=True)
    ]
    numbers = fold("All numbers with standard errors",
                   table(f"Mean ± standard error, {title}", ["agent", *names], rows))  # fmt: skip
    side = element("div", facts, partners)
    panel = element("div", chart, side, class_="panel" if len(names) <= 14 else None)
    return element("div", element("h3", heading), panel, numbers)


def _some_of(names: Sequence[str]) -> str:
    """Who sits at a table, in a few words."""
    short = list(short_names(names).values())
    rest = f" and {len(short) - 2} others" if len(short) > 3 else ""
    return ", ".join(short[:2] if rest else short) + rest


def _fact(name: str, value: str) -> tuple[Html, Html]:
    return element("dt", name), element("dd", value)


def _sizes(figure: Figure) -> str:
    """Numbers of players of an evaluation, such as ``2 to 5``."""
    counts = [row["players"] for row in figure.data["mirror"]["by_players"]]
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return " and ".join(map(str, counts))


def _evaluations(title: str, figures: list[Figure], gallery: Gallery) -> Html:
    """Agents that were evaluated alike."""
    series = ("mixed", "mirror")
    points = [
        {"name": figure.data["agent"], "series": part, "value": figure.data[part]["mean"]}
        for figure in figures
        for part in series
    ]
    best = figures[0].data
    chart = gallery.figure(
        f"mixed-{title}",
        pairs_chart(points, series, figures[0].max_score),
        f"Mirror and mixed scores of {len(figures)} agents; the best in mixed play is "
        f"{best['agent']} with {best['mixed']['mean']:.2f}. The table gives all numbers.",
        f"Average over all cells: {title}.",
    )
    counts = [row["players"] for row in figures[0].data["mirror"]["by_players"]]
    rows = [
        [figure.data["agent"], part, *_by_players(figure.data[part]),
         with_error(figure.data[part]["mean"], figure.data[part]["se"]),
         f"{figure.data[part]['games_per_cell']:,}", figure.data[part]["seed"]]
        for figure in figures
        for part in ("mirror", "mixed")
    ]  # fmt: skip
    columns = ["agent", "", *(f"{n} players" for n in counts), "average ± se", "games per cell",
               "seed"]  # fmt: skip
    summary = table(f"Mirror and mixed scores: {title}", columns, rows, left=2)
    partners = [
        fold(f"{figure.data['agent']} with each partner", _partners(figure.data, counts))
        for figure in figures
    ]
    panel = element("div", summary, chart, class_="panel")
    return element("div", element("h3", title[0].upper() + title[1:]), panel, *partners)


def _by_players(evaluation: dict[str, Any]) -> list[str]:
    return [number(row["mean"]) for row in evaluation["by_players"]]


def _partners(document: dict[str, Any], counts: Sequence[int]) -> Html:
    """Means of one agent by partner and number of players."""
    cells = {(cell["partner"], cell["players"]): cell for cell in document["mixed"]["cells"]}
    rows = []
    for partner in document["mixed"]["partners"]:
        line = [cells[partner, players] for players in counts]
        average = sum(cell["mean"] for cell in line) / len(line)
        rows.append([partner, *(with_error(cell["mean"], cell["se"]) for cell in line),
                     number(average)])  # fmt: skip
    columns = ["partner", *(f"{n} players" for n in counts), "average"]
    return table(f"{document['agent']} among copies of each partner, mean ± se", columns, rows)


def _teams(agent: str, title: str, figures: list[Figure], gallery: Gallery) -> Html:
    """The ad-hoc teams of one agent."""
    teams = [figure.data for figure in figures]
    series = ("with the agent", "partner alone")
    points = [
        {"name": team["partner"], "series": name, "value": mean}
        for team in teams
        for name, mean in zip(series, (team["mean"], team["partner_selfplay"]["mean"]), strict=True)
    ]
    average = sum(team["mean"] for team in teams) / len(teams)
    chart = gallery.figure(
        f"adhoc-{agent}-{title}",
        pairs_chart(points, series, figures[0].max_score),
        f"{agent} in ad-hoc teams with {len(teams)} partners, {title}: {average:.2f} on average. "
        "The table gives all numbers.",
        f"{agent} in ad-hoc teams and its partners alone, {title}.",
    )
    rows = [
        [team["partner"], with_error(team["mean"], team["se"]),
         with_error(team["partner_selfplay"]["mean"], team["partner_selfplay"]["se"]),
         number(team["mean"] - team["partner_selfplay"]["mean"], 2, sign=True),
         percent(team["bombed"]), f"{team['trials']:,}", team["seed"],
         "yes" if team["prepared"] else "no"]
        for team in teams
    ]  # fmt: skip
    columns = ["partner", "team ± se", "partner alone ± se", "difference", "bombed", "trials",
               "seed", "used samples"]  # fmt: skip
    content = table(f"{agent} in ad-hoc teams, {title}", columns, rows)
    panel = element("div", content, chart, class_="panel")
    return element("div", element("h3", f"{agent}, {title}"), panel)
