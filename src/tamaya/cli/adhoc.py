"""`tamaya adhoc`: an agent in ad-hoc teams, the protocol of the Hanabi Challenge."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import (
    AgentText,
    Players,
    Pool,
    RuleText,
    Seed,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.protocols.adhoc import Result

Trials = Annotated[
    int, typer.Option("--trials", "-n", min=100, help="Games per partner, a multiple of 100.")
]


@arena_command
def adhoc(
    agent: AgentText,
    pool: Pool = "all",
    players: Players = "2",
    trials: Trials = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    *,
    options: ArenaOptions,
) -> None:
    """Play in ad-hoc teams: ten sample games of the partner, then one game in a random seat."""
    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.adhoc import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    partners = pool_of(pool, tables_of(players, rules))
    config = Config(agent, partners, players, trials, seed, rules, pool)
    options.run_and_show(PROTOCOL, config, _print_teams)


def _print_teams(result: "Result") -> None:
    config = result.config
    rows = [
        [
            team.partner,
            str(team.rules.players),
            f"{team.mean:.2f} ± {team.se:.2f}",
            f"{100 * team.bombed:.1f} %",
            f"{team.partner_mean:.2f} ± {team.partner_se:.2f}",
            "yes" if team.prepared else "no",
        ]
        for team in result.teams
    ]
    title = f"{config.agent} in ad-hoc teams: {config.trials:,} trials each, seed {config.seed}"
    columns = ["partner", "players", "mean", "bombed", "partner alone", "used samples"]
    print_table(title, columns, rows)
