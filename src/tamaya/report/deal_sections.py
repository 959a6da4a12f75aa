"""The section on single deals: their difficulty, and the scores of agents."""

from collections.abc import Hashable, Iterator

from tamaya.arena.protocols.deal import Result
from tamaya.report.gallery import Gallery, Section, table_name
from tamaya.report.markup import Html, element, fold, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Selection, StoredResult


def deal_figures(selection: Selection) -> list[Figure[Result]]:
    """The newest result of every deal, with the team whose seat was replaced."""

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Result]]]:
        result: Result = stored.result
        config = result.config
        key = result.deck, config.table(), config.team, config.seat
        yield key, Figure.at(stored, config.table(), result)

    return selection.newest("deal", split)


def deals(selection: Selection, gallery: Gallery) -> Section | None:
    """All deals, the hardest first, each with a fold of its teams."""
    found = deal_figures(selection)
    if not found:
        return None
    found.sort(key=lambda figure: -_points(figure))
    intro = element("p", "One deck, played by every agent with copies of itself. Difficulty is how "
                    "many points less than usual a panel of agents scores on it; the share is that "
                    "of deals that are even harder.")  # fmt: skip
    rows = [
        [_title(figure), table_name(figure.players, figure.rules),
         with_error(figure.data.difficulty.points, figure.data.difficulty.se),
         percent(figure.data.difficulty.share),
         figure.data.teams[0].score, _best(figure), len(figure.data.teams)]
        for figure in found
    ]  # fmt: skip
    columns = ["deal", "table", "difficulty ± se", "harder deals", "best score", "by", "teams"]
    content = table("Deals, the hardest first", columns, rows, left=2)
    return Section("deals", "Deals", join((intro, content, *map(_teams, found))), found)


def _points(figure: Figure[Result]) -> float:
    points = figure.data.difficulty.points
    return points if points == points else float("-inf")


def _title(figure: Figure[Result]) -> str:
    return f"deal {figure.data.config.title}"


def _best(figure: Figure[Result]) -> str:
    """Up to three agents that reached the best score."""
    names = [row.name for row in figure.data.teams if row.rank == 1]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _teams(figure: Figure[Result]) -> Html:
    """Ranks on one deal, and the team with one seat replaced."""
    result, columns = figure.data, ["rank", "who", "score", "points kept", "turns", "end"]
    sets = [("Teams", result.teams)]
    if result.guests and result.alone:
        sets.append((f"{result.config.team} ({result.alone.score} points) with seat "
                     f"{result.config.seat} replaced by each agent", result.guests))  # fmt: skip
    tables = [
        table(f"{_title(figure)}: {title}", columns, [
            [f"{row.rank}{'=' if row.is_tied else ''}", row.name, row.score, row.points, row.turns,
             row.status] for row in rows
        ], left=2, head=1)
        for title, rows in sets
    ]  # fmt: skip
    panel = [[row.agent, row.score, with_error(row.mean, row.se), number(row.difficulty, 2, True),
              percent(row.share)] for row in result.difficulty.panel]  # fmt: skip
    if panel:
        columns = ["agent", "score here", "usual mean ± se", "difficulty", "harder deals"]
        tables.append(table(f"{_title(figure)}: scores of the panel", columns, panel))
    return fold(f"{_title(figure)}, {table_name(figure.players, figure.rules)}", *tables,
                class_="size")  # fmt: skip
