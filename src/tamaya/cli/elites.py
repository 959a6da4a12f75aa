"""`tamaya elites`: the best rule list for every style of play (MAP-Elites)."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    FAITHFUL_HELP,
    RULE_SET_HELP,
    Json,
    Players,
    RuleText,
    RunFolder,
    Seed,
    Threads,
    counted,
    parse_player_counts,
    print_json,
    progress_bar,
)
from tamaya.cli.running import Address, On

if TYPE_CHECKING:
    from tamaya.evolve.elites import ElitesRun


def elites(
    folder: RunFolder,
    players: Players = "2-5",
    rule_set: Annotated[str, typer.Option(help=RULE_SET_HELP)] = "elites",
    faithful: Annotated[bool, typer.Option(help=FAITHFUL_HELP)] = True,
    random: Annotated[int, typer.Option(help="Random lists to start from.")] = 10_000,
    variants: Annotated[int, typer.Option(help="Variants to try after them.")] = 1_000_000,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Games per list and number of players.")
    ] = 20,
    length: Annotated[int, typer.Option(help="Rules per list.")] = 15,
    seed: Seed = 1,
    rules: RuleText = "bomb=keep refill=in_place",
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Find the best rule list for each style of play: how much it hints and how little it risks."""
    from tamaya.arena.executor import make_executor
    from tamaya.evolve.elites import ElitesConfig, ElitesRun
    from tamaya.evolve.evaluation import Protocol
    from tamaya.evolve.rule_sets import rule_set as genes_of

    protocol = Protocol(players=tuple(parse_player_counts(players)), rules=rules)
    config = ElitesConfig(genes_of(rule_set), protocol, faithful, length, random=random,
                          variants=variants, games=games, seed=seed)  # fmt: skip
    run = ElitesRun(folder, config, make_executor(on, threads, address))
    with progress_bar("lists", config.total) as advance:
        advance(run.done)
        seen = [run.done]

        def show(state: "ElitesRun") -> None:
            advance(state.done - seen[0])
            seen[0] = state.done

        run.evolve(show)
    rows = run.finish()
    chart = _draw(folder, rows, config.cells)
    if json:
        print_json({"folder": str(folder), "evaluated": run.done, "map": rows, "chart": chart})
        return
    _print_map(rows, config.cells)
    best = max(rows, key=lambda row: row["mean"])
    sys.stdout.write(
        f"{len(rows)} of {config.cells**2} styles found with {counted(run.done, 'list')}; "
        f"the best scores {best['mean']:.2f}\nagents: {folder / 'elites'}  chart: {chart}\n"
    )


def _draw(folder: Path, rows: list[dict[str, Any]], cells: int) -> str:
    from tamaya.atomic import write_atomically
    from tamaya.report.evolution_charts import elites_chart
    from tamaya.report.theme import draw_svg, on_white

    path = folder / "map.svg"
    write_atomically(path, on_white(draw_svg(elites_chart(rows, cells))))
    return str(path)


def _print_map(rows: list[dict[str, Any]], cells: int) -> None:
    """The map in the terminal: a whole number for each cell, blank where nothing was found."""
    scores = {tuple(row["cell"]): row["mean"] for row in rows}
    lines = ["Mean score by style: communicativeness to the right, risk aversion upwards"]
    for risk in range(cells - 1, -1, -1):
        marks = (f"{scores[c, risk]:3.0f}" if (c, risk) in scores else "  ." for c in range(cells))
        lines.append(f"{(risk + 0.5) / cells:5.2f} " + "".join(marks))
    sys.stdout.write("\n".join(lines) + "\n")
