"""Sections on play with others: crosstables, mirror and mixed evaluation, ad-hoc teams."""

from collections.abc import Hashable, Iterator, Sequence
from math import isnan

from tamaya.arena.protocols.adhoc import AdHoc
from tamaya.arena.protocols.crossplay import Crosstable
from tamaya.arena.protocols.mixed import Evaluation
from tamaya.arena.protocols.mixed import Result as MixedResult
from tamaya.arena.protocols.partners import Guest
from tamaya.arena.protocols.partners import Result as PartnersResult
from tamaya.arena.rule_texts import rule_text
from tamaya.report.charts import crosstable_chart, pairs_chart
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table, with_error
from tamaya.report.names import short_names
from tamaya.report.selection import Figure, Selection, StoredResult
from tamaya.rules import Rules

MOST_CELLS = 64  # of a crosstable whose cells link to games


def crosstable_figures(selection: Selection) -> list[Figure[Crosstable]]:
    """The newest crosstables, without those whose agents are all in a newer one."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Crosstable]]]:
        result = stored.result
        key = frozenset(result.agents), result.rules
        yield key, Figure.at(stored, result.rules, result)

    tables = selection.newest("crossplay", split)

    def is_part(table: Figure[Crosstable], other: Figure[Crosstable]) -> bool:
        return (
            other.stored.id > table.stored.id
            and (other.players, other.rules) == (table.players, table.rules)
            and set(table.data.agents) <= set(other.data.agents)
        )

    return [table for table in tables if not any(is_part(table, other) for other in tables)]


def crosstables(selection: Selection, gallery: Gallery) -> Section | None:
    """Every agent with every other."""
    groups = by_table(crosstable_figures(selection))
    figures = [figure for group in groups.values() for figure in group]
    if not figures:
        return None
    intro = element("p", "The agent of the row sits in one random seat among copies of the agent "
                    "of the column; on the diagonal it plays with itself. Brighter is better. "
                    "With two players both orders are the same team.")  # fmt: skip
    content = join((intro, *(_crosstable(figure, gallery) for figure in figures)))
    return Section("crosstables", "Crosstables", content, figures)


def mixed_figures(selection: Selection) -> list[Figure[MixedResult]]:
    """The newest evaluation of every agent by pool, table sizes and rules; the best first."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[MixedResult]]]:
        result: MixedResult = stored.result
        rules = Rules.parse(result.config.rules)
        text = rule_text(rules)
        sizes = tuple(size.players for size in result.mirror.by_players)
        key = result.config.agent, result.config.pool_name, sizes, text
        yield key, Figure(stored, 0, text, rules.max_score, result)

    def place(figure: Figure[MixedResult]) -> tuple:
        config = figure.data.config
        return figure.rules, config.pool_name, -figure.data.mixed.mean, config.agent

    return sorted(selection.newest("mixed", split), key=place)


def mixed(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents in self-play and with the partners of a pool."""
    figures = mixed_figures(selection)
    if not figures:
        return None
    groups: dict[tuple[str, str, str], list[Figure[MixedResult]]] = {}
    for figure in figures:
        key = figure.rules, figure.data.config.pool_name, _sizes(figure.data.mirror)
        groups.setdefault(key, []).append(figure)
    content = [
        element("p", "Mirror: copies of the agent in all seats. Mixed: one seat among copies of "
                "each partner of a pool. Every partner and number of players has the same weight.")
    ]  # fmt: skip
    for (rules, pool, sizes), group in groups.items():
        content.append(_evaluations(f"pool {pool}, {sizes} players, {rules or 'standard rules'}",
                                    group, gallery))  # fmt: skip
    return Section("mixed", "Mirror and mixed evaluation", join(content), figures)


def partner_figures(selection: Selection) -> list[Figure[PartnersResult]]:
    """The newest ranking of the agents of a pool with every partner at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[PartnersResult]]]:
        result: PartnersResult = stored.result
        for rules in result.config.tables():
            yield (result.config.title, result.config.pool, rules), Figure.at(stored, rules, result)

    return selection.newest("partners", split)


