"""The section on published tables played again."""

from collections.abc import Hashable, Iterator

from tamaya.arena.protocols.reproduce import BOUND, Reproduced, Result
from tamaya.arena.published import PublishedTable, load_table, row_notes
from tamaya.report.charts import z_chart
from tamaya.report.gallery import Gallery, Section
from tamaya.report.markup import Html, element, join, number, percent, table, with_error
from tamaya.report.selection import Figure, Selection, StoredResult


def reproduced_figures(selection: Selection) -> list[Figure[Result]]:
    """The newest reproduction of every published table, by name.

    One with logged games of people does not take the place of one without them or with others, nor
    some rows that of the whole table.
    """

    def split(stored: StoredResult) -> Iterator[tuple[Hashable, Figure[Result]]]:
        config = stored.result.config
        key = config.table, config.row, config.fingerprint
        yield key, Figure(stored, 0, "", 25, stored.result)

    found = selection.newest("reproduce", split)
    return sorted(found, key=lambda each: (each.data.config.table, each.data.config.row,
                                           each.data.config.fingerprint))  # fmt: skip


def reproduced(selection: Selection, gallery: Gallery) -> Section | None:
    """Published tables next to our figures."""
    figures = reproduced_figures(selection)
    if not figures:
        return None
    intro = element("p", "Published figures and ours. z is the difference in combined standard "
                    f"errors; within ±{BOUND:g} a figure counts as reproduced.")  # fmt: skip
    content = join((intro, *(_published(figure, gallery) for figure in figures)))
    return Section("reproduced", "Published tables played again", content, figures)


def _published(figure: Figure[Result], gallery: Gallery) -> Html:
    """One published table."""
    config, rows = figure.data.config, figure.data.figures
    name, logs = config.table, f", rows with {config.row!r}" if config.row else ""
    if config.fingerprint:
        logs += f", with the games of people in {config.data} ({config.fingerprint})"
    try:
        source: PublishedTable | None = load_table(name)
    except ValueError:  # a table of another version
        source = None
    digits = 4 if source is not None and source.protocol == "histogram" else 2
    measured = [row for row in rows if row.measured is not None]
    counts = {status: sum(row.status == status for row in rows)
              for status in dict.fromkeys(row.status for row in rows)}  # fmt: skip
    facts = "; ".join(f"{n} {status}" for status, n in counts.items())
    head = [element("h3", (f"{name}: {source.title}" if source else name) + logs)]
    if source is not None:
        notes = " ".join((f"{source.citation}.", source.note, *row_notes(source.rows)))
        head.append(element("p", notes, class_="note"))
    head.append(element("p", f"{len(rows)} figures: {facts}."))
    any_perfect = any(row.perfect is not None for row in rows)
    any_turns = any(row.turns for row in rows)
    cells = [
        [row.row, "2–5" if row.players == 0 else row.players,  # noqa: RUF001
         row.hand_size or "usual", number(row.published, digits),
         with_error(row.measured, row.se, digits), number(row.z, 1, sign=True),
         *(_perfect_cells(row) if any_perfect else ()),
         *([_turns_cell(row)] if any_turns else ()),
         element("span", row.status, class_=f"status {row.status.split()[0]}"),
         f"{row.games:,}" if row.games else "–"]  # noqa: RUF001
        for row in rows
    ]  # fmt: skip
    columns = ["row", "players", "cards", "published", "measured ± se", "z",
               *(["perfect, published", "perfect, measured", "z"] if any_perfect else ()),
               *(["turns of training"] if any_turns else ()),
               "status", "games"]  # fmt: skip
    content = table(f"{name}, published and measured{logs}", columns, cells)
    if figure.data.human:
        content = join((content, _human_play(figure.data)))
    if not measured:
        return element("div", *head, content)
    points = [{"name": _place(row), "z": row.z, "status": row.status} for row in measured]
    chart = gallery.figure(
        f"reproduced-{name}" + (f"-{config.fingerprint}" if config.fingerprint else ""),
        z_chart(points, BOUND),
        f"Differences of {len(measured)} measured figures to those of {name}: {facts}. "
        "The table gives all numbers.",
        f"{name}: measured minus published. The band is ±{BOUND:g} standard errors; the axis is "
        "logarithmic away from zero.",
    )
    return element("div", *head, chart, content)


def _human_play(result: Result) -> Html:
    """What people scored, by program and by experience."""
    cells = [
        [row.program, row.experience, row.games_of, with_error(row.mean, row.se, 2), row.games,
         row.people]
        for row in result.human
    ]  # fmt: skip
    columns = ["program", "experience", "games of a person", "mean ± se", "games", "people"]
    return table(f"People with programs, points kept: {result.config.data}", columns, cells)


def _place(row: Reproduced) -> str:
    """A short label for a row of a published table."""
    players = "2–5" if row.players == 0 else row.players  # noqa: RUF001
    cards = f", {row.hand_size} cards" if row.hand_size else ""
    return f"{row.row} {players}p{cards}"


def _turns_cell(row: Reproduced) -> str:
    """Turns that ours was trained for."""
    return f"{row.turns / 1e6:,.0f} million" if row.turns else ""


def _perfect_cells(row: Reproduced) -> list[str]:
    """Shares of perfect games, published and measured, and their difference."""
    return [percent(row.published_perfect, 2), percent(row.perfect, 2),
            number(row.perfect_z, 1, sign=True)]  # fmt: skip
