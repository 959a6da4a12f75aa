"""The text form of a game: rules, start, deck and moves, one line each, and a checksum.

    tamaya-game 1
    rules players=2 hand_size=5
    start 0
    deck R1 Y3 B5 ...
    moves p0 h1R d2 ...
    check 1a2b3c4d

Everything else follows by replaying; a last move ``x`` means that the seat to move gave up. The
checksum covers the lines above it; a text written by hand may leave it out, a saved file may not.
"""

from typing import TYPE_CHECKING
from zlib import crc32

from tamaya.cards import card_name, parse_card
from tamaya.moves import GIVE_UP, move_text
from tamaya.records import GAVE_UP
from tamaya.rules import Rules, RulesError

if TYPE_CHECKING:
    from tamaya.game import Game

HEADER = "tamaya-game 1"
KEYWORDS = ("rules", "start", "deck", "moves")


class GameTextError(ValueError):
    """A text that is no game; the message names the line and the culprit."""


def game_text(game: "Game") -> str:
    """The text of a game."""
    gave_up = int(game.record.status) == GAVE_UP
    moves = [*game.moves, GIVE_UP] if gave_up else game.moves
    lines = [
        HEADER,
        f"rules {game.rules.to_text()}",
        f"start {int(game.record.start)}",
        " ".join(["deck", *map(card_name, game.deck)]),
        " ".join(["moves", *(move_text(game.rules, move) for move in moves)]),
    ]
    body = "\n".join(lines) + "\n"
    return f"{body}check {crc32(body.encode()):08x}\n"


def parse_game(text: str, *, complete: bool = False) -> "Game":
    """The game of a text; a ``complete`` one must carry its checksum."""
    lines = text.rstrip().splitlines()
    if not lines or lines[0].strip() != HEADER:
        found = lines[0][:40] if lines else ""
        raise GameTextError(f"line 1: expected {HEADER!r}, found {found!r}")
    _check_sum(lines, complete)
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
    game = _dealt(values)
    _replay(game, *values["moves"])
    return game


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


def _dealt(values: dict[str, tuple[int, str]]) -> "Game":
    """The game of the first three lines, before any move."""
    from tamaya.game import Game

    number, text = values["rules"]
    try:
        rules = Rules.parse(text)
        number, text = values["start"]
        if not text.isdecimal():
            raise ValueError(f"{text!r} is not a seat")
        start = int(text)
        number, text = values["deck"]
        deck = [parse_card(name) for name in text.split()]
        number = values["deck" if start < rules.players else "start"][0]
        return Game(rules, deck=deck, start=start)
    except (RulesError, ValueError) as error:
        raise GameTextError(f"line {number}: {error}") from None


def _replay(game: "Game", number: int, text: str) -> None:
    for move in text.split():
        try:
            game.apply(move)
        except ValueError as error:
            raise GameTextError(f"line {number}, move {game.turn + 1}: {error}") from None
