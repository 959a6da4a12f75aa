"""Published result tables as data: one TOML file per table, one row per printed number.

A file names its table (``name``, ``title``, ``citation``, ``note``), how it was played
(``protocol``, ``pool``, ``games``, ``rules``) and its ``rows``. A row inherits missing values of
these four from the table, so a loaded row is complete by itself.

``published`` is a mean score. Under the protocol ``histogram`` it is instead the share, 0 to 1, of
the games that ended with ``score`` points. Under the protocol ``human`` it is the mean of the first
games of people with the program ``partner``, which cannot be played again.

A file is read with ``load_table`` and checked while it is read; every fault is a ValueError that
names table, row and key.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, get_args

from tamaya.arena.pools import POOLS
from tamaya.rules import MAX_PLAYERS, Rules

PROTOCOLS = ("selfplay", "mirror", "mixed", "histogram", "search", "human")
ALL_SIZES = 0  # as players of a row: 2 to 5 players at equal weight

_INHERITED = ("protocol", "pool", "games", "rules")


@dataclass(frozen=True)
class PublishedRow:
    """One printed number and the games behind it."""

    row: str  # label in the document
    agent: str  # our agent that is to reproduce it; empty if there is none
    players: int  # ALL_SIZES: mean over 2 to 5 players
    hand_size: int  # 0: the usual one
    published: float  # mean score, or share of games in a histogram
    protocol: str
    games: int  # behind this number; 0 if not printed
    rules: str  # text for Rules.parse, without players and hand size
    pool: str = ""  # partners in mixed play: W as the framework intended, C as Canaan et al. ran it
    published_se: float | None = None  # 0.0 is a printed 0.00, that is below 0.005
    se_derived: bool = False  # not printed; the table's note says how it was found
    perfect: float | None = None  # share of games with 25 points
    score: int | None = None  # in a histogram
    partner: str = ""  # in human play: the program that people played with
    regime: str = ""  # of training: SL, sample limited, or UL, unlimited
    note: str = ""

    def __post_init__(self) -> None:
        """Check the values beyond their types."""
        if self.protocol not in PROTOCOLS:
            raise ValueError(f"protocol must be one of {PROTOCOLS}, not {self.protocol!r}")
        if self.pool not in (POOLS if self.protocol == "mixed" else ("",)):
            raise ValueError(f"pool must be one of {', '.join(POOLS)} in mixed play, else empty, "
                             f"not {self.pool!r}")  # fmt: skip
        if (self.protocol == "human") != bool(self.partner):
            raise ValueError("partner belongs in human play, and only there")
        if self.partner and self.agent:
            raise ValueError(f"agent must be empty in human play, not {self.agent!r}")
        if self.players != ALL_SIZES and not 2 <= self.players <= MAX_PLAYERS:
            raise ValueError(f"players must be {ALL_SIZES} or 2 to 5, not {self.players}")
        if self.games < 0:
            raise ValueError(f"games must not be negative, not {self.games}")
        is_share = self.protocol == "histogram"
        if is_share != (self.score is not None):
            raise ValueError("score belongs in a histogram, and only there")
        if not 0 <= self.published <= (1 if is_share else 25):
            raise ValueError(f"published must be a score or a share, not {self.published}")
        if self.published_se is not None and self.published_se < 0:
            raise ValueError(f"published_se must not be negative, not {self.published_se}")
        if self.se_derived and self.published_se is None:
            raise ValueError("se_derived needs a published_se")
        if self.perfect is not None and not 0 <= self.perfect <= 1:
            raise ValueError(f"perfect must be a share from 0 to 1, not {self.perfect}")
        if "players=" in self.rules or "hand_size=" in self.rules:
            raise ValueError("players and hand_size are keys of the row, not of its rules")
        self.rules_played()

    def rules_played(self) -> list[Rules]:
        """Rules of the row's games: one, or four in a row over all sizes."""
        sizes = range(2, MAX_PLAYERS + 1) if self.players == ALL_SIZES else [self.players]
        text = f"{self.rules} hand_size={self.hand_size}"
        return [Rules.parse(f"{text} players={players}") for players in sizes]


@dataclass(frozen=True)
class PublishedTable:
    """A table of a document, row by row."""

    name: str
    title: str
    citation: str
    protocol: str
    games: int
    rules: str
    note: str
    rows: tuple[PublishedRow, ...]
    pool: str = ""


def table_names() -> list[str]:
    """Names of all published tables, sorted."""
    names = (file.name for file in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_table(name: str) -> PublishedTable:
    """The published table of a name; ValueError if there is none or its file is faulty."""
    names = table_names()
    if name not in names:
        close = get_close_matches(name, names, 1)
        hint = f", did you mean {close[0]!r}?" if close else ";"
        raise ValueError(f"unknown table {name!r}{hint} The tables are {', '.join(names)}")
    return parse_table(name, files(__name__).joinpath(f"{name}.toml").read_text("utf-8"))


def row_notes(rows: Iterable[PublishedRow]) -> list[str]:
    """The notes of rows, each with the label of the row, once."""
    notes = (f"{row.row}: {row.note}" for row in rows if row.note)
    return list(dict.fromkeys(notes))


def parse_table(name: str, text: str) -> PublishedTable:
    """A published table from the text of its file, checked."""
    where = f"table {name!r}"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where}: {error}") from None
    entries = data.pop("rows", None)
    head = _checked(PublishedTable, data, where)
    if head["name"] != name:
        raise ValueError(f"{where}: the file calls it {head['name']!r}")
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{where}: rows must be a list of at least one row")
    inherited = {key: head[key] for key in _INHERITED if key in head}
    rows = tuple(
        _row(entry, inherited, f"{where}, row {place}") for place, entry in enumerate(entries, 1)
    )
    cells = Counter((row.row, row.players, row.hand_size) for row in rows)
    cell, count = cells.most_common(1)[0]
    if count > 1:
        raise ValueError(f"{where}: {count} rows for {cell} (row, players, hand_size)")
    return PublishedTable(rows=rows, **head)


def _row(entry: object, inherited: Mapping[str, Any], where: str) -> PublishedRow:
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: expected a table of keys, not {entry!r}")
    values = _checked(PublishedRow, {**inherited, **entry}, where)
    try:
        return PublishedRow(**values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _checked(kind: type, entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Keys and types of an entry compared with the fields of a dataclass, whitespace folded."""
    known = {field.name: field for field in fields(kind) if field.name != "rows"}
    for key in entry:
        if key not in known:
            raise ValueError(f"{where}: unknown key {key!r}: expected some of {', '.join(known)}")
    values = {}
    for key, field in known.items():
        if key in entry:
            values[key] = _typed(entry[key], field.type, f"{where}: {key}")
        elif field.default is MISSING:
            raise ValueError(f"{where}: key {key!r} is missing")
    return values


def _typed(value: object, expected: Any, where: str) -> object:
    """A value of the expected type, or of ``expected | None``; a whole number is a float too."""
    kind = get_args(expected)[0] if get_args(expected) else expected
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"{where} must be of type {kind.__name__}, not {value!r}")
    return " ".join(value.split()) if isinstance(value, str) else value
