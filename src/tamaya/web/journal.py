"""The journal of the web tables: every event is stored before anybody is told about it.

Rows are added and never changed, so a killed server leaves nothing half done: a table is its
``TableRecord`` and the ``Entry`` rows that follow it, numbered from 1. Besides the events of
``tamaya.web.events`` there are entries of two more kinds, ``end`` with score and status, and
``again`` with the table of the next deal.

``Journal`` speaks to the store and waits for it; ``Writer`` lets an event loop wait instead. A
commit takes 0.06 ms in a SQLite file that nobody else writes to, 0.1 ms through the thread of the
``Writer``; if the file is locked it may take a minute, and PostgreSQL adds the network's latency.
So the thread always does the writing, with everything that has accumulated in one transaction.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from queue import SimpleQueue
from threading import Thread
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from tamaya.rules import Rules
from tamaya.store import schema
from tamaya.store.database import Store, StoreError, reason_of
from tamaya.web.events import (
    IMPORT,
    MORPHED,
    OPTIONS,
    Event,
    Line,
    Opening,
    Options,
    SeatState,
)

END, AGAIN = "end", "again"  # kinds of entries that are no events of a table
MOST_BRANCHES = 100  # of a game that are told
LARGEST_BATCH = 256  # writes of one transaction
Write = Callable[[Connection], None]


def _now() -> datetime:
    return datetime.now(UTC)


class EntryError(StoreError):
    """An entry that does not fit what is in the journal, such as a number that is taken."""


@dataclass(frozen=True)
class TableRecord:
    """A table as it was opened, its deck included; who may do what goes by hashes of tokens."""

    opening: Opening
    kind: str
    host_hash: str
    invite_hash: str
    code: str  # version of the package
    parent: str | None = None  # the table it goes on from
    created: datetime = field(default_factory=_now)


@dataclass(frozen=True)
class Entry:
    """What happened next at a table."""

    number: int
    event: Event
    ms: int | None = None  # time to think
    data: dict[str, Any] | None = None
    at: datetime = field(default_factory=_now)


@dataclass(frozen=True)
class Summary:
    """What the lobby shows of a table."""

    id: str
    kind: str
    rules: str
    seats: tuple[SeatState, ...]
    last: Entry | None
    score: int | None  # at the end
    created: datetime
    key: str  # of its deal


class Journal:
    """The tables of the web in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, table: TableRecord) -> None:
        """Enter a new table."""
        self.write([creation(table)])

    def append(self, table_id: str, entry: Entry) -> None:
        """Enter what happened; it is committed on return."""
        self.write([addition(table_id, entry)])

    def write(self, writes: Sequence[Write]) -> None:
        """Enter several things in one transaction; StoreError says why not."""

        def enter(connection: Connection) -> None:
            for write in writes:
                write(connection)

        try:
            self.store.write(enter)
        except IntegrityError as error:
            raise EntryError(f"the journal does not take this: {reason_of(error)}") from None
        except SQLAlchemyError as error:
            raise StoreError(f"store {self.store.address}: {reason_of(error)}") from None

    def load(self, table_id: str) -> tuple[TableRecord, list[Entry]] | None:
        """A table and what happened at it in order, None if there is no such table."""
        tables, seats, events = schema.web_tables, schema.web_seats, schema.web_events
        rows = self.store.read(select(tables).where(tables.c.id == table_id))
        if not rows:
            return None
        of_table = select(seats).where(seats.c.table_id == table_id)
        taken = self.store.read(of_table.order_by(seats.c.since, seats.c.seat))
        happened = self.store.read(
            select(events).where(events.c.table_id == table_id).order_by(events.c.number)
        )
        first = tuple(sitter_of(row) for row in taken if row.since == 0)
        changes = {row.since: sitter_of(row) for row in taken if row.since}
        entries = [_entry(row, changes.get(row.number)) for row in happened]
        return _table_record(rows[0], first), entries

    def branches(self, table_id: str) -> list[dict[str, Any]]:
        """The tables that go on from a turn of a game, the newest ones, oldest first."""
        tables, seats = schema.web_tables, schema.web_seats
        rows = self.store.read(
            select(tables.c.id, tables.c.parent_turn)
            .where(tables.c.parent == table_id, tables.c.parent_turn.is_not(None))
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(MOST_BRANCHES)
        )[::-1]
        ids = [row.id for row in rows]
        names: dict[str, dict[int, str]] = {branch: {} for branch in ids}
        of_branches = select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.since)
        for row in self.store.read(of_branches.order_by(seats.c.seat)) if ids else ():
            names[row.table_id][row.seat] = row.name
        last, scores = self._last(ids), self._scores(ids)
        return [
            {"id": row.id, "turn": row.parent_turn, "names": list(names[row.id].values()),
             "turns": last[row.id].event.turn if row.id in last else row.parent_turn,
             "score": scores.get(row.id)}
            for row in rows
        ]  # fmt: skip

    def recent(self, limit: int = 20, *, imports: bool = False) -> list[Summary]:
        """The newest tables first, with who sits there now and what happened last."""
        tables, seats = schema.web_tables, schema.web_seats
        kinds = () if imports else (IMPORT,)
        newest = self.store.read(
            select(tables.c.id, tables.c.kind, tables.c.rules, tables.c.created, tables.c.start,
                   tables.c.deck)
            .where(tables.c.kind.not_in(kinds), tables.c.parent_turn.is_(None))
            .order_by(tables.c.created.desc(), tables.c.id)
            .limit(limit)
        )  # fmt: skip
        ids = [row.id for row in newest]
        sitters: dict[str, dict[int, SeatState]] = {table_id: {} for table_id in ids}
        of_tables = select(seats).where(seats.c.table_id.in_(ids))
        for row in self.store.read(of_tables.order_by(seats.c.since, seats.c.seat)):
            sitters[row.table_id][row.seat] = sitter_of(row)
        last, scores = self._last(ids), self._scores(ids)
        return [
            Summary(row.id, row.kind, row.rules, tuple(sitters[row.id].values()), last.get(row.id),
                    scores.get(row.id), aware(row.created),
                    deal_key(row.rules, row.start, row.deck))
            for row in newest
        ]  # fmt: skip

    def _last(self, ids: Sequence[str]) -> dict[str, Entry]:
        """What happened last at some tables."""
        events = schema.web_events
        numbers = (
            select(events.c.table_id, func.max(events.c.number).label("number"))
            .where(events.c.table_id.in_(ids))
            .group_by(events.c.table_id)
            .subquery()
        )
        is_last = (events.c.table_id == numbers.c.table_id) & (events.c.number == numbers.c.number)
        rows = self.store.read(select(events).join(numbers, is_last))
        return {row.table_id: _entry(row, None) for row in rows}

    def _scores(self, ids: Sequence[str]) -> dict[str, int]:
        """The scores of those tables whose game has ended."""
        events = schema.web_events
        ends = select(events.c.table_id, events.c.data).where(events.c.table_id.in_(ids))
        rows = self.store.read(ends.where(events.c.kind == END))
        return {row.table_id: row.data["score"] for row in rows}


