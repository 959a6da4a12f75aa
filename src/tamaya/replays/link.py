"""Games as the compact text in a hanab.live link, both ways.

Three parts separated by commas, with a hyphen after every 20 characters for readability:

    players, lowest and highest rank, then a letter per card: colour x ranks + rank
    lowest and highest action type, then two letters per action: value and type, target
    number of the variant

New links may end with a comma and a seed. Letters stand for 0 to 61. A link contains players, deck,
moves and the number of colours, nothing else; games under other rules need JSON or text.

Other addresses only name a game by its number (``/replay/12345``). Such a game has to be downloaded
first, which this package does not do: ``numbered_game`` recognises them, for a message with
instructions.
"""

import re
from textwrap import wrap
from typing import Any

from tamaya.game import Game
from tamaya.replays.fields import ReplayError
from tamaya.replays.hanab_live import NAMES, VARIANTS, from_json, to_json
from tamaya.rules import Rules

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
VARIANT_NUMBERS = {5: "0", 4: "15", 3: "18"}  # by number of colours
REPLAY_ADDRESS = "https://hanab.live/replay-json/"
EXPORT_ADDRESS = "https://hanab.live/export/"  # a game's JSON, by its number
N_RANKS = 5
GROUP = 20  # characters between hyphens

_ADDRESS = re.compile(r"\s*(?:(?:https?://)?[\w.:-]*/)?(?:shared-)?replay-json/", re.ASCII)
_NUMBER = re.compile(
    r"\s*(?:(?:https?://)?[\w.:-]*/(?:(?:shared-)?replay|export)/)?#?(\d{1,18})(?:[/?#]\S*)?\s*",
    re.ASCII,
)

Letters = list[tuple[int, str]]  # characters with their places in the link, counted from 1


def to_link(game: Game) -> str:
    """The text that follows ``/replay-json/`` in the link of a game."""
    if lost := lost_in_a_link(game):
        raise ReplayError(f"a link cannot carry {', '.join(lost)}; json and text can")
    document = to_json(game)
    cards = "".join(
        ALPHABET[N_RANKS * card["suitIndex"] + card["rank"] - 1] for card in document["deck"]
    )
    types = [action["type"] for action in document["actions"]] or [0]
    low, n_types = min(types), max(types) - min(types) + 1
    actions = "".join(
        ALPHABET[(action.get("value", -1) + 1) * n_types + action["type"] - low]
        + ALPHABET[action["target"]]
        for action in document["actions"]
    )
    variant = VARIANT_NUMBERS[game.rules.colours]
    text = f"{game.rules.players}1{N_RANKS}{cards},{low}{max(types)}{actions},{variant}"
    return "-".join(wrap(text, GROUP))


def replay_url(game: Game) -> str:
    """The address at which hanab.live shows a game."""
    return REPLAY_ADDRESS + to_link(game)


def lost_in_a_link(game: Game) -> list[str]:
    """The rules of a game that a link cannot carry, such as ``bomb=keep``."""
    rules, usual = game.rules, Rules(players=game.rules.players)
    lost = [
        f"{name}={str(value).lower()}"
        for name, value in rules.as_dict().items()
        if value != getattr(usual, name) and (name != "colours" or value not in VARIANTS)
    ]
    if game.record.start:
        lost.append(f"start={game.record.start}")
    return lost


def numbered_game(text: str) -> int | None:
    """The number of a game on hanab.live, if a text is its address or the bare number."""
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def looks_like_link(text: str) -> bool:
    """Whether a text is the address of a replay, or has the parts of a link."""
    is_bare = re.match(r"\s*[2-6]\d{2}[\w-]*,\d", text, re.ASCII)
    return bool(is_bare or _ADDRESS.match(text))


