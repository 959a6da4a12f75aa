"""Frames: what the page may send, read into small records, and how answers are written.

A frame is a JSON object with a ``type``. Whatever else arrives, from other types of values to
other JSON, is a ``FrameError`` that names the place; nothing else is ever raised.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tamaya.cards import DECK_SIZE, N_CARDS
from tamaya.replays.fields import Field, ReplayError, load_json, shown
from tamaya.web import review_frames
from tamaya.web.values import (
    Message,
    agent_of,
    matching,
    name_of,
    optional,
    params_of,
    seat_of,
    secret_of,
    table_of,
    turn_of,
)

LONGEST_FRAME = 64 * 1024  # characters
MOST_BRACKETS = 100  # of a frame; honest ones have a few
LARGEST_ID = 2**31 - 1

_MOVE = re.compile(r"[dp][0-7]|h[1-4][RYGWB1-5]")


class FrameError(ValueError):
    """A frame that cannot be read; ``re`` is its id, as far as that could be read."""

    def __init__(self, code: str, text: str, place: str = "", re: int | None = None) -> None:
        super().__init__(f"{place}: {text}" if place else text)
        self.code, self.text, self.place, self.re = code, text, place, re


@dataclass(frozen=True)
class Hello(Message):
    """Somebody comes to a table: with the token of a seat, with an invite, or to watch."""

    table: str
    token: str | None
    invite: str | None
    name: str | None
    person: str | None = None  # key of somebody whom agents may remember


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
    """Wants to know why a seat moved or, in a review, why an agent would."""

    turn: int
    seat: int | None
    agent: str | None = None


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


@dataclass(frozen=True)
class Back(Message):
    """Wants to go back to where a line leaves its game."""


@dataclass(frozen=True)
class Morph(Message):
    """Wants a card of a line to be another one."""

    order: int
    card: int


# Frames.

_READERS: dict[str, tuple[tuple[str, ...], Callable[[int | None, Field], Message]]] = {
    "hello": (
        ("table", "token", "invite", "name", "person"),
        lambda id, frame: Hello(
            id,
            table_of(frame["table"]),
            optional(frame.get("token", None), secret_of),
            optional(frame.get("invite", None), secret_of),
            optional(frame.get("name", None), name_of),
            optional(frame.get("person", None), secret_of),
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
            id, turn_of(frame["turn"]), matching(frame["move"], _MOVE, "a move")
        ),
    ),
    "look": (("turn",), lambda id, frame: Look(id, turn_of(frame["turn"]))),
    "undo": (("turn",), lambda id, frame: Undo(id, turn_of(frame["turn"]))),
    "agree": (("yes",), lambda id, frame: Agree(id, frame["yes"].flag())),
    "advise": (
        ("turn", "agent"),
        lambda id, frame: Advise(
            id, turn_of(frame["turn"]), optional(frame.get("agent", None), agent_of)
        ),
    ),
    "why": (
        ("turn", "seat", "agent"),
        lambda id, frame: Why(
            id,
            turn_of(frame["turn"]),
            optional(frame.get("seat", None), seat_of),
            optional(frame.get("agent", None), agent_of),
        ),
    ),
    "pace": (("ms",), lambda id, frame: Pace(id, frame["ms"].whole("pace", 100, 5_000))),
    "pause": (("on",), lambda id, frame: Pause(id, frame["on"].flag())),
    "step": ((), lambda id, frame: Step(id)),
    "again": ((), lambda id, frame: Again(id)),
    "back": ((), lambda id, frame: Back(id)),
    "morph": (
        ("order", "card"),
        lambda id, frame: Morph(
            id,
            frame["order"].whole("card", 0, DECK_SIZE - 1),
            frame["card"].whole("card", 0, N_CARDS - 1),
        ),
    ),
    **review_frames.READERS,
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
        return Field(load_json(text), "")
    except ReplayError as error:
        raise ReplayError(error.reason, "document") from None


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
