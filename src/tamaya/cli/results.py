"""`tamaya results`: what is in the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, StoreUrl, counted, print_json, print_note, print_table
from tamaya.cli.running import read_store

if TYPE_CHECKING:
    from tamaya.store.database import Store

# Results, and recorded games as name of the match, number and text.
Found = tuple[list[dict[str, Any]], list[tuple[str, int, str]]]
Protocol = Annotated[
    str | None,
    typer.Option("--protocol", help="Only this protocol: selfplay, crossplay, mixed, adhoc, ..."),
]
Name = Annotated[str | None, typer.Option("--name", help="Only this agent or table.")]
Export = Annotated[
    Path | None,
    typer.Option(
        "--export",
        help="Write to a .csv, .parquet or .json file; replaced if it exists.",
        metavar="FILE",
    ),
]
Games = Annotated[
    Path | None,
    typer.Option("--games", help="Write the recorded games into a folder.", metavar="FOLDER"),
]


def results(
    protocol: Protocol = None,
    name: Name = None,
    export: Export = None,
    games: Games = None,
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """List or export the stored results."""
    from tamaya.arena.protocols import protocols

    is_asked = games is not None
    if protocol is not None and protocol not in protocols():
        known = ", ".join(protocols())
        raise typer.BadParameter(f"unknown protocol {protocol!r}: expected one of {known}")

    def read(opened: "Store") -> Found:
        return opened.results(protocol, name), opened.recorded_games() if is_asked else []

    nothing: Found = [], []
    address, (rows, recorded) = read_store(store, read, nothing)
    notes = []
    if export is not None:
        notes.append(_export(rows, export))
    if games is not None:
        notes.append(_write_games(recorded, games))
    if json:
        print_json({"store": address, "results": rows})
        return
    print_table(
        f"{counted(len(rows), 'result')} in {address}",
        ["id", "protocol", "name", "version", "seconds", "created"],
        [
            [
                str(row["id"]),
                row["protocol"],
                row["name"],
                row["version"],
                f"{row['seconds']:.1f}",
                row["created"],
            ]
            for row in rows
        ],
        left=3,
    )
    if not rows and (protocol or name):
        notes.insert(0, "no stored result has that protocol and name; without these options, "
                        "`tamaya results` lists everything")  # fmt: skip
    for note in notes:
        print_note(note)


def _export(rows: list[dict[str, Any]], file: Path) -> str:
    """Write results to a file and say what was written; warn about the others."""
    from tamaya.store.export import export_results

    unread = export_results(rows, file)
    for row, reason in unread:
        typer.echo(f"tamaya: result {row['id']} is not in {file}: {reason}", err=True)
    return f"wrote {counted(len(rows) - len(unread), 'result')} to {file}"


def _write_games(recorded: list[tuple[str, int, str]], folder: Path) -> str:
    """Write the recorded games into a folder and say what was written."""
    from tamaya.store.export import write_games

    places = write_games(recorded, folder)
    if not recorded:
        return f"wrote nothing to {folder}: no games are stored; `selfplay --keep` stores some"
    return f"wrote {counted(len(recorded), 'game')} of {counted(len(places), 'match')} to {folder}"
