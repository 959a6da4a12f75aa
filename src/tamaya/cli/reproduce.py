"""`tamaya reproduce`: published tables played again."""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, Seed, Threads, print_json, print_table
from tamaya.cli.running import Address, On, StoreUrl, working

if TYPE_CHECKING:
    from tamaya.arena.published import PublishedTable

TableName = Annotated[
    str, typer.Argument(help="Name of a table; without one, all are listed.", metavar="[TABLE]")
]
GamesPerCell = Annotated[
    int, typer.Option("--games", "-n", min=0, help="Games per match; 0 means as in the paper.")
]


def reproduce(
    table: TableName = "",
    games: GamesPerCell = 0,
    seed: Seed = 0,
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Play a published table again and print published and measured side by side."""
    from tamaya.arena import reproduce as protocol
    from tamaya.arena.published import load_table

    if not table:
        _list_tables(seed, json)
        return
    published = load_table(table)
    total = protocol.n_games(published, seed, games)
    with working(table, total, store, on, address, threads) as place:
        started = perf_counter()
        rows = [row.as_dict() for row in protocol.reproduce(published, seed, place.runner, games)]
        document = {"table": table, "rows": rows}
        config = {"table": table, "seed": seed, "games": games}
        place.keep("reproduce", table, config, {**document, "seconds": perf_counter() - started})
    if json:
        print_json(document)
        return
    _print_rows(published, rows)


def _list_tables(seed: int, json: bool) -> None:
    """What there is to reproduce, and how much of it can be."""
    from tamaya.arena.published import load_table, table_names
    from tamaya.arena.reproduce import matches_of

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


def _print_rows(table: "PublishedTable", rows: list[dict[str, Any]]) -> None:
    from collections import Counter

    from rich.console import Console

    from tamaya.arena.reproduce import ABOVE, BELOW, MISSING, REPRODUCED, TOO_FEW

    marks = {REPRODUCED: "✓", ABOVE: "▲", BELOW: "▼", MISSING: "·", TOO_FEW: "?"}
    any_perfect = any(row["published_perfect"] is not None for row in rows)
    any_turns = any(row["turns"] for row in rows)
    shown = []
    for row in rows:
        digits = 4 if table.protocol == "histogram" else 2
        ours = row["measured"] is not None
        measured = f"{row['measured']:.{digits}f}" if ours else ""
        if row["se"] is not None:
            measured += f" ± {row['se']:.{digits}f}"
        shown.append(
            [
                f"{marks[row['status']]} {row['row']}",
                _table_cell(row),
                f"{row['published']:.{digits}f}",
                measured,
                "" if row["z"] is None else f"{row['z']:+.1f}",
                *([_perfect_cell(row)] if any_perfect else ()),
                *([_turns_cell(row)] if any_turns else ()),
            ]
        )
    columns = ["  row", "table", "paper", "measured", "z",
               *(["perfect %"] if any_perfect else ()),
               *(["turns"] if any_turns else ())]  # fmt: skip
    print_table(f"{table.name}: {table.title} ({table.citation})", columns, shown, left=2)
    counts = Counter(row["status"] for row in rows)
    legend = ", ".join(
        f"{mark} {counts[status]} {status}" for status, mark in marks.items() if counts[status]
    )
    games, seconds = sum(row["games"] for row in rows), sum(row["seconds"] for row in rows)
    Console(highlight=False).print(
        f"  {legend}; reproduced means within 4 combined standard errors\n"
        f"  {games:,} games, {seconds:,.1f} s of work of one core, kept games included\n"
    )


def _turns_cell(row: dict[str, Any]) -> str:
    """Millions of turns that ours was trained for."""
    return f"{row['turns'] / 1e6:.0f}M" if row["turns"] else ""


def _table_cell(row: dict[str, Any]) -> str:
    """Players, and cards in a hand if they are not the usual number."""
    players = "2-5" if row["players"] == 0 else str(row["players"])
    return f"{players}p {row['hand_size']}c" if row["hand_size"] else f"{players}p"


def _perfect_cell(row: dict[str, Any]) -> str:
    """Shares of perfect games, published and measured; their difference counts for the mark."""
    shares = row["published_perfect"], row["perfect"]
    return " / ".join(f"{100 * share:.1f}" for share in shares if share is not None)
