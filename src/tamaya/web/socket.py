"""One WebSocket: frames in order, not too many, not too long.

A socket sends ``hello`` to a table and is a tab of it from then on; it may send it again. Frames
are answered one after the other; only advice, which takes a while, is awaited concurrently.
Unreadable or refused frames get an ``error`` frame; a client that keeps sending too much is closed
with code 4429, one with another version of the protocol with 4400.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tamaya.web.guard import PROTOCOL, TOO_FAST, House, Lock, Refusal, fault_line
from tamaya.web.rates import Bucket, Places, Rate

if TYPE_CHECKING:
    from tamaya.web.live import LiveTable
    from tamaya.web.messages import Hello, Message
    from tamaya.web.review import ReviewTab
    from tamaya.web.review_frames import ReviewGame
    from tamaya.web.tab import Frame
    from tamaya.web.tables import Tables

log = logging.getLogger("tamaya.web")
WRONG_VERSION, NO_TABLE, UNAVAILABLE = 4400, 4404, 1013
PATIENCE = 2.0  # seconds between two words to who waits for the tables
MOST_QUESTIONS = 4  # for advice that a tab has open
GetTables = Callable[[], Awaitable["Tables"]]


async def serve_socket(
    websocket: WebSocket, get_tables: GetTables, house: House, questions: Places, opened: Rate
) -> None:
    """Serve one socket until it is closed."""
    offered = websocket.scope["subprotocols"]
    if PROTOCOL not in offered:
        # A browser only accepts what it offered; the code tells it to load the page again.
        await websocket.accept(offered[0] if offered else None)
        await websocket.close(WRONG_VERSION, f"this server speaks {PROTOCOL}")
        return
    await websocket.accept(PROTOCOL)
    tables = await _wait_for_tables(websocket, get_tables)
    if tables is not None:
        await Socket(websocket, tables, house, questions, opened).serve()


async def _wait_for_tables(websocket: WebSocket, get_tables: GetTables) -> "Tables | None":
    """The tables; while they are being loaded, the page hears that somebody is there."""
    loading = asyncio.ensure_future(get_tables())
    while True:
        done, _ = await asyncio.wait((loading,), timeout=PATIENCE)
        try:
            if done and loading.result().is_ready:
                return loading.result()
            compiling = loading.result().compiling() if done else None
            usual = {"agent": "tamaya", "kernel": "", "done": 0, "of": 0}
            await websocket.send_json({"type": "compiling", **(compiling or usual)})
            if done:
                await loading.result().wait_until_ready(PATIENCE)
        except Refusal as refusal:
            await websocket.close(UNAVAILABLE, refusal.text)
            return None
        except (WebSocketDisconnect, RuntimeError):
            return None


class Socket:
    """A socket that has been accepted."""

    def __init__(
        self, websocket: WebSocket, tables: "Tables", house: House, places: Places, opened: Rate
    ) -> None:
        from tamaya.web.tab import Tab

        self.websocket, self.tables = websocket, tables
        self.limits = limits = house.limits
        self.address: str = websocket.scope["tamaya.address"]
        self.tab = Tab(address=self.address, may_open=partial(opened.takes, self.address))
        self.live: LiveTable | None = None
        self.review: ReviewTab | None = None
        self._bucket = Bucket(limits.frames_per_second)
        self._questions: set[asyncio.Task[None]] = set()
        self._places = places  # for questions of an address, which may have many sockets

    async def serve(self) -> None:
        """Read and write until either side closes."""
        reading = asyncio.create_task(self._read())
        writing = asyncio.create_task(self._write())
        try:
            await asyncio.wait((reading, writing), return_when=asyncio.FIRST_COMPLETED)
            if not writing.done():  # what was said last still goes out
                self.tab.close(1000, "")
                await asyncio.wait((writing,), timeout=1.0)
        finally:
            await self._part()
            for task in (reading, writing, *self._questions):
                task.cancel()
            await asyncio.gather(reading, writing, *self._questions, return_exceptions=True)
        for task in (reading, writing):
            if not task.cancelled() and (error := task.exception()):
                raise error

    async def _write(self) -> None:
        """Send what the tab is to be sent, until it is to be closed."""
        with suppress(WebSocketDisconnect, RuntimeError):  # it was closed at the other end
            while True:
                waiting = await self.tab.outgoing.get()
                if isinstance(waiting, tuple):
                    if self.websocket.application_state == WebSocketState.CONNECTED:
                        await self.websocket.close(*waiting)
                    return
                await self.websocket.send_text(waiting)

    async def _read(self) -> None:
        """Answer frames one after the other."""
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            n = self._bucket.count(monotonic())
            text = message.get("text")
            if text is not None and len(text) > self.limits.frame_bytes:
                self._complain("too_large", f"a frame has at most {self.limits.frame_bytes} bytes")
                self.tab.close(TOO_FAST, "too large")
                return
            if n > 2 * self.limits.frames_per_second:
                self.tab.close(TOO_FAST, "too fast")
                return
            await self._answer(text, is_too_fast=n > self.limits.frames_per_second)

    async def _answer(self, text: str | None, is_too_fast: bool) -> None:
        """Answer a frame, or say what is wrong with it."""
        from tamaya.web.messages import Advise, FrameError, Hello, Why, parse_frame
        from tamaya.web.review_frames import Believe, ReviewGame

        try:
            if text is None:
                raise FrameError("bad_frame", "frames are texts")
            message = parse_frame(text)
        except FrameError as error:
            self._complain(error.code, error.text, error.place, error.re)
            return
        if is_too_fast:
            limit = self.limits.frames_per_second
            self._complain("too_fast", f"at most {limit} frames a second", re=message.id)
        elif isinstance(message, Advise | Why | Believe):
            self._ask(message)
        elif isinstance(message, Hello):
            await self._reply(self._hello(message), message.id)
        elif isinstance(message, ReviewGame):
            await self._reply(self._review(message), message.id)
        else:
            await self._reply(self._do(message), message.id)

    def _ask(self, message: "Message") -> None:
        """Wait for an answer that takes its time, beside what else there is to do."""
        if len(self._questions) >= MOST_QUESTIONS or not self._places.take(self.address):
            self._complain("busy", "you have asked enough for now", re=message.id)
            return
        asking = asyncio.create_task(self._reply(self._do(message), message.id))
        self._questions.add(asking)
        asking.add_done_callback(self._answered)

    def _answered(self, asking: "asyncio.Task[None]") -> None:
        self._questions.discard(asking)
        self._places.give_back(self.address)

    async def _reply(self, doing: "Awaitable[list[Frame]]", re: int | None) -> None:
        """Send what came of a message; refusals are answers too."""
        from tamaya.store.database import StoreError
        from tamaya.web.engines import EngineError
        from tamaya.web.events import TableError
        from tamaya.web.guests import GuestError

        try:
            frames = await doing
        except TableError as error:
            self._complain(error.code, error.text, error.place, re)
            if error.code == "no_such_table":
                self.tab.close(NO_TABLE, error.text)
        except GuestError as error:
            self._complain("bad_frame", error.text, error.place, re)
        except EngineError as error:
            self._complain(error.code, error.text, re=re)
        except StoreError as error:
            log.error("%s", error)
            self._complain("unavailable", "the server cannot write to its store", re=re)
        except Exception as error:
            log.error("a frame failed: %s", fault_line(error))
            self._complain("unavailable", "the server made a mistake; it is in its log", re=re)
        else:
            for k, frame in enumerate(frames):
                self.tab.send(frame, None if k else re)

    async def _hello(self, message: "Hello") -> "list[Frame]":
        """Come to a table."""
        from tamaya.web.events import TableError
        from tamaya.web.opening import hash_of

        live = await self.tables.get(message.table)
        if live is None:
            raise TableError("no_such_table", "there is no such table", "table")
        await self.tables.deals.check_may_watch(live, self.tab, message.token, message.invite)
        await self._part()
        self.live = live
        self.tab.person = hash_of(message.person) if message.person else None
        live.introduce(self.tab, message.token, message.invite)
        await live.complete(self.tables.acquaintances.hear(live))
        return live.welcome(self.tab)

    async def _review(self, message: "ReviewGame") -> "list[Frame]":
        """Come to a finished game."""
        from tamaya.web.events import TableError

        try:
            lock: Lock = self.websocket.scope["tamaya.lock"]
            may_analyse = lock.is_opened_by(message.key, self.address)
        except Refusal as refusal:
            raise TableError(refusal.code, refusal.text, "key") from None
        review = await self.tables.reviews.open(self.tab, message, may_analyse=may_analyse)
        await self._part()
        self.review = review
        return await review.welcome()

    async def _part(self) -> None:
        """Leave the table or the game."""
        if self.live is not None:
            self.live.part(self.tab)
        review, self.live, self.review = self.review, None, None
        if review is not None:
            await review.part()

    async def _do(self, message: "Message") -> "list[Frame]":
        """Do what a tab of a table or of a review asks for."""
        if self.review is not None:
            return await self.review.answer(message)
        from tamaya.web.answering import HANDLERS, answer
        from tamaya.web.events import TableError

        if self.live is None or type(message) not in HANDLERS:
            raise TableError("bad_frame", "say hello to a table first", "type")
        return await answer(self.tables, self.live, self.tab, message)

    def _complain(self, code: str, text: str, place: str = "", re: int | None = None) -> None:
        frame = {"type": "error", "code": code, "text": text}
        self.tab.send({**frame, "place": place} if place else frame, re)
