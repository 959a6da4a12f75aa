"""The process of an engine as the server sees it: started, asked, ended.

A request has a number, and every message about it carries that; see ``tamaya.web.engine``.
"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tamaya.web.questions import dump_line

MAX_LINE = 4 << 20  # bytes of a message; the longest explanations have half of it
KILL_SECONDS = 10.0  # for a killed process to end
PROGRESS = "compiling", "thinking"  # kinds of messages while something is done
Message = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """What engines may take; seconds."""

    quick: float = 10.0  # of thinking, for a question to a quick agent
    slow: float = 60.0  # the same for agents that search
    start: float = 120.0  # until a process is ready; usually 1.5 s, more on a busy machine
    compiling: float = 1200.0  # for one question, with all that it needs
    idle: float = 600.0  # until the slow engine ends, which is seldom needed and takes 200 MB
    waiting: int = 8  # questions for advice; more are refused


class ProcessEndedError(Exception):
    """The process of an engine ended, or must be ended; the text follows the agent's name."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


class EngineProcess:
    """A process that answers one request at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls, arguments: Sequence[str], seconds: float, module: str = "tamaya.web.engine"
    ) -> "EngineProcess":
        """Start a process of a module and wait until it is ready."""
        try:
            # In a session of its own it does not hear Ctrl-C; it ends when its input does.
            engine = cls(await asyncio.create_subprocess_exec(
                sys.executable, "-m", module, *arguments,
                stdin=PIPE, stdout=PIPE, limit=MAX_LINE, start_new_session=True,
            ))  # fmt: skip
        except OSError as error:
            raise ProcessEndedError("unavailable", f"has no process: {error.strerror}") from None
        try:
            while not (await engine.read(seconds)).get("ready"):
                pass
        except ProcessEndedError:
            await engine.kill()
            raise ProcessEndedError("unavailable", "has no process: none starts") from None
        except BaseException:
            await engine.kill()
            raise
        return engine

    @property
    def pid(self) -> int | None:
        """Its number, while it lives."""
        return self._process.pid if self._process.returncode is None else None

    async def ask(
        self, request: Message, limits: tuple[float, float], on_progress: Callable[[Message], None]
    ) -> Message:
        """The reply to a request.

        ``limits`` are the seconds that it may think, which begin anew while something is compiled,
        and those that it may take in all.
        """
        clock = asyncio.get_running_loop().time
        await self.send(request)
        last = clock() + limits[1]
        deadline = clock() + limits[0]
        while True:
            message = await self.read(min(deadline, last) - clock())
            if message.get("id") != request["id"]:
                continue  # of a request before
            if "answer" in message or "error" in message:
                return message
            if "compiling" in message:
                deadline = clock() + limits[0]
            on_progress({kind: message[kind] for kind in PROGRESS if kind in message})

    async def send(self, request: Message) -> None:
        """Send a request, whose replies are read."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):  # if it is gone, reading says so
            self._process.stdin.write(dump_line(request))
            await self._process.stdin.drain()

    async def read(self, seconds: float) -> Message:
        """The next message."""
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), max(0.0, seconds))
        except TimeoutError:
            self._kill_all()  # it may have ended, while a child keeps the pipe open
            raise ProcessEndedError("stuck", "takes too long") from None
        except ValueError:
            raise ProcessEndedError("fault", "gave an answer that is too long") from None
        if not line:
            self._kill_all()
            status = await self._process.wait()
            raise ProcessEndedError("fault", f"ended its process ({_status_words(status)})")
        try:
            return dict(json.loads(line))
        except (ValueError, TypeError):
            raise ProcessEndedError("fault", "wrote into the pipe of its process") from None

    async def kill(self) -> None:
        """End the process unconditionally.

        asyncio waits for the end of the pipes too, which a child of the process may keep open.
        """
        if self.pid is not None:
            self._kill_all()
        with suppress(TimeoutError):  # a child that has left the session as well
            await asyncio.wait_for(self._process.wait(), KILL_SECONDS)

    def _kill_all(self) -> None:
        """Kill the process and what agents have forked; its session is its own."""
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def _status_words(status: int) -> str:
    """How a process ended."""
    return f"signal {-status}" if status < 0 else f"status {status}"
