"""`tamaya crossplay`: every agent with every other."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    Games,
    Json,
    Players,
    RuleText,
    Seed,
    Threads,
    parse_player_counts,
    print_json,
    rules_for,
)
from tamaya.cli.running import Address, On, StoreUrl, working

NAME_WIDTH, CELL_WIDTH = 29, 6  # of a table in the terminal

if TYPE_CHECKING:
    from rich.text import Text

AgentTexts = Annotated[
    list[str],
    typer.Argument(help="The agents; 'all' means every registered one.", metavar="A B..."),
]


def crossplay(
    agents: AgentTexts,
    players: Players = "2",
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Crosstable of agents: one in a random seat, copies of the other in the rest."""
    from tamaya.agent import check_players
    from tamaya.arena.crossplay import crossplay as play_crosstable
    from tamaya.arena.crossplay import n_cells
    from tamaya.arena.league import plays_at
    from tamaya.arena.pools import checked_agents, pool_of
    from tamaya.registry import find_agent

    tables = [rules_for(count, rules) for count in parse_player_counts(players)]
    if agents == ["all"]:
        names = tuple(n for n in pool_of("all") if all(plays_at(n, table) for table in tables))
    else:
        names = checked_agents(agents)
        for name in names:
            for table in tables:
                check_players(find_agent(name), table.players)
    total = games * sum(n_cells(len(names), table.players) for table in tables)
    documents = []
    with working("crossplay", total, store, on, address, threads) as place:
        for table in tables:
            document = play_crosstable(names, table, games, seed, place.runner).as_dict()
            config = {"agents": list(names), "rules": table.to_text(), "seed": seed, "games": games}
            place.keep("crossplay", f"{table.players} players", config, document)
            documents.append(document)
    if json:
        print_json({"crosstables": documents})
        return
    for document in documents:
        _print_crosstable(document)


def _print_crosstable(document: dict[str, Any]) -> None:
    """A heat map in the terminal, and what it amounts to."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tamaya.report.names import short_names

    short = short_names(document["agents"], NAME_WIDTH - 7)
    title = (f"{document['players']} players, {document['games']:,} games per cell, "
             f"seed {document['seed']}")  # fmt: skip
    console = Console(highlight=False)
    n_fit = max(1, (console.width - NAME_WIDTH) // CELL_WIDTH)
    for first in range(0, len(short), n_fit):  # as many columns at a time as fit
        columns = range(first, min(first + n_fit, len(short)))
        table = Table(title=Text(title) if first == 0 else None, box=box.SIMPLE_HEAD,
                      title_justify="left", title_style="bold", padding=(0, 0, 0, 1))  # fmt: skip
        table.add_column("one seat, among copies of", no_wrap=True)
        for k in columns:
            table.add_column(str(k + 1), justify="right", no_wrap=True)
        for k, (name, row) in enumerate(zip(short.values(), document["means"], strict=True)):
            table.add_row(Text(f"{k + 1} {name}"), *(_heat(row[column]) for column in columns))
        console.print(table)
    statistics = document["statistics"]
    off = statistics["off_diagonal"]
    largest = max(error or 0 for row in document["errors"] for error in row)
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
