"""Frames: what the page may send, read into small records, and how answers are written.

A frame is a JSON object with a ``type``. Whatever else arrives, from other types of values to
other JSON, is a ``FrameError`` that names the place; nothing else is ever raised.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from tamaya.replays.fields import Field, ReplayError, shown
from tamaya.rules import MAX_MOVES, MAX_PLAYERS

LONGEST_FRAME = 64 * 1024  # characters
LONGEST_NAME = 40
LONGEST_AGENT = 100
RULE_LIST, LONGEST_RULES = "rules", 4000  # the one parameter that is a text of its own
MOST_PARAMS = 40
MOST_BRACKETS = 100  # of a frame; honest ones have a few
LARGEST_ID = 2**31 - 1
LARGEST_NUMBER = 2**53  # that a page can hold

_TABLE_ID = re.compile(r"[a-z2-7]{16}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
_MOVE = re.compile(r"[dp][0-7]|h[1-4][RYGWB1-5]")
_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_RULES = re.compile(r"[A-Za-z0-9_(),.:;<>=|+ -]*")


class FrameError(ValueError):
    """A frame that cannot be read; ``re`` is its id, as far as that could be read."""

    def __init__(self, code: str, text: str, place: str = "", re: int | None = None) -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self.code, self.text, self.place, self.re = code, text, place, re


@dataclass(frozen=True)
class Message:
    """What somebody sent; the id comes back with the answer."""

    id: int | None


@dataclass(frozen=True)
class Hello(Message):
    """Somebody comes to a table: with the token of a seat, with an invite, or to watch."""

    table: str
    token: str | None
    invite: str | None
    name: str | None


@dataclass(frozen=True)
class Sit(Message):
    """Wants a seat."""

    seat: int
    name: str


@dataclass(frozen=True)
class Leave(Message):
    """Gets up."""


@dataclass(frozen=True)
class Start(Message):
    """Begins the game though seats are open."""


@dataclass(frozen=True)
class Fill(Message):
    """Gives a seat to an agent, with parameters."""

    seat: int
    agent: str
    params: dict[str, bool | int | float | str]


@dataclass(frozen=True)
class Move(Message):
    """Makes a move at a turn."""

    turn: int
    move: str


@dataclass(frozen=True)
class Look(Message):
    """Wants to see an earlier turn."""

    turn: int


@dataclass(frozen=True)
class Undo(Message):
    """Wants the own last move back."""

    turn: int


@dataclass(frozen=True)
class Agree(Message):
    """Agrees that moves are taken back, or does not."""

    yes: bool


@dataclass(frozen=True)
class Advise(Message):
    """Wants to know what an agent would do."""

    turn: int
    agent: str | None


@dataclass(frozen=True)
class Why(Message):
    """Wants to know why a seat moved."""

    turn: int
    seat: int | None


@dataclass(frozen=True)
class Pace(Message):
    """Sets milliseconds from move to move."""

    ms: int


@dataclass(frozen=True)
class Pause(Message):
    """Stops the agents, or lets them go on."""

    on: bool


@dataclass(frozen=True)
class Step(Message):
    """Lets the agents make one move."""


@dataclass(frozen=True)
class Again(Message):
    """Wants the next deal with the same seats."""


# Values.


def name_of(field: Field) -> str:
    """The name of a person: some characters that show, in one line and one direction."""
    name = " ".join(field.text().split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise field.error(f"a name has 1 to {LONGEST_NAME} characters, this one {len(name)}")
    for character in name:
        # Cc control, Cf format (bidi marks among them), Cs halves of pairs, Co private, Cn none.
        if unicodedata.category(character)[0] == "C":
            raise field.error(f"a name cannot have the character U+{ord(character):04X}")
    return name


def seat_of(field: Field) -> int:
    """A seat of any table."""
    return field.whole("seat", 0, MAX_PLAYERS - 1)


def turn_of(field: Field) -> int:
    """A turn of any game."""
    return field.whole("turn", 0, MAX_MOVES)


def agent_of(field: Field) -> str:
    """The name of an agent; whether there is such an agent is asked elsewhere."""
    return _matching(field, _AGENT, "the name of an agent", LONGEST_AGENT)


def params_of(field: Field) -> dict[str, bool | int | float | str]:
    """Parameters of an agent: numbers, true or false, names, or a list of rules."""
    params: dict[str, bool | int | float | str] = {}
    if len(field.mapping()) > MOST_PARAMS:
        raise field.error(f"more than {MOST_PARAMS} parameters")
    for name in field.mapping():
        if len(name) > LONGEST_NAME or not name.isidentifier():
            raise field.error(f"{shown(name)} is not the name of a parameter")
        if name == RULE_LIST:
            params[name] = _matching(field[name], _RULES, "a list of rules", LONGEST_RULES)
        else:
            params[name] = _param_of(field[name])
    return params


def _param_of(field: Field) -> bool | int | float | str:
    if isinstance(field.value, str):
        return agent_of(field)
    if not isinstance(field.value, (bool, int, float)):
        raise field.error(f"expected a number, true, false or a name, found {shown(field.value)}")
    if abs(field.value) > LARGEST_NUMBER:
        raise field.error("the number is too large")
    return field.value


def _matching(field: Field, pattern: re.Pattern[str], what: str, longest: int = 64) -> str:
    text = field.text()
    if len(text) > longest or not pattern.fullmatch(text):
        raise field.error(f"{shown(text)} is not {what}")
    return text


def _optional(field: Field, read: Callable[[Field], Any]) -> Any:
    return None if field.value is None else read(field)


def _secret_of(field: Field) -> str:
    # The text itself stays out of the message, which may go to a log.
    if not _SECRET.fullmatch(field.text()):
        raise field.error("expected 22 letters and digits")
    return field.text()


# Frames.

_READERS: dict[str, tuple[tuple[str, ...], Callable[[int | None, Field], Message]]] = {
    "hello": (
        ("table", "token", "invite", "name"),
        lambda id, frame: Hello(
            id,
            _matching(frame["table"], _TABLE_ID, "the id of a table"),
            _optional(frame.get("token", None), _secret_of),
            _optional(frame.get("invite", None), _secret_of),
            _optional(frame.get("name", None), name_of),
        ),
    ),
    "sit": (
        ("seat", "name"),
        lambda id, frame: Sit(id, seat_of(frame["seat"]), name_of(frame["name"])),
    ),
    "leave": ((), lambda id, frame: Leave(id)),
    "start": ((), lambda id, frame: Start(id)),
    "fill": (
        ("seat", "agent", "params"),
        lambda id, frame: Fill(
            id, seat_of(frame["seat"]), agent_of(frame["agent"]), params_of(frame.get("params", {}))
        ),
    ),
    "move": (
        ("turn", "move"),
        lambda id, frame: Move(
            id, turn_of(frame["turn"]), _matching(frame["move"], _MOVE, "a move")
        ),
    ),
    "look": (("turn",), lambda id, frame: Look(id, turn_of(frame["turn"]))),
    "undo": (("turn",), lambda id, frame: Undo(id, turn_of(frame["turn"]))),
    "agree": (("yes",), lambda id, frame: Agree(id, frame["yes"].flag())),
    "advise": (
        ("turn", "agent"),
        lambda id, frame: Advise(
            id, turn_of(frame["turn"]), _optional(frame.get("agent", None), agent_of)
        ),
    ),
    "why": (
        ("turn", "seat"),
        lambda id, frame: Why(
            id, turn_of(frame["turn"]), _optional(frame.get("seat", None), seat_of)
        ),
    ),
    "pace": (("ms",), lambda id, frame: Pace(id, frame["ms"].whole("pace", 100, 5_000))),
    "pause": (("on",), lambda id, frame: Pause(id, frame["on"].flag())),
    "step": ((), lambda id, frame: Step(id)),
    "again": ((), lambda id, frame: Again(id)),
}


def parse_frame(text: str) -> Message:
    """The message of a frame; FrameError names what is wrong with it, and the place."""
    number: int | None = None
    try:
        frame = read_json(text, LONGEST_FRAME)
        frame.mapping()
        if "id" in frame:
            number = frame["id"].whole("id", 0, LARGEST_ID)
        kind = frame["type"].text()
        if kind not in _READERS:
            raise frame["type"].error(f"{shown(kind)} is not a type of frame")
        fields, read = _READERS[kind]
        for name in frame.mapping():
            if name not in ("type", "id", *fields):
                raise frame.error(f"{shown(name)} is not a field of {kind}")
        return read(number, frame)
    except ReplayError as error:
        raise FrameError("bad_frame", error.reason, error.place, number) from None


def read_json(text: str, longest: int) -> Field:
    """A JSON document as strict as can be; ReplayError for others."""
    if len(text) > longest:
        raise ReplayError(f"longer than {longest} characters", "document")
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise ReplayError("too many brackets", "document")
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except ReplayError:
        raise
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
        raise ReplayError(f"not JSON: {reason}", "document") from None
    return Field(value, "")


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ReplayError(f"{shown(twice)} is there twice", "document")
    return values


def _no_constant(name: str) -> NoReturn:
    raise ReplayError(f"{name} is not a number of JSON", "document")


class Written(list[Any]):
    """A list in a frame whose text is known already: that of a long log is most of a view."""

    def __init__(self, values: Iterable[Any], text: str) -> None:
        super().__init__(values)
        self.text = text


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def dump(frame: dict[str, Any]) -> str:
    """The text of a frame, the same for equal frames: names in order, no spaces."""
    texts: list[str] = []
    plain: dict[str, Any] = {}
    for name in sorted(frame):
        value = frame[name]
        if not isinstance(value, Written):
            plain[name] = value
            continue
        if plain:
            texts.append(_ENCODER.encode(plain)[1:-1])
        texts.append(f'"{name}":{value.text}')
        plain = {}
    if plain:
        texts.append(_ENCODER.encode(plain)[1:-1])
    return f"{{{','.join(texts)}}}"
