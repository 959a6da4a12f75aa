"""The server's side of the analysis engine: a queue of jobs that survive the end of its process.

A job takes a while and reports results as they arrive: the values of a game, or what agents would
have done. Each lane runs a limited number of jobs; others wait, and if the queue is full, the
client is told that the server is busy. If the process ends, its jobs are given to a new one:
finished results are in the store.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from tamaya.web.processes import EngineProcess, Message, ProcessEndedError
from tamaya.web.questions import EngineError

log = logging.getLogger("tamaya.web")
MODULE = "tamaya.web.analysis_engine"
NICENESS = "10"  # moves and pages have priority
TRIES = 2  # of a job, each in a fresh process if the one before ended
VALUES, KEPT, MOVES, DEALS = "values", "kept", "moves", "deals"  # lanes


@dataclass(frozen=True)
class Limits:
    """How much is done at once, and seconds of patience."""

    values: int = 2  # analyses at once
    kept: int = 2  # analyses limited to stored results, at once
    moves: int = 1  # turns at which agents are asked, at once
    deals: int = 1  # deals that agents play, at once
    waiting: int = 8  # in each lane
    share: int = 5  # that one address may have in a lane, waiting or being done
    start: float = 120.0
    silence: float = 60.0  # while something is being done
    compiling: float = 1200.0  # the same while the compiler works
    idle: float = 600.0  # until the process ends


class Job:
    """Work for the engine; ``hear`` receives its results."""

    lane = VALUES

    def __init__(self) -> None:
        self.address = ""  # of whoever asked for it
        self.number = 0  # given when it is submitted
        self.tries = 0

    def request(self) -> Message:
        """The request to the engine, in the current state."""
        raise NotImplementedError

    def hear(self, message: Message) -> None:
        """Handle a result, the end, or an error."""
        raise NotImplementedError


class Analyses:
    """The jobs of a server and the process that does them."""

    def __init__(self, store: str, files: Sequence[str] = (), limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.n_started = 0  # processes so far
        self._store, self._files = store, files
        limits = self.limits
        self._places = {VALUES: limits.values, KEPT: limits.kept, MOVES: limits.moves,
                        DEALS: limits.deals}  # fmt: skip
        self._waiting: dict[str, deque[Job]] = {lane: deque() for lane in self._places}
        self._running: dict[int, Job] = {}
        self._numbers = count(1)
        self._process: EngineProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """Number of the process, while it lives."""
        return self._process.pid if self._process is not None else None

    def wake(self) -> None:
        """Start the process, because it will be needed soon."""
        self._changed.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._serve(), name="analysis engine")

    def submit(self, job: Job) -> None:
        """Put a job into the queue; EngineError if that is full."""
        if len(self._waiting[job.lane]) >= self.limits.waiting and not self._has_place(job.lane):
            raise EngineError("busy", "too many analyses at once, ask again in a moment")
        others = (*self._waiting[job.lane], *self._running.values())
        if sum((o.lane, o.address) == (job.lane, job.address) for o in others) >= self.limits.share:
            raise EngineError("busy", "you have asked for enough analyses for now")
        job.number, job.tries = next(self._numbers), 0
        self._waiting[job.lane].append(job)
        self.wake()

    def n_before(self, job: Job) -> int:
        """Jobs that have to end before one begins."""
        waiting = self._waiting[job.lane]
        if job not in waiting:
            return 0
        n_free = self._places[job.lane] - self._n_running(job.lane)
        return max(0, waiting.index(job) + 1 - n_free)

    def is_running(self, job: Job) -> bool:
        """Whether the engine works on a job."""
        return job.number in self._running

    async def tell(self, job: Job, ask: str, **fields: Any) -> None:
        """Change a running job; a waiting one sends its current state when it starts."""
        if self.is_running(job) and self._process is not None:
            request = {"id": job.number, "ask": ask, "lane": job.lane, **fields}
            await self._process.send(request)

    async def cancel(self, job: Job) -> None:
        """Cancel a job."""
        with suppress(ValueError):
            self._waiting[job.lane].remove(job)
        if self.is_running(job):
            await self.tell(job, "cancel")
            self._running.pop(job.number, None)
            self._changed.set()

    async def stop(self) -> None:
        """End the process; waiting jobs get an error that the server stops."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._end()
        waiting = [job for jobs in self._waiting.values() for job in jobs]
        for job in (*self._running.values(), *waiting):
            job.hear({"error": ["unavailable", "the server stops", ""]})

    # Work.

    def _n_running(self, lane: str) -> int:
        return sum(job.lane == lane for job in self._running.values())

    def _has_place(self, lane: str) -> bool:
        return self._n_running(lane) + len(self._waiting[lane]) < self._places[lane]

    async def _serve(self) -> None:
        """Distribute jobs and handle their results, until the engine has been idle for long."""
        is_needed = True
        while is_needed:
            try:
                process = await self._living_process()
            except ProcessEndedError as end:
                self._fail_all(end)
                return
            reading = asyncio.create_task(self._read(process))
            try:
                await self._hand_out(process, reading)
            except ProcessEndedError as end:
                self._ask_again(end)
            finally:
                reading.cancel()
                with suppress(asyncio.CancelledError, ProcessEndedError):
                    await reading
            await self._end()
            is_needed = self.n_waiting > 0

    async def _hand_out(self, process: EngineProcess, reading: "asyncio.Task[None]") -> None:
        """Give waiting jobs to the engine as places become free."""
        while True:
            self._changed.clear()
            for lane, waiting in self._waiting.items():
                while waiting and self._n_running(lane) < self._places[lane]:
                    job = waiting.popleft()
                    job.tries += 1
                    self._running[job.number] = job
                    await process.send({"id": job.number, "lane": lane, **job.request()})
            changing = asyncio.create_task(self._changed.wait())
            is_idle = not self._running
            try:
                timeout = self.limits.idle if is_idle else None
                done, _ = await asyncio.wait(
                    (reading, changing), timeout=timeout, return_when=asyncio.FIRST_COMPLETED
                )
            finally:
                changing.cancel()
            if reading in done:
                reading.result()
            if not done and not self._running and not any(self._waiting.values()):
                return

    async def _read(self, process: EngineProcess) -> None:
        """Read the engine's messages; ProcessEndedError if there is none for too long."""
        clock = asyncio.get_running_loop().time
        compiled_until = 0.0  # as long as the compiler may work
        while True:
            patience = self.limits.silence if self._running else 3600.0
            try:
                message = await process.read(patience)
            except ProcessEndedError as end:
                if end.code == "stuck" and not self._running:
                    continue
                raise
            if "compiling" in message:
                compiled_until = compiled_until or clock() + self.limits.compiling
                if clock() > compiled_until:
                    raise ProcessEndedError("stuck", "takes too long")
            else:
                compiled_until = 0.0
            self._hear(message)

    def _hear(self, message: Message) -> None:
        job = self._running.get(message.pop("id", 0))
        if job is None:
            return
        if "done" in message or "error" in message or "cancelled" in message:
            del self._running[job.number]
            self._changed.set()
        try:
            job.hear(message)
        except Exception as error:  # others must be served even if this one failed
            log.error("an analysis failed: %r", error)
            self._running.pop(job.number, None)

    def _ask_again(self, end: ProcessEndedError) -> None:
        """Put running jobs back to the head of the queues, once."""
        running, self._running = list(self._running.values()), {}
        log.warning("the analysis engine %s", end.text)
        for job in reversed(running):
            if job.tries >= TRIES:
                job.hear({"error": [end.code, f"the analysis {end.text}", ""]})
            else:
                self._waiting[job.lane].appendleft(job)

    def _fail_all(self, end: ProcessEndedError) -> None:
        """Fail all jobs: there is no process, and trying again would not help."""
        log.error("the analysis engine %s", end.text)
        for waiting in self._waiting.values():
            while waiting:
                waiting.popleft().hear({"error": [end.code, f"the analysis {end.text}", ""]})

    @property
    def n_waiting(self) -> int:
        """Jobs that have not started."""
        return sum(len(waiting) for waiting in self._waiting.values())

    async def _living_process(self) -> EngineProcess:
        """The process, started if there is none."""
        if self._process is None or self._process.pid is None:
            await self._end()
            self.n_started += 1
            arguments = [NICENESS, *self._files]
            self._process = await EngineProcess.start(arguments, self.limits.start, MODULE)
            await self._process.send({"store": self._store})
        return self._process

    async def _end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()
