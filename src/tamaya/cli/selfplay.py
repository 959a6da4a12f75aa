"""`tamaya selfplay`: how strong an agent is with copies of itself."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    Games,
    Json,
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
    from tamaya.arena.match import Match
    from tamaya.arena.selfplay import Comparison, Summary
    from tamaya.cli.running import Place
    from tamaya.rules import Rules

AgentText = Annotated[
    str,
    typer.Argument(help="A name, name:key=value,... or path/to/file.py:name.", metavar="AGENT"),
]


Against = Annotated[
    str, typer.Option("--against", help="Compare with another agent on the same deals.")
]
UntilSe = Annotated[
    float, typer.Option("--until-se", min=0, help="Stop early at this standard error; 0 never.")
]


Keep = Annotated[
    int, typer.Option("--keep", min=0, help="Also keep so many games per size in the store.")
]


def selfplay(
    agent: AgentText,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            help="Numbers of players: 3, 2-5 or 2,4.  [all it plays with]",
        ),
    ] = None,
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    until_se: UntilSe = 0.0,
    against: Against = "",
    keep: Keep = 0,
    store: StoreUrl = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Play an agent with copies of itself: mean, standard error, perfect games, histogram."""
    from tamaya.agent import check_players
    from tamaya.arena.match import Match
    from tamaya.arena.selfplay import compare
    from tamaya.arena.selfplay import selfplay as play_selfplay
    from tamaya.registry import find_agent

    tables = [rules_for(count, rules) for count in _counts(players, agent)]
    for text in (agent, against) if against else (agent,):
        for table in tables:
            check_players(find_agent(text), table.players)
    summaries, comparisons = [], []
    total = games * len(tables) * (2 if against else 1)
    with working(agent, total, store, on, address, threads) as place:
        for table in tables:
            summaries.append(play_selfplay(agent, table, games, seed, place.runner, until_se))
            if against:
                comparisons.append(compare(agent, against, table, games, seed, place.runner))
            if keep:
                _keep_games(place, Match((agent,), table, seed), min(keep, games))
        document = selfplay_document(agent, seed, tables[0], summaries, comparisons)
        config = {"agent": agent, "against": against, "rules": rules, "seed": seed, "games": games,
                  "players": ",".join(str(table.players) for table in tables),
                  "until_se": until_se}  # fmt: skip
        place.keep("selfplay", agent, config, document)
    if json:
        print_json(document)
        return
    bound = "at most " if until_se else ""
    title = f"{agent}: {bound}{games:,} games per size, seed {seed}"
    title += f", {rules}" if rules else ""
    _print_summaries(title, summaries)
    if comparisons:
        _print_comparisons(f"{agent} and {against} on the same deals", comparisons)


def _counts(players: str | None, agent: str) -> list[int]:
    """The sizes of table that were asked for, or all that the agent plays at."""
    from tamaya.registry import find_agent

    if players is not None:
        return parse_player_counts(players)
    low, high = find_agent(agent).players
    return list(range(low, high + 1))


def _keep_games(place: "Place", match: "Match", n: int) -> None:
    """Put the first games of a match into the store."""
    played = match.play(0, n, record=True)
    place.store.add_games(match, 0, [played.game(k) for k in range(n)])


def selfplay_document(
    agent: str,
    seed: int,
    rules: "Rules",
    summaries: list["Summary"],
    comparisons: list["Comparison"],
) -> dict[str, Any]:
    """What is printed as JSON and kept in the store."""
    sizes = ("players", "hand_size")
    options = {key: value for key, value in rules.as_dict().items() if key not in sizes}
    document = {
        "agent": agent,
        "seed": seed,
        "rules": options,
        "results": [summary.as_dict() for summary in summaries],
        "seconds": sum(summary.seconds for summary in summaries),
    }
    if comparisons:
        document["comparisons"] = [comparison.as_dict() for comparison in comparisons]
    return document


def _print_summaries(title: str, summaries: list["Summary"]) -> None:
    print_table(
        title,
        ["players", "mean", "± se", "sd", "perfect", "bombed", "kept", "games"],
        [
            [
                str(row.players),
                f"{row.mean:.3f}",
                f"{row.se:.3f}" if row.games > 1 else "-",
                f"{row.sd:.2f}" if row.games > 1 else "-",
                f"{100 * row.perfect:.2f} %",
                f"{100 * row.bombed:.2f} %",
                f"{row.mean_points_kept:.2f}",
                f"{row.games:,}",
            ]
            for row in summaries
        ],
    )
    _print_histograms(summaries)


def _print_comparisons(title: str, comparisons: list["Comparison"]) -> None:
    rows = [
        [
            str(row.players),
            f"{row.mean:.3f}",
            f"{row.other:.3f}",
            f"{row.difference:+.3f} ± {row.se:.3f}",
        ]
        for row in comparisons
    ]
    print_table(title, ["players", "mean", "other", "difference"], rows)


def _print_histograms(summaries: list["Summary"]) -> None:
    """The scores 0 to 25 of each number of players as a line of blocks."""
    from rich.console import Console

    console = Console(highlight=False)
    for row in summaries:
        console.print(f"  {row.players}   scores 0 [cyan]{_sparkline(row.histogram)}[/] 25")
    seconds = sum(row.seconds for row in summaries)
    games = sum(row.games for row in summaries)
    console.print(f"  {games / seconds:,.0f} games per second of work\n")


def _sparkline(counts: list[int]) -> str:
    """A histogram as one line of block characters, a dot where there is nothing."""
    blocks = "▁▂▃▄▅▆▇█"
    top = max(counts)
    return "".join(blocks[7 * n // top] if n else "·" for n in counts)
