"""The driver of a table: asks its agents for their moves, and makes them at the pace of the table.

A move is made after the pace, or when the agent has decided, whichever is later. So the delay does
not reveal how long a quick agent thought. Games of agents only continue while somebody watches.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from tamaya.store.database import StoreError
from tamaya.web.engines import Answer, EngineError, Position, Question
from tamaya.web.events import WATCH_TABLE
from tamaya.web.eyes import stuck_words
from tamaya.web.tab import Frame

if TYPE_CHECKING:
    from tamaya.web.live import LiveTable

log = logging.getLogger("tamaya.web")


class Driver:
    """Asks the agents of a table, in a task that ends when none is to move."""

    def __init__(self, live: "LiveTable") -> None:
        self.live, self.table = live, live.table
        self._moved_at = monotonic()
        self._steps = 0
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def note_move(self) -> None:
        """A move was made, or taken back: the next one comes after the pace."""
        self._moved_at = monotonic()

    def step(self) -> None:
        """Let the agents of a paused table make one move."""
        self._steps += 1
        self.wake()

    def wake(self) -> None:
        """Let the driver look whether an agent is to move; starts it if there is none."""
        self._changed.set()
        if self._task is None or self._task.done():
            if not self.live.is_lost and self._due() is not None:
                self._task = asyncio.create_task(self._drive(), name=f"table {self.table.id}")

    async def stop(self) -> None:
        """End the driver."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _due(self) -> int | None:
        """The seat of an agent that should move now, at the pace of the table."""
        seat = self.table.agent_to_move
        if seat is None or seat in self.live.stuck or self.live.is_lost:
            return None
        if self.table.kind == WATCH_TABLE:
            if not self.live.tabs or (self.table.options.paused and not self._steps):
                return None
        return seat

    async def _drive(self) -> None:
        """Ask agents for their moves as long as there are any to be made."""
        try:
            while (seat := self._due()) is not None:
                await self._let_move(seat)
        except StoreError as error:
            log.error("a table was given up: %s", error)

    async def _let_move(self, seat: int) -> None:
        """Ask an agent and make its move, unless the table changes meanwhile."""
        table, revision = self.table, self.table.revision
        position, memory = Position.of(table.game), table.memory_of(seat)

        def report(progress: Frame) -> None:
            self._report(seat, progress)

        async def ask() -> Answer:
            agent = await self.live.acquaintances.agent(self.live, seat, report)
            question = Question(position, seat, agent, *memory)
            return await self.live.engines.move(question, report)

        def is_current() -> bool:
            return (table.revision, table.turn) == (revision, len(position.moves))

        try:
            answer = await self._while(is_current, ask())
        except EngineError as error:
            if is_current():
                self.live.stuck[seat] = stuck_words(self.table, error.text, error.words)
                if error.words:
                    log.warning("%s: %s", error.text, error.words)
                self.live.tell(self.live.seats())
            return
        if answer is None or not await self._wait_for_pace(is_current):
            return
        await self.live.complete(self._make(seat, answer, len(position.moves), revision))

    async def _make(self, seat: int, answer: Answer, turn: int, revision: int) -> None:
        """Make the move of an agent, unless the table has changed."""
        async with self.live.lock:
            table = self.table
            if (table.revision, table.turn) != (revision, turn) or self._due() != seat:
                return
            event = table.agent_move(seat, turn, answer.move, answer.memory, revision=revision)
            self._steps = max(0, self._steps - 1)
            await self.live.happen(event, ms=answer.ms)

    async def _while(
        self, is_current: Callable[[], bool], asked: Awaitable[Answer]
    ) -> Answer | None:
        """The answer to a question, None if the table changed before it came."""
        answering = asyncio.ensure_future(asked)
        try:
            while not answering.done():
                self._changed.clear()
                changing = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait((answering, changing), return_when=asyncio.FIRST_COMPLETED)
                changing.cancel()
                if not is_current() or self.live.is_lost:
                    return None
            return answering.result()
        finally:
            answering.cancel()

    async def _wait_for_pace(self, is_current: Callable[[], bool]) -> bool:
        """Wait until a move is due; False if the table changed before."""
        while is_current() and not self.live.is_lost:
            self._changed.clear()
            if self._due() is None:
                await self._changed.wait()
                continue
            is_step = self._steps and self.table.options.paused
            left = 0.0 if is_step else self._moved_at + self.table.options.pace_ms / 1000
            seconds = left - monotonic()
            if seconds <= 0:
                return True
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return False

    def _report(self, seat: int, progress: Frame) -> None:
        """Tell everybody what an agent that takes its time is doing."""
        frame = {"done": None, "of": None, **progress}
        if progress["type"] == "thinking":
            frame["seat"] = seat
        elif progress.get("agent") is None:
            frame = {"type": "compiling", "agent": None}
        self.live.tell(frame)
