"""An engine: a process that answers questions for tables, one at a time.

    python -m tamaya.web.engine NICENESS [FILE...]

Questions come as lines of JSON on standard input, answers and progress go to standard output; what
agents print goes to standard error. It ends as soon as its input does, even in the middle of work,
so no engine outlives the server. ``tamaya.web.engines`` is the other side.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, BinaryIO

from tamaya.player import AgentFault, Player, exception_text
from tamaya.web.compiling import CompilerWatch
from tamaya.web.guests import GuestError, register_files
from tamaya.web.minds import Minds
from tamaya.web.questions import (
    ADVISE,
    BELIEVE,
    FIRES,
    INTRODUCE,
    MOVE,
    PREPARE,
    WARM,
    EngineError,
    Position,
    Question,
    agent_name,
    dump_line,
    question_of,
    to_text,
)
from tamaya.web.thinking import Thinking

if TYPE_CHECKING:
    from tamaya.seat import Seat

BEAT = 0.5  # seconds between messages about work that goes on
Message = dict[str, Any]


@dataclass
class Job:
    """The question at work."""

    id: int
    agent: str
    since: float  # when it began, or when what it needs was compiled
    player: Player | None = None
    thinking: Thinking | None = None


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
        name = agent_name(request["agent"])
        self._compiler.begin()
        self._job = Job(request["id"], request["agent"], monotonic())
        try:
            reply: Message = {"answer": self._answer(request)}
        except EngineError as error:
            reply = {"error": [error.code, error.text, error.words]}
        except AgentFault as error:
            text = f"agent {name!r} failed: one of its functions raised an exception"
            reply = {"error": ["fault", text, str(error)]}
        except BaseException as error:  # anything a user's file may do, including sys.exit
            text = f"agent {name!r} cannot play here"
            reply = {"error": ["unavailable", text, exception_text(error)]}
        self._job = None
        self._send({"id": request["id"], **reply})

    def _answer(self, request: Message) -> Message:
        kind, agent = request["ask"], request["agent"]
        if kind == INTRODUCE:
            return asdict(self._minds.introduce(agent))
        assert self._job is not None
        if agent:
            self._job.player = self._minds.player(agent)
        if kind == BELIEVE:
            return {"beliefs": self._minds.believe(question_of(request)).tolist()}
        if kind == WARM:
            self._warm(agent, request["rules"])
            return {}
        if kind == FIRES:
            return {"fired": self._minds.fires(agent, request["rules"], request["games"])}
        if kind == PREPARE:
            return {"agent": self._minds.prepare(agent, request["games"])}
        question = question_of(request)
        if kind == MOVE:
            answer = self._minds.move(question, self._act)
            return {"move": answer.move, "memory": to_text(answer.memory), "ms": answer.ms}
        return asdict(self._minds.explain(question, self._act if kind == ADVISE else None))

    def _act(self, seat: "Seat") -> int:
        """Let a seat choose its move, such that the beat knows how far it is."""
        assert self._job is not None
        self._job.thinking = Thinking(seat)
        try:
            return self._job.thinking.act()
        finally:
            self._job.thinking = None

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
        """Report on the current job at regular intervals."""
        was_compiling = False
        while True:
            sleep(BEAT)
            if (job := self._job) is None:
                was_compiling = False
                continue
            compiling = self._compiler.progress(job.player)
            if compiling or was_compiling:
                job.since = monotonic()
                what = {"agent": job.agent, **compiling} if compiling else {"agent": None}
                self._send({"id": job.id, "compiling": what})
            else:
                self._send({"id": job.id, "thinking": _progress(job)})
            was_compiling = compiling is not None


def _progress(job: Job) -> Message:
    """How far a job is that thinks."""
    thinking = job.thinking
    done, of = thinking.progress() if thinking is not None else (None, None)
    return {"seconds": round(monotonic() - job.since, 1), "done": done, "of": of}


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server, out of reach of agents that print or read."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return questions, answers


def connect() -> tuple[SimpleQueue[Message], Callable[[Message], None]]:
    """What the server asks, and how it is answered; with the niceness and the files it wants."""
    questions, answers = take_pipes()
    niceness, *files = sys.argv[1:] or ["0"]
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    with suppress(OSError):  # an agent that takes all memory ends here, not in the server
        Path("/proc/self/oom_score_adj").write_text("1000")
    requests: SimpleQueue[Message] = SimpleQueue()
    lock = threading.Lock()

    def send(message: Message) -> None:
        try:
            with lock:
                answers.write(dump_line(message))
        except OSError:
            end()

    def read() -> None:
        for line in questions:
            requests.put(json.loads(line))
        end()

    def end() -> None:
        """The server is gone: end this process and what it has forked."""
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    for file in files:
        with suppress(GuestError):  # changed since the server read it: its agent is unknown now
            register_files([file])
    return requests, send


def main() -> None:
    """Serve until the input ends."""
    requests, send = connect()
    engine = Engine(send)
    send({"id": 0, "ready": True})
    while True:
        engine.serve(requests.get())


if __name__ == "__main__":
    main()
