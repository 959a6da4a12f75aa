"""Reading a game from a file or a text in any format, and writing one in a named format.

The format of a text is recognised: tamaya's own begins with its header, JSON with a brace, and a
link is an address or digits, letters and commas.
"""

import json
from pathlib import Path

from tamaya.game import Game
from tamaya.notation import HEADER, GameTextError
from tamaya.replays.fields import ReplayError
from tamaya.replays.hanab_live import parse_json, to_json
from tamaya.replays.link import (
    EXPORT_ADDRESS,
    REPLAY_ADDRESS,
    from_link,
    looks_like_link,
    numbered_game,
    replay_url,
)

FORMATS = ("text", "json", "link")


def format_of(text: str) -> str | None:
    """The format of a text, or None."""
    start = text.removeprefix("\ufeff").lstrip()
    if start.startswith("{"):
        return "json"
    if start.startswith(HEADER.split()[0]):
        return "text"
    return "link" if looks_like_link(start) else None


def parse_replay(text: str, *, complete: bool = False) -> Game:
    """The game of a text in any format; if ``complete``, tamaya's own must carry its checksum."""
    found = format_of(text)
    if found == "json":
        return parse_json(text)
    if found == "link":
        return from_link(text)
    if found == "text":
        try:
            return Game.parse(text.removeprefix("\ufeff").lstrip(), complete=complete)
        except GameTextError as error:
            raise ReplayError(str(error)) from None
    number = numbered_game(text)
    if number is not None:
        raise ReplayError(_how_to_download(number))
    if text.lstrip().startswith(("http://", "https://")):
        address = text.split()[0][:60]
        raise ReplayError(f"{address} is not a replay: expected {REPLAY_ADDRESS}… or a file")
    raise ReplayError(f"not a game: expected {HEADER!r}, a JSON object or a hanab.live link")


def _how_to_download(number: int) -> str:
    address = f"{EXPORT_ADDRESS}{number}"
    return (f"game {number} of hanab.live is not downloaded: save {address} as {number}.json, in a "
            f"browser or with curl -o {number}.json {address}, and give that file")  # fmt: skip


def read_game(source: str | Path) -> Game:
    """The game of a path, or of a text in any format; an error names the file.

    A text that is the name of a file is a path, whatever else it looks like.
    """
    if isinstance(source, str) and not _is_file(source) and _is_content(source):
        return parse_replay(source)
    try:
        return parse_replay(Path(source).read_text(encoding="utf-8"), complete=True)
    except UnicodeDecodeError:
        raise ReplayError(f"{source}: not a text file") from None
    except ReplayError as error:
        raise ReplayError(f"{source}: {error}") from None
    except ValueError as error:  # a text with a null character is no path
        raise ReplayError(f"not a game and not a path: {error}") from None


def read_games(path: str | Path) -> list[Game]:
    """The game of a file, or of every file in a folder, by name; all under the same rules."""
    folder = Path(path)
    files = (
        sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else [folder]
    )
    games = [read_game(file) for file in files]
    if not games:
        raise ReplayError(f"{path}: there are no games in this folder")
    for file, game in zip(files, games, strict=True):
        if game.rules != games[0].rules:
            raise ReplayError(f"{file}: its rules ({game.rules.to_text()}) differ from those of "
                              f"{files[0]} ({games[0].rules.to_text()})")  # fmt: skip
    return games


def _is_content(text: str) -> bool:
    """Whether a text can only be meant as a game or as an address, not as a path."""
    is_address = text.lstrip().startswith(("http://", "https://"))
    return bool("\n" in text or is_address or format_of(text) or numbered_game(text) is not None)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or not possible in one
        return False


def write_game(game: Game, format: str = "text") -> str:
    """The text of a game in a format, ending in a line break."""
    if format == "text":
        return game.to_text()
    if format == "json":
        return _lines(to_json(game))
    if format == "link":
        return replay_url(game) + "\n"
    raise ValueError(f"unknown format {format!r}: expected one of {', '.join(FORMATS)}")


def _lines(document: dict[str, object]) -> str:
    """JSON with a line per field, so that people can read and compare it."""
    rows = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in document.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"
