"""An engine: a process that answers questions for tables, one at a time.

    python -m tamaya.web.engine NICENESS [FILE...]

Questions come as lines of JSON on standard input, answers and progress go to standard output; what
agents print goes to standard error. It ends as soon as its input does, whatever it is doing, so no
engine outlives the server, however that ends. ``tamaya.web.engines`` is the other side.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from queue import SimpleQueue
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, BinaryIO

from numba.core import event

from tamaya import compile_progress
from tamaya.compile_progress import CompileProgress
from tamaya.player import AgentFault, exception_text
from tamaya.web.guests import GuestError, register_files
from tamaya.web.minds import Minds
from tamaya.web.questions import (
    ADVISE,
    INTRODUCE,
    MOVE,
    WARM,
    EngineError,
    Position,
    Question,
    dump_line,
    question_of,
    to_text,
)

if TYPE_CHECKING:
    from tamaya.seat import Seat

BEAT = 0.5  # seconds between messages about work that goes on
Message = dict[str, Any]


class CompilerWatch(event.Listener):
    """Whether the compiler is at work, by the events of its lock, and on which kernel."""

    def __init__(self) -> None:
        self._depth = 0
        self._since = 0.0
        self._latest: CompileProgress | None = None
        event.register("numba:compiler_lock", self)
        compile_progress.listeners.append(self._note)

    def on_start(self, event: object) -> None:
        """The compiler begins, or one of its parts."""
        if self._depth == 0:
            self._since = monotonic()
        self._depth += 1

    def on_end(self, event: object) -> None:
        """The compiler or one of its parts is done."""
        self._depth -= 1

    def _note(self, progress: CompileProgress | None) -> None:
        self._latest = progress

    def progress(self) -> Message | None:
        """What is being compiled, once that has taken a moment; None if nothing is."""
        if self._depth == 0 or monotonic() - self._since < BEAT / 2:
            return None
        latest = self._latest or CompileProgress("", 0)
        return {"kernel": latest.kernel, "done": latest.done, "of": latest.total}


@dataclass
class Job:
    """The question at work."""

    id: int
    agent: str
    thinks_since: float = 0.0  # 0 while it does not think
    ms: float = 0.0  # that the agent takes for a move, 0 if it has no such setting


class Engine:
    """Answers requests and sends messages on what it is doing."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._minds = Minds()
        self._job: Job | None = None
        self._compiler = CompilerWatch()
        threading.Thread(target=self._beat, daemon=True).start()

    def serve(self, request: Message) -> None:
        """Answer a request, or say why not."""
        self._job = Job(request["id"], request["agent"])
        try:
            reply: Message = {"answer": self._answer(request)}
        except EngineError as error:
            reply = {"error": [error.code, error.text, error.words]}
        except AgentFault as error:
            text = f"agent {request['agent']!r} failed: one of its functions raised an exception"
            reply = {"error": ["fault", text, str(error)]}
        except BaseException as error:  # whatever a user's file does, sys.exit included
            text = f"agent {request['agent']!r} cannot play here"
            reply = {"error": ["unavailable", text, exception_text(error)]}
        self._job = None
        self._send({"id": request["id"], **reply})

    def _answer(self, request: Message) -> Message:
        kind = request["ask"]
        if kind == INTRODUCE:
            return asdict(self._minds.introduce(request["agent"]))
        if kind == WARM:
            self._warm(request["agent"], request["rules"])
            return {}
        question = question_of(request)
        if kind == MOVE:
            answer = self._minds.move(question, self._act)
            return {"move": answer.move, "memory": to_text(answer.memory), "ms": answer.ms}
        act = self._act if kind == ADVISE else None
        return asdict(self._minds.explain(question, act))

    def _act(self, seat: "Seat") -> int:
        """Let a seat choose its move, with messages while it thinks."""
        job = self._job
        assert job is not None
        ms = seat.player.settings.get("ms", 0)
        job.ms = float(ms) if seat.player.is_slow else 0.0
        job.thinks_since = monotonic()
        try:
            return seat.act()
        finally:
            job.thinks_since = 0.0

    def _warm(self, agent: str, rules: str) -> None:
        """Compile or load what a table with an agent needs: a move, its reasons, what follows."""
        from tamaya.game import Game
        from tamaya.rules import Rules

        game = Game(Rules.parse(rules))
        game.view(0)
        for _ in range(2):
            question = Question(Position.of(game), game.mover, agent)
            self._minds.explain(question)
            game.apply(self._minds.move(question, self._act).move)

    def _beat(self) -> None:
        """Report on the job at work, again and again."""
        was_compiling = False
        while True:
            sleep(BEAT)
            job = self._job
            if job is None:
                was_compiling = False
            elif compiling := self._compiler.progress():
                self._send({"id": job.id, "compiling": {"agent": job.agent, **compiling}})
                was_compiling = True
            elif was_compiling:
                self._send({"id": job.id, "compiling": {"agent": None}})
                was_compiling = False
            elif job.thinks_since:
                self._send({"id": job.id, "thinking": _thinking(job)})


def _thinking(job: Job) -> Message:
    """How far a job is: seconds and, where time decides, milliseconds of those it takes."""
    seconds = monotonic() - job.thinks_since
    done = min(round(1000 * seconds), round(job.ms)) if job.ms else None
    return {"seconds": round(seconds, 1), "done": done, "of": round(job.ms) or None}


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server, out of reach of agents that print or read."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return questions, answers


def main() -> None:
    """Serve until the input ends."""
    questions, answers = take_pipes()
    niceness, *files = sys.argv[1:] or ["0"]
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    requests: SimpleQueue[Message] = SimpleQueue()
    lock = threading.Lock()

    def send(message: Message) -> None:
        with lock:
            answers.write(dump_line(message))

    def read() -> None:
        for line in questions:
            requests.put(json.loads(line))
        os._exit(0)  # the server is gone: nobody waits for what is being computed

    threading.Thread(target=read, daemon=True).start()
    for file in files:
        with suppress(GuestError):  # changed since the server read it: its agent is unknown now
            register_files([file])
    engine = Engine(send)
    send({"id": 0, "ready": True})
    while True:
        engine.serve(requests.get())


if __name__ == "__main__":
    main()
