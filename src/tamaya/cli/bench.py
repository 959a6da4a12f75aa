"""`tamaya bench`: the speed of this package and of the installed peers, measured in one run.

With ``--against`` the other side is not a peer but another checkout of this package.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tamaya.cli.options import (
    Json,
    Players,
    parse_player_counts,
    print_json,
    print_note,
    print_table,
    progress_bar,
)
from tamaya.cli.patience import patience

if TYPE_CHECKING:
    from tamaya.bench.measure import Plan

CaseNames = Annotated[
    list[str],
    typer.Option("--case", "-c", help="What to measure; may be repeated.", metavar="NAME"),
]
Skipped = Annotated[
    list[str],
    typer.Option("--skip", help="A system to leave out; may be repeated.", metavar="SYSTEM"),
]
Seconds = Annotated[float, typer.Option("--seconds", help="Seconds per measurement.")]
Repeat = Annotated[
    int, typer.Option("--repeat", min=1, help="Measurements of each figure; the best counts.")
]

Against = Annotated[
    Path | None,
    typer.Option(
        "--against",
        help="Another checkout of this project, measured in turns with this one.",
        metavar="CHECKOUT",
        show_default=False,
    ),
]

Row: TypeAlias = dict[str, Any]
Columns: TypeAlias = dict[str, Any]  # title of each, and the function that returns a row's text

SLOW = 100  # per second; below it the time of each is shown


def bench(
    case: CaseNames = [],  # noqa: B006
    players: Players = "2,5",
    seconds: Seconds = 1.0,
    repeat: Repeat = 5,
    skip: Skipped = [],  # noqa: B006
    against: Against = None,
    json: Json = False,
) -> None:
    """Measure the speed of this package and of whichever peers are installed.

    Compile time is excluded, except in the case `startup`.

    With --against, compare it with another checkout instead: before and after in one run.
    """
    from tamaya.bench.measure import make_plan, run_plan

    plan = make_plan(case, parse_player_counts(players), skip)
    if against is not None:
        document = _compare(plan, against, seconds, repeat)
        if json:
            print_json(document)
        else:
            _print_comparison(document)
        return
    with (
        patience("measuring") as say,
        progress_bar("measuring", plan.n_steps(repeat)) as advance,
    ):
        document = run_plan(plan, seconds, repeat, advance, say)
    if json:
        print_json(document)
        return
    _print_tables(document["cases"], _columns)
    _print_circumstances(document)


def _compare(plan: "Plan", against: Path, seconds: float, repeat: int) -> dict[str, Any]:
    from tamaya.bench.against import checkout_at, compare, n_runs
    from tamaya.bench.measure import Audience

    other = checkout_at(against)
    with (
        patience("measuring") as say,
        progress_bar("measuring", n_runs(plan, repeat)) as advance,
    ):
        return compare(plan, other, seconds, repeat, Audience(advance, say))


def _print_comparison(document: dict[str, Any]) -> None:
    _print_tables(document["cases"], _both_columns)
    print_note(
        f"Before is {document['before']}, after {document['after']}. The best measurement of each "
        "counts; a ratio above 1 is faster now, and - stands for a row that one side lacks."
    )
    _print_circumstances(document)


def _print_tables(rows: Sequence[Row], columns_of: Callable[[list[Row]], Columns]) -> None:
    from tamaya.bench.cases import CASES

    for name, case in CASES.items():
        own = [row for row in rows if row["case"] == name]
        if own:
            columns = columns_of(own)
            cells = [[text(row) for text in columns.values()] for row in own]
            print_table(f"{name}: {case.title}", list(columns), cells, left=_n_words(columns))


def _print_circumstances(document: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, soft_wrap=True)
    for system, reason in document["skipped"].items():
        console.print(f"skipped {system}: {reason}")
    machine = document["machine"]
    load = ", ".join(f"{value:.2f}" for value in machine["load"] or ["unknown"])
    console.print(f"{machine['cpus']} x {machine['cpu']}, Python {machine['python']}, load {load}")


def _words(rows: list[Row]) -> Columns:
    """The columns that say what a row is about."""
    columns: Columns = {"system": lambda row: row["system"]}
    for key in ("what", "agent", "observation"):
        if len({row.get(key) for row in rows}) > 1:
            columns[key] = lambda row, key=key: str(row.get(key, ""))
    return columns


def _columns(rows: list[Row]) -> Columns:
    """The columns of a case in which systems are compared."""
    columns = _words(rows)
    if rows[0]["unit"] == "seconds":
        columns["seconds"] = lambda row: f"{row['seconds']:.2f}"
        columns["median"] = lambda row: f"{row['median']:.2f}"
        return columns
    for key in ("players", "threads", "batch"):
        if any(key in row for row in rows):
            columns[key] = lambda row, key=key: f"{row.get(key, ''):,}"
    columns[f"{rows[0]['unit']}/s"] = lambda row: f"{row['per_second']:,.0f}"
    columns["median"] = lambda row: f"{row['median']:,.0f}"
    if any(row["per_second"] < SLOW for row in rows):
        columns["ms each"] = lambda row: (
            f"{1000 / row['per_second']:,.0f}" if row["per_second"] < SLOW else ""
        )
    for key, title in (
        ("ratio_to_hle", "x HLE"),
        ("ratio_to_openspiel", "x OpenSpiel"),
        ("ratio_to_jaxmarl", "x JaxMARL"),
        ("speedup", "x one thread"),
    ):
        if any(row.get(key) for row in rows):
            columns[title] = lambda row, key=key: f"{row[key]:,.2f}" if row.get(key) else ""
    return columns


def _both_columns(rows: list[Row]) -> Columns:
    """The columns of a case in which two checkouts are compared."""
    columns = _words(rows)
    for key in ("players", "threads"):
        if any(key in row for row in rows):
            columns[key] = lambda row, key=key: str(row.get(key, ""))
    unit = rows[0]["unit"]
    title, digits = (unit, 2) if unit == "seconds" else (f"{unit}/s", 0)
    for side in ("before", "after"):
        columns[f"{title} {side}"] = lambda row, side=side: (
            f"{row[side]['best']:,.{digits}f}" if row[side] else "-"
        )
    for key, name in (("ratio", "ratio"), ("ratio_of_medians", "of medians")):
        columns[name] = lambda row, key=key: f"{row[key]:,.2f}" if row[key] else "-"
    return columns


def _n_words(columns: dict[str, Any]) -> int:
    return sum(name in ("system", "what", "agent", "observation") for name in columns)
