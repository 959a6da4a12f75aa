"""A table in use: the tabs that look at it, and what they are told.

All changes go through ``happen``: the event is written to the journal, then applied, then sent to
all tabs. While it is being written nothing else changes the table (``lock``), and it is completed
even if the asker has gone (``complete``). If writing fails, it is unknown whether the event was
stored: the table is *lost*, its tabs are disconnected, and they reconnect to what the journal has.

``driver`` lets its agents move.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from hmac import compare_digest
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from tamaya.web.advice import adviser_for
from tamaya.web.driver import Driver
from tamaya.web.engines import Engines
from tamaya.web.events import (
    AGENT,
    MORPHED,
    MOVED,
    OPTIONS,
    OVER,
    PERSON,
    SEATED,
    STARTED,
    UNDONE,
    WAITING,
    Event,
    Role,
    TableError,
)
from tamaya.web.journal import AGAIN, END, Entry, TableRecord, Writer
from tamaya.web.messages import dump
from tamaya.web.opening import hash_of
from tamaya.web.sight import (
    Presence,
    asked_frame,
    over_frame,
    seats_frame,
    view_frame,
    welcome_frame,
)
from tamaya.web.tab import COME_AGAIN, Frame, Tab
from tamaya.web.table import Table
from tamaya.web.wording import agent_label

if TYPE_CHECKING:
    from tamaya.web.acquaintances import Acquaintances

Value = TypeVar("Value")
LOST = "the table is being loaded again"
# Of one table, such as moves that are made and taken back for ever; to load them takes a second.
MOST_EVENTS = 5000
# What is told after an event, in order; ``over`` only if it is so.
NEWS = {
    STARTED: ("seats", "view"),
    SEATED: ("seats", "view"),
    MOVED: ("view", "over"),
    UNDONE: ("view", "asked"),
    OPTIONS: ("welcome",),
    MORPHED: ("view",),
}


class LiveTable:
    """A table with its tabs and the driver of its agents."""

    def __init__(
        self,
        table: Table,
        record: TableRecord,
        entries: Iterable[Entry],
        engines: Engines,
        writer: Writer,
        acquaintances: "Acquaintances",
    ) -> None:
        self.table, self.record = table, record
        self.engines, self.writer, self.acquaintances = engines, writer, acquaintances
        self.remembered: dict[int, str] = {}  # [seat] -> person, by the hash of their key
        self.prepared: dict[tuple[str, frozenset[str]], str] = {}  # agents that know such persons
        self.lock = asyncio.Lock()
        self._begun: set[asyncio.Task[Any]] = set()  # that is to be finished
        self._askers: set[Tab] = set()  # that wait for it
        self.tabs: set[Tab] = set()
        self.stuck: dict[int, str] = {}
        self.is_lost = False
        self.is_shut = False  # watchers have the deal still to play, unless they prove otherwise
        self.next_table: str | None = None  # of the next deal
        self.unseen_since = monotonic()
        self._number = 0
        self.is_ended = False
        for entry in entries:
            self._note(entry)
        self._away_since = dict.fromkeys(range(table.rules.players), monotonic())
        self.driver = Driver(self)

    def _note(self, entry: Entry) -> None:
        self._number = entry.number
        self.is_ended = self.is_ended or entry.event.kind == END
        if entry.event.kind == AGAIN and entry.data:
            self.next_table = entry.data["table"]

    # Tabs.

    def role_of(self, token: str | None) -> Role:
        """Who the holder of a token is; a watcher without one."""
        if token is None:
            return Role()
        hashed = hash_of(token)
        is_own = [compare_digest(hashed, sitter.token_hash) for sitter in self.table.seats]
        seat = is_own.index(True) if True in is_own else None
        return Role(seat, compare_digest(hashed, self.record.host_hash))

    def is_invite(self, invite: str | None) -> bool:
        """Whether a text invites to this table."""
        return invite is not None and compare_digest(hash_of(invite), self.record.invite_hash)

    def seat_of(self, tab: Tab) -> int | None:
        """The seat that a tab has had here, whoever has it now: it has seen all hands but that."""
        return tab.sat.get(self.table.id, (None, ""))[0]

    def _recognise(self, tab: Tab) -> None:
        """See who a tab is now, and remember its seat; one left before the game is forgotten."""
        table, tab.role = self.table, self.role_of(tab.token)
        if tab.role.seat is not None:
            tab.sat[table.id] = tab.role.seat, table.seats[tab.role.seat].token_hash
        seat, token_hash = tab.sat.get(table.id, (0, table.seats[0].token_hash))
        if table.phase == WAITING and table.seats[seat].token_hash != token_hash:
            del tab.sat[table.id]

    def introduce(self, tab: Tab, token: str | None, invite: str | None) -> None:
        """Let a tab look at the table; if it is that of a seat, the others are told."""
        tab.token = token
        self._recognise(tab)
        tab.is_invited = self.is_invite(invite)
        self.tabs.add(tab)
        if self.is_lost:
            tab.close(COME_AGAIN, LOST)
        self._tell_presence(tab)
        self.driver.wake()

    def part(self, tab: Tab) -> None:
        """A tab was closed."""
        if tab not in self.tabs:
            return
        self.tabs.discard(tab)
        self.unseen_since = monotonic()
        if tab.role.seat is not None:
            self._away_since[tab.role.seat] = monotonic()
        self._tell_presence(tab)
        self.driver.wake()

    def _tell_presence(self, tab: Tab) -> None:
        if tab.role.seat is not None:
            self.tell(self.seats(), but=tab)

    def names(self, but: int) -> list[str]:
        """The names in all seats but one."""
        return [sitter.name for k, sitter in enumerate(self.table.seats) if k != but]

    def n_tabs(self, seat: int) -> int:
        """How many tabs look through the eyes of a seat."""
        return sum(tab.role.seat == seat for tab in self.tabs)

    def seats(self) -> Frame:
        """Who sits where and is there."""
        now = monotonic()
        presences = []
        for seat, sitter in enumerate(self.table.seats):
            tabs = self.n_tabs(seat)
            is_away = sitter.kind == PERSON and not tabs
            away = max(1, int(now - self._away_since[seat])) if is_away else 0
            presences.append(Presence(tabs, away, self.stuck.get(seat)))
        return seats_frame(self.table, presences)

    def tell(self, frame: Frame, but: Tab | None = None) -> None:
        """Send a frame to all tabs but one."""
        text = dump(frame)
        for tab in self.tabs:
            if tab is not but:
                tab.send_text(text)

    def _adviser(self, role: Role) -> str:
        """Who advises a role, as people read it."""
        return agent_label(adviser_for(self.table, role.seat))

    def welcome(self, tab: Tab, token: str | None = None) -> list[Frame]:
        """Everything that a tab needs to know."""
        frames = [
            welcome_frame(self.table, tab.role, token=token, adviser=self._adviser(tab.role)),
            self.seats(),
            view_frame(self.table, tab.role),
        ]
        if self.table.asked:
            frames.append(asked_frame(self.table))
        if self.table.phase == OVER:
            frames.append(over_frame(self.table))
        if self.next_table:
            frames.append(self.again_frame(tab))
        return frames

    def again_frame(self, tab: Tab) -> Frame:
        """Where the next deal is played; tokens of this table open that one too."""
        is_known = tab.role.seat is not None or tab.role.is_host
        token = tab.token if is_known else None
        return {"type": "again", "table": self.next_table, "token": token, "seat": tab.role.seat}

    # Changes.

    async def complete(self, doing: Coroutine[Any, Any, Value], asker: Tab | None = None) -> Value:
        """Wait for something that goes on to its end even if nobody waits for it any more."""
        task = asyncio.create_task(doing)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        if asker is None:
            return await asyncio.shield(task)
        self._askers.add(asker)
        try:
            return await asyncio.shield(task)
        finally:
            self._askers.discard(asker)
            if self.is_lost:  # but first it is told why, or its page would ask for ever
                asyncio.get_running_loop().call_soon(asker.close, COME_AGAIN, LOST)

    async def happen(
        self, event: Event, asker: Tab | None = None, ms: int | None = None
    ) -> list[Frame]:
        """Let an event happen and tell the others; returns what its asker is to be told."""
        had_wish, revision = self.table.asked, self.table.revision
        await self._commit(event, ms)
        if event.kind == SEATED:
            assert event.seat is not None
            self.stuck.pop(event.seat, None)
            for tab in self.tabs:
                self._recognise(tab)
        self._send_watchers_away()
        if event.kind in (MOVED, STARTED) or self.table.revision != revision:
            self.driver.note_move()
        names = [*NEWS.get(event.kind, ("asked",))]
        if had_wish != self.table.asked and "asked" not in names:
            names.append("asked")
        told: list[Frame] = []
        texts: dict[tuple[str, Role], str] = {}
        for tab in self.tabs:
            for name in names:
                if tab is asker:
                    told += self._news(name, tab.role)
                elif frames := texts.get((name, tab.role)):
                    tab.send_text(frames)
                else:
                    for frame in self._news(name, tab.role):
                        texts[name, tab.role] = dump(frame)
                        tab.send_text(texts[name, tab.role])
        self.driver.wake()
        return told

    def _send_watchers_away(self) -> None:
        """Whoever was let in to take a seat, and has none when play begins, must not see it."""
        if not self.is_shut or self.table.phase == WAITING:
            return
        for tab in [tab for tab in self.tabs if not self.may_stay(tab)]:
            tab.close(COME_AGAIN, "this deal is still yours to play")
            self.tabs.discard(tab)

    def may_stay(self, tab: Tab) -> bool:
        """Whether a tab may see the game of a deal that it might still want to play."""
        return self.is_own(tab.role) or tab.has_played

    def is_own(self, role: Role) -> bool:
        """Whether it is somebody's own game: who opened an attempt at a deal has to sit there."""
        return role.seat is not None or (role.is_host and self.table.opening.deal is None)

    def _news(self, name: str, role: Role) -> list[Frame]:
        """One of the frames that follow an event, none if it is not the time for it."""
        if name == "over" and self.table.phase != OVER:
            return []
        make: dict[str, Callable[[], Frame]] = {
            "view": lambda: view_frame(self.table, role),
            "seats": self.seats,
            "asked": lambda: asked_frame(self.table),
            "over": lambda: over_frame(self.table),
            "welcome": lambda: welcome_frame(self.table, role, adviser=self._adviser(role)),
        }
        return [make[name]()]

    async def _commit(self, event: Event, ms: int | None) -> None:
        if self.is_lost:
            raise TableError("unavailable", LOST)
        # A guest who uses them up does not keep the host from giving a seat to an agent.
        is_fill = event.sitter is not None and event.sitter.kind == AGENT
        most = 2 * MOST_EVENTS if is_fill else MOST_EVENTS
        if self._number >= most and event.kind not in (MOVED, STARTED):
            raise TableError("busy", "too much has happened at this table: only moves are left")
        await self._write(Entry(self._number + 1, event, ms))
        self.table.apply(event)
        if self.table.phase == OVER and not self.is_ended:
            await self.end()

    async def end(self) -> None:
        """Write down how the game ended."""
        game = self.table.game
        data = {"score": game.score, "status": game.status, "undos": self.table.undos}
        await self._write(Entry(self._number + 1, Event(END, self.table.turn), data=data))

    async def go_on_at(self, table_id: str) -> None:
        """Note where the next deal is played."""
        data = {"table": table_id}
        await self._write(Entry(self._number + 1, Event(AGAIN, self.table.turn), data=data))

    async def _write(self, entry: Entry) -> None:
        """Write an entry; if that fails, the journal alone knows how the table stands."""
        try:
            await self.writer.append(self.table.id, entry)
        except BaseException:
            self.lose()
            raise
        self._note(entry)

    def lose(self) -> None:
        """Give the table up; its tabs will ask for it again."""
        self.is_lost = True
        for tab in self.tabs - self._askers:
            tab.close(COME_AGAIN, LOST)
        self.driver.wake()
