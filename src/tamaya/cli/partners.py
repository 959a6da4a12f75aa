"""`tamaya partners`: which agents go best with one partner."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import CellGames, Players, Pool, RuleText, Seed, counted, print_table
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.protocols.partners import Guest, Result

Partner = Annotated[
    str,
    typer.Argument(help="The partner: a name, name:key=value,... or path/to/file.py:name."),
]


@arena_command
def partners(
    partner: Partner,
    pool: Pool = "all",
    players: Players = "2",
    games: CellGames = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    *,
    options: ArenaOptions,
) -> None:
    """Rank agents by how well they go with a partner: one seat among copies of it."""
    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.partners import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    agents = pool_of(pool, tables_of(players, rules))
    config = Config(partner, agents, players, games, seed, rules)
    options.run_and_show(PROTOCOL, config, _print_guests)


def _print_guests(result: "Result") -> None:
    """A table for each number of players, the best agent first."""
    config = result.config
    columns = ["agent", "mean", "± se", "perfect", "bombed", "kept"]
    for rules in config.tables():
        title = (f"with {config.partner}, {rules.players} players: {counted(config.games, 'game')} "
                 f"per agent, seed {config.seed}")  # fmt: skip
        rows = [_cells(guest, config.partner) for guest in result.at(rules.players)]
        print_table(title, columns, rows)


def _cells(guest: "Guest", partner: str) -> list[str]:
    name = f"{guest.agent} (itself)" if guest.agent == partner else guest.agent
    error = "" if guest.se is None else f"{guest.se:.3f}"
    return [name, f"{guest.mean:.3f}", error, f"{100 * guest.perfect:.2f} %",
            f"{100 * guest.bombed:.2f} %", f"{guest.mean_points_kept:.2f}"]  # fmt: skip
