"""`tamaya league`: self-play of all agents, next to the published figures."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    Games,
    Players,
    RuleText,
    Seed,
    counted,
    print_json,
    print_note,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from rich.text import Text

    from tamaya.arena.protocols.selfplay import Result

AgentTexts = Annotated[
    list[str] | None,
    typer.Argument(help="The agents; without any, every registered one.", metavar="AGENT"),
]


@arena_command
def league(
    agents: AgentTexts = None,
    players: Players = "2-5",
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    *,
    options: ArenaOptions,
) -> None:
    """Rank agents by self-play on the same deals, next to published figures.

    Agents that are made for other rules play under those rules, in a separate table.
    """
    from tamaya.agent import AgentError
    from tamaya.arena.league import league_configs, ranked
    from tamaya.arena.pools import checked_agents, pool_of
    from tamaya.arena.protocols.selfplay import PROTOCOL
    from tamaya.arena.rule_texts import player_counts

    names = checked_agents(agents) if agents else pool_of("all")
    configs = league_configs(names, players, games, seed, rules)
    if not configs:
        raise AgentError(f"none of the agents plays with {players} players")
    results, pace = options.run_and_store(PROTOCOL, configs, "league")
    groups = {text: [_standing(result) for result in group]
              for text, group in ranked(results, rules).items()}  # fmt: skip
    if options.json:
        rows = [{**row, "rules": text} for text, group in groups.items() for row in group]
        print_json({"seed": seed, "games": games, "standings": rows})
        return
    for text, rows in groups.items():
        title = f"League: {counted(games, 'game')} per agent and number of players, seed {seed}"
        title += f", {text}" if text else ""
        _print_standings(title, rows, player_counts(players))
    print_note(str(pace))


def _standing(result: "Result") -> dict[str, Any]:
    """The scores of an agent, next to the published figures."""
    from tamaya.arena.league import published_for

    figures = []
    for table, summary in zip(result.tables, result.summaries, strict=True):
        published = published_for(result.config.agent, table)
        figures.append(
            {
                "players": summary.players,
                "mean": summary.mean,
                "se": summary.as_dict()["se"],
                "perfect": summary.perfect,
                "published": published[1].published if published else None,
                "table": published[0] if published else None,
            }
        )
    return {"agent": result.config.agent, "mean": result.mean, "figures": figures}


def _print_standings(title: str, rows: list[dict[str, Any]], counts: list[int]) -> None:
    from rich.console import Console

    shown = []
    sources: dict[str, list[str]] = {}  # agents by the table with their published figures
    for row in rows:
        by_players = {figure["players"]: figure for figure in row["figures"]}
        shown.append([row["agent"], *(_cell(by_players.get(count)) for count in counts)])
        for table in sorted({figure["table"] for figure in row["figures"] if figure["table"]}):
            sources.setdefault(table, []).append(row["agent"])
    print_table(title, ["agent", *(f"{count} players" for count in counts)], shown)
    if sources:
        listed = "; ".join(f"{table}: {', '.join(agents)}" for table, agents in sources.items())
        Console().print(f"  in brackets: published figures ({listed}), perhaps under other rules: "
                        "see `tamaya reproduce`\n", highlight=False)  # fmt: skip


def _cell(figure: dict[str, Any] | None) -> "Text":
    from rich.text import Text

    cell = Text("" if figure is None else f"{figure['mean']:.2f}")
    if figure is not None and figure["published"] is not None:
        cell.append(f" ({figure['published']:.2f})", style="dim")
    return cell