# Rows.


def creation(table: TableRecord) -> Write:
    """What enters a new table."""
    opening = table.opening
    assert opening.deck is not None
    row = {
        "id": opening.id,
        "kind": table.kind,
        "rules": opening.rules.to_text(),
        "start": opening.start,
        "deck": list(opening.deck),
        "seed": str(opening.seed),
        "game_index": opening.index,
        "options": asdict(opening.options),
        "parent": opening.line.parent if opening.line else table.parent,
        "parent_turn": opening.line.turn if opening.line else None,
        "deal": opening.deal,
        "code": table.code,
        "host_hash": table.host_hash,
        "invite_hash": table.invite_hash,
        "created": table.created,
    }
    seats = [_seat_row(opening.id, k, 0, seat) for k, seat in enumerate(opening.seats)]

    def enter(connection: Connection) -> None:
        connection.execute(insert(schema.web_tables), [row])
        connection.execute(insert(schema.web_seats), seats)

    return enter


def addition(table_id: str, entry: Entry) -> Write:
    """What enters an event."""
    event = entry.event
    data = asdict(event.options) if event.options else entry.data
    if event.orders is not None:
        data = {"orders": list(event.orders)}
    row = {
        "table_id": table_id,
        "number": entry.number,
        "kind": event.kind,
        "seat": event.seat,
        "turn": event.turn,
        "move": event.move,
        "at": entry.at,
        "ms": entry.ms,
        "memory": event.memory,
        "data": data,
    }

    def enter(connection: Connection) -> None:
        connection.execute(insert(schema.web_events), [row])
        if event.sitter is not None and event.seat is not None:
            seat = _seat_row(table_id, event.seat, entry.number, event.sitter)
            connection.execute(insert(schema.web_seats), [seat])

    return enter


