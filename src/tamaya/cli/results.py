"""`tamaya results`: what is in the store."""

from pathlib import Path
from typing import Annotated

import typer

from tamaya.cli.options import Json, print_json, print_table
from tamaya.cli.running import StoreUrl

Protocol = Annotated[
    str | None, typer.Option("--protocol", help="Only selfplay, crossplay, mixed, adhoc, ...")
]
Name = Annotated[str | None, typer.Option("--name", help="Only this agent or table.")]
Export = Annotated[
    Path | None,
    typer.Option("--export", help="Write to a .csv, .parquet or .json file.", metavar="FILE"),
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
    """List or export the results that were kept."""
    from tamaya.store.database import Store
    from tamaya.store.export import export_results, write_games

    opened = Store(store)
    try:
        rows = opened.results(protocol, name)
        recorded = opened.recorded_games() if games is not None else []
    finally:
        opened.close()
    if export is not None:
        export_results(rows, export)
    if games is not None:
        write_games(recorded, games)
    if json:
        print_json({"store": opened.address, "results": rows})
        return
    print_table(
        f"{len(rows)} results in {opened.address}",
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
