"""What people scored with programs, from logged games: by program and by how experienced they are.

Two kinds of files are read. A data file (``tamaya.replays.data_files``) has whole games, which are
replayed; every game names the program (``partner``) and the person (``participant``), and is the
person's first unless it comes ``after`` another. ``games.csv`` of the public data set HanabiData
(Eger et al. 2017) has a line for each game, with the score and whether it was the person's first;
``participants.csv`` next to it has what people said about themselves.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from io import StringIO
from math import nan, sqrt
from pathlib import Path

from tamaya.arena.human_play import ALL, EVERYBODY, FIRST, HumanPlay, HumanScore
from tamaya.replays.data_files import DataGame, is_data_file, read_data
from tamaya.replays.fields import ReplayError
from tamaya.replays.people import EXPERIENCE, NOT_SAID, answer_of
from tamaya.replays.person_games import QUESTION

GAMES, PARTICIPANTS = "games.csv", "participants.csv"  # of HanabiData
COLUMNS = ("id", "ai", "score", "first")  # of the games; id names the person
EXPERIENCE_COLUMN = "hanabiexp"  # of the participants: 1 for new to 4 for expert
MOST_POINTS = 25


@dataclass(frozen=True)
class HumanGame:
    """What counts of a game that a person played with a program."""

    program: str
    person: str
    is_first: bool
    score: int  # points kept
    experience: str  # one of EXPERIENCE, or NOT_SAID


def read_human_play(path: str | Path) -> HumanPlay:
    """The means of a data file, of ``games.csv``, or of the folder that contains it.

    ValueError names the game or the line that is wrong.
    """
    games = read_human_games(path)
    digest = sha256()
    for game in games:
        digest.update(repr(astuple(game)).encode())
    return HumanPlay(str(path), digest.hexdigest()[:16], tuple(scores_of(games)))


def read_human_games(path: str | Path) -> list[HumanGame]:
    """The games of a file; a person can have one first game at most."""
    place = Path(path) / GAMES if Path(path).is_dir() else Path(path)
    if is_data_file(place):
        games = list(map(_of_data, read_data(place)))
    elif place.suffix == ".csv":
        games = list(_of_lines(place))
    else:
        raise ReplayError(f"{path}: expected a data file such as games.jsonl.gz, or {GAMES} of "
                          "HanabiData")  # fmt: skip
    if not games:
        raise ReplayError(f"{path}: no games")
    beginners: set[str] = set()
    for game in games:
        if game.is_first and game.person in beginners:
            raise ReplayError(f"{path}: two games are the first of {game.person}")
        if game.is_first:
            beginners.add(game.person)
    return games


# Data files.


def _of_data(found: DataGame) -> HumanGame:
    if found.game is None:
        raise ReplayError(f"{found.name}: {found.error}")
    about = found.about
    for key in ("partner", "participant"):
        if not isinstance(about.get(key), str):
            raise ReplayError(f"{found.name}: it names no {key}")
    said = answer_of(about, QUESTION)
    return HumanGame(about["partner"], about["participant"], about.get("after") is None,
                     found.game.points, said if said in EXPERIENCE else NOT_SAID)  # fmt: skip


# HanabiData.


def _of_lines(path: Path) -> Iterator[HumanGame]:
    said = _experience(path.with_name(PARTICIPANTS))
    for place, line in _lines(path, COLUMNS):
        score, first = line["score"], line["first"]
        if not (score.isascii() and score.isdigit() and int(score) <= MOST_POINTS):
            raise ReplayError(f"{place}: score: expected 0 to {MOST_POINTS}, found {score!r}")
        if first not in ("yes", "no"):
            raise ReplayError(f"{place}: first: expected yes or no, found {first!r}")
        person = line["id"]
        yield HumanGame(line["ai"], person, first == "yes", int(score), said.get(person, NOT_SAID))


def _experience(path: Path) -> dict[str, str]:
    """What people said, if there is a file of it."""
    if not path.is_file():
        return {}
    levels = {str(k): name for k, name in enumerate(EXPERIENCE, 1)}
    rows = _lines(path, ("id", EXPERIENCE_COLUMN))
    return {row["id"]: levels.get(row[EXPERIENCE_COLUMN], NOT_SAID) for _, row in rows}


def _lines(path: Path, columns: Iterable[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Every line of a file of comma-separated values, with its place; it must have some columns."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ReplayError(f"{path}: not a text file") from None
    reader = csv.DictReader(StringIO(text, newline=""), skipinitialspace=True, restval="")
    for column in columns:
        if column not in (reader.fieldnames or ()):
            raise ReplayError(f"{path}: there is no column {column!r}")
    try:
        for row in reader:
            yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise ReplayError(f"{path}, line {reader.line_num}: {error}") from None


# Means.


def scores_of(games: Sequence[HumanGame]) -> Iterator[HumanScore]:
    """Means by program: of everybody and by experience, each of first games and of all."""
    for program in sorted({game.program for game in games}):
        own = [game for game in games if game.program == program]
        for said in (EVERYBODY, *EXPERIENCE, NOT_SAID):
            some = [game for game in own if said in (EVERYBODY, game.experience)]
            for games_of, chosen in ((FIRST, [g for g in some if g.is_first]), (ALL, some)):
                if chosen:
                    mean, se = mean_over_people(chosen)
                    people = len({game.person for game in chosen})
                    yield HumanScore(program, said, games_of, len(chosen), people, mean, se)


def mean_over_people(games: Sequence[HumanGame]) -> tuple[float, float]:
    """The mean score of games, and its standard error if the games of a person go together.

    With one game of each person it is the usual standard error.
    """
    mean = sum(game.score for game in games) / len(games)
    surplus: dict[str, float] = {}
    for game in games:
        surplus[game.person] = surplus.get(game.person, 0.0) + game.score - mean
    n = len(surplus)
    if n < 2:
        return mean, nan
    squares = sum(value * value for value in surplus.values())
    return mean, sqrt(squares * n / (n - 1)) / len(games)
