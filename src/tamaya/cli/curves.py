"""`tamaya curves`: how training went, run by run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import Json, StoreUrl, print_json, print_table
from tamaya.cli.running import ArenaOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamaya.arena.protocols.training import Curve

Sources = Annotated[
    list[str],
    typer.Argument(help="Folders of runs, or learned agents.", metavar="RUN"),
]


def curves(
    sources: Sources,
    chart: Annotated[
        Path | None,
        typer.Option(help="Also draw the curves, to a .svg or .png file.", metavar="FILE"),
    ] = None,
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Show the learning curves of training runs, and store them for the report."""
    from tamaya.arena.protocols.training import PROTOCOL, Config
    from tamaya.learn.curves import curves_of

    if chart is not None and chart.suffix not in (".svg", ".png"):
        raise ValueError(f"--chart {chart}: expected a name that ends in .svg or .png")
    found = [curve for source in sources for curve in curves_of(source)]
    options = ArenaOptions(store, json=json)
    [result], _ = options.run_and_store(PROTOCOL, [Config(tuple(sources))], curves=found)
    if chart is not None:
        _draw(chart, result.curves)
    if json:
        print_json(result.to_document())
        return
    _print(result.curves)


def _draw(file: Path, curves: "Sequence[Curve]") -> None:
    from tamaya.atomic import write_atomically
    from tamaya.report.learning import learning_chart
    from tamaya.report.theme import draw_svg, on_white, to_png

    svg = on_white(draw_svg(learning_chart(curves)))
    write_atomically(file, to_png(svg) if file.suffix == ".png" else svg)


def _print(found: "Sequence[Curve]") -> None:
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
    from tamaya.arena.rule_texts import rule_text
    from tamaya.rules import Rules

    rules = Rules.parse(curve.rules)
    return f"{rules.players} players {rule_text(rules)}".strip()