def _seat_row(table_id: str, seat: int, since: int, sitter: SeatState) -> dict[str, Any]:
    return {"table_id": table_id, "seat": seat, "since": since, **asdict(sitter)}


def sitter_of(row: Any) -> SeatState:
    """Who sits in a seat, by its row."""
    return SeatState(row.kind, row.name, row.agent, row.identity, row.token_hash, row.code)


def _entry(row: Any, sitter: SeatState | None) -> Entry:
    options = Options(**row.data) if row.kind == OPTIONS else None
    orders = tuple(row.data["orders"]) if row.kind == MORPHED else None
    event = Event(row.kind, row.turn, row.seat, row.move, row.memory, sitter, options, orders)
    return Entry(row.number, event, row.ms, row.data, aware(row.at))


def _table_record(row: Any, seats: tuple[SeatState, ...]) -> TableRecord:
    opening = Opening(row.id, Rules.parse(row.rules), seats, int(row.seed), row.game_index,
                      Options(**row.options), tuple(row.deck), row.start,
                      kind=row.kind if row.kind == IMPORT else "", line=_line(row),
                      deal=row.deal)  # fmt: skip
    return TableRecord(opening, row.kind, row.host_hash, row.invite_hash, row.code, row.parent,
                       aware(row.created))  # fmt: skip


def _line(row: Any) -> Line | None:
    is_line = row.parent is not None and row.parent_turn is not None
    return Line(row.parent, row.parent_turn) if is_line else None


def deal_key(rules: str, start: int, deck: Sequence[int]) -> str:
    """The common key of tables whose decks have the same order."""
    return sha256(json.dumps([rules, start, list(deck)]).encode()).hexdigest()


def aware(moment: datetime) -> datetime:
    """A moment with its time zone, which SQLite forgets."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# Writing without blocking.


class Writer:
    """Writes for an event loop, in a thread of its own; what waits goes in one transaction."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._waiting: SimpleQueue[tuple[Write, asyncio.Future[None]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    async def create(self, table: TableRecord, entries: Sequence[Entry] = ()) -> None:
        """Enter a new table and what it begins with; all is committed on return."""
        writes = [creation(table), *(addition(table.opening.id, entry) for entry in entries)]

        def enter(connection: Connection) -> None:
            for write in writes:
                write(connection)

        await self._put(enter)

    async def append(self, table_id: str, entry: Entry) -> None:
        """Enter what happened; it is committed on return."""
        await self._put(addition(table_id, entry))

    async def put(self, write: Write) -> None:
        """Enter something else; it is committed on return."""
        await self._put(write)

    async def _put(self, write: Write) -> None:
        written: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((write, written))
        await written

    def close(self, seconds: float = 1.0) -> None:
        """Finish what waits, for so many seconds at most."""
        self._waiting.put(None)
        self._thread.join(seconds)

    def _work(self) -> None:
        is_open = True
        while is_open:
            batch = [self._waiting.get()]
            while len(batch) < LARGEST_BATCH and not self._waiting.empty():
                batch.append(self._waiting.get())
            is_open = None not in batch
            jobs = [job for job in batch if job is not None]
            errors = self._write([write for write, _ in jobs])
            done = [(written, error) for (_, written), error in zip(jobs, errors, strict=True)]
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(_settle, done)

    def _write(self, writes: list[Write]) -> list[StoreError | None]:
        """Write all in one transaction; if one does not fit, each for itself."""
        try:
            self.journal.write(writes)
            return [None] * len(writes)
        except EntryError as error:
            if len(writes) == 1:
                return [error]
        except StoreError as error:
            return [error] * len(writes)
        except Exception as error:  # without this thread nothing would ever be written again
            return [StoreError(f"store {self.journal.store.address}: {error!r}")] * len(writes)
        return [self._write([write])[0] for write in writes]


def _settle(done: Sequence[tuple["asyncio.Future[None]", StoreError | None]]) -> None:
    """Tell those who wait what came of it."""
    for written, error in done:
        if written.done():  # who waited has gone
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)


def with_deal(opening: Opening, deck: Sequence[int], start: int) -> Opening:
    """An opening whose deal no later version can deal otherwise."""
    return replace(opening, deck=tuple(deck), start=start)
