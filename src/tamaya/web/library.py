"""Finished games: import, viewing and export; nothing here concerns games in progress."""

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from tamaya.replays.fields import ReplayError
from tamaya.store.database import StoreError
from tamaya.web import exchange
from tamaya.web.attempts import tables_with
from tamaya.web.events import IMPORT
from tamaya.web.guard import Refusal
from tamaya.web.import_words import in_words
from tamaya.web.imports import Imported, entries_of, opening_of, read_import
from tamaya.web.journal import TableRecord
from tamaya.web.notes import Note, all_notes, current_notes, imported_notes, notes_entry
from tamaya.web.opening import new_id
from tamaya.web.wording import seat_names

if TYPE_CHECKING:
    from tamaya.web.tables import Tables

MOST_VIEWS = 40  # of one answer
NOBODY = ""  # the hash of no token: nobody is the host of an imported game, or sits at it


async def bring_in(tables: "Tables", document: object) -> tuple[str, bool]:
    """Enter a game from elsewhere; returns its id, and whether it was here before.

    Refusal says what is wrong with it.
    """
    await tables.wait_until_ready()
    try:
        imported = await asyncio.to_thread(read_import, document)
    except ReplayError as error:
        raise Refusal(400, "bad_request", in_words(error), error.place) from None
    try:
        known = await _known(tables, imported)
        return known or await _enter(tables, imported), known is not None
    except StoreError:
        raise Refusal(503, "unavailable", "the server cannot write to its store") from None


async def _known(tables: "Tables", imported: Imported) -> str | None:
    """A game of this server that everybody may see and that says all that an imported one does."""
    game = imported.game
    cards = game.rules.to_text(), int(game.record.start), game.deck
    for table_id in await asyncio.to_thread(tables_with, tables.store, *cards):
        try:
            table = (await tables.finished(table_id)).table
        except Refusal:  # it goes on, or is for those who have played it
            continue
        is_named = imported.names in (None, seat_names(table.seats))
        if table.game != game or not is_named:
            continue
        notes = {(note.seat, note.order, note.text) for note in await notes_on(tables, table_id)}
        brought = imported_notes(seat_names(table.seats), imported.notes)
        if notes.issuperset((note.seat, note.order, note.text) for note in brought):
            return table_id
    return None


async def _enter(tables: "Tables", imported: Imported) -> str:
    opening = opening_of(imported, new_id(), tables.guests.quick(imported.game.rules))
    record = TableRecord(opening, IMPORT, NOBODY, NOBODY, version("tamaya"))
    await tables.writer.create(record, entries_of(imported.game))
    names = seat_names(opening.seats)
    await tables.writer.put(notes_entry(opening.id, imported_notes(names, imported.notes)))
    return opening.id


async def notes_on(tables: "Tables", table_id: str) -> list[Note]:
    """The notes that stand on a game."""
    return current_notes(await asyncio.to_thread(all_notes, tables.store, table_id))


async def document(tables: "Tables", table_id: str, token: str | None = None) -> dict[str, Any]:
    """A finished game with all that there is to know of it."""
    live = await tables.finished(table_id, token)
    branches = await asyncio.to_thread(tables.journal.branches, table_id)
    line, deal = live.table.opening.line, tables.deals.of(live.table)
    parent = {"id": line.parent, "turn": line.turn} if line else None
    return {
        **exchange.document(live.table, await notes_on(tables, table_id)),
        "parent": parent,
        "branches": branches,
        "deal": deal.id if deal else None,
    }


async def export(tables: "Tables", table_id: str, form: str, token: str | None = None) -> str:
    """A finished game as a text in one of the forms that other programs read."""
    live = await tables.finished(table_id, token)
    return exchange.exported(live.table, form, await notes_on(tables, table_id))


async def views(
    tables: "Tables", table_id: str, query: Mapping[str, str], token: str | None = None
) -> bytes:
    """Positions of a finished game from a turn to another, perhaps as a seat saw them, as JSON."""
    live = await tables.finished(table_id, token)
    table = live.table
    first = _number(query, "from", 0, table.turn)
    last = _number(query, "to", min(first + MOST_VIEWS - 1, table.turn), table.turn)
    if not first <= last < first + MOST_VIEWS:
        reason = f"expected {first} to {min(first + MOST_VIEWS - 1, table.turn)}"
        raise Refusal(400, "bad_request", f"turn {last} cannot be the last: {reason}", "to")
    seat = None
    if "seat" in query:
        seat = _number(query, "seat", 0, table.rules.players - 1)
    return await tables.shelf.views(table, first, last, seat)


def _number(query: Mapping[str, str], name: str, usual: int, most: int) -> int:
    """A whole number of a query, from 0 on."""
    text = query.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= most):
        raise Refusal(400, "bad_request", f"expected a whole number from 0 to {most}", name)
    return int(text)
