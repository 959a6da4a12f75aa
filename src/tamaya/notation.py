"""The text form of a game: rules, start, deck and moves, one line each, and a checksum.

    tamaya-game 1
    rules players=2 hand_size=5
    start 0
    deck R1 Y3 B5 ...
    moves p0 h1R d2 ...
    check 1a2b3c4d

Everything else follows from replaying the moves, which ``tamaya.game.Game`` does; a last move ``x``
means that the seat to move gave up. The checksum covers the lines above it; a text written by hand
may omit it, a saved file may not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from tamaya.cards import card_name, parse_card
from tamaya.moves import move_text
from tamaya.rules import Rules

HEADER = "tamaya-game 1"
KEYWORDS = ("rules", "start", "deck", "moves")


class GameTextError(ValueError):
    """A text that is not a game; the message names the line and the problem."""


@dataclass(frozen=True)
class GameText:
    """The content of a text; the moves have not been made yet."""

    rules: Rules
    start: int
    deck: list[int]
    moves: list[str]
    deck_line: int  # for messages
    moves_line: int


def write_game(rules: Rules, start: int, deck: Iterable[int], moves: Iterable[int]) -> str:
    """The text of a game with its checksum."""
    lines = [
        HEADER,
        f"rules {rules.to_text()}",
        f"start {start}",
        " ".join(["deck", *map(card_name, deck)]),
        " ".join(["moves", *(move_text(rules, move) for move in moves)]),
    ]
    body = "\n".join(lines) + "\n"
    return f"{body}check {crc32(body.encode()):08x}\n"


def read_game(text: str, *, complete: bool = False) -> GameText:
    """The content of a text; a ``complete`` one must have its checksum."""
    lines = text.rstrip().splitlines()
    if not lines or lines[0].strip() != HEADER:
        found = lines[0][:40] if lines else ""
        raise GameTextError(f"line 1: expected {HEADER!r}, found {found!r}")
    _check_sum(lines, complete)
    return _read_lines(_lines_by_keyword(lines))


def _check_sum(lines: list[str], complete: bool) -> None:
    """Compare the last line with the checksum of the others."""
    last = lines[-1].split()
    if not last or last[0] != "check":
        if complete:
            raise GameTextError(
                f"line {len(lines)}: the check line is missing, the file is cut off"
            )
        return
    body = "\n".join(lines[:-1]) + "\n"
    if last != ["check", f"{crc32(body.encode()):08x}"]:
        raise GameTextError(f"line {len(lines)}: the checksum does not match, the text was damaged")


def _lines_by_keyword(lines: list[str]) -> dict[str, tuple[int, str]]:
    """Number and content of each line by its keyword."""
    values: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        keyword, _, rest = line.strip().partition(" ")
        if keyword in ("", "check"):
            continue
        if keyword not in KEYWORDS:
            raise GameTextError(f"line {number}: unknown keyword {keyword!r}")
        if keyword in values:
            raise GameTextError(f"line {number}: a second {keyword!r} line")
        values[keyword] = number, rest
    for keyword in KEYWORDS:
        if keyword not in values:
            raise GameTextError(f"the {keyword!r} line is missing")
    return values


def _read_lines(values: dict[str, tuple[int, str]]) -> GameText:
    """The content of the lines, parsed as far as possible without playing."""
    number, text = values["rules"]
    try:
        rules = Rules.parse(text)
        number, text = values["start"]
        if not text.isdecimal():
            raise ValueError(f"{text!r} is not a seat")
        start = int(text)
        if start >= rules.players:
            raise ValueError(f"start {start} is not a seat of {rules.players} players")
        number, text = values["deck"]
        deck = [parse_card(name) for name in text.split()]
    except ValueError as error:
        raise GameTextError(f"line {number}: {error}") from None
    moves_line, moves = values["moves"]
    return GameText(rules, start, deck, moves.split(), number, moves_line)
