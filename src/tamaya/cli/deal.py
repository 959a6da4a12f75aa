"""`tamaya deal`: all agents on one deck, one seat replaced by each, and how hard the deal is."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import RuleText, print_note, print_table
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.deal import Row
    from tamaya.arena.protocols.deal import Config, Result

What = Annotated[
    str,
    typer.Argument(
        help="A seed, or a game: a file, a hanab.live link, or - for standard input.",
        metavar="SEED|GAME",
    ),
]
GameIndex = Annotated[int, typer.Option("--game", min=0, help="Which game of the seed.")]
PlayerCount = Annotated[
    int, typer.Option("--players", "-p", min=2, max=5, help="Number of players, with a seed.")
]
Agents = Annotated[
    str,
    typer.Option(
        "--agents",
        help="Agents: W, C, all (those that are quick), or a list such as random,example.",
        metavar="POOL",
    ),
]
Team = Annotated[
    str,
    typer.Option(
        "--team",
        help="Also try each agent in one seat of this team: one agent for all other seats, or one "
        "for each, separated by spaces.",
        metavar="AGENT",
    ),
]
SeatNumber = Annotated[
    int, typer.Option("--seat", min=0, help="The seat that --team leaves to each agent.")
]
Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        min=0,
        help="Deals for the agents' usual scores, to which difficulty refers; 0 omits it.",
    ),
]


@arena_command
def deal(
    what: What,
    game: GameIndex = 0,
    players: PlayerCount = 2,
    agents: Agents = "all",
    team: Team = "",
    seat: SeatNumber = 0,
    games: Games = 500,
    rules: RuleText = "",
    *,
    options: ArenaOptions,
) -> None:
    """Play one deal with every agent: their ranks, and how hard the deal is."""
    from dataclasses import replace

    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.deal import PROTOCOL, Config

    if _is_number(what):
        config = Config((), players, int(what), game, rules=rules)
    else:
        config = _config_of_game(what)
    chosen = pool_of(agents, [config.table()])
    config = replace(config, agents=chosen, team=team, seat=seat, games=games)
    options.run_and_show(PROTOCOL, config, _print_deal)


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdecimal()


def _config_of_game(source: str) -> "Config":
    """The deal of a game, and the score of its players."""
    from tamaya.arena.protocols.deal import config_of_game
    from tamaya.cli.replay import read_source

    return config_of_game(read_source(source), source)


def _print_deal(result: "Result") -> None:
    config = result.config
    title = f"{config.title}, {config.players} players"
    title += f", {config.rules}" if config.rules else ""
    print_table(f"Deal {title}", ["agent", "rank", "score", "moves", "ended"],
                [[*_cells(row), row.status] for row in result.teams])  # fmt: skip
    if result.alone is not None:
        alone = result.alone
        print_table(
            f"{alone.name} ({alone.score} points) with seat {config.seat} replaced",
            ["agent", "rank", "score", "moves", "gain"],
            [[*_cells(row), f"{row.score - alone.score:+d}"] for row in result.guests],
        )
    elif result.guests:
        print_table(f"Seat {config.seat}, together with {', '.join(config.team.split())}",
                    ["agent", "rank", "score", "moves"],
                    [_cells(row) for row in result.guests])  # fmt: skip
    if result.open_hands:
        print_note(f"with open hands: {result.open_hands}")
    hard = result.difficulty
    if hard.panel:
        more = "more" if hard.points < 0 else "less"
        print_note(
            f"difficulty {hard.points:+.1f} ± {hard.se:.1f}: {len(hard.panel)} agents score "
            f"{abs(hard.points):.1f} points {more} than usual; they score less on "
            f"{100 * hard.share:.0f} % of deals"
        )


def _cells(row: "Row") -> list[str]:
    """Name, rank, score and moves of a row; a shared rank ends in an equals sign."""
    name = f"{row.name} (this game)" if row.is_given else row.name
    return [name, f"{row.rank}{'=' if row.is_tied else ''}", str(row.score), str(row.turns)]
