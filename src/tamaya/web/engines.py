"""The two engines of a server, asked without ever blocking it.

*quick* answers for agents that move at once, *slow* for those that search; both are processes
(``tamaya.web.engine``), started at need. Each takes one question at a time, moves before all else.
A question that takes too long costs the process its life, as does an agent that ends it; then it is
asked once more, of a fresh process, and given up after that. Whatever dies, no table notices more
than a delay: questions carry all that their answers depend on.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

from tamaya.web.questions import (
    ADVISE,
    EXPLAIN,
    INTRODUCE,
    MOVE,
    WARM,
    Answer,
    EngineError,
    Explanation,
    Introduction,
    Position,
    Question,
    dump_line,
    from_text,
    question_fields,
)

__all__ = ["Answer", "EngineError", "Engines", "Explanation", "Introduction", "Limits", "Position",
           "Question"]  # fmt: skip

DEFAULT_AGENT = "tamaya-mixed"
SLOW_NICENESS = "10"  # searches yield to moves and pages
MAX_LINE = 1 << 20  # bytes of a message
TRIES = 2  # of a question, each in a fresh process if the one before ended
PRIORITY = {MOVE: 0, INTRODUCE: 0, WARM: 1, ADVISE: 2, EXPLAIN: 2}
Progress = dict[str, Any]
OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class Limits:
    """What engines may take; seconds."""

    quick: float = 10.0  # of thinking, for a move of a quick agent
    slow: float = 60.0
    start: float = 120.0  # until a process is there; imports take 2 s, on a busy machine more
    compiling: float = 1200.0  # for one question, with all that it needs
    waiting: int = 8  # questions for advice; more are refused


@dataclass(order=True)
class _Job:
    """A request on its way; jobs are ordered by priority, then by age."""

    priority: int
    number: int
    kind: str = field(compare=False)
    agent: str = field(compare=False)
    fields: dict[str, Any] = field(compare=False)
    on_progress: OnProgress = field(compare=False)
    future: "asyncio.Future[dict[str, Any]]" = field(compare=False)
    tries: int = field(default=0, compare=False)


class _ProcessEndedError(Exception):
    """The process of an engine ended, or was ended, during a question."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


