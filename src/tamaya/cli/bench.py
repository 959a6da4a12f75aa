"""`tamaya bench`: the speed of this package and of the installed peers, measured in one run."""

from typing import Annotated, Any

import typer

from tamaya.cli.options import (
    Json,
    Players,
    parse_player_counts,
    print_json,
    print_table,
    progress_bar,
)
from tamaya.cli.patience import patience

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

SLOW = 100  # per second; below it the time of each is shown


def bench(
    case: CaseNames = [],  # noqa: B006
    players: Players = "2,5",
    seconds: Seconds = 1.0,
    repeat: Repeat = 5,
    skip: Skipped = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Measure the speed of this package and of whichever peers are installed.

    Compile time is excluded, except in the case `startup`.
    """
    from tamaya.bench.measure import make_plan, run_plan

    plan = make_plan(case, parse_player_counts(players), skip)
    with (
        patience("measuring") as say,
        progress_bar("measuring", plan.n_steps(repeat)) as advance,
    ):
        document = run_plan(plan, seconds, repeat, advance, say)
    if json:
        print_json(document)
        return
    _print_document(document)


def _print_document(document: dict[str, Any]) -> None:
    from rich.console import Console

    from tamaya.bench.cases import CASES

    for name, case in CASES.items():
        rows = [row for row in document["cases"] if row["case"] == name]
        if rows:
            columns = _columns(rows)
            cells = [[text(row) for text in columns.values()] for row in rows]
            print_table(f"{name}: {case.title}", list(columns), cells, left=_n_words(columns))
    console = Console(highlight=False, soft_wrap=True)
    for system, reason in document["skipped"].items():
        console.print(f"skipped {system}: {reason}")
    machine = document["machine"]
    load = ", ".join(f"{value:.2f}" for value in machine["load"] or ["unknown"])
    console.print(f"{machine['cpus']} x {machine['cpu']}, Python {machine['python']}, load {load}")


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Title of each column, and the function that returns its text for a row."""
    columns: dict[str, Any] = {"system": lambda row: row["system"]}
    for key in ("what", "agent", "observation"):
        if len({row.get(key) for row in rows}) > 1:
            columns[key] = lambda row, key=key: str(row.get(key, ""))
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


def _n_words(columns: dict[str, Any]) -> int:
    return sum(name in ("system", "what", "agent", "observation") for name in columns)
