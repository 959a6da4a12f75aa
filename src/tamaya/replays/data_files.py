"""Data files: many games in one file, as researchers publish them.

| file | a game is |
|---|---|
| ``*.jsonl``, ``*.jsonl.gz`` | a line: players, deck, moves, starts, score; or hanab.live's |
| ``*.safetensors`` | a row of the arrays of the AH2AC2 data set |

Cards are ids ``5 * colour + rank``, top of the deck first; moves are ids in the order of HLE. A
game of a file is named by its number, from 1: ``games.jsonl.gz#12``. Every game is replayed move by
move and must reach the score that the file gives.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.game import Game
from tamaya.replays.fields import Field, ReplayError
from tamaya.replays.hanab_live import from_json
from tamaya.replays.safetensors import read_arrays
from tamaya.rules import MAX_PLAYERS, Rules, RulesError

ENDINGS = (".jsonl", ".jsonl.gz", ".safetensors")
LONGEST_LINE = 1 << 20  # bytes
# Further fields of a game, for grouping games.
ABOUT = ("id", "participant", "partner", "human_seats", "after", "survey")
# The experiment of Eger and others let people discard at eight tokens and kept the points.
WITH_PROGRAMS = "bomb=keep discard_at_full=true"


@dataclass(frozen=True)
class DataGame:
    """A game of a file, or why it cannot be read."""

    name: str  # file#number
    game: Game | None
    error: str = ""
    about: dict[str, Any] = field(default_factory=dict)


def is_data_file(path: str | Path) -> bool:
    """Whether a name belongs to a file of many games."""
    return str(path).endswith(ENDINGS)


def split_place(text: str) -> tuple[str, int] | None:
    """File and number of ``games.jsonl.gz#12``, None for other texts."""
    file, mark, place = text.rpartition("#")
    if not mark or not is_data_file(file) or not (place.isascii() and place.isdigit()):
        return None
    return (file, int(place[:9]))


def read_data(path: str | Path) -> Iterator[DataGame]:
    """All games of a file, unreadable ones with the reason; ReplayError if it is no such file."""
    path = Path(path)
    readers = _arrays if path.suffix == ".safetensors" else _lines
    return readers(path)


def read_data_game(path: str | Path, place: int) -> DataGame:
    """One game of a file, by its number from 1."""
    n = 0
    for n, found in enumerate(read_data(path), 1):
        if n == place:
            return found
    raise ReplayError(f"{path}: there is no game {place}: it has 1 to {n}")


# Lines of JSON.


def _lines(path: Path) -> Iterator[DataGame]:
    place, is_packed = 0, path.suffix == ".gz"
    with gzip.open(path, "rb") if is_packed else path.open("rb") as file:
        try:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise ReplayError(f"{path}: line {place + 1} is longer than a game")
                place += 1
                yield _of_line(f"{path}#{place}", line)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ReplayError(f"{path}: damaged after game {place}: {error}") from None


def _of_line(name: str, line: bytes) -> DataGame:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        return DataGame(name, None, f"not JSON: {str(error)[:100]}")
    try:
        fields = Field(document, "")
        if "actions" in fields:
            return DataGame(name, from_json(document), about=_about(document))
        return DataGame(name, _of_fields(fields), about=_about(document))
    except (ReplayError, RulesError) as error:
        return DataGame(name, None, str(error))


def _about(document: dict[str, Any]) -> dict[str, Any]:
    return {key: document[key] for key in ABOUT if key in document}


def _of_fields(fields: Field) -> Game:
    """The game of an object; a bomb-out keeps its points if it was played with a program."""
    players = fields["players"].whole("players", 2, MAX_PLAYERS)
    if "rules" in fields:
        rules = Rules.parse(fields["rules"].text())
    else:
        more = f" {WITH_PROGRAMS}" if "partner" in fields else ""
        rules = Rules.parse(f"players={players}{more}")
    if rules.players != players:
        raise fields["rules"].error(f"{rules.players} players, not {players}")
    deck = [card.whole("card", 0, 24) for card in fields["deck"].items()]
    moves = [move.whole("move", 0, rules.n_moves - 1) for move in fields["moves"].items()]
    start = fields.get("starts", 0).whole("seat", 0, players - 1)
    score = fields["score"].whole("score", 0, rules.max_score) if "score" in fields else None
    return _replayed(rules, deck, start, moves, score)


def _replayed(
    rules: Rules, deck: Iterable[int], start: int, moves: Iterable[int], score: int | None
) -> Game:
    """A game replayed from its moves; its points must match the file."""
    try:
        game = Game(rules, deck=deck, start=start)
    except ValueError as error:
        raise ReplayError(str(error), "deck") from None
    for k, move in enumerate(moves):
        try:
            game.apply(move)
        except ValueError as error:
            raise ReplayError(str(error), f"moves[{k}]") from None
    if score is not None and score != game.points:
        raise ReplayError(f"{score}, but the moves lead to {game.points}", "score")
    return game


# Arrays of AH2AC2.


def _arrays(path: Path) -> Iterator[DataGame]:
    try:
        arrays = read_arrays(path)
        players = _checked_shapes(arrays)
    except ReplayError as error:
        raise ReplayError(f"{path}: {error}") from None
    rules = Rules(players=players)
    for k in range(len(arrays["decks"])):
        name = f"{path}#{k + 1}"
        about = {"id": int(arrays["game_ids"][k])} if "game_ids" in arrays else {}
        try:
            yield DataGame(name, _of_arrays(rules, arrays, k), about=about)
        except ReplayError as error:
            yield DataGame(name, None, str(error), about)


def _checked_shapes(arrays: dict[str, np.ndarray]) -> int:
    """The number of players, after a check that the arrays are those of a data set of games."""
    missing = {"decks", "actions", "num_actions", "num_players", "scores"} - set(arrays)
    if missing:
        raise ReplayError(f"no array {min(missing)!r}: not the games of AH2AC2")
    if arrays["num_players"].size != 1:
        raise ReplayError("expected one number", "num_players")
    players, n = int(arrays["num_players"].reshape(())), len(np.atleast_1d(arrays["num_actions"]))
    if not 2 <= players <= MAX_PLAYERS:
        raise ReplayError(f"{players} players, expected 2 to {MAX_PLAYERS}", "num_players")
    n_turns = arrays["actions"].shape[1] if arrays["actions"].ndim == 3 else 0
    shapes = {"decks": (n, 50, 2), "scores": (n,), "num_actions": (n,),
              "actions": (n, n_turns, players)}  # fmt: skip
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ReplayError(f"shape {list(arrays[name].shape)}, expected {list(shape)}", name)
    return players


def _of_arrays(rules: Rules, arrays: dict[str, np.ndarray], k: int) -> Game:
    """The game of a row: seats move in turn, and all others have the id after the last move."""
    deck, actions = arrays["decks"][k].astype(np.int64), arrays["actions"][k]
    n = int(arrays["num_actions"][k])
    if not 0 <= n <= len(actions):
        raise ReplayError(f"{n} of {len(actions)} actions", "num_actions")
    if not ((deck >= 0) & (deck < 5)).all():
        raise ReplayError("a colour or rank beyond 0 to 4", "decks")
    moves = [int(actions[turn, turn % rules.players]) for turn in range(n)]
    cards = (5 * deck[:, 0] + deck[:, 1]).tolist()
    return _replayed(rules, cards, 0, moves, int(arrays["scores"][k]))
