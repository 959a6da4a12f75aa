"""`tamaya crossplay`: every agent with every other."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import CellGames, Players, RuleText, Seed, counted, print_json, print_note
from tamaya.cli.running import ArenaOptions, arena_command

NAME_WIDTH, CELL_WIDTH = 29, 6  # of a table in the terminal

if TYPE_CHECKING:
    from rich.text import Text

    from tamaya.arena.protocols.crossplay import Result

AgentTexts = Annotated[
    list[str],
    typer.Argument(help="The agents; 'all' means every registered one.", metavar="AGENT"),
]


@arena_command
def crossplay(
    agents: AgentTexts,
    players: Players = "2",
    games: CellGames = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    *,
    options: ArenaOptions,
) -> None:
    """Print a crosstable: one agent in a random seat, copies of another in the rest."""
    from tamaya.arena.pools import checked_agents, pool_of
    from tamaya.arena.protocols.crossplay import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    tables = tables_of(players, rules)
    names = pool_of("all", tables) if agents == ["all"] else checked_agents(agents)
    configs = [Config(names, table.to_text(), games, seed) for table in tables]
    results, pace = options.run_and_store(PROTOCOL, configs, "crossplay")
    if options.json:
        print_json({"crosstables": [result.to_document() for result in results]})
        return
    for result in results:
        _print_crosstable(result)
    print_note(str(pace))


def _print_crosstable(result: "Result") -> None:
    """A heat map in the terminal, and its averages."""
    from math import isnan

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tamaya.report.names import short_names

    short = short_names(result.agents, NAME_WIDTH - 7)
    title = (f"{result.rules.players} players, {counted(result.games, 'game')} per cell, "
             f"seed {result.seed}")  # fmt: skip
    console = Console(highlight=False)
    n_fit = max(1, (console.width - NAME_WIDTH) // CELL_WIDTH)
    for first in range(0, len(short), n_fit):  # as many columns at a time as fit
        columns = range(first, min(first + n_fit, len(short)))
        table = Table(title=Text(title) if first == 0 else None, box=box.SIMPLE_HEAD,
                      title_justify="left", title_style="bold", padding=(0, 0, 0, 1))  # fmt: skip
        table.add_column("one seat, among copies of", no_wrap=True)
        for k in columns:
            table.add_column(str(k + 1), justify="right", no_wrap=True)
        for k, name in enumerate(short.values()):
            cells = (_heat(float(result.means[k, column])) for column in columns)
            table.add_row(Text(f"{k + 1} {name}"), *cells)
        console.print(table)
    statistics = result.statistics()
    off = statistics["off_diagonal"]
    largest = max(0.0 if isnan(error) else error for error in result.errors.flat)
    console.print(f"  diagonal {statistics['diagonal']:.2f}, off the diagonal "
                  f"{'none' if off is None else f'{off:.2f}'}; "
                  f"standard errors up to {largest:.2f}")  # fmt: skip
    for name, best in statistics["best_partner"].items():
        console.print(f"  {short[name]}: best partner {short[best['partner']]}, {best['mean']:.2f}",
                      markup=False)  # fmt: skip
    console.print()


def _heat(mean: float) -> "Text":
    """A mean score on a background from dark to bright."""
    from rich.text import Text

    level = round(232 + 23 * mean / 25)
    return Text(f"{mean:4.1f}", style=f"{'black' if level > 243 else 'white'} on color({level})")
