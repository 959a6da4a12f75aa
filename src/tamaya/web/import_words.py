"""What is wrong with a pasted game, in words for people who do not know its format.

``tamaya.replays`` says what it expected where, as ``actions[5].target: expected a whole number``.
People think of names, cards and moves: "Move 6: ...". The place is kept next to the words, for
programs and for those who know JSON.
"""

import re
from collections.abc import Callable

from tamaya.replays.fields import ReplayError
from tamaya.replays.link import EXPORT_ADDRESS
from tamaya.rules import MAX_PLAYERS
from tamaya.web.wording import HANAB_LIVE

FORMS = ("Paste the JSON of hanab.live, a link that begins with hanab.live/replay-json/ or "
         "hanab.live/shared-replay-json/, or a text that tamaya has saved.")  # fmt: skip
PARTS = {"players": "names of players", "deck": "deck", "actions": "moves"}
# Places of documents, the most special first.
SUBJECTS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"players\[(\d+)\]", lambda found: f"The name of player {int(found[1]) + 1}"),
    (r"players", lambda found: "The names of the players"),
    (r"deck\[(\d+)\]", lambda found: f"Card {int(found[1]) + 1} of the deck"),
    (r"deck", lambda found: "The deck"),
    (r"actions\[(\d+)\]", lambda found: f"Move {int(found[1]) + 1}"),
    (r"actions", lambda found: "The moves"),
    (r"notes\[(\d+)\]\[(\d+)\]",
     lambda found: f"The note of player {int(found[1]) + 1} on card {int(found[2]) + 1}"),
    (r"notes\[(\d+)\]", lambda found: f"The notes of player {int(found[1]) + 1}"),
    (r"notes", lambda found: "The notes"),
    (r"options\.(\S+)", lambda found: f"The option {found[1]}"),
    (r"options", lambda found: "The options"),
    (r"tamaya\.rules", lambda found: "The rules"),
    (r"tamaya", lambda found: "What tamaya has added to the file"),
    (r"character (\d+)", lambda found: f"Character {found[1]} of the link"),
)  # fmt: skip
# What documents count from 0, and people from 1.
COUNTED = re.compile(r"\b(?<=of )player (\d)|^player (\d)(?= gives)|^card (\d+)(?= is not in)")
# Reasons that are better told otherwise; those without a subject are whole sentences.
SENTENCES: tuple[tuple[str, Callable[[re.Match[str], str], str]], ...] = (
    (r"not a game\b", lambda found, place: f"This is not a game. {FORMS}"),
    (r"\S+ is not a replay", lambda found, place: f"This address leads to no game. {FORMS}"),
    (r"game (\d+) of hanab\.live is not downloaded", lambda found, place: (
        f"This address only names a game of hanab.live, and this server fetches nothing. Open "
        f"{EXPORT_ADDRESS}{found[1]} in your browser and paste all that it shows.")),
    (r"not JSON: nested|not JSON: a number|\S+ is not a number of JSON", lambda found, place: (
        "This begins like JSON, but no game looks like that.")),
    (r"not JSON", lambda found, place: (
        f"This begins like JSON, but goes wrong at {place}. Was all of it copied?")),
    (r"longer than any game", lambda found, place: f"This is longer than any game. {FORMS}"),
    (r"missing", lambda found, place: (
        f"Something is missing: the {PARTS[place]}. The JSON of hanab.live/export has all of it."
        if place in PARTS else "")),
    (r"(\d+) names, expected", lambda found, place: _players(int(found[1]))),
    (r"(\d+) elements", lambda found, place: (
        _players(int(found[1])) if place == "players" else "")),
    (r"'(.+)' is there twice", lambda found, place: (
        f"This begins like JSON, but {found[1]!r} is there twice.")),
    (r"(\d+) cards, expected (\d+)(;.*)?", lambda found, place: (
        f"The deck should have {found[2]} cards, and there {_are(int(found[1]), 'card')}."
        + (" A seed alone does not tell which cards they are." if found[3] else ""))),
    (r"unknown variant (.+): expected", lambda found, place: (
        f"The variant {found[1]} is not played here: only the plain game, with 3, 4 or 5 suits.")),
    (r"this option is not supported", lambda found, place: (
        f"With the option {place.removeprefix('options.')} it is another game, which is not played "
        "here.")),
)  # fmt: skip


def _players(n: int) -> str:
    return f"Hanabi has 2 to {MAX_PLAYERS} players, and there {_are(n, 'name')}."


def _are(n: int, thing: str) -> str:
    return f"is 1 {thing}" if n == 1 else f"are {n or 'no'} {thing}s"


def in_words(error: ReplayError) -> str:
    """What is wrong, in a sentence."""
    for pattern, told in SENTENCES:
        if (found := re.match(pattern, error.reason)) and (words := told(found, error.place)):
            return words
    reason = COUNTED.sub(_from_one, error.reason)
    reason = re.sub(r"\bcolour (\d) rank (\d)\b", _card, reason)
    reason = re.sub(r"(\d+) elements, at", r"there are \1, and at", reason)
    for pattern, subject in SUBJECTS:
        if found := re.match(pattern, error.place):
            is_inside = found.end() < len(error.place)
            place = f" ({error.place})" if is_inside or "expected" in reason else ""
            return f"{subject(found)}: {reason}{place}."
    return f"{reason[:1].upper()}{reason[1:]}."


def _from_one(found: re.Match[str]) -> str:
    """A number of ours as people count."""
    return re.sub(r"\d+", lambda number: str(int(number[0]) + 1), found[0])


def _card(found: re.Match[str]) -> str:
    """A card as hanab.live calls it."""
    return f"{HANAB_LIVE.colours[int(found[1])]} {found[2]}"
