"""`tamaya mixed`: an agent with itself and with the partners of a pool, the CIG protocol."""

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
    print_table,
    rules_for,
)
from tamaya.cli.running import Address, On, StoreUrl, working
from tamaya.cli.selfplay import AgentText

Pool = Annotated[
    str,
    typer.Option("--pool", help="W, C, all, or a list such as random,example.", metavar="POOL"),
]


def mixed(
    agent: AgentText,
    pool: Pool = "all",
    players: Players = "2-5",
    games: Games = 400,
    seed: Seed = 0,
    rules: RuleText = "bomb=keep",
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Mirror and mixed scores of the CIG competition; points are kept on a bomb-out, as there."""
    from tamaya.arena import mixed as protocol
    from tamaya.arena.pools import pool_of

    partners = pool_of(pool)
    tables = [rules_for(count, rules) for count in parse_player_counts(players)]
    total = games * len(tables) * (1 + len(partners))
    with working(agent, total, store, on, address, threads) as place:
        mirror = protocol.mirror(agent, tables, games, seed, place.runner).as_dict()
        among = protocol.mixed(agent, partners, tables, games, seed, place.runner).as_dict()
        document = {"agent": agent, "pool": pool, "rules": rules, "mirror": mirror, "mixed": among,
                    "seconds": mirror["seconds"] + among["seconds"]}  # fmt: skip
        config = {"agent": agent, "pool": list(partners), "rules": rules, "seed": seed,
                  "games": games, "players": players}  # fmt: skip
        place.keep("mixed", agent, config, document)
    if json:
        print_json(document)
        return
    _print_evaluation(document)


def _print_evaluation(document: dict[str, Any]) -> None:
    mirror, among = document["mirror"], document["mixed"]
    counts = [row["players"] for row in mirror["by_players"]]

    def cells(evaluation: dict[str, Any]) -> list[str]:
        return [f"{row['mean']:.2f}" for row in evaluation["by_players"]]

    rows = [["mirror", *cells(mirror), f"{mirror['mean']:.2f} ± {mirror['se']:.2f}"]]
    for partner in among["partners"]:
        means = [cell["mean"] for cell in among["cells"] if cell["partner"] == partner]
        rows.append([f"with {partner}", *(f"{mean:.2f}" for mean in means),
                     f"{sum(means) / len(means):.2f}"])  # fmt: skip
    rows.append(["mixed", *cells(among), f"{among['mean']:.2f} ± {among['se']:.2f}"])
    title = (f"{document['agent']}: {mirror['games_per_cell']:,} games per cell, seed "
             f"{mirror['seed']}, {document['rules'] or 'standard rules'}")  # fmt: skip
    print_table(title, ["", *(f"{count} players" for count in counts), "average"], rows)
