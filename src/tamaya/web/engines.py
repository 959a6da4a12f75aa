"""The two engines of a server, asked without ever blocking it.

*quick* answers for agents that move at once, *slow* for those that search; both are processes
(``tamaya.web.engine``), started when needed. Each takes one question at a time, moves first. If a
question takes too long the process is killed; an agent may also end it. Then the question is asked
once more, of a new process, and given up after that. The table notices only a delay: questions
contain everything that their answers depend on.

Compiling an agent for the first time may take minutes. If other questions wait, that process steps
aside with its question, and another one takes over the rest.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

from tamaya.web.processes import EngineProcess, Limits, Message, ProcessEndedError
from tamaya.web.questions import (
    ADVISE,
    BELIEVE,
    EXPLAIN,
    FIRES,
    INTRODUCE,
    MOVE,
    PREPARE,
    WARM,
    Answer,
    EngineError,
    Explanation,
    Introduction,
    Position,
    Question,
    SeenGame,
    agent_name,
    from_text,
    question_fields,
)

__all__ = ["Answer", "EngineError", "Engines", "Explanation", "Introduction", "Limits", "Position",
           "Question"]  # fmt: skip

log = logging.getLogger("tamaya.web")
DEFAULT_AGENT = "tamaya-mixed"
QUICK, SLOW = "quick", "slow"
SLOW_NICENESS = "10"  # searches have lower priority than moves and pages
TRIES = 2  # of a question, each in a fresh process if the one before ended
MAX_KNOWN = 1000  # introductions that are kept
PRIORITY = {MOVE: 0, PREPARE: 0, INTRODUCE: 0, WARM: 1, ADVISE: 2, EXPLAIN: 2, BELIEVE: 2, FIRES: 3}
OnProgress = Callable[[Message], None]


@dataclass(order=True)
class _Job:
    """A request on its way; jobs are ordered by priority, then by age."""

    priority: int
    number: int = field(init=False, default=0)  # given by the queue
    kind: str = field(compare=False)
    agent: str = field(compare=False)
    fields: Message = field(compare=False)
    on_progress: OnProgress | None = field(compare=False)
    future: "asyncio.Future[Message]" = field(compare=False)
    tries: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """The name of the agent, without parameters."""
        return agent_name(self.agent)

    @property
    def is_open(self) -> bool:
        """Whether somebody still waits for it."""
        return not self.future.done()

    def fail(self, code: str, text: str, words: str = "") -> None:
        """Report to the asker that there is no answer."""
        if self.is_open:
            self.future.set_exception(EngineError(code, text, words))

    def tell(self, progress: Message) -> None:
        """Report progress to the asker."""
        if self.is_open and self.on_progress is not None:
            try:
                self.on_progress(progress)
            except Exception as error:  # theirs, not the engine's
                self.future.set_exception(error)


class _Engine:
    """One engine: its process, its queue, and the task that takes jobs from one to the other."""

    def __init__(self, name: str, arguments: Sequence[str], limits: Limits) -> None:
        is_slow = name == SLOW
        self.name = name
        self.n_started = 0  # processes so far
        self._arguments, self._limits = arguments, limits
        self._seconds = limits.slow if is_slow else limits.quick
        self._idle = limits.idle if is_slow else None  # the quick one is always needed again
        self._jobs: list[_Job] = []  # a heap
        self._numbers = count(1)
        self._compiling: dict[int, Message] = {}  # by number of the job
        self._arrived = asyncio.Event()
        self._process: EngineProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._aside: asyncio.Task[None] | None = None  # compiles while others are served
        self._held: dict[str, list[_Job]] = {}  # jobs for the agent that is aside
        self._been_aside: set[str] = set()

    @property
    def pid(self) -> int | None:
        """Number of the process, while it lives."""
        return self._process.pid if self._process is not None else None

    @property
    def compiling(self) -> Message | None:
        """What is being compiled now, if anything."""
        return next((told for told in self._compiling.values() if told["agent"]), None)

    @property
    def n_waiting(self) -> int:
        """Questions that have not started."""
        return len(self._waiting())

    def _waiting(self, least: int = 0) -> list[_Job]:
        """Jobs of some priority or a lower one that nobody works on yet."""
        held = (job for jobs in self._held.values() for job in jobs)
        return [job for job in (*self._jobs, *held) if job.is_open and job.priority >= least]

    def submit(self, job: _Job) -> None:
        """Put a job into the queue."""
        if job.priority > 0 and len(self._waiting(1)) >= self._limits.waiting:
            raise EngineError("busy", "too many questions at once, ask again in a moment")
        self._push(job)
        if self._task is None:
            self._task = asyncio.create_task(self._serve(), name=f"{self.name} engine")

    def _push(self, job: _Job) -> None:
        job.number = next(self._numbers)
        heappush(self._jobs, job)
        self._arrived.set()

    async def stop(self) -> None:
        """End the processes and refuse what waits."""
        for task in (self._task, self._aside):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        await self._end(self._process)
        for job in self._waiting():
            job.fail("unavailable", "the server stops")
        self._jobs.clear()
        self._held.clear()
        self._task = self._aside = None

    async def _serve(self) -> None:
        """Take jobs one by one, for ever, or until this task has stepped aside with one."""
        this = asyncio.current_task()
        while self._task is this:
            job = await self._next()
            try:
                await self._try(job)
            except asyncio.CancelledError:
                job.fail("unavailable", "the server stops")
                raise
            except Exception as error:  # others must be served in any case
                log.error("the %s engine failed: %r", self.name, error)
                job.fail("unavailable", f"agent {job.name!r} cannot be asked", repr(error))
                await self._end(self._process)
        self._aside = None
        for held in self._held.pop(job.agent, []):
            self._push(held)

    async def _next(self) -> _Job:
        """The first job that need not wait for an agent that is aside."""
        while True:
            while self._jobs:
                job = heappop(self._jobs)
                if job.agent in self._held and job.kind != INTRODUCE:  # which compiles nothing
                    self._held[job.agent].append(job)
                elif job.is_open:  # whoever asked has not left
                    return job
            self._arrived.clear()
            try:
                await asyncio.wait_for(self._arrived.wait(), self._idle)
            except TimeoutError:
                await self._end(self._process)

    async def _try(self, job: _Job) -> None:
        """Ask the process; if that ends instead of answering, ask once more, after the others."""
        job.tries += 1
        number, process = job.number, None
        try:
            process = await self._living_process()
            request = {"id": number, "ask": job.kind, **job.fields}
            limits = self._seconds, self._limits.compiling
            reply = await process.ask(request, limits, lambda message: self._tell(job, message))
        except (ProcessEndedError, asyncio.CancelledError) as end:
            await self._end(process)
            if not isinstance(end, ProcessEndedError):
                raise
            if job.tries >= TRIES:
                job.fail(end.code, f"agent {job.name!r} {end.text}")
            elif job.is_open:
                self._push(job)
            return
        finally:
            self._compiling.pop(number, None)
        if self._process is not process:  # it has stepped aside, and another task took its place
            await self._end(process)
        if "error" in reply:
            job.fail(*reply["error"])
        elif job.is_open:
            job.future.set_result(reply["answer"])

    def _tell(self, job: _Job, message: Message) -> None:
        """Pass on how far a job is; if that takes the compiler a while, let others go on."""
        if "compiling" in message:
            progress = {"type": "compiling", **message["compiling"]}
            self._compiling[job.number] = progress
            if self._process is not None and self._should_step_aside(job):
                self._been_aside.add(job.agent)
                self._held[job.agent] = []
                self._process = None
                self._aside = self._task
                self._task = asyncio.create_task(self._serve(), name=f"{self.name} engine")
            job.tell(progress)
        elif "thinking" in message:
            job.tell({"type": "thinking", **message["thinking"]})

    def _should_step_aside(self, job: _Job) -> bool:
        """Whether others wait, and this is the only one aside.

        Once per agent: compiled code is cached on disk, and if not, repeating would not help.
        """
        if self._aside is not None or job.agent in self._been_aside:
            return False
        return any(other.agent != job.agent or other.kind == INTRODUCE for other in self._waiting())

    async def _living_process(self) -> EngineProcess:
        """The process, started if there is none."""
        if self._process is None or self._process.pid is None:
            await self._end(self._process)
            self.n_started += 1
            self._process = await EngineProcess.start(self._arguments, self._limits.start)
        return self._process

    async def _end(self, process: EngineProcess | None) -> None:
        """End a process, if there is one."""
        if process is not None:
            if self._process is process:
                self._process = None
            await process.kill()


class Engines:
    """Where tables ask for moves and reasons; ``files`` are those of the ``GuestList``."""

    def __init__(
        self, files: Sequence[str] = (), limits: Limits | None = None,
        default_agent: str = DEFAULT_AGENT,
    ) -> None:  # fmt: skip
        limits = limits or Limits()
        self._quick = _Engine(QUICK, ["0", *files], limits)
        self._slow = _Engine(SLOW, [SLOW_NICENESS, *files], limits)
        self._default = default_agent
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
        """End both processes; waiting questions get an error that the server stops."""
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

    async def believe(self, question: Question) -> list[list[float]]:
        """[slot][card] -> how likely a seat's cards are to an agent; without one, by counting."""
        engine = await self._engine_for(question.agent) if question.agent else self._quick
        said = await self._submit(engine, BELIEVE, question_fields(question))
        rows: list[list[float]] = said["beliefs"]
        return rows

    async def fires(self, agent: str, rules: str, games: int) -> list[int]:
        """Moves that each rule of an agent's list makes, asked where no table waits for moves."""
        fields = {"agent": agent, "rules": rules, "games": games}
        said = await self._submit(self._slow, FIRES, fields)
        fired: list[int] = said["fired"]
        return fired

    async def prepare(
        self, agent: str, games: Sequence[SeenGame], on_progress: OnProgress | None = None
    ) -> str:
        """The text of an agent that has seen games of its partners."""
        fields = {"agent": agent, "games": list(games)}
        said = await self._submit(self._slow, PREPARE, fields, on_progress)
        prepared: str = said["agent"]
        return prepared

    async def introduce(self, agent: str) -> Introduction:
        """Who the agent of a text is."""
        if agent not in self._known:
            said = await self._submit(self._quick, INTRODUCE, {"agent": agent})
            said["players"] = tuple(said["players"])
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[agent] = Introduction(**said)
        return self._known[agent]

    async def warm(
        self, agent: str, rules: str, on_progress: OnProgress | None = None
    ) -> None:  # fmt: skip
        """Compile or load what a table with an agent needs."""
        engine = await self._engine_for(agent)
        await self._submit(engine, WARM, {"agent": agent, "rules": rules}, on_progress)

    def status(self) -> dict[str, Any]:
        """What is compiled now, whether the first tables need not wait, and which engines live."""
        engines = {engine.name: {"pid": engine.pid, "waiting": engine.n_waiting,
                                 "started": engine.n_started}
                   for engine in (self._quick, self._slow)}  # fmt: skip
        compiling = self._quick.compiling or self._slow.compiling
        return {"ready": self._is_ready, "compiling": compiling, "engines": engines}

    async def _ask(
        self, kind: str, question: Question, on_progress: OnProgress | None
    ) -> Message:  # fmt: skip
        engine = await self._engine_for(question.agent)
        return await self._submit(engine, kind, question_fields(question), on_progress)

    async def _engine_for(self, agent: str) -> _Engine:
        return self._slow if (await self.introduce(agent)).is_slow else self._quick

    async def _submit(
        self, engine: _Engine, kind: str, fields: Message, on_progress: OnProgress | None = None
    ) -> Message:
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        engine.submit(_Job(PRIORITY[kind], kind, fields["agent"], fields, on_progress, future))
        return await future
