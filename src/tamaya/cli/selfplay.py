"""`tamaya selfplay`: how strong an agent is with copies of itself."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import (
    PLAYERS_HELP,
    AgentText,
    Games,
    RuleText,
    Seed,
    counted,
    print_json,
    print_note,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command, opened_store

if TYPE_CHECKING:
    from tamaya.arena.protocols.selfplay import Comparison, Config, Result, Summary

SomePlayers = Annotated[
    str | None,
    typer.Option(
        "--players",
        "-p",
        metavar="N",
        help=PLAYERS_HELP,
        show_default="all that the agent supports",
    ),
]
Against = Annotated[
    str,
    typer.Option(
        "--against", help="Compare with another agent on the same deals.", metavar="AGENT"
    ),
]
UntilSe = Annotated[
    float,
    typer.Option("--until-se", min=0, help="Stop early at this standard error; 0: never."),
]
Keep = Annotated[
    int,
    typer.Option("--keep", min=0, help="Also store this many games for each number of players."),
]


@arena_command
def selfplay(
    agent: AgentText,
    players: SomePlayers = None,
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    until_se: UntilSe = 0.0,
    against: Against = "",
    keep: Keep = 0,
    *,
    options: ArenaOptions,
) -> None:
    """Play an agent with copies of itself: mean, standard error, perfect games, histogram."""
    from tamaya.arena.protocols.selfplay import PROTOCOL, Config

    sizes = ",".join(map(str, _sizes(players, agent)))
    config = Config(agent, sizes, games, seed, rules, until_se, against)
    [result], pace = options.run_and_store(PROTOCOL, [config])
    if keep:
        _store_games(config, min(keep, games), options.store)
    if options.json:
        print_json(result.to_document())
        return
    _print_summaries(result)
    print_note(str(pace))
    if result.comparisons:
        _print_comparisons(f"{agent} and {against} on the same deals", result.comparisons)
    _print_misfit(result)
    _print_giving_up(result)


def _sizes(players: str | None, agent: str) -> list[int]:
    """The requested numbers of players, or all that the agent supports."""
    from tamaya.arena.rule_texts import player_counts
    from tamaya.lookup import find_agent

    if players is not None:
        return player_counts(players)
    player = find_agent(agent)
    low, high = player.players
    return [count for count in range(low, high + 1) if player.plays_with(count)]


def _store_games(config: "Config", n: int, store: str | None) -> None:
    """Store the first games of each number of players."""
    from tamaya.arena.match import Match

    with opened_store(store) as opened:
        for rules in config.tables():
            match = Match((config.agent,), rules, config.seed)
            played = match.play(0, n, record=True)
            opened.add_games(match, 0, [played.game(k) for k in range(n)])


def _print_summaries(result: "Result") -> None:
    config = result.config
    bound = "at most " if config.until_se else ""
    title = (f"{config.agent}: {bound}{counted(config.games, 'game')} per number of players, "
             f"seed {config.seed}")  # fmt: skip
    title += f", {config.rules}" if config.rules else ""
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
            for row in result.summaries
        ],
    )
    _print_histograms(result.summaries)


def _print_histograms(summaries: "tuple[Summary, ...]") -> None:
    """The scores 0 to 25 as a line of blocks for each number of players."""
    from rich.console import Console

    console = Console(highlight=False)
    for row in summaries:
        console.print(f"  {row.players}   scores 0 [cyan]{_sparkline(row.histogram)}[/] 25")


def _print_comparisons(title: str, comparisons: "tuple[Comparison, ...]") -> None:
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


def _print_misfit(result: "Result") -> None:
    """Warn if the agent is made for other rules."""
    from tamaya.arena.pools import unmet_rules
    from tamaya.arena.rule_texts import options_text
    from tamaya.lookup import find_agent

    unmet = options_text(unmet_rules(find_agent(result.config.agent), result.tables[0]))
    if unmet:
        print_note(f"{result.config.agent} is made for other rules: --rules '{unmet}'")


def _print_giving_up(result: "Result") -> None:
    """Warn if games ended because the agent had no move to make."""
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.lookup import find_agent

    shares = [row.gave_up or 0.0 for row in result.summaries]
    if not any(shares):
        return
    ended = ", ".join(f"{100 * share:.1f} %" for share in shares)
    sizes = ", ".join(str(row.players) for row in result.summaries)
    is_rules = isinstance(find_agent(result.config.agent), RuleAgent)
    why = "because no rule applied" if is_rules else "because the agent gave up"
    print_note(f"{ended} of the games (with {sizes} players) ended early {why}")
    if is_rules:
        print_note("a list that ends in TellRandomly,DiscardRandomly always has a move")


def _sparkline(counts: list[int]) -> str:
    """A histogram as one line of block characters, a dot where there is nothing."""
    blocks = "▁▂▃▄▅▆▇█"
    top = max(counts)
    return "".join(blocks[7 * n // top] if n else "·" for n in counts)
