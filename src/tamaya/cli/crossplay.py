"""`tamaya crossplay`: every agent with every other."""

from typing import Annotated, Any

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
    from tamaya.arena.crossplay import crossplay as play_crosstable
    from tamaya.arena.crossplay import n_cells
    from tamaya.arena.pools import pool_of

    names = pool_of("all") if agents == ["all"] else pool_of(" ".join(agents) + " ")
    tables = [rules_for(count, rules) for count in parse_player_counts(players)]
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

    names = document["agents"]
    title = (f"{document['players']} players, {document['games']:,} games per cell, "
             f"seed {document['seed']}: row agent among copies of the column agent")  # fmt: skip
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("")
    for k, _ in enumerate(names):
        table.add_column(str(k + 1), justify="right")
    for k, (name, row) in enumerate(zip(names, document["means"], strict=True)):
        table.add_row(f"{k + 1} {name}", *(_heat(mean) for mean in row))
    console = Console()
    console.print(table)
    statistics = document["statistics"]
    off = statistics["off_diagonal"]
    console.print(f"  diagonal {statistics['diagonal']:.2f}, off the diagonal "
                  f"{'none' if off is None else f'{off:.2f}'}; standard errors up to "
                  f"{max(max(row) for row in document['errors']):.2f}\n")  # fmt: skip


def _heat(mean: float) -> str:
    """A mean score on a background from dark to bright."""
    level = round(232 + 23 * mean / 25)
    text = "black" if level > 243 else "white"
    return f"[{text} on color({level})]{mean:6.2f} [/]"
