"""Games from elsewhere: a text that somebody pasted, read with suspicion.

Only texts are read, never paths, and nothing is fetched. ``tamaya.replays`` validates the game
itself; this module has the limits that keep a hostile text from taking long, and the checks of
names and notes. All errors are ReplayErrors that name the place.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from tamaya.cards import DECK_SIZE, N_COLOURS
from tamaya.game import Game
from tamaya.moves import GIVE_UP, move_text
from tamaya.replays.fields import Field, ReplayError, load_json
from tamaya.replays.files import format_of, parse_replay
from tamaya.replays.hanab_live import NAMES, agents_of, from_json, notes_of
from tamaya.replays.notes import MAX_NOTE
from tamaya.rules import MAX_MOVES, MAX_PLAYERS
from tamaya.web.events import IMPORT, MOVED, PERSON, Event, Opening, Options, SeatState
from tamaya.web.journal import END, Entry
from tamaya.web.names import distinct_name
from tamaya.web.notes import LONGEST_NOTES
from tamaya.web.values import name_of, note_of, plain_text
from tamaya.web.wording import HANAB_LIVE, TAMAYA

LONGEST = {"link": 4_000, "text": 40_000}  # characters; the longest games have a tenth of it
# Elements that a list of a document may have; more would only be read to be refused.
MOST = {"players": MAX_PLAYERS, "deck": DECK_SIZE, "actions": MAX_MOVES + 1, "notes": MAX_PLAYERS}
MOST_NOTES = DECK_SIZE + N_COLOURS  # of a player: on all cards and all fireworks


@dataclass(frozen=True)
class Imported:
    """A game from elsewhere, with the names at it, if it has any, and notes by seat and order."""

    game: Game
    names: tuple[str, ...] | None
    notes: tuple[tuple[str, ...], ...]
    palette: str
    agents: tuple[str, ...] = ()  # by seat, as the document names them


def read_import(document: object) -> Imported:
    """The game of a request ``{"text": …}``; ReplayError names what is wrong with it, and where."""
    try:
        request = Field(document, "")
        for name in request.mapping():
            if name != "text":
                raise request.error("expected one field: text")
        return _read(request["text"].text().strip())
    except ReplayError as error:
        place = plain_text(error.place) or "text"
        raise ReplayError(plain_text(error.reason), place) from None


def _read(text: str) -> Imported:
    form = format_of(text)
    if form == "json":
        return _of_document(load_json(text.removeprefix("\ufeff")))
    if len(text) > LONGEST.get(form or "", max(LONGEST.values())):
        raise ReplayError("longer than any game: expected JSON, a link or tamaya's own text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ReplayError("not a text: it contains half of a surrogate pair") from None
    palette = TAMAYA if form == "text" else HANAB_LIVE
    return Imported(parse_replay(text), None, (), palette.name)


def _of_document(document: object) -> Imported:
    """The game of a JSON document in the format of hanab.live."""
    fields = Field(document, "")
    for name, most in MOST.items():
        _check_length(fields.get(name, []), most)
    for notes in fields.get("notes", []).items():
        _check_length(notes, MOST_NOTES)
    names: list[str] = []
    for field in fields["players"].items():
        names.append(distinct_name(name_of(field), names))
    game = from_json(document)
    palette = TAMAYA if "tamaya" in fields else HANAB_LIVE
    agents = tuple(agents_of(document))
    return Imported(game, tuple(names), _notes_of(document), palette.name, agents)


def _notes_of(document: object) -> tuple[tuple[str, ...], ...]:
    """The notes by seat and card order, all together no longer than those on other games."""
    n_bytes = 0
    found: list[tuple[str, ...]] = []
    for seat, notes in enumerate(notes_of(document)):
        texts = []
        for order, note in enumerate(notes):
            field = Field(note, f"notes[{seat}][{order}]")
            texts.append(note_of(field, MAX_NOTE))
            n_bytes += len(texts[-1].encode())
            if n_bytes > LONGEST_NOTES:
                raise field.error(f"the notes on a game have at most {LONGEST_NOTES} bytes")
        found.append(tuple(texts))
    return tuple(found)


def _check_length(field: Field, most: int) -> None:
    if isinstance(field.value, list) and len(field.value) > most:
        raise field.error(f"{len(field.value)} elements, at most {most} are possible")


def opening_of(imported: Imported, table_id: str, known: Container[str] = ()) -> Opening:
    """The table of an imported game: its names sit there, and nobody can take their seats.

    What a document says of agents is believed of ``known`` ones alone: it may be any text.
    """
    game = imported.game
    names = imported.names or NAMES[: game.rules.players]
    agents = [text if text in known else "" for text in imported.agents] or [""] * len(names)
    return Opening(
        table_id,
        game.rules,
        tuple(SeatState(PERSON, *seat) for seat in zip(names, agents, strict=True)),
        options=Options(palette=imported.palette),
        deck=tuple(game.deck),
        start=int(game.record.start),
        kind=IMPORT,
    )


def entries_of(game: Game) -> list[Entry]:
    """What happened in a game, for the journal; it ends where the text did."""
    rules = game.rules
    events = [
        Event(MOVED, turn + 1, int(event["seat"]), move_text(rules, int(event["move"])))
        for turn, event in enumerate(game.events)
    ]
    if game.status == "gave up":
        events.append(Event(MOVED, game.turn, game.mover, move_text(rules, GIVE_UP)))
    data: dict[str, Any] = {"score": game.score, "status": game.status, "undos": 0}
    entries = [Entry(number, event) for number, event in enumerate(events, start=1)]
    return [*entries, Entry(len(entries) + 1, Event(END, game.turn), data=data)]