def partners(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents by how well they go with one partner."""
    found = partner_figures(selection)
    if not found:
        return None
    content = [
        element("p", "The agent of the row sits in one random seat among copies of the partner, on "
                "the same deals as all others.")
    ]  # fmt: skip
    for (players, rules), figures in by_table(found).items():
        content += [_ranking(figure, table_name(players, rules)) for figure in figures]
    return Section("partners", "Who goes best with a partner", join(content), found)


def adhoc_figures(selection: Selection) -> list[Figure[AdHoc]]:
    """The newest figures of every agent with every partner at every table."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[AdHoc]]]:
        for team in stored.result.teams:
            if team.game:  # of a series, in which there are no samples
                continue
            yield (team.agent, team.partner, team.rules), Figure.at(stored, team.rules, team)

    return selection.newest("adhoc", split)


def adhoc(selection: Selection, gallery: Gallery) -> Section | None:
    """Agents in ad-hoc teams, next to the team's own strength."""
    found = adhoc_figures(selection)
    if not found:
        return None
    content = [
        element("p", "One seat in a team of copies of the partner, after ten sample games of it. "
                "The partner’s own self-play shows what the team scores without the guest.")  # noqa: RUF001
    ]  # fmt: skip
    for (players, rules), figures in by_table(found).items():
        agents: dict[str, list[Figure[AdHoc]]] = {}
        for figure in figures:
            agents.setdefault(figure.agent, []).append(figure)
        for agent, teams in agents.items():
            content.append(_teams(agent, table_name(players, rules), teams, gallery))
    return Section("adhoc", "Ad-hoc teams", join(content), found)


def _crosstable(figure: Figure[Crosstable], gallery: Gallery) -> Html:
    data, title = figure.data, table_name(figure.players, figure.rules)
    names, means, errors = data.agents, data.means.tolist(), data.errors.tolist()
    heading = f"{title}: {_some_of(names)}"
    statistics = data.statistics()
    most = max((error for row in errors for error in row if not isnan(error)), default=0.0)
    chart = gallery.figure(
        f"crosstable-{title}",
        crosstable_chart(names, means, figure.max_score),
        f"Crosstable of {len(names)} agents with {title}. Mean on the diagonal "
        f"{statistics['diagonal']:.2f}, off it {number(statistics['off_diagonal'])}. "
        "All numbers are in the table that can be unfolded below.",
        f"Mean scores, {title}, {data.games:,} games per cell, seed {data.seed}; "
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

    def cell(row: int, column: int) -> object:
        shown = with_error(means[row][column], errors[row][column])
        if len(names) ** 2 > MOST_CELLS:
            return shown
        title = f"{names[row]} with {names[column]}, {table_name(figure.players, figure.rules)}"
        return gallery.games.behind(shown, data.match(row, column), data.games, title)

    places = range(len(names))
    rows = [[names[row], *(cell(row, column) for column in places)] for row in places]
    numbers = fold("All numbers with standard errors",
                   table(f"Mean ± standard error, {title}", ["agent", *names], rows))  # fmt: skip
    side = element("div", facts, partners)
    panel = element("div", chart, side, class_="panel" if len(names) <= 14 else None)
    return element("div", element("h3", heading), panel, numbers)


def _some_of(names: Sequence[str]) -> str:
    """A few of the agents, for a title."""
    short = list(short_names(names).values())
    rest = f" and {len(short) - 2} others" if len(short) > 3 else ""
    return ", ".join(short[:2] if rest else short) + rest


def _fact(name: str, value: str) -> tuple[Html, Html]:
    return element("dt", name), element("dd", value)


def _sizes(evaluation: Evaluation) -> str:
    """Numbers of players of an evaluation, such as ``2 to 5``."""
    counts = [size.players for size in evaluation.by_players]
    if len(counts) > 2 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return " and ".join(map(str, counts))


def _evaluations(title: str, figures: list[Figure[MixedResult]], gallery: Gallery) -> Html:
    """Agents evaluated in the same way."""
    series = ("mixed", "mirror")
    parts = [(figure.agent, (figure.data.mixed, figure.data.mirror)) for figure in figures]
    points = [
        {"name": agent, "series": name, "value": evaluation.mean}
        for agent, both in parts
        for name, evaluation in zip(series, both, strict=True)
    ]
    best = figures[0]
    chart = gallery.figure(
        f"mixed-{title}",
        pairs_chart(points, series, best.max_score),
        f"Mirror and mixed scores of {len(figures)} agents; the best in mixed play is "
        f"{best.agent} with {best.data.mixed.mean:.2f}. The table gives all numbers.",
        f"Average over all cells: {title}.",
    )
    counts = [size.players for size in best.data.mirror.by_players]
    rows = [
        [agent, name, *(number(size.mean) for size in evaluation.by_players),
         with_error(evaluation.mean, evaluation.se), f"{evaluation.games_per_cell:,}",
         evaluation.seed]
        for agent, both in parts
        for name, evaluation in zip(("mirror", "mixed"), reversed(both), strict=True)
    ]  # fmt: skip
    columns = ["agent", "", *(f"{n} players" for n in counts), "average ± se", "games per cell",
               "seed"]  # fmt: skip
    summary = table(f"Mirror and mixed scores: {title}", columns, rows, left=2)
    partners = [
        fold(f"{figure.agent} with each partner", _partners(figure.data.mixed, counts))
        for figure in figures
    ]
    panel = element("div", summary, chart, class_="panel")
    return element("div", element("h3", title[0].upper() + title[1:]), panel, *partners)


def _partners(evaluation: Evaluation, counts: Sequence[int]) -> Html:
    """Means of one agent by partner and number of players."""
    cells = {(cell.partner, cell.players): cell for cell in evaluation.cells}
    rows = []
    for partner in evaluation.partners:
        line = [cells[partner, players] for players in counts]
        average = sum(cell.mean for cell in line) / len(line)
        rows.append([partner, *(with_error(cell.mean, cell.se) for cell in line),
                     number(average)])  # fmt: skip
    columns = ["partner", *(f"{n} players" for n in counts), "average"]
    return table(f"{evaluation.agent} among copies of each partner, mean ± se", columns, rows)


def _ranking(figure: Figure[PartnersResult], title: str) -> Html:
    """All agents with a partner at one table, the best first."""
    config = figure.data.config
    guests = figure.data.at(figure.players)
    rows = [
        [_guest_name(guest, config.partner), with_error(guest.mean, guest.se),
         percent(guest.perfect), percent(guest.bombed), number(guest.mean_points_kept)]
        for guest in guests
    ]  # fmt: skip
    columns = ["agent", "mean ± se", "perfect", "bombed", "points kept"]
    heading = f"{config.title}, {title}: {config.games:,} games per agent, seed {config.seed}"
    return element("div", element("h3", f"{config.title}, {title}"), table(heading, columns, rows))


def _guest_name(guest: Guest, partner: str) -> str:
    return f"{guest.agent} (the partner itself)" if guest.agent == partner else guest.agent


def _teams(agent: str, title: str, figures: list[Figure[AdHoc]], gallery: Gallery) -> Html:
    """The ad-hoc teams of one agent."""
    teams = [figure.data for figure in figures]
    series = ("with the agent", "partner alone")
    points = [
        {"name": team.partner, "series": name, "value": mean}
        for team in teams
        for name, mean in zip(series, (team.mean, team.partner_mean), strict=True)
    ]
    average = sum(team.mean for team in teams) / len(teams)
    chart = gallery.figure(
        f"adhoc-{agent}-{title}",
        pairs_chart(points, series, figures[0].max_score),
        f"{agent} in ad-hoc teams with {len(teams)} partners, {title}: {average:.2f} on average. "
        "The table gives all numbers.",
        f"{agent} in ad-hoc teams and its partners alone, {title}.",
    )
    rows = [
        [team.partner, with_error(team.mean, team.se),
         with_error(team.partner_mean, team.partner_se),
         number(team.mean - team.partner_mean, 2, sign=True), percent(team.bombed),
         f"{team.trials:,}", team.seed, "yes" if team.prepared else "no"]
        for team in teams
    ]  # fmt: skip
    columns = ["partner", "team ± se", "partner alone ± se", "difference", "bombed", "trials",
               "seed", "used samples"]  # fmt: skip
    content = table(f"{agent} in ad-hoc teams, {title}", columns, rows)
    panel = element("div", content, chart, class_="panel")
    return element("div", element("h3", f"{agent}, {title}"), panel)
