"""`tamaya adhoc`: an agent in ad-hoc teams, the protocol of the Hanabi Challenge."""

from typing import Annotated, Any

import typer

from tamaya.cli.mixed import Pool
from tamaya.cli.options import (
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

Trials = Annotated[
    int, typer.Option("--trials", "-n", min=100, help="Games per partner, a multiple of 100.")
]


def adhoc(
    agent: AgentText,
    pool: Pool = "all",
    players: Players = "2",
    trials: Trials = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Ad-hoc teams: ten sample games of the partner, then one game in a random seat."""
    from tamaya.arena.adhoc import adhoc as play_adhoc
    from tamaya.arena.pools import pool_of

    partners = pool_of(pool)
    tables = [rules_for(count, rules) for count in parse_player_counts(players)]
    teams = []
    total = 2 * trials * len(tables) * len(partners)
    with working(agent, total, store, on, address, threads) as place:
        for table in tables:
            for partner in partners:
                team = play_adhoc(agent, partner, table, trials, seed, place.runner)
                teams.append(team.as_dict())
        document = {"agent": agent, "pool": pool, "teams": teams,
                    "seconds": sum(team["seconds"] for team in teams)}  # fmt: skip
        config = {"agent": agent, "pool": list(partners), "rules": rules, "seed": seed,
                  "trials": trials, "players": players}  # fmt: skip
        place.keep("adhoc", agent, config, document)
    if json:
        print_json(document)
        return
    _print_teams(f"{agent} in ad-hoc teams: {trials:,} trials each, seed {seed}", teams)


def _print_teams(title: str, teams: list[dict[str, Any]]) -> None:
    rows = []
    for team in teams:
        alone = team["partner_selfplay"]
        rows.append(
            [
                team["partner"],
                str(team["players"]),
                f"{team['mean']:.2f} ± {team['se']:.2f}",
                f"{100 * team['bombed']:.1f} %",
                f"{alone['mean']:.2f} ± {alone['se']:.2f}",
                "yes" if team["prepared"] else "no",
            ]
        )
    columns = ["partner", "players", "mean", "bombed", "partner alone", "used samples"]
    print_table(title, columns, rows)
