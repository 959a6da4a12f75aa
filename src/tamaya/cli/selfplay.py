"""`tamaya selfplay`: how strong an agent is with copies of itself."""

from typing import TYPE_CHECKING, Annotated

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
    progress_bar,
    rules_for,
)

if TYPE_CHECKING:
    from tamaya.arena.selfplay import Summary

AgentText = Annotated[
    str,
    typer.Argument(help="A name, name:key=value,... or path/to/file.py:name.", metavar="AGENT"),
]


def selfplay(
    agent: AgentText,
    players: Players = "2-5",
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Play an agent with copies of itself: mean, standard error, perfect games, histogram."""
    from tamaya.agent import check_players
    from tamaya.arena.selfplay import summarise
    from tamaya.registry import find_agent
    from tamaya.table import play

    counts = parse_player_counts(players)
    player = find_agent(agent)
    tables = [rules_for(count, rules) for count in counts]
    for table in tables:
        check_players(player, table.players)
    summaries = []
    with progress_bar(agent, games * len(counts)) as advance:
        for table in tables:
            played = play(player, table, games, seed=seed, threads=threads or None,
                          on_progress=advance)  # fmt: skip
            summaries.append(summarise(played))
    if json:
        options = {
            key: value
            for key, value in tables[0].as_dict().items()
            if key not in ("players", "hand_size")
        }
        results = [summary.as_dict() for summary in summaries]
        print_json({"agent": agent, "seed": seed, "rules": options, "results": results})
        return
    title = f"{agent}: {games:,} games per size, seed {seed}" + (f", {rules}" if rules else "")
    _print_summaries(title, summaries)


def _print_summaries(title: str, summaries: list["Summary"]) -> None:
    print_table(
        title,
        ["players", "mean", "± se", "sd", "perfect", "bombed", "points kept", "games/s"],
        [
            [
                str(row.players),
                f"{row.mean:.3f}",
                f"{row.se:.3f}",
                f"{row.sd:.2f}",
                f"{100 * row.perfect:.2f} %",
                f"{100 * row.bombed:.2f} %",
                f"{row.mean_points_kept:.3f}",
                f"{row.games / row.seconds:,.0f}",
            ]
            for row in summaries
        ],
    )
    _print_histograms(summaries)


def _print_histograms(summaries: list["Summary"]) -> None:
    """The scores 0 to 25 of each number of players as a line of blocks."""
    from rich.console import Console

    console = Console(highlight=False)
    for row in summaries:
        console.print(f"  {row.players}   scores 0 [cyan]{_sparkline(row.histogram)}[/] 25")
    console.print()


def _sparkline(counts: list[int]) -> str:
    """A histogram as one line of block characters, a dot where there is nothing."""
    blocks = "▁▂▃▄▅▆▇█"
    top = max(counts)
    return "".join(blocks[7 * n // top] if n else "·" for n in counts)
