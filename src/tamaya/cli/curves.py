"""`tamaya curves`: how training went, run by run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, print_json, print_table
from tamaya.cli.running import StoreUrl

if TYPE_CHECKING:
    from tamaya.learn.curves import Curve

Sources = Annotated[
    list[str],
    typer.Argument(help="Folders of runs, or learned agents.", metavar="RUN..."),
]


def curves(
    sources: Sources,
    chart: Annotated[
        Path | None, typer.Option(help="Draw them into this file, .svg or .png.", metavar="FILE")
    ] = None,
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Show the learning curves of training runs, and keep them for the report."""
    from tamaya.learn.curves import curves_of
    from tamaya.store.database import Store

    if chart is not None and chart.suffix not in (".svg", ".png"):
        raise ValueError(f"{chart} should end in .svg or .png")
    found = [curve for source in sources for curve in curves_of(source)]
    names = [Path(source).stem for source in sources]
    document = {"curves": [curve.as_dict() for curve in found]}
    opened = Store(store)
    try:
        opened.add_result("training", " ".join(names), {"sources": sources}, document,
                          sum(curve.cpu_seconds for curve in found))  # fmt: skip
    finally:
        opened.close()
    if chart is not None:
        _draw(chart, document["curves"])
    if json:
        print_json(document)
        return
    _print(found)


def _draw(file: Path, rows: list[dict[str, Any]]) -> None:
    from tamaya.report.learning import learning_chart
    from tamaya.report.theme import draw_svg, on_white, to_png

    svg = on_white(draw_svg(learning_chart(rows)))
    file.write_bytes(to_png(svg) if file.suffix == ".png" else svg.encode())


def _print(found: "list[Curve]") -> None:
    """One line per run, the best of each table first."""
    rows = [
        [
            curve.name,
            f"{curve.algorithm}, {curve.preset}",
            _table_of(curve),
            str(curve.seed),
            f"{curve.turns / 1e6:.1f}M",
            f"{curve.points[-1][1]:.2f}",
            f"{curve.best:.2f}",
            f"{curve.test['mean']:.3f} ± {curve.test['se']:.3f}" if curve.test else "",
            f"{100 * curve.test['perfect']:.1f} %" if curve.test else "",
        ]
        for curve in sorted(found, key=lambda curve: (curve.rules, -curve.best))
    ]
    columns = ["run", "algorithm", "table", "seed", "turns", "last", "best", "test", "perfect"]
    print_table("Training, by mean score on the validation deals", columns, rows, left=3)


def _table_of(curve: "Curve") -> str:
    """Number of players, and what differs from the standard rules."""
    from tamaya.report.selection import rule_text
    from tamaya.rules import Rules

    rules = Rules.parse(curve.rules)
    return f"{rules.players} players {rule_text(rules)}".strip()
