"""Frames of a tab that reviews a game, read into small records; see ``tamaya.web.messages``."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tamaya.cards import DECK_SIZE
from tamaya.replays.fields import Field, ReplayError
from tamaya.web.values import (
    Message,
    agent_of,
    matching,
    name_of,
    note_of,
    optional,
    seat_of,
    secret_of,
    table_of,
    turn_of,
)

_KEY = re.compile(r"[!-~]{1,200}")
_BLUEPRINT = re.compile(r"[A-Za-z0-9_.:,=+-]+")


@dataclass(frozen=True)
class ReviewGame(Message):
    """Somebody comes to look at a finished game, perhaps with the server's key or a seat's."""

    game: str
    key: str | None
    token: str | None
    to: int | None  # the last turn that was seen, of who fears spoilers


@dataclass(frozen=True)
class Analyse(Message):
    """Wants the values of all moves, or of those up to a turn."""

    blueprint: str | None
    to: int | None


@dataclass(frozen=True)
class Focus(Message):
    """Looks at a turn."""

    turn: int


@dataclass(frozen=True)
class More(Message):
    """Wants a turn to be weighed on more deals."""

    turn: int


@dataclass(frozen=True)
class Cancel(Message):
    """Wants no more values."""


@dataclass(frozen=True)
class Choices(Message):
    """Wants to know what the agents would do at a turn."""

    turn: int


@dataclass(frozen=True)
class Disagree(Message):
    """Wants to know at which turns, perhaps up to one, agents would do different things."""

    to: int | None


@dataclass(frozen=True)
class Believe(Message):
    """Wants to know what a seat, or an agent in it, takes its cards for."""

    turn: int
    seat: int
    agent: str | None


@dataclass(frozen=True)
class WriteNote(Message):
    """Writes a note on a turn or on a card."""

    turn: int | None
    order: int | None
    text: str
    name: str


def _key_of(field: Field) -> str:
    # As with tokens, the text itself stays out of the message.
    if not _KEY.fullmatch(field.text()):
        raise field.error("expected the key of this server")
    return field.text()


def _read_note(id: int | None, frame: Field) -> WriteNote:
    turn = optional(frame.get("turn", None), turn_of)
    order = optional(frame.get("order", None), lambda field: field.whole("card", 0, DECK_SIZE - 1))
    if (turn is None) == (order is None):
        raise ReplayError("a note is about a turn or about a card", "turn")
    return WriteNote(id, turn, order, note_of(frame["text"]), name_of(frame["name"]))


READERS: dict[str, tuple[tuple[str, ...], Callable[[int | None, Field], Message]]] = {
    "review": (
        ("game", "key", "token", "to"),
        lambda id, frame: ReviewGame(
            id,
            table_of(frame["game"]),
            optional(frame.get("key", None), _key_of),
            optional(frame.get("token", None), secret_of),
            optional(frame.get("to", None), turn_of),
        ),
    ),
    "analyse": (
        ("blueprint", "to"),
        lambda id, frame: Analyse(
            id,
            optional(
                frame.get("blueprint", None),
                lambda field: matching(field, _BLUEPRINT, "a blueprint", 200),
            ),
            optional(frame.get("to", None), turn_of),
        ),
    ),
    "focus": (("turn",), lambda id, frame: Focus(id, turn_of(frame["turn"]))),
    "more": (("turn",), lambda id, frame: More(id, turn_of(frame["turn"]))),
    "cancel": ((), lambda id, frame: Cancel(id)),
    "choices": (("turn",), lambda id, frame: Choices(id, turn_of(frame["turn"]))),
    "disagree": (
        ("to",),
        lambda id, frame: Disagree(id, optional(frame.get("to", None), turn_of)),
    ),
    "believe": (
        ("turn", "seat", "agent"),
        lambda id, frame: Believe(
            id,
            turn_of(frame["turn"]),
            seat_of(frame["seat"]),
            optional(frame.get("agent", None), agent_of),
        ),
    ),
    "note": (("turn", "order", "text", "name"), _read_note),
}