class _Engine:
    """One engine: its process, its queue, and the task that takes one to the other."""

    def __init__(self, name: str, limit: float, arguments: list[str], limits: Limits) -> None:
        self.name, self._limit, self._arguments, self._limits = name, limit, arguments, limits
        self._jobs: list[_Job] = []
        self._arrived = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self.compiling: Progress | None = None
        self.n_started = 0  # processes so far

    @property
    def pid(self) -> int | None:
        """Number of the living process."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    @property
    def n_waiting(self) -> int:
        """Questions that nobody works on yet."""
        return sum(not job.future.done() for job in self._jobs)

    def submit(self, job: _Job) -> None:
        """Put a job into the queue."""
        if job.priority > 0:
            n_advice = sum(other.priority > 0 and not other.future.done() for other in self._jobs)
            if n_advice >= self._limits.waiting:
                raise EngineError("busy", "too many questions at once, ask again in a moment")
        heappush(self._jobs, job)
        self._arrived.set()
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name=f"{self.name} engine")

    async def stop(self) -> None:
        """End the process and refuse what waits."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        await self._kill()
        for job in self._jobs:
            if not job.future.done():
                job.future.set_exception(EngineError("unavailable", "the server stops"))
        self._jobs.clear()

    async def _work(self) -> None:
        """Take jobs one by one, for ever."""
        while True:
            while not self._jobs:
                self._arrived.clear()
                await self._arrived.wait()
            job = heappop(self._jobs)
            if job.future.done():  # whoever asked has left
                continue
            try:
                reply = await self._try(job)
            except asyncio.CancelledError:
                if not job.future.done():
                    job.future.set_exception(EngineError("unavailable", "the server stops"))
                raise
            if reply is not None and not job.future.done():
                _settle(job.future, reply)

    async def _try(self, job: _Job) -> dict[str, Any] | None:
        """The reply to a job; None if the job has to go around once more."""
        job.tries += 1
        try:
            return await self._ask(job)
        except _ProcessEndedError as end:
            await self._kill()
            if job.tries < TRIES and not job.future.done():
                job.number += 1 << 32  # others first: they are not to blame
                heappush(self._jobs, job)
                return None
            return {"error": [end.code, f"agent {job.agent!r} {end.text}", ""]}
        finally:
            self.compiling = None

    async def _ask(self, job: _Job) -> dict[str, Any]:
        """Send a job to the process and wait for the reply, as long as it may take."""
        process = await self._started()
        assert process.stdin is not None
        clock = asyncio.get_running_loop().time
        line = dump_line({"id": job.number, "ask": job.kind, **job.fields})
        with suppress(ConnectionError):  # if it is gone, reading says so
            process.stdin.write(line)
            await process.stdin.drain()
        last = clock() + self._limits.compiling
        deadline = clock() + self._limit
        while True:
            message = await self._read(process, min(deadline, last) - clock())
            if message.get("id") != job.number:
                continue
            if "compiling" in message:
                deadline = clock() + self._limit
                self._report(job, {"type": "compiling", **message["compiling"]})
            elif "thinking" in message:
                self._report(job, {"type": "thinking", **message["thinking"]})
            else:
                return message

    async def _read(self, process: asyncio.subprocess.Process, seconds: float) -> dict[str, Any]:
        """The next message of the process."""
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), max(0.0, seconds))
        except TimeoutError:
            text = f"took longer than {self._limit:g} seconds"
            raise _ProcessEndedError("stuck", text) from None
        except ValueError:
            raise _ProcessEndedError("fault", "sent an answer without end") from None
        if not line:
            status = await process.wait()
            raise _ProcessEndedError("fault", f"ended its process (status {status})")
        try:
            return dict(json.loads(line))
        except (ValueError, TypeError):
            raise _ProcessEndedError("fault", "wrote into its process's pipe") from None

    def _report(self, job: _Job, progress: Progress) -> None:
        """Tell whoever asked how it goes."""
        if progress["type"] == "compiling":
            self.compiling = progress if progress["agent"] else None
        if not job.future.done():
            try:
                job.on_progress(progress)
            except Exception as error:
                job.future.set_exception(error)

    async def _started(self) -> asyncio.subprocess.Process:
        """The living process, started if there is none."""
        if self.pid is not None:
            assert self._process is not None
            return self._process
        await self._kill()
        # In a session of its own, Ctrl-C does not reach it; it ends with its input.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tamaya.web.engine", *self._arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MAX_LINE,
            start_new_session=True,
        )  # fmt: skip
        self.n_started += 1
        while not (await self._read(self._process, self._limits.start)).get("ready"):
            pass
        return self._process

    async def _kill(self) -> None:
        """End the process, if it lives."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _settle(future: "asyncio.Future[dict[str, Any]]", reply: dict[str, Any]) -> None:
    if "error" in reply:
        future.set_exception(EngineError(*reply["error"]))
    else:
        future.set_result(reply["answer"])


class Engines:
    """Where tables ask for moves and reasons; ``files`` are those of the ``GuestList``."""

    def __init__(
        self, files: Sequence[str] = (), limits: Limits | None = None,
        default_agent: str = DEFAULT_AGENT,
    ) -> None:  # fmt: skip
        limits = limits or Limits()
        self._quick = _Engine("quick", limits.quick, ["0", *files], limits)
        self._slow = _Engine("slow", limits.slow, [SLOW_NICENESS, *files], limits)
        self._default = default_agent
        self._numbers = count(1)
        self._known: dict[str, Introduction] = {}
        self._warming: asyncio.Task[None] | None = None
        self._is_ready = False

    async def start(self) -> None:
        """Begin to load what most tables need; ``status`` says how far that is."""
        self._warming = asyncio.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        with suppress(EngineError):  # tables will hear of it when they ask
            await self.warm(self._default, "players=2")
        self._is_ready = True

    async def stop(self) -> None:
        """End both processes."""
        if self._warming is not None:
            self._warming.cancel()
            with suppress(asyncio.CancelledError):
                await self._warming
        await asyncio.gather(self._quick.stop(), self._slow.stop())

    async def move(self, question: Question, on_progress: OnProgress | None = None) -> Answer:
        """The move of an agent whose turn it is."""
        said = await self._ask(MOVE, question, on_progress)
        return Answer(said["move"], from_text(said["memory"]), said["ms"])

    async def explain(
        self, question: Question, on_progress: OnProgress | None = None, *, choose: bool = False
    ) -> Explanation:
        """The reasons of an agent whose turn it is and, if it is to choose, its move."""
        said = await self._ask(ADVISE if choose else EXPLAIN, question, on_progress)
        return Explanation(said["move"], tuple((reason, value) for reason, value in said["rows"]))

    async def introduce(self, agent: str) -> Introduction:
        """Who the agent of a text is."""
        if agent not in self._known:
            fields = {"agent": agent}
            said = await self._submit(self._quick, INTRODUCE, agent, fields, None)
            said["players"] = tuple(said["players"])
            self._known[agent] = Introduction(**said)
        return self._known[agent]

    async def warm(
        self, agent: str, rules: str, on_progress: OnProgress | None = None
    ) -> None:  # fmt: skip
        """Compile or load what a table with an agent needs."""
        engine = self._slow if (await self.introduce(agent)).is_slow else self._quick
        await self._submit(engine, WARM, agent, {"agent": agent, "rules": rules}, on_progress)

    def status(self) -> dict[str, Any]:
        """What is compiled now, whether the first tables need not wait, and which engines live."""
        engines = {engine.name: {"pid": engine.pid, "waiting": engine.n_waiting,
                                 "started": engine.n_started}
                   for engine in (self._quick, self._slow)}  # fmt: skip
        compiling = self._quick.compiling or self._slow.compiling
        return {"ready": self._is_ready, "compiling": compiling, "engines": engines}

    async def _ask(
        self, kind: str, question: Question, on_progress: OnProgress | None
    ) -> dict[str, Any]:
        is_slow = (await self.introduce(question.agent)).is_slow
        engine = self._slow if is_slow else self._quick
        return await self._submit(
            engine, kind, question.agent, question_fields(question), on_progress
        )

    async def _submit(
        self, engine: _Engine, kind: str, agent: str, fields: dict[str, Any],
        on_progress: OnProgress | None,
    ) -> dict[str, Any]:  # fmt: skip
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        job = _Job(PRIORITY[kind], next(self._numbers), kind, agent, fields,
                   on_progress or _nothing, future)  # fmt: skip
        engine.submit(job)
        return await future


def _nothing(progress: Progress) -> None:
    """Nobody listens."""
