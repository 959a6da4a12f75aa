"""`tamaya league`: all agents with themselves, beside the published figures."""

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
    print_table,
    rules_for,
)
from tamaya.cli.running import Address, On, StoreUrl, working

if TYPE_CHECKING:
    from rich.text import Text

    from tamaya.arena.league import Standing
    from tamaya.rules import Rules

AgentTexts = Annotated[
    list[str] | None,
    typer.Argument(help="The agents; without any, every registered one.", metavar="[AGENT...]"),
]


def league(
    agents: AgentTexts = None,
    players: Players = "2-5",
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Rank agents by self-play on the same deals, beside what was published of them."""
    from tamaya.arena.league import league as play_league
    from tamaya.arena.league import plays_at
    from tamaya.arena.pools import checked_agents, pool_of

    names = checked_agents(agents) if agents else pool_of("all")
    tables = [rules_for(count, rules) for count in parse_player_counts(players)]
    total = games * sum(plays_at(name, table) for name in names for table in tables)
    with working("league", total, store, on, address, threads) as place:
        standings = play_league(names, tables, games, seed, place.runner)
        for standing in standings:
            _keep(place, standing, tables[0], {"rules": rules, "seed": seed, "games": games,
                                               "players": _sizes(standing)})  # fmt: skip
    if json:
        print_json({"seed": seed, "games": games, "standings": _as_rows(standings, tables)})
        return
    title = f"League: {games:,} games per agent and size, seed {seed}" + (
        f", {rules}" if rules else ""
    )
    _print_standings(title, _as_rows(standings, tables), [table.players for table in tables])


def _sizes(standing: "Standing") -> str:
    """The numbers of players that an agent played with, as an option."""
    return ",".join(str(summary.players) for summary in standing.summaries)


def _keep(place: Any, standing: "Standing", rules: "Rules", config: dict[str, Any]) -> None:
    """Put the self-play of one agent into the store, as `tamaya selfplay` does."""
    from tamaya.cli.selfplay import selfplay_document

    seed = config["seed"]
    document = selfplay_document(standing.agent, seed, rules, list(standing.summaries), [])
    place.keep("selfplay", standing.agent, {"agent": standing.agent, **config}, document)


def _as_rows(standings: list["Standing"], tables: list["Rules"]) -> list[dict[str, Any]]:
    from tamaya.arena.league import published_for

    rows = []
    for standing in standings:
        figures = []
        for summary in standing.summaries:
            table = next(table for table in tables if table.players == summary.players)
            published = published_for(standing.agent, table)
            figures.append(
                {
                    "players": summary.players,
                    "mean": summary.mean,
                    "se": summary.se,
                    "perfect": summary.perfect,
                    "published": published[1].published if published else None,
                    "table": published[0] if published else None,
                }
            )
        rows.append({"agent": standing.agent, "mean": standing.mean, "figures": figures})
    return rows


def _print_standings(title: str, rows: list[dict[str, Any]], counts: list[int]) -> None:
    from rich.console import Console

    shown, sources = [], []
    for row in rows:
        by_players = {figure["players"]: figure for figure in row["figures"]}
        shown.append([row["agent"], *(_cell(by_players.get(count)) for count in counts)])
        tables = sorted({figure["table"] for figure in row["figures"] if figure["table"]})
        if tables:
            sources.append(f"{row['agent']} in {', '.join(tables)}")
    print_table(title, ["agent", *(f"{count} players" for count in counts)], shown)
    if sources:
        Console().print(f"  in brackets: published, {'; '.join(sources)}; `tamaya reproduce` "
                        "has their rules\n", highlight=False)  # fmt: skip


def _cell(figure: dict[str, Any] | None) -> "Text":
    from rich.text import Text

    cell = Text("" if figure is None else f"{figure['mean']:.2f}")
    if figure is not None and figure["published"] is not None:
        cell.append(f" ({figure['published']:.2f})", style="dim")
    return cell
