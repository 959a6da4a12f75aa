"""`tamaya behaviour`: how an agent plays, not how well."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import RuleText, Seed, counted, print_json, print_note, print_table
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.behaviour import Behaviour
    from tamaya.arena.protocols.behaviour import Result
    from tamaya.game import Game

Source = Annotated[
    str,
    typer.Argument(help="An agent, or a file or folder of recorded games.", metavar="AGENT|GAMES"),
]
PlayerCount = Annotated[int, typer.Option("--players", "-p", help="Number of players.")]
People = Annotated[
    str,
    typer.Option(
        help="Count only people's moves in recorded games: all, or those who are new, dabbling, "
        "intermediate or expert; up to 20 games of each.",
        show_default=False,
        metavar="WHO",
    ),
]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="Games to record and count.")]


@arena_command
def behaviour(
    source: Source,
    players: PlayerCount = 2,
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    people: People = "",
    *,
    options: ArenaOptions,
) -> None:
    """Show how an agent plays: rates of actions, precision of hints, P(next action | action).

    Counts games of an agent in self-play, or recorded games.
    """
    from tamaya.arena.protocols.behaviour import PROTOCOL, Config
    from tamaya.replays.files import read_games

    config = Config(source, players, games, seed, rules, people)
    if people and not config.is_recorded:
        raise ValueError(f"--people is for recorded games, and {source} is an agent")
    recorded = read_games(source) if config.is_recorded else []
    seats = None
    if people:
        recorded, seats = _seats(source, people)
    [result], pace = options.run_and_store(PROTOCOL, [config], games=recorded, seats=seats)
    if options.json:
        print_json(result.to_document())
        return
    _print_behaviour(result)
    if not recorded:
        print_note(str(pace))


def _seats(source: str, people: str) -> "tuple[list[Game], list[int]]":
    """The games of some people, and the seat of one of them in each."""
    from tamaya.replays.files import all_games
    from tamaya.replays.person_games import person_games, seats_of_people

    games, seats = seats_of_people(person_games(all_games([source])), people)
    if not games:
        raise ValueError(f"{source}: no games of people who are {people}")
    return games, seats


def _print_behaviour(result: "Result") -> None:
    found = result.counted
    title = (
        f"{result.config.title}: {counted(found.games, 'game')} of {found.rules.players} players"
    )
    rows = [
        *([f"{name.replace('_', ' ')} moves", f"{100 * rate:.1f} %"]
          for name, rate in found.rates.items()),
        ["turns per game", f"{found.turns_per_game:.2f}"],
        ["hints per game", f"{found.hints_per_game:.2f}"],
        ["plays that score", f"{100 * found.play_success:.1f} %"],
        ["lives lost per game", f"{found.lives_lost_per_game:.2f}"],
        ["hints that touch a playable card", f"{100 * found.playable_hint_precision:.1f} %"],
        ["newly touched cards that are playable", f"{100 * found.touched_playable:.1f} %"],
        ["critical cards discarded per game", f"{found.discarded_critical_per_game:.2f}"],
    ]  # fmt: skip
    print_table(title, ["", ""], rows)
    _print_conditional(found)


def _print_conditional(found: "Behaviour") -> None:
    """P(next action | action) in percent, with a row per action."""
    from rich.console import Console
    from rich.text import Text

    labels = found.labels()
    console = Console()
    console.print("P(next action | action) in percent, rows: the action; last row: P(action)")
    console.print("D1 discards and P1 plays the oldest card, slot 0; CR hints red, R1 hints ones")
    console.print(Text("    " + "".join(f"{label:>3}" for label in labels), style="bold"))
    shares = [*found.conditional(), found.marginal()]
    for label, row in zip([*labels, "all"], shares, strict=True):
        line = Text(f"{label:>4}", style="bold")
        for share in row:
            text = "  ·" if not share >= 0.005 else f"{100 * share:3.0f}"
            style = "bold cyan" if share >= 0.25 else "cyan" if share >= 0.1 else ""
            line.append(text, style=f"{style} not bold" if "bold" not in style else style)
        console.print(line)
