"""Acquaintances: what ``adaptive`` remembers of people who agree, for as long as they do.

Somebody who agrees has a *person's key*, which their browser makes up and sends when it says hello.
The store has its hash and, for each table with ``adaptive`` at which it was sent, the seat. That is
all: what the agent knows of a person is prepared from the finished games in those seats when it is
to move, in an engine, and is kept in memory alone. Rows are deleted when the person says so, and
those of a game that goes on as soon as a tab of the seat comes without the key.

Nobody else is told: seats show the agent without what it knows, and its reasons, which say whom it
takes its partner for, are for the person alone.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, func, insert, select

from tamaya.adapt.acquaintance import MOST_GAMES
from tamaya.adapt.settings import NAME
from tamaya.store import schema
from tamaya.store.database import StoreError
from tamaya.web.engines import EngineError, Engines
from tamaya.web.events import AGENT, OPEN, OVER, PLAY_TABLE, WAITING, Role, TableError
from tamaya.web.journal import AGAIN, END, Journal, Write, Writer
from tamaya.web.questions import SeenGame, agent_name
from tamaya.web.table import Table

if TYPE_CHECKING:
    from tamaya.web.live import LiveTable

log = logging.getLogger("tamaya.web")
OnProgress = Callable[[dict[str, Any]], None]
rows = schema.web_acquaintances


class Acquaintances:
    """Who at the tables of a server is remembered, and as whom the agent plays then."""

    def __init__(self, journal: Journal, writer: Writer, engines: Engines) -> None:
        self.journal, self.writer, self.engines = journal, writer, engines

    # Who agrees.

    async def hear(self, live: "LiveTable") -> None:
        """Note who at a table agrees, after its tabs or seats have changed.

        If that cannot be written nobody is remembered there: the game itself goes on.
        """
        if not changes(live):
            return
        async with live.lock:
            for seat, person in changes(live).items():
                live.remembered.pop(seat, None)
                try:
                    await self.writer.put(_entry(live.table.id, seat, person))
                except StoreError as error:
                    log.error("whom an agent may remember was not written: %s", error)
                    continue
                if person is not None:
                    live.remembered[seat] = person

    async def forget(self, person: str, tables: Iterable["LiveTable"]) -> None:
        """Delete what there is of a person, and let no table go on with it."""
        for live in tables:
            live.remembered = {k: one for k, one in live.remembered.items() if one != person}
            live.prepared = {key: text for key, text in live.prepared.items()
                             if person not in key[1]}  # fmt: skip
            for tab in live.tabs:
                tab.person = None if tab.person == person else tab.person

        def delete_all(connection: Connection) -> None:
            connection.execute(delete(rows).where(rows.c.person == person))

        await self.writer.put(delete_all)

    def count(self, person: str) -> int:
        """How many finished games of a person there are."""
        events = schema.web_events
        query = (
            select(func.count(rows.c.table_id.distinct()))
            .join(events, events.c.table_id == rows.c.table_id)
            .where(rows.c.person == person, events.c.kind == END)
        )
        return int(self.journal.store.read(query)[0][0])

    def of_table(self, table_id: str) -> dict[int, str]:
        """Who is remembered at a table, by seat."""
        query = select(rows.c.seat, rows.c.person).where(rows.c.table_id == table_id)
        return {row.seat: row.person for row in self.journal.store.read(query)}

    # What follows from it.

    async def agent(
        self, live: "LiveTable", seat: int, on_progress: OnProgress | None = None
    ) -> str:
        """The text of the agent in a seat, with what it knows of the people at the table."""
        text, persons = live.table.seats[seat].agent, frozenset(live.remembered.values())
        if not persons or agent_name(text) != NAME:
            return text
        known = live.prepared.get((text, persons))
        if known is None:
            known = await self._prepared(text, persons, live, on_progress)
            if persons != frozenset(live.remembered.values()):
                return text  # somebody has changed their mind meanwhile
            live.prepared[text, persons] = known
        return known

    async def _prepared(
        self, text: str, persons: Collection[str], live: "LiveTable", on_progress: OnProgress | None
    ) -> str:
        """The agent that has seen the last games of some people; as it was if that fails."""
        rules, opened = live.table.rules.to_text(), live.record.created
        try:
            games = await asyncio.to_thread(self.games, persons, rules, opened)
            return await self.engines.prepare(text, games, on_progress) if games else text
        except (EngineError, StoreError) as error:
            log.warning("an agent plays without what it knows of people: %s", error)
            return text

    async def speaker(self, live: "LiveTable", role: Role, seat: int) -> str:
        """The agent in a seat as it gives its reasons to somebody; TableError if it must not."""
        text = await self.agent(live, seat)
        is_public = text == live.table.seats[seat].agent
        if not is_public and set(live.remembered) != {role.seat}:
            reason = "its reasons would say what it remembers of somebody at the table"
            raise TableError("forbidden", reason, "seat")
        return text

    def games(self, persons: Collection[str], rules: str, before: datetime) -> list[SeenGame]:
        """The last games of some people under some rules, oldest first, and their seats there."""
        events, tables = schema.web_events, schema.web_tables
        query = (
            select(rows.c.table_id, rows.c.seat)
            .join(events, events.c.table_id == rows.c.table_id)
            .join(tables, tables.c.id == rows.c.table_id)
            .where(rows.c.person.in_(persons), events.c.kind == END, events.c.at < before,
                   tables.c.rules == rules)
            .order_by(events.c.at.desc(), rows.c.table_id)
        )  # fmt: skip
        seats: dict[str, list[int]] = {}
        for row in self.journal.store.read(query):
            seats.setdefault(row.table_id, []).append(row.seat)
        found = [self._game(table_id, seats[table_id]) for table_id in list(seats)[:MOST_GAMES]]
        return [game for game in reversed(found) if game is not None]

    def _game(self, table_id: str, seats: Collection[int]) -> SeenGame | None:
        """A finished game, and those of some seats that one person had to the end."""
        found = self.journal.load(table_id)
        assert found is not None
        record, entries = found
        events = [entry.event for entry in entries if entry.event.kind not in (END, AGAIN)]
        table = Table.replay(record.opening, events)
        own = tuple(seat for seat in sorted(seats) if is_of_one_person(table, seat))
        return (table.game.to_text(), own) if own else None


def changes(live: "LiveTable") -> dict[int, str | None]:
    """The seats whose person agrees by now, or no longer does; all tabs of a seat must agree."""
    table = live.table
    if table.kind != PLAY_TABLE or table.opening.line is not None or table.phase == OVER:
        return {}
    is_there = any(agent_name(sitter.agent) == NAME for sitter in table.seats)
    found: dict[int, str | None] = {}
    for seat, sitter in enumerate(table.seats):
        said = {tab.person for tab in live.tabs if tab.role.seat == seat}
        has_left = sitter.kind == OPEN and table.phase == WAITING
        if said or has_left:
            is_clear = is_there and len(said) == 1 and not has_left
            found[seat] = said.pop() if is_clear else None
    return {seat: one for seat, one in found.items() if live.remembered.get(seat) != one}


def is_of_one_person(table: Table, seat: int) -> bool:
    """Whether nobody but one person moved in a seat."""
    sitters = [seating[seat] for seating in table.seatings.values()]
    is_played_by_agents = AGENT in {sitter.kind for sitter in sitters}
    return not is_played_by_agents and len({sitter.token_hash for sitter in sitters}) == 1


def _entry(table_id: str, seat: int, person: str | None) -> Write:
    """What enters whom an agent may remember in a seat, in place of what was there."""

    def enter(connection: Connection) -> None:
        is_here = (rows.c.table_id == table_id) & (rows.c.seat == seat)
        connection.execute(delete(rows).where(is_here))
        if person is not None:
            row = {"table_id": table_id, "seat": seat, "person": person}
            connection.execute(insert(rows), [row])

    return enter
