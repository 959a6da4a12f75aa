"""`tamaya report`: the results of the store as one HTML page with charts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import Json, StoreUrl, print_json
from tamaya.cli.running import read_store

if TYPE_CHECKING:
    from tamaya.report.page import Report
    from tamaya.store.database import Store

Out = Annotated[
    Path,
    typer.Option("--out", "-o", help="The page (.html), or a folder for it.", metavar="PATH"),
]
Charts = Annotated[
    str,
    typer.Option(
        "--charts", help="Formats of the chart files: svg, png, svg,png or none.",
        metavar="FORMATS",
    ),
]  # fmt: skip


def report(
    out: Out = Path("report.html"),
    store: StoreUrl = None,
    charts: Charts = "svg,png",
    json: Json = False,
) -> None:
    """Write the newest results as a self-contained HTML page, and its charts as files."""
    from tamaya.report.games import ReportGames
    from tamaya.report.page import build_report, write_report

    formats = _formats(charts)
    path = out if out.suffix.lower() in (".html", ".htm") else out / "report.html"

    def build(opened: "Store") -> "tuple[int, Report]":
        results = opened.results()
        return len(results), build_report(results, opened.address, ReportGames(opened))

    address, found = read_store(store, build, None)
    n_results, made = found or (0, build_report([], address))
    written = write_report(made, path, formats)
    if json:
        print_json({"page": str(path), "charts": [str(file) for file in written],
                    "sections": list(made.sections), "results": n_results,
                    "store": address})  # fmt: skip
        return
    if not n_results:
        typer.echo(f"The store {address} has no results yet; {path} explains how to add some.")
        return
    charts_written = f", {len(written)} files in {written[0].parent}" if written else ""
    typer.echo(f"Wrote {path}{charts_written}")


def _formats(text: str) -> list[str]:
    """Formats of ``svg,png``; ``none`` means none."""
    known = ("svg", "png")
    names = [name.strip() for name in text.split(",") if name.strip() not in ("", "none")]
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"{name!r} is not a chart format: expected {', '.join(known)} or none"
            )
    return names
