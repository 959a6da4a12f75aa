"""`tamaya watch`: a game in the terminal, turn by turn."""

import re
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, RuleText, Seed, counted, print_json, rules_for
from tamaya.cli.patience import patience
from tamaya.cli.saving import check_new, check_picture, say_saved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tamaya.agent import Player
    from tamaya.game import Game
    from tamaya.seat import Row

AgentTexts = Annotated[
    list[str], typer.Argument(help="One agent for all seats, or one per seat.", metavar="AGENT")
]
PlayerCount = Annotated[
    int,
    typer.Option(
        "--players", "-p", help="Number of players.", show_default="one per agent, at least 2"
    ),
]
GameIndex = Annotated[int, typer.Option("--game", min=0, help="Which game of the seed.")]
FromTurn = Annotated[int, typer.Option("--from", min=1, help="First turn to show.")]
Turns = Annotated[int, typer.Option("--turns", min=0, help="Turns to show; 0 means all.")]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain", help="Also show why each move was made, if the agent can explain it."
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        help="Save the game: as hanab.live's JSON if the name ends in .json, otherwise as text.",
        metavar="FILE",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Let --save replace an existing file.")]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Also save the output as a picture.", metavar="FILE")
]
Delay = Annotated[float, typer.Option("--delay", min=0, help="Seconds between turns.")]


@dataclass(frozen=True)
class Showing:
    """Which part of a game is shown, how slowly, and the names of its seats."""

    agents: list[str]
    first: int  # turn, from 1
    length: int
    delay: float


def watch(
    agents: AgentTexts,
    players: PlayerCount = 0,
    seed: Seed = 0,
    game: GameIndex = 0,
    from_turn: FromTurn = 1,
    turns: Turns = 0,
    delay: Delay = 0.0,
    rules: RuleText = "",
    explain: Explain = False,
    save: Save = None,
    force: Force = False,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Show a game turn by turn: the board, all hands, and what each seat knows about its cards."""
    table = rules_for(players or max(2, len(agents)), rules)
    if save is not None:
        check_new(save, "--save", force)
    if svg is not None:
        check_picture(svg, "--svg")
    is_shown = not json or svg is not None
    with patience("loading the agents") as say:
        from tamaya.table import play

        say("playing the game")
        played = play(agents, table, 1, seed=seed, first=game, record=True)
        finished = played.game(0)
        if from_turn > max(1, finished.turn):
            raise ValueError(f"--from {from_turn}: the game has turns 1 to {finished.turn}")
        say("asking the agents for their reasons")
        reasons = _reasons(played.agents, finished) if explain and is_shown else []
    if save is not None:
        _save(finished, save, agents)
    if json:
        print_json(_as_document(finished, agents, seed, game))
    if is_shown:
        console = _console(finished, agents, is_silent=json)
        showing = Showing(agents, from_turn, turns or finished.turn, 0 if json else delay)
        _show(console, finished, reasons, showing)
    if svg is not None:
        _save_picture(console, svg, f"tamaya watch {' '.join(agents)}")


def _as_document(game: "Game", agents: list[str], seed: int, index: int) -> dict[str, Any]:
    from tamaya.moves import move_text

    return {
        "agents": agents,
        "seed": seed,
        "game": index,
        "rules": game.rules.as_dict(),
        "score": game.score,
        "status": game.status,
        "moves": [move_text(game.rules, move) for move in game.moves],
        "text": game.to_text(),
    }


def _save(game: "Game", path: Path, agents: list[str]) -> None:
    """Write a game in the format that the file's name implies, and say so."""
    from tamaya.atomic import write_atomically
    from tamaya.replays.files import write_game

    is_json = path.suffix.lower() == ".json"
    by_seat = [agents[seat % len(agents)] for seat in range(game.rules.players)]
    write_atomically(path, write_game(game, "json" if is_json else "text", by_seat))
    what = "hanab.live's JSON" if is_json else "tamaya's text form"
    say_saved(path, f"the game in {what}; tamaya replay and tamaya analyse read it")


def _reasons(players: "Sequence[Player]", finished: "Game") -> list[list["Row"]]:
    """What the mover of each turn says about its choice."""
    from tamaya.seat import Seat

    game = finished.at(0)
    count = finished.rules.players
    seats = [Seat(players[seat % len(players)], game, seat) for seat in range(count)]
    rows = []
    for move in finished.moves:
        rows.append(seats[game.mover].explain())
        game.apply(move)
        for seat in seats:
            seat.observe()
    return rows


def _show(
    console: "Console", finished: "Game", reasons: list[list["Row"]], showing: Showing
) -> None:
    """Replay a part of a finished game."""
    from tamaya.cli.board import LEGEND, board, hands, happening

    console.print(LEGEND, style="dim")
    last = min(showing.first - 1 + showing.length, finished.turn)
    game = finished.at(showing.first - 1)
    for move in finished.moves[showing.first - 1 : last]:
        console.print(board(game))
        console.print(hands(game, showing.agents))
        for reason, value in reasons[game.turn] if reasons else []:
            console.print(f"    {reason}: {value}", style="dim", markup=False)
        console.print(f"  seat {game.mover} ", style="italic", end="")
        game.apply(move)
        console.print(happening(game.rules, game.events[-1]), end="\n\n")
        if showing.delay:
            sleep(showing.delay)
    if last == finished.turn:
        console.print(board(finished))
        console.print(
            f"[bold]score {finished.score}[/], {finished.status} after "
            f"{counted(finished.turn, 'turn')}"
        )
    else:
        console.print(f"… stopped after turn {last} of {finished.turn}")


def _console(game: "Game", agents: list[str], is_silent: bool) -> "Console":
    """A console that records its output; in a file or a pipe it is as wide as its contents."""
    from rich.console import Console

    from tamaya.cli.board import hands

    console = Console(highlight=False, record=True, file=StringIO() if is_silent else None)
    if not console.is_terminal:
        needed = Console(width=10_000).measure(hands(game, agents)).maximum
        console.width = max(console.width, needed)
    return console


def _save_picture(console: "Console", path: Path, title: str) -> None:
    """Save what a console showed, without the web fonts that Rich would link to."""
    from rich._export_format import CONSOLE_SVG_FORMAT

    without_fonts = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)
    console.save_svg(str(path), title=title, code_format=without_fonts)
    say_saved(path, "a picture of what is shown")
