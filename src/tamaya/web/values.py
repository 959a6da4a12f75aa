"""Values of frames and requests, each read with its place: names, seats, turns, agents, notes.

Every reader returns a value that the rest of the server can trust or raises a ReplayError that
names the place.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tamaya.replays.fields import Field, shown
from tamaya.rules import MAX_MOVES, MAX_PLAYERS
from tamaya.web.names import LONGEST_NAME, read_name

LONGEST_NOTE = 500
LONGEST_AGENT = 100
RULE_LIST, LONGEST_RULES = "rules", 4000  # the one parameter that is a text of its own
MOST_PARAMS = 40
LARGEST_NUMBER = 2**53  # that a page can hold

TABLE_ID = re.compile(r"[a-z2-7]{16}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_RULES = re.compile(r"[A-Za-z0-9_(),.:;<>=|+ -]*")
_IN_NOTES = "\n\t\u200c\u200d"  # line breaks, and what joins the parts of an emoji


@dataclass(frozen=True)
class Message:
    """What somebody sent; the id comes back with the answer."""

    id: int | None


def name_of(field: Field) -> str:
    """The name of a person."""
    text = field.text()
    try:
        return read_name(text)
    except ValueError as error:
        raise field.error(str(error)) from None


def note_of(field: Field, longest: int = LONGEST_NOTE) -> str:
    """A note: some lines that show, in one direction; emoji may be joined."""
    text = field.text().replace("\r\n", "\n").strip()
    if len(text) > longest:
        raise field.error(f"a note has at most {longest} characters, this one {len(text)}")
    for character in text:
        is_bad = unicodedata.category(character)[0] == "C" and character not in _IN_NOTES
        if is_bad:
            raise field.error(f"a note cannot have the character U+{ord(character):04X}")
    return text


def plain_text(text: str) -> str:
    """A text for an answer, in which what does not show is written out."""
    return "".join(
        f"U+{ord(character):04X}" if unicodedata.category(character)[0] == "C" else character
        for character in text
    )


def table_of(field: Field) -> str:
    """The id of a table or game."""
    return matching(field, TABLE_ID, "the id of a table")


def seat_of(field: Field) -> int:
    """A seat of any table."""
    return field.whole("seat", 0, MAX_PLAYERS - 1)


def turn_of(field: Field) -> int:
    """A turn of any game."""
    return field.whole("turn", 0, MAX_MOVES)


def agent_of(field: Field) -> str:
    """The name of an agent; whether there is such an agent is asked elsewhere."""
    return matching(field, _AGENT, "the name of an agent", LONGEST_AGENT)


def params_of(field: Field) -> dict[str, bool | int | float | str]:
    """Parameters of an agent: numbers, true or false, names, or a list of rules."""
    params: dict[str, bool | int | float | str] = {}
    if len(field.mapping()) > MOST_PARAMS:
        raise field.error(f"more than {MOST_PARAMS} parameters")
    for name in field.mapping():
        if len(name) > LONGEST_NAME or not name.isidentifier():
            raise field.error(f"{shown(name)} is not the name of a parameter")
        if name == RULE_LIST:
            params[name] = matching(field[name], _RULES, "a list of rules", LONGEST_RULES)
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


def matching(field: Field, pattern: re.Pattern[str], what: str, longest: int = 64) -> str:
    """A text of a form."""
    text = field.text()
    if len(text) > longest or not pattern.fullmatch(text):
        raise field.error(f"{shown(text)} is not {what}")
    return text


def optional(field: Field, read: Callable[[Field], Any]) -> Any:
    """A value, or None where there is none."""
    return None if field.value is None else read(field)


def secret_of(field: Field) -> str:
    """A token or an invite."""
    # The text itself stays out of the message, which may go to a log.
    if not _SECRET.fullmatch(field.text()):
        raise field.error("expected 22 letters and digits")
    return field.text()
