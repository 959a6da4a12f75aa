"""`tamaya reproduce`: published tables played again."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import Seed, print_json, print_note, print_table
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.human_play import HumanScore
    from tamaya.arena.protocols.reproduce import Reproduced, Result

TableName = Annotated[
    str, typer.Argument(help="Name of a table; without one, all are listed.", metavar="TABLE")
]
GamesPerCell = Annotated[
    int, typer.Option("--games", "-n", min=0, help="Games per match; 0 means as many as the paper.")
]
OnlyRow = Annotated[
    str,
    typer.Option(
        help="Only rows whose names contain this text.", show_default=False, metavar="TEXT"
    ),
]
Data = Annotated[
    str,
    typer.Option(
        help="Logged games of people, for rows of human play: a data file, or games.csv of "
        "HanabiData.",
        show_default=False,
        metavar="FILE",
    ),
]


@arena_command
def reproduce(
    table: TableName = "",
    games: GamesPerCell = 0,
    seed: Seed = 0,
    row: OnlyRow = "",
    data: Data = "",
    *,
    options: ArenaOptions,
) -> None:
    """Play a published table again and print published and measured figures side by side."""
    from tamaya.arena.protocols.reproduce import PROTOCOL, Config
    from tamaya.replays.human_scores import read_human_play

    if not table:
        if data:
            raise ValueError(f"--data {data}: name a table with human play, such as canaan-1")
        if row:
            raise ValueError(f"--row {row}: name a table, such as sparta-1")
        _list_tables(seed, options.json)
        return
    human = read_human_play(data) if data else None
    config = Config(table, games, seed, data, human.fingerprint if human else "", row)
    [result], pace = options.run_and_store(PROTOCOL, [config], human=human)
    if options.json:
        document = result.to_document()
        print_json({key: document[key] for key in document if key != "seconds"})
        return
    _print_rows(result)
    if result.human:
        _print_human_play(result)
    print_note(f"{result.seconds:,.1f} s on one core; {pace}")


def _list_tables(seed: int, json: bool) -> None:
    """The published tables, and how many of their cells can be reproduced."""
    from tamaya.arena.protocols.reproduce import matches_of
    from tamaya.arena.published import load_table, table_names

    tables = []
    for name in table_names():
        table = load_table(name)
        ready = sum(bool(matches_of(row, seed)) for row in table.rows)
        tables.append({"table": name, "title": table.title, "citation": table.citation,
                       "cells": len(table.rows), "playable": ready})  # fmt: skip
    if json:
        print_json({"tables": tables})
        return
    rows = [[str(row["table"]), f"{row['playable']} of {row['cells']}", str(row["title"])]
            for row in tables]  # fmt: skip
    print_table("Published tables", ["table", "playable", "title"], rows, left=3)


def _print_rows(result: "Result") -> None:
    from collections import Counter

    from tamaya.arena.human_play import WHERE_TO_GET_LOGS
    from tamaya.arena.protocols.reproduce import (
        ABOVE,
        BELOW,
        BOUND,
        MISSING,
        NO_LOGS,
        REPRODUCED,
        TOO_FEW,
        rows_named,
    )
    from tamaya.arena.published import load_table, row_notes

    table, rows = load_table(result.config.table), result.figures
    marks = {REPRODUCED: "✓", ABOVE: "▲", BELOW: "▼", MISSING: "·", NO_LOGS: "·", TOO_FEW: "?"}
    any_perfect = any(row.published_perfect is not None for row in rows)
    any_turns = any(row.turns for row in rows)
    digits = 4 if table.protocol == "histogram" else 2
    shown = [
        [
            f"{marks[row.status]} {row.row}",
            _table_cell(row),
            f"{row.published:.{digits}f}",
            _measured_cell(row, digits),
            "" if row.z is None else f"{row.z:+.1f}",
            *([_perfect_cell(row)] if any_perfect else ()),
            *([f"{row.turns / 1e6:.0f}M" if row.turns else ""] if any_turns else ()),
        ]
        for row in rows
    ]
    columns = ["  row", "table", "paper", "measured", "z",
               *(["perfect %"] if any_perfect else ()),
               *(["turns"] if any_turns else ())]  # fmt: skip
    print_table(f"{table.name}: {table.title} ({table.citation})", columns, shown, left=2)
    counts = Counter(row.status for row in rows)
    legend = ", ".join(
        f"{mark} {counts[status]} {status}" for status, mark in marks.items() if counts[status]
    )
    print_note(f"{legend}; reproduced means within {BOUND:g} combined standard errors")
    missing = [f"{row.row}: {WHERE_TO_GET_LOGS}" for row in rows if row.status == NO_LOGS]
    for note in (*row_notes(rows_named(table, result.config.row)), *missing):
        print_note(note)


def _print_human_play(result: "Result") -> None:
    """What people scored, by program and by experience: their first games, and all games."""
    from tamaya.arena.human_play import ALL, FIRST

    found = {(row.program, row.experience, row.games_of): row for row in result.human}
    shown = []
    for program, said in dict.fromkeys((row.program, row.experience) for row in result.human):
        cells = []
        for games_of in (FIRST, ALL):
            row = found.get((program, said, games_of))
            cells += [f"{row.games:,}", f"{row.people:,}", _mean(row)] if row else ["", "", ""]
        del cells[1]  # in first games there are as many people as games
        shown.append([program, said, *cells])
    columns = ["program", "experience", "first games", "mean", "all games", "people", "mean"]
    print_table(f"People with programs, points kept: {result.config.data}", columns, shown, left=2)
    print_note("standard errors are over people, who may have played many games")


def _mean(row: "HumanScore") -> str:
    """A mean with its standard error, if there is one."""
    return f"{row.mean:.2f}" if row.se != row.se else f"{row.mean:.2f} ± {row.se:.2f}"


def _measured_cell(row: "Reproduced", digits: int) -> str:
    """Our figure, with its standard error if there is one."""
    if row.measured is None:
        return ""
    error = "" if row.se is None else f" ± {row.se:.{digits}f}"
    return f"{row.measured:.{digits}f}{error}"


def _table_cell(row: "Reproduced") -> str:
    """Number of players, and hand size if it is not the usual one."""
    players = "2-5" if row.players == 0 else str(row.players)
    return f"{players}p {row.hand_size}c" if row.hand_size else f"{players}p"


def _perfect_cell(row: "Reproduced") -> str:
    """Shares of perfect games, published and measured; their difference affects the mark too."""
    shares = row.published_perfect, row.perfect
    return " / ".join(f"{100 * share:.1f}" for share in shares if share is not None)
