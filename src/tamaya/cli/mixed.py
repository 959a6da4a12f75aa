"""`tamaya mixed`: an agent with itself and with the partners of a pool, the CIG protocol."""

from typing import TYPE_CHECKING

from tamaya.cli.options import (
    AgentText,
    CellGames,
    Players,
    Pool,
    RuleText,
    Seed,
    counted,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.protocols.mixed import Evaluation, Result


@arena_command
def mixed(
    agent: AgentText,
    pool: Pool = "all",
    players: Players = "2-5",
    games: CellGames = 400,
    seed: Seed = 0,
    rules: RuleText = "bomb=keep",
    *,
    options: ArenaOptions,
) -> None:
    """Print mirror and mixed scores as in the CIG competition, where bomb-outs keep points."""
    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.mixed import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    partners = pool_of(pool, tables_of(players, rules))
    config = Config(agent, partners, players, games, seed, rules, pool)
    options.run_and_show(PROTOCOL, config, _print_evaluations)


def _print_evaluations(result: "Result") -> None:
    mirror, among = result.mirror, result.mixed

    def cells(evaluation: "Evaluation") -> list[str]:
        return [f"{size.mean:.2f}" for size in evaluation.by_players]

    rows = [["mirror", *cells(mirror), f"{mirror.mean:.2f} ± {mirror.se:.2f}"]]
    for partner in among.partners:
        means = [cell.mean for cell in among.cells if cell.partner == partner]
        rows.append([f"with {partner}", *(f"{mean:.2f}" for mean in means),
                     f"{sum(means) / len(means):.2f}"])  # fmt: skip
    rows.append(["mixed", *cells(among), f"{among.mean:.2f} ± {among.se:.2f}"])
    config = result.config
    title = (f"{config.agent}: {counted(config.games, 'game')} per cell, seed {config.seed}, "
             f"{config.rules or 'standard rules'}")  # fmt: skip
    columns = (f"{size.players} players" for size in mirror.by_players)
    print_table(title, ["", *columns, "average"], rows)
