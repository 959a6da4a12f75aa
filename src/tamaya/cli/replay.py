"""`tamaya replay`: a game in any format, shown or converted."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, print_json, print_table

if TYPE_CHECKING:
    from rich.text import Text

    from tamaya.game import Game

Source = Annotated[
    str,
    typer.Argument(help="A file, a hanab.live link, games.jsonl.gz#12, or - for standard input.",
                   metavar="GAME"),
]  # fmt: skip
To = Annotated[
    str,
    typer.Option("--to", help="What to print: show, text, json or link.", metavar="FORMAT"),
]


def replay(source: Source, to: To = "show", json: Json = False) -> None:
    """Show a game from a file or link, or convert it between text, JSON and link."""
    from tamaya.replays.files import FORMATS, write_game

    if to not in ("show", *FORMATS):
        raise typer.BadParameter(f"--to must be one of show, {', '.join(FORMATS)}, not {to!r}")
    game = read_source(source)
    if json:
        print_json(_as_document(game, to))
    elif to == "show":
        _show(game)
    else:
        sys.stdout.write(write_game(game, to))


def read_source(source: str) -> "Game":
    """The game of a file, a link or standard input."""
    from tamaya.replays.fields import ReplayError
    from tamaya.replays.files import parse_replay, read_game

    if source != "-":
        try:
            return read_game(source)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ReplayError(f"{source[:200]}: {reason}") from None
    try:
        return parse_replay(sys.stdin.read())
    except UnicodeDecodeError:
        raise ReplayError("standard input: not text") from None
    except ReplayError as error:
        raise ReplayError(f"standard input: {error}") from None


def _as_document(game: "Game", to: str) -> dict[str, Any]:
    """The result, and the game in the requested format."""
    from tamaya.moves import move_text
    from tamaya.replays import to_json, write_game

    document: dict[str, Any] = {
        "rules": game.rules.as_dict(),
        "score": game.score,
        "status": game.status,
        "moves": [move_text(game.rules, move) for move in game.moves],
    }
    if to == "json":
        return document | {"json": to_json(game)}
    name = "text" if to == "show" else to
    return document | {name: write_game(game, name).removesuffix("\n" if to == "link" else "")}


def _show(game: "Game") -> None:
    """A line per move, and the last position."""
    from rich.console import Console

    from tamaya.cli.board import happening
    from tamaya.moves import move_text

    rows: list[list[str | Text]] = [
        [str(turn), str(event.seat), move_text(game.rules, int(event.move)),
         happening(game.rules, event)]
        for turn, event in enumerate(game.events, start=1)
    ]  # fmt: skip
    columns = ["turn", "seat", "move", "in words; slot 0 is the oldest card"]
    print_table(game.rules.to_text(), columns, rows, left=4)
    Console(highlight=False).print(str(game), markup=False, soft_wrap=True)
