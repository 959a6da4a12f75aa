"""All that people read or hear at a table: what happened, what a card is, why an agent moved.

Slots are counted as on hanab.live, from 1 for the newest card; the page can convert them to
tamaya's numbers. Turns are counted from 1. Colours go by the palette: games of
hanab.live have blue and purple where ours have white and blue.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tamaya.cards import COLOUR_LETTERS, COLOUR_NAMES, parse_card
from tamaya.moves import DISCARD, GIVE_UP, HINT_COLOUR, PLAY, describe, parse_move
from tamaya.rules import Rules

if TYPE_CHECKING:
    from tamaya.web.events import SeatState

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
PALETTES = {palette.name: palette for palette in (TAMAYA, HANAB_LIVE)}


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words as a list: ``1, 2 and 4``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


# Seats.


def seat_names(seats: Iterable["SeatState"]) -> tuple[str, ...]:
    """What the seats are called: by names, or by numbers if nobody has sat there.

    Who has the name of an earlier seat gets a number too, so that every seat is called otherwise.
    """
    names: list[str] = []
    for seat, sitter in enumerate(seats):
        name = called = sitter.name or f"seat {seat + 1}"
        number = 1
        while called in names:
            number += 1
            called = f"{name} {number}"
        names.append(called)
    return tuple(names)


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
    """What a card may be: ``red or blue, rank 3``, ``yellow 4``, or ``unknown``."""
    cards = [card for card in range(25) if mask >> card & 1]
    if len(cards) == 1:
        return palette.card(cards[0])
    colours, ranks = ({card // 5 for card in cards}, {card % 5 for card in cards})
    everything = [card for card in range(25) if all_cards >> card & 1]
    words = []
    if colours != {card // 5 for card in everything}:
        words.append(joined([palette.colours[colour] for colour in sorted(colours)], "or"))
    if ranks != {card % 5 for card in everything}:
        words.append(f"rank {joined([str(rank + 1) for rank in sorted(ranks)], 'or')}")
    return ", ".join(words) or "unknown"


@lru_cache(maxsize=8192)
def known_words(mask: int, palette: Palette = TAMAYA) -> str:
    """What all cards of a set share: ``yellow 4``, ``yellow``, ``rank 4``, or nothing."""
    cards = [card for card in range(25) if mask >> card & 1]
    colours, ranks = {card // 5 for card in cards}, {card % 5 for card in cards}
    colour = palette.colours[min(colours)] if len(colours) == 1 else ""
    rank = str(min(ranks) + 1) if len(ranks) == 1 else ""
    return f"{colour} {rank}" if colour and rank else colour or (rank and f"rank {rank}")


def told_words(event: dict[str, Any], palette: Palette = TAMAYA) -> str:
    """What a hint names: ``red`` or ``rank 3``; a bare number might belong to a name."""
    value: int = event["value"]
    return palette.colours[value] if event["kind"] == "colour" else f"rank {value + 1}"


def card_label(
    where: str,
    held: dict[str, Any],
    hints: Iterable[dict[str, Any]],
    all_cards: int,
    palette: Palette = TAMAYA,
) -> str:
    """A card in a hand, as it is read aloud.

    ``slot 2, red or blue, rank 3, told rank 3 at turn 9`` if its face is hidden, and if it is seen
    ``Ben, slot 1, newest: yellow 4, critical, knows rank 4``.
    """
    if held["card"] is not None:
        known = known_words(held["hints"], palette)
        knows = (f"knows {known}",) if known else ()
        return f"{where}: {', '.join((palette.card(held['card']), *held['marks'], *knows))}"
    told = (f"told {told_words(hint, palette)} at turn {hint['turn'] + 1}" for hint in hints)
    return ", ".join((where, set_words(held["sight"], all_cards, palette), *told, *held["marks"]))


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


# Moves and reasons.


@dataclass(frozen=True)
class Speaker:
    """The seat whose move is spoken of: what its slots and the other seats are called."""

    rules: Rules
    seat: int
    names: tuple[str, ...]
    numbers: tuple[int, ...]  # of its slots, see slot_numbers
    palette: Palette = TAMAYA

    def at_offset(self, offset: int) -> int:
        """The seat at an offset."""
        return (self.seat + offset) % self.rules.players

    def move(self, text: str) -> str:
        """A move in words: ``play slot 1``, ``tell Ben red``; a text that is none as it is."""
        try:
            number = parse_move(self.rules, text)
        except ValueError:
            return text
        if number == GIVE_UP:
            return "give up"
        kind, place, value = describe(self.rules, number)
        if kind in (PLAY, DISCARD):
            return f"{'play' if kind == PLAY else 'discard'} slot {self.numbers[place]}"
        named = self.palette.colours[value] if kind == HINT_COLOUR else f"rank {value + 1}"
        return f"tell {self.names[self.at_offset(place)]} {named}"


_PHRASES = re.compile(
    r"(?P<own>\b(?P<verb>play|discard) slot (?P<slot>[0-7])\b(?! (?:or|and) \d))"
    rf"|(?P<tell>\btell \+(?P<offset>[1-4]) (?:(?P<colour>{'|'.join(COLOUR_NAMES)})\b"
    r"|rank (?P<rank>[1-5])\b))"
    r"|(?P<next>\b[Tt]he next seat\b)"
    r"|(?P<seat>\bseat (?P<number>[0-4])\b)"
    r"|(?P<slots>\bslots? [0-7]\b(?:(?:, | or | and )[0-7]\b)*)"
    r"|(?P<card>\b[RYGWB][1-5]\b)"
    r"|(?P<move>\b(?:[dp][0-7]|h[1-4][RYGWB1-5])\b)"
)


def row_parts(rows: Iterable[tuple[str, object]], speaker: Speaker) -> list[dict[str, list[Part]]]:
    """Rows of an explanation, split into texts, slots, cards and moves that the page can light.

    Agents count slots from 0 for the oldest card and call seats by number. A slot is one of the
    seat that the row has named last, or the speaker's own.
    """
    split = []
    for reason, value in rows:
        parts, seat = _split(reason, speaker, speaker.seat)
        split.append({"parts": parts, "value": _split(value_text(value), speaker, seat)[0]})
    return split


def value_text(value: object) -> str:
    """A value of a row as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _split(text: str, speaker: Speaker, seat: int) -> tuple[list[Part], int]:
    """The parts of a text that begins by speaking of a seat, and the seat it ends with."""
    parts: list[Part] = []
    done = 0
    for found in _PHRASES.finditer(text):
        _add_text(parts, text[done : found.start()])
        done = found.end()
        if found["seat"] and int(found["number"]) < speaker.rules.players:
            seat = int(found["number"])
            _add_text(parts, speaker.names[seat])
        elif found["next"]:
            seat = speaker.at_offset(1)
            _add_text(parts, speaker.names[seat])
        elif found["slots"]:
            _add_slots(parts, found["slots"], seat)
        elif found["card"]:
            parts.append({"card": parse_card(found["card"])})
        elif (move := _move_of(found)) and (found["tell"] or seat == speaker.seat):
            parts.append({"move": move, "text": speaker.move(move)})
        elif found["own"]:
            _add_text(parts, f"{found['verb']} ")
            parts.append({"slot": int(found["slot"]), "seat": seat})
        else:
            _add_text(parts, found[0])
    _add_text(parts, text[done:])
    return parts, seat


def _move_of(found: re.Match[str]) -> str:
    """The move that a phrase speaks of, if any."""
    if found["own"]:
        return f"{found['verb'][0]}{found['slot']}"
    if found["tell"]:
        colour = found["colour"]
        value = COLOUR_LETTERS[COLOUR_NAMES.index(colour)] if colour else found["rank"]
        return f"h{found['offset']}{value}"
    return found["move"] or ""


def _add_text(parts: list[Part], text: str) -> None:
    if text and parts and "text" in parts[-1] and "move" not in parts[-1]:
        parts[-1]["text"] += text
    elif text:
        parts.append({"text": text})


def _add_slots(parts: list[Part], text: str, seat: int) -> None:
    """The slots of a phrase such as ``slot 2 or 3``."""
    for k, word in enumerate(re.split(r"([0-7])", text)[1:-1]):
        if k % 2:
            _add_text(parts, word)
        else:
            parts.append({"slot": int(word), "seat": seat})