def from_link(text: str) -> Game:
    """The game of a link, or of its last part; ReplayError names the character, from 1."""
    parts = _parts(text)
    deck, deck_places = _read_deck(parts[0][1:])
    actions, action_places = _read_actions(parts[1])
    number = "".join(letter for _, letter in parts[2])
    colours = {text: n for n, text in VARIANT_NUMBERS.items()}.get(number)
    if colours is None:
        known = ", ".join(VARIANT_NUMBERS.values())
        raise _error(parts[2][0][0], f"unknown variant {number[:20]!r}: expected one of {known}")
    document = {
        "players": list(NAMES[: _read_players(*parts[0][0])]),
        "deck": deck,
        "actions": actions,
        "options": {"variant": VARIANTS[colours]},
    }
    try:
        return from_json(document)
    except ReplayError as error:
        places = {"deck": deck_places, "actions": action_places}
        raise _error(_character(error.place, places), error.reason) from None


def _error(place: int, reason: str) -> ReplayError:
    return ReplayError(reason, f"character {place}")


def _parts(text: str) -> list[Letters]:
    """The three parts of a link, checked not to be empty, without the seed."""
    address = _ADDRESS.match(text)
    first = address.end() if address else len(text) - len(text.lstrip())
    link = re.split("[?#]", text[first:].rstrip(), maxsplit=1)[0]  # without query and turn
    parts: list[Letters] = [[]]
    for place, letter in enumerate(link, start=first + 1):
        if letter == ",":
            if not parts[-1]:
                raise _error(place, "a part of the link is empty")
            parts.append([])
            if len(parts) > 4:
                raise _error(place, "more than three parts and a seed")
        elif letter in ALPHABET or (letter == "_" and len(parts) == 4):
            parts[-1].append((place, letter))
        elif letter != "-":
            raise _error(place, f"{letter!r} cannot be part of a link")
    if len(parts) < 3 or not parts[2]:
        reason = f"the link ends in part {len(parts)} of 3: players and deck, actions, variant"
        raise _error(first + len(link) + 1, reason)
    return parts[:3]


def _digit(place: int, letter: str) -> int:
    if letter not in DIGITS:
        raise _error(place, f"expected a digit, found {letter!r}")
    return int(letter)


def _read_players(place: int, letter: str) -> int:
    players = _digit(place, letter)
    if not 2 <= players <= len(NAMES):
        raise _error(place, f"{players} players, expected 2 to {len(NAMES)}")
    return players


def _read_deck(letters: Letters) -> tuple[list[dict[str, int]], list[int]]:
    """The deck of a document, and the place of each card in the link."""
    for (place, letter), rank in zip(letters, (1, N_RANKS), strict=False):
        if _digit(place, letter) != rank:
            raise _error(place, f"rank {letter}, expected ranks from 1 to {N_RANKS}")
    cards = [divmod(ALPHABET.index(letter), N_RANKS) for _, letter in letters[2:]]
    deck = [{"suitIndex": colour, "rank": rank + 1} for colour, rank in cards]
    return deck, [place for place, _ in letters[2:]]


def _read_actions(letters: Letters) -> tuple[list[dict[str, Any]], list[int]]:
    """The actions of a document, and the places of their letters in the link."""
    if len(letters) % 2:
        raise _error(letters[-1][0], "half an action")
    low, high = (_digit(place, letter) for place, letter in letters[:2])
    if low > high:
        raise _error(letters[0][0], f"action types from {low} to {high}")
    actions = []
    for (_, first), (_, second) in zip(letters[2::2], letters[3::2], strict=True):
        value, kind = divmod(ALPHABET.index(first), high - low + 1)
        action = {"type": kind + low, "target": ALPHABET.index(second)}
        actions.append(action | ({"value": value - 1} if value else {}))
    return actions, [place for place, _ in letters[2:]]


def _character(place: str, places: dict[str, list[int]]) -> int:
    """The character in the link that corresponds to a place in the document."""
    found = re.match(r"(deck|actions)(?:\[(\d+)\])?", place)
    if found is None or not places[found[1]]:
        return 1
    if found[2] is None:
        return places[found[1]][-1]
    number = int(found[2])
    if found[1] == "actions":  # two letters each, the target after value and type
        number = 2 * number + place.endswith(".target")
    return places[found[1]][number]
