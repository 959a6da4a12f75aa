"""All that people read or hear at a table: what happened, what a card is, why an agent moved.

Slots are counted as players of hanab.live do, from 1 for the newest card; the page recounts them
for those who prefer tamaya's numbers. Turns are counted from 1. Colours go by the palette: games of
hanab.live have blue and purple where ours have white and blue.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tamaya.cards import COLOUR_LETTERS, COLOUR_NAMES

if TYPE_CHECKING:
    from tamaya.web.table import SeatState

Part = dict[str, Any]


@dataclass(frozen=True)
class Palette:
    """Letters and names of the colours, by their index."""

    name: str
    letters: str
    colours: tuple[str, ...]

    def card(self, card: int) -> str:
        """A card in words, such as ``white 2``."""
        return f"{self.colours[card // 5]} {card % 5 + 1}"


TAMAYA = Palette("tamaya", COLOUR_LETTERS, COLOUR_NAMES)
HANAB_LIVE = Palette("hanab.live", "RYGBP", ("red", "yellow", "green", "blue", "purple"))


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words as a list: ``1, 2 and 4``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


# Seats.


def seat_names(seats: Iterable["SeatState"]) -> tuple[str, ...]:
    """What the seats are called: by their names, or by their numbers if nobody has sat there."""
    return tuple(sitter.name or f"seat {seat + 1}" for seat, sitter in enumerate(seats))


def agent_label(spec: str) -> str:
    """An agent as people read it: its name and parameters, without the folders of files."""
    return re.sub(r"[^\s:,=]*/", "", spec)


# Slots.


def slot_numbers(orders: Sequence[int]) -> list[int]:
    """Numbers of the slots of a hand, 1 for the newest; 0 for empty ones."""
    numbers, n = [0] * len(orders), 0
    for slot in range(len(orders) - 1, -1, -1):
        if orders[slot] >= 0:
            n += 1
            numbers[slot] = n
    return numbers


# Cards.


@lru_cache(maxsize=8192)
def set_words(mask: int, all_cards: int, palette: Palette = TAMAYA) -> str:
    """What a card may be: ``red or blue, 3``, ``yellow 4``, or ``unknown``."""
    cards = [card for card in range(25) if mask >> card & 1]
    if len(cards) == 1:
        return palette.card(cards[0])
    colours, ranks = ({card // 5 for card in cards}, {card % 5 for card in cards})
    everything = [card for card in range(25) if all_cards >> card & 1]
    words = []
    if colours != {card // 5 for card in everything}:
        words.append(joined([palette.colours[colour] for colour in sorted(colours)], "or"))
    if ranks != {card % 5 for card in everything}:
        words.append(joined([str(rank + 1) for rank in sorted(ranks)], "or"))
    return ", ".join(words) or "unknown"


def told_words(event: dict[str, Any], palette: Palette = TAMAYA) -> str:
    """What a hint names: ``red`` or ``3``."""
    value: int = event["value"]
    return palette.colours[value] if event["kind"] == "colour" else str(value + 1)


def hidden_label(where: str, could_be: str, told: Iterable[str], marks: Sequence[str]) -> str:
    """A card whose face is hidden: ``slot 2, red or blue, 3, told 3 at turn 9``."""
    return ", ".join((where, could_be, *told, *marks))


def seen_label(where: str, card: str, marks: Sequence[str], known: str) -> str:
    """A card that is seen: ``Ben, slot 1, newest: yellow 4, critical, knows 4``."""
    knows = () if known == "unknown" else (f"knows {known}",)
    return f"{where}: {', '.join((card, *marks, *knows))}"


# Events.


def event_words(
    event: dict[str, Any],
    names: Sequence[str],
    numbers: Sequence[int],
    *,
    you: int | None = None,
    palette: Palette = TAMAYA,
) -> str:
    """What happened: ``Ben plays white 2, scores``; ``numbers`` are those of the touched slots."""
    is_you = event["seat"] == you
    who, s = ("you", "") if is_you else (names[event["seat"]], "s")
    if event["kind"] == "play":
        blind = " blind" if event["blind"] else ""
        words = f"{who} play{s} {palette.card(event['card'])}{blind}"
        words += f", score{s}" if event["scored"] else f", lose{s} a life"
        return f"{words}, a token back" if event["token"] else words
    if event["kind"] == "discard":
        return f"{who} discard{s} {palette.card(event['card'])}"
    whom = "you" if event["target"] == you else names[event["target"]]
    slots = [str(number) for number in sorted(numbers)]
    touched = f"slot{'s' if len(slots) > 1 else ''} {joined(slots)}" if slots else "no card"
    return f"{who} tell{s} {whom} {told_words(event, palette)}: {touched}"


CALL = "your turn"
FAILS = "you know that this card cannot be played: it would cost a life"
LAST_COPY = "you know that this is the last copy of a card that is still needed"
