"""Notes of people on the turns and cards of games that are over.

Rows are only added: a later note of the same author on the same thing replaces the earlier one, an
empty text removes it. An author is a seat, or the name of somebody who has none. Notes that a file
brought along have the seat of their author.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, insert, select

from tamaya.replays.notes import parse_note
from tamaya.rules import Rules
from tamaya.store import schema
from tamaya.store.database import Store
from tamaya.web.journal import Write, aware

NO_SEAT = -1
MOST_NOTES = 1000  # of a game, those that were replaced included
MOST_READ = 4000  # texts whose meaning is kept: whoever opens a game is sent all notes on it
LONGEST_NOTES = 100_000  # bytes of all of them: whoever opens the game is sent those that stand


@dataclass(frozen=True)
class Note:
    """What somebody wrote on a turn, or on the card of an order."""

    author: str
    seat: int | None
    turn: int | None
    order: int | None
    text: str
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def document(self) -> dict[str, Any]:
        """For the page."""
        return {**vars(self), "at": self.at.isoformat(timespec="seconds")}


@lru_cache(maxsize=MOST_READ)
def _said_by(rules: Rules, text: str, suits: tuple[str, ...]) -> tuple[int | None, list[str]]:
    """What the shorthands of a note on a card say: a mask of cards, and their meanings."""
    said = parse_note(rules, text, suits)
    return said.cards, sorted(said.meanings)


def told_notes(
    store: Store, table_id: str, rules: Rules, suits: tuple[str, ...]
) -> list[tuple[Note, dict[str, Any]]]:
    """The notes that stand on a game, each also as the page is told of it."""
    told = []
    for note in current_notes(all_notes(store, table_id)):
        cards, meanings = (None, []) if note.order is None else _said_by(rules, note.text, suits)
        told.append((note, {**note.document(), "cards": cards, "meanings": meanings}))
    return told


def notes_entry(table_id: str, notes: Sequence[Note]) -> Write:
    """What enters notes in the journal."""
    rows = [
        {"table_id": table_id, "author": NO_SEAT if note.seat is None else note.seat,
         "name": note.author, "turn": note.turn, "card_order": note.order, "text": note.text,
         "at": note.at}
        for note in notes
    ]  # fmt: skip

    def enter(connection: Connection) -> None:
        if rows:
            connection.execute(insert(schema.web_notes), rows)

    return enter


def all_notes(store: Store, table_id: str) -> list[Note]:
    """All notes on a game in order, those that were replaced included."""
    table = schema.web_notes
    query = select(table).where(table.c.table_id == table_id).order_by(table.c.id)
    return [
        Note(row.name, None if row.author == NO_SEAT else row.author, row.turn, row.card_order,
             row.text, aware(row.at))
        for row in store.read(query)
    ]  # fmt: skip


def has_room(notes: Iterable[Note], text: str) -> bool:
    """Whether one more note can be written on a game."""
    sizes = [len(note.text.encode()) for note in notes]
    return len(sizes) < MOST_NOTES and sum(sizes) + len(text.encode()) <= LONGEST_NOTES


def current_notes(notes: Iterable[Note]) -> list[Note]:
    """The notes that stand: the last of each author on each thing."""
    standing: dict[tuple[int | str, int | None, int | None], Note] = {}
    for note in notes:
        author = note.author.casefold() if note.seat is None else note.seat
        standing[author, note.turn, note.order] = note
    return [note for note in standing.values() if note.text]


def imported_notes(names: Sequence[str], notes: Sequence[Sequence[str]]) -> list[Note]:
    """The notes that a file brought along, by seat and card order."""
    return [
        Note(names[seat], seat, None, order, text)
        for seat, texts in enumerate(notes)
        for order, text in enumerate(texts)
        if text
    ]


def notes_by_seat(notes: Iterable[Note], players: int) -> list[list[str]] | None:
    """Notes as files have them, one list per seat with a text per card order; None without any."""
    by_seat: list[dict[int, str]] = [{} for _ in range(players)]
    for note in notes:
        if note.seat is not None and note.seat < players and note.order is not None:
            by_seat[note.seat][note.order] = note.text
    if not any(by_seat):
        return None
    return [[texts.get(order, "") for order in range(max(texts, default=-1) + 1)]
            for texts in by_seat]  # fmt: skip
