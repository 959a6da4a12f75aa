"""Reading games from files, folders or a text in any format, and writing one in a named format.

The format of a text is detected: tamaya's own begins with its header, JSON with a brace, and a
link is an address or digits, letters and commas. Files of many games are recognised by their names,
see ``tamaya.replays.data_files``.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tamaya.game import Game
from tamaya.notation import HEADER, GameTextError
from tamaya.replays.data_files import (
    DataGame,
    is_data_file,
    read_data,
    read_data_game,
    split_place,
)
from tamaya.replays.fields import ReplayError, load_json
from tamaya.replays.hanab_live import agents_of, parse_json, to_json
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
    """The game of a text in any format; if ``complete``, tamaya's own must have its checksum."""
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
            f"browser or with curl -o {number}.json {address}, and use that file")  # fmt: skip


def read_agents(source: str | Path) -> list[str]:
    """The agents of a saved game by seat, empty for a person; none if it does not name them.

    The source is a path or a text from which ``read_game`` has read a game.
    """
    text = str(source)
    if _is_file(text):
        text = "" if is_data_file(text) else Path(text).read_text(encoding="utf-8")
    is_json = format_of(text) == "json"
    return agents_of(load_json(text.removeprefix("\ufeff"))) if is_json else []


def read_game(source: str | Path) -> Game:
    """The game of a path, of an entry of a data file, or of a text in any format.

    An error names the file. A text that is the name of a file counts as a path.
    """
    if isinstance(source, str) and not _is_file(source):
        if place := split_place(source):
            return _checked(read_data_game(*place))
        if _is_content(source):
            return parse_replay(source)
    if is_data_file(source):
        return _only_game(source)
    try:
        return parse_replay(Path(source).read_text(encoding="utf-8"), complete=True)
    except UnicodeDecodeError:
        raise ReplayError(f"{source}: not a text file") from None
    except ReplayError as error:
        raise ReplayError(f"{source}: {error}") from None
    except ValueError as error:  # a text with a null character is not a path
        raise ReplayError(f"not a game and not a path: {error}") from None


def _checked(found: DataGame) -> Game:
    if found.game is None:
        raise ReplayError(f"{found.name}: {found.error}")
    return found.game


def _only_game(path: str | Path) -> Game:
    """The game of a data file with a single game."""
    games = list(read_data(path))
    if len(games) != 1:
        raise ReplayError(f"{path}: it has {len(games):,} games; name one of them, as in {path}#1")
    return _checked(games[0])


def all_games(sources: Sequence[str | Path]) -> Iterator[DataGame]:
    """Every game of files, folders and data files, by name; unreadable ones with the reason.

    Hidden files and folders inside a folder are ignored.
    """
    for source in sources:
        folder = Path(source)
        if _is_folder(folder):
            yield from (
                found
                for file in sorted(folder.iterdir())
                if file.is_file() and not file.name.startswith(".")
                for found in _games_of(str(file))
            )
        else:
            yield from _games_of(str(source))


def _games_of(source: str) -> Iterator[DataGame]:
    """The games of a source that is not a folder."""
    name = source if len(source) <= 200 else source[:200] + "…"
    try:
        if (place := split_place(source)) and not _is_file(source):
            yield read_data_game(*place)
        elif is_data_file(source):
            yield from read_data(source)
        else:
            yield DataGame(name, read_game(source))
    except OSError as error:
        yield DataGame(name, None, (error.strerror or str(error)).lower())
    except ReplayError as error:
        yield DataGame(name, None, str(error).removeprefix(f"{source}: "))


def read_games(path: str | Path) -> list[Game]:
    """The games of a file, or of every file in a folder, by name; all under the same rules."""
    found = list(all_games([path]))
    games = [_checked(each) for each in found]
    if not games:
        kind = "folder" if _is_folder(Path(path)) else "file"
        raise ReplayError(f"{path}: no games in this {kind}")
    for each, game in zip(found, games, strict=True):
        if game.rules != games[0].rules:
            raise ReplayError(f"{each.name}: its rules ({game.rules.to_text()}) differ from those "
                              f"of {found[0].name} ({games[0].rules.to_text()})")  # fmt: skip
    return games


def _is_content(text: str) -> bool:
    """Whether a text can only be meant as a game or as an address, not as a path."""
    is_address = text.lstrip().startswith(("http://", "https://"))
    return bool("\n" in text or is_address or format_of(text) or numbered_game(text) is not None)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or not valid in one
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def write_game(game: Game, format: str = "text", agents: Sequence[str] | None = None) -> str:
    """The text of a game in a format, ending in a line break; only JSON names the agents."""
    if format == "text":
        return game.to_text()
    if format == "json":
        return _lines(to_json(game, agents=agents))
    if format == "link":
        return replay_url(game) + "\n"
    raise ValueError(f"unknown format {format!r}: expected one of {', '.join(FORMATS)}")


def _lines(document: dict[str, object]) -> str:
    """JSON with a line per field, so that people can read and compare it."""
    rows = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in document.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"
