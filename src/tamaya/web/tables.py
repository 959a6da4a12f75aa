"""All tables of a server: opened, reloaded from the journal, unloaded when nobody looks.

A table is in memory while somebody looks at it, and half an hour longer; then only the journal has
it, from which it is reloaded unnoticeably. Everything that may block, the store and the compiler,
runs in threads or in engines.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from secrets import randbits
from time import monotonic
from typing import Any

from tamaya.rules import Rules
from tamaya.store.database import Store, StoreError
from tamaya.web.acquaintances import Acquaintances
from tamaya.web.analyses import Analyses
from tamaya.web.branches import past_of
from tamaya.web.comparisons import Comparisons
from tamaya.web.deals import Deals
from tamaya.web.engines import DEFAULT_AGENT, EngineError, Engines, Position
from tamaya.web.events import (
    AGENT,
    OPEN,
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    WATCH_TABLE,
    Event,
    Opening,
    Role,
    SeatState,
    TableError,
)
from tamaya.web.guard import Refusal
from tamaya.web.guests import GuestError, GuestList
from tamaya.web.journal import AGAIN, END, Entry, Journal, Summary, TableRecord, Writer, with_deal
from tamaya.web.live import LiveTable
from tamaya.web.names import distinct_name
from tamaya.web.opening import (
    Order,
    OrderError,
    Param,
    WantedSeat,
    hash_of,
    new_id,
    new_token,
    own_seat,
    read_order,
)
from tamaya.web.review import Reviews
from tamaya.web.shelf import Shelf
from tamaya.web.sight import view_frame
from tamaya.web.strength import Strength, strengths_in
from tamaya.web.table import Table
from tamaya.web.values import TABLE_ID

UNSEEN_SECONDS = 30 * 60  # before a table leaves memory
SWEEP_SECONDS = 60
STRENGTH_SECONDS = 60.0  # before the store is asked for new results
N_RECENT, N_OVER = 20, 100  # tables of a list


async def open_tables(url: str | None, files: Sequence[str], engines: Engines) -> "Tables":
    """The tables of a store, ready as soon as the kernels are; engines have been started."""
    guests = GuestList(files)
    store = await asyncio.to_thread(Store, url)
    await asyncio.to_thread(guests.load)
    tables = Tables(store, guests, engines)
    await asyncio.to_thread(tables.deals.load)
    return tables


class Tables:
    """The tables of a server."""

    def __init__(self, store: Store, guests: GuestList, engines: Engines) -> None:
        self.store, self.guests, self.engines = store, guests, engines
        self.journal = Journal(store)
        self.writer = Writer(self.journal)
        self.acquaintances = Acquaintances(self.journal, self.writer, engines)
        self.reviews = Reviews(self, Analyses(store.url, guests.files))
        self.deals = Deals(self)
        self.comparisons = Comparisons(self.deals)
        self.shelf = Shelf()
        self.is_ready = False
        self._ready = asyncio.Event()
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._offered: asyncio.Future[list[dict[str, Any]]] | None = None
        self._strengths: dict[str, Strength] = {}
        self._measured_at = -STRENGTH_SECONDS
        self._tasks = [
            asyncio.create_task(self._load_kernels(), name="kernels"),
            asyncio.create_task(self._sweep(), name="sweep"),
        ]

    # The server.

    async def _load_kernels(self) -> None:
        """Load the kernels of tables, once the engines have compiled them if need be."""
        while not self.engines.status()["ready"]:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(load_kernels)
        self.is_ready = True
        self._ready.set()
        await self.catalogue()  # it takes seconds the first time

    async def wait_until_ready(self, seconds: float | None = None) -> None:
        """Wait for the kernels of tables, for so many seconds at most."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), seconds)

    def compiling(self) -> dict[str, Any] | None:
        """What is being compiled now."""
        found = self.engines.status()["compiling"]
        return found and {name: found[name] for name in ("agent", "kernel", "done", "of")}

    @property
    def n_live(self) -> int:
        """Tables in memory."""
        return len(self._live)

    async def close(self) -> None:
        """Stop agents and engines, and finish what is being written."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(live.driver.stop() for live in self._live.values()))
        await asyncio.gather(self.engines.stop(), self.reviews.analyses.stop())
        self.writer.close()
        self.store.close()

    async def _sweep(self) -> None:
        """Put aside the tables that nobody has looked at for long."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.put_aside(UNSEEN_SECONDS)

    async def put_aside(self, seconds: float) -> None:
        """Forget the tables that nobody has looked at for so long; the journal has them."""
        for table_id, live in list(self._live.items()):
            if live.is_lost or (not live.tabs and monotonic() - live.unseen_since >= seconds):
                async with live.lock:
                    if live.tabs:
                        continue
                    live.is_lost = True
                del self._live[table_id]
                await live.driver.stop()

    # Opening.

    def read_order(self, document: object) -> Order:
        """The order of a document; Refusal says what is wrong with it."""
        try:
            return read_order(document)
        except OrderError as error:
            raise Refusal(400, "bad_request", error.text, error.place) from None

    async def open(self, order: Order) -> dict[str, Any]:
        """Open a table; returns its id and what opens it to its host and to others."""
        seed = randbits(63) if order.seed is None else order.seed
        opening = Opening(new_id(), order.rules, (), seed, order.index, order.options)
        return await self.open_as(opening, order.seats)

    async def open_as(
        self,
        opening: Opening,
        wished: Sequence[WantedSeat],
        begin: Callable[[Sequence[SeatState]], Sequence[Event]] = lambda seats: (),
    ) -> dict[str, Any]:
        """Open a table as described but for its seats; ``begin`` is what has happened at it."""
        await self._ready.wait()
        token, invite = new_token(), new_token()
        seats: list[SeatState] = []
        for wanted in wished:
            sitter = await self._seat(wanted, opening.rules, token)
            names = [other.name for other in seats if other.name]
            seats.append(replace(sitter, name=distinct_name(sitter.name, names)))
        opening = replace(opening, seats=tuple(seats))
        try:
            past = begin(opening.seats)
            await self._enter(opening, hash_of(token), hash_of(invite), past=past)
        except TableError as error:
            raise Refusal(400, "bad_request", error.text, error.place) from None
        except StoreError:
            text = "the server cannot write to its store"
            raise Refusal(503, "unavailable", text) from None
        return {"id": opening.id, "token": token, "invite": invite, "seat": own_seat(wished)}

    async def _seat(self, wanted: WantedSeat, rules: Rules, token: str) -> SeatState:
        if wanted.kind == PERSON:
            return SeatState(PERSON, wanted.name, token_hash=hash_of(token))
        if wanted.kind == OPEN:
            return SeatState()
        try:
            sitter = await self.agent(wanted.agent, wanted.params, rules)
            return replace(sitter, name=wanted.name or sitter.name)
        except GuestError as error:
            place = f"{wanted.place}.{error.place}"
            raise Refusal(400, "bad_request", error.text, place) from None
        except EngineError as error:
            raise Refusal(503, error.code, error.text, wanted.place) from None

    async def agent(self, name: str, params: dict[str, Param], rules: Rules) -> SeatState:
        """An agent for a seat; GuestError or EngineError if it cannot be."""
        text = await asyncio.to_thread(self.guests.admit, name, params, rules)
        found = await self.engines.introduce(text)
        return SeatState(AGENT, found.name, text, found.identity, code=found.code)

    async def open_next(self, live: LiveTable) -> None:
        """Open a table for the next deal with the same seats; the tokens stay the same."""
        old = live.record.opening
        if old.line is not None:
            past = past_of(live.table, live.table.first_turn, live.table.seats)
            opening = replace(old, id=new_id(), seats=tuple(live.table.seats))
            await self._enter(opening, live.record.host_hash, live.record.invite_hash, past=past)
            await live.go_on_at(opening.id)
            return
        is_by_chance = live.table.kind != WATCH_TABLE  # who knows a seed knows all its deals
        seed, index = (randbits(63), 0) if is_by_chance else (old.seed, old.index + 1)
        options = replace(
            live.table.options, paused=False, chosen_deal=not is_by_chance, seen_deal=False
        )
        opening = Opening(new_id(), old.rules, tuple(live.table.seats), seed, index, options)
        await self._enter(opening, live.record.host_hash, live.record.invite_hash, old.id)
        await live.go_on_at(opening.id)

    async def _enter(
        self,
        opening: Opening,
        host_hash: str,
        invite_hash: str,
        parent: str | None = None,
        past: Sequence[Event] = (),
    ) -> None:
        """Deal, write the table and what it begins with to the journal, and let it live."""
        table = Table(opening)
        game = table.game
        opening = with_deal(opening, game.deck, int(game.array["start"][0]))
        table.opening = opening
        for event in past:
            table.apply(event)
        entries = [Entry(number, event) for number, event in enumerate(past, start=1)]
        record = TableRecord(opening, table.kind, host_hash, invite_hash, version("tamaya"), parent)
        await self.writer.create(record, entries)
        self._let_live(self._live_table(table, record, entries))

    def _live_table(self, table: Table, record: TableRecord, entries: Sequence[Entry]) -> LiveTable:
        return LiveTable(table, record, entries, self.engines, self.writer, self.acquaintances)

    def _let_live(self, live: LiveTable) -> None:
        live.is_shut = self.deals.hides(live.table)
        self._live[live.table.id] = live
        live.driver.wake()

    def shut(self) -> None:
        """Look again which tables are hidden, because there is a new deal."""
        for live in self._live.values():
            live.is_shut = self.deals.hides(live.table)

    async def forget(self, person: str) -> None:
        """Delete what agents remember of a person."""
        await self.acquaintances.forget(person, self._live.values())

    # Finding.

    async def get(self, table_id: str) -> LiveTable | None:
        """A table, from memory or from the journal; None if there is none."""
        await self._ready.wait()
        live = self._live.get(table_id)
        if live is not None and not live.is_lost:
            return live
        if table_id not in self._loading:
            loading = asyncio.create_task(self._load(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table_id))
        return await asyncio.shield(self._loading[table_id])

    async def _load(self, table_id: str) -> LiveTable | None:
        lost = self._live.pop(table_id, None)
        if lost is not None:
            await lost.driver.stop()
            async with lost.lock:  # what it still writes has to be in the journal
                pass
        found = await asyncio.to_thread(self.journal.load, table_id)
        if found is None:
            return None
        record, entries = found
        events = [entry.event for entry in entries if entry.event.kind not in (END, AGAIN)]
        table = await asyncio.to_thread(Table.replay, record.opening, events)
        live = self._live_table(table, record, entries)
        live.remembered = await asyncio.to_thread(self.acquaintances.of_table, table_id)
        if table.phase == OVER and not live.is_ended:
            await live.end()
        self._let_live(live)
        return live

    async def recent(
        self, *, imports: bool = False, only_over: bool = False
    ) -> list[dict[str, Any]]:
        """The newest tables, or many whose games are over, as the lobby shows them."""
        await self.deals.refresh()
        most = N_OVER if only_over else N_RECENT
        found = await asyncio.to_thread(self.journal.recent, 3 * most, imports=imports)
        listed = (self._shown(table) for table in found if not self.deals.hides_key(table.key))
        return [table for table in listed if not only_over or table["phase"] == OVER][:most]

    def _shown(self, found: Summary) -> dict[str, Any]:
        turn = found.last.event.turn if found.last else 0
        is_over = found.last is not None and found.last.event.kind in (END, AGAIN)
        is_open = any(seat.kind == OPEN for seat in found.seats)
        live = self._live.get(found.id)
        phase = OVER if is_over else WAITING if is_open and not turn else PLAYING
        return {
            "id": found.id,
            "kind": found.kind,
            "names": [seat.name for seat in found.seats],
            "kinds": [seat.kind for seat in found.seats],
            "rules": found.rules,
            "phase": live.table.phase if live else phase,
            "score": found.score,
            "turn": turn,
            "created": found.created.isoformat(timespec="seconds"),
        }

    # Finished games and agents.

    async def finished(self, table_id: str, token: str | None = None) -> LiveTable:
        """A table whose game is over, also for this asker; everything about it may be told."""
        live = await self.get(table_id) if TABLE_ID.fullmatch(table_id) else None
        if live is None:
            raise Refusal(404, "no_such_table", "there is no such table", "id")
        if live.table.phase != OVER:
            raise Refusal(409, "forbidden", "the game is not over", "id")
        await self.deals.check_may_see(live, token)
        return live

    async def catalogue(self) -> dict[str, Any]:
        """The agents that people may sit down with, and how strong they were seen to be."""
        if self._offered is None:
            self._offered = asyncio.ensure_future(asyncio.to_thread(self.guests.catalogue))
        agents = await asyncio.shield(self._offered)
        if monotonic() - self._measured_at > STRENGTH_SECONDS:
            self._strengths = await asyncio.to_thread(strengths_in, self.store)
            self._measured_at = monotonic()
        rows = [{**agent, "strength": self._strengths.get(agent["name"], {})} for agent in agents]
        return {"default": DEFAULT_AGENT, "agents": rows}


def load_kernels() -> None:
    """Do once what every table does, so that no move waits for a kernel."""
    sitters = tuple(SeatState(PERSON, name) for name in ("Ann", "Ben"))
    table = Table(Opening("", Rules(), sitters))
    for _ in range(2):
        role = Role(table.game.mover)
        legal = view_frame(table, role)["legal"]
        event = table.move(role, table.turn, legal[0])
        assert event is not None
        table.apply(event)
    view_frame(table, Role(), 1)
    Position.of(table.game)
