"""A server of the web table in a process of its own, and scripted clients of its tables.

A ``Client`` does what a page does, without a page: it says hello, sends frames with numbers and
keeps what it hears.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import websockets
from websockets.asyncio.client import ClientConnection

PROTOCOL = "tamaya.1"
PATIENCE = 60.0  # seconds for what may take a while on a busy machine
Frame = dict[str, Any]


class Server:
    """A `tamaya serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder, self.arguments, self.environment = folder, arguments, environment
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-m", "tamaya", "serve", "--json", "--port", str(self.port),
                "--store", str(self.folder / "store.db"), "--tables-per-minute", "100000",
                "--sockets", "1000", "--requests-per-second", "10000", *self.arguments]  # fmt: skip

    def start(self) -> "Server":
        """Start it, at the port it had before."""
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                self.command(), env={**os.environ, **self.environment}, start_new_session=True,
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log()
        self.port = json.loads(line)["port"]
        return self

    def wait(self) -> "Server":
        """Wait for the kernels, which tests do not want to measure."""
        until = monotonic() + 10 * PATIENCE
        while monotonic() < until:
            with suppress(URLError, ConnectionError):
                if self.get("/api/status")["ready"]:
                    return self
            sleep(0.05)
        raise AssertionError(f"the server does not get ready: {self.log()}")

    def kill(self) -> None:
        """Kill it and its engines at once, as an outage would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def get(self, path: str) -> Any:
        """What an address of it answers, as JSON."""
        with urlopen(self.address + path, timeout=PATIENCE) as response:
            return json.load(response)

    def post(self, document: object, **headers: str) -> tuple[int, Any]:
        """Status and answer to a wish to open a table."""
        return self.ask("/api/tables", document, **headers)

    def ask(
        self, path: str, document: object = None, method: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and answer to a document that is sent to an address, or to a plain question."""
        head = {"X-Tamaya": "1", "Content-Type": "application/json", **headers}
        body = None if document is None else json.dumps(document).encode()
        request = Request(f"{self.address}{path}", body, head, method=method)
        try:
            with urlopen(request, timeout=PATIENCE) as response:
                text = response.read().decode()
                is_json = response.headers["Content-Type"] == "application/json"
                return response.status, json.loads(text) if is_json else text
        except HTTPError as error:
            return error.code, json.load(error)

    def open(self, *seats: str | None, **more: Any) -> Frame:
        """Open a table: persons by capital names, agents by theirs, None for an open seat."""
        wanted = [_seat(seat) for seat in seats]
        status, opened = self.post({"rules": f"players={len(seats)}", "seats": wanted, **more})
        assert status == 201, opened
        return opened

    def log(self) -> str:
        """What it complained about."""
        return (self.folder / "server.log").read_text("utf-8")


def _seat(seat: str | None) -> Frame:
    if seat is None:
        return {"kind": "open"}
    is_name = seat[0].isupper()
    return {"kind": "person", "name": seat} if is_name else {"kind": "agent", "agent": seat}


@contextmanager
def started(folder: Path, *arguments: str, **environment: str) -> Iterator[Server]:
    """A server, until it is not needed any more."""
    server = Server(folder, *arguments, **environment)
    try:
        yield server.start()
    finally:
        server.kill()


class Client:
    """A tab at a table."""

    def __init__(self, server: Server, table: str, **hello: str) -> None:
        self.url = server.address.replace("http", "ws", 1) + "/ws"
        self.hello = {"type": "hello", "table": table, **hello}
        self.frames: list[Frame] = []
        self.latest: dict[str, Frame] = {}
        self.socket: ClientConnection | None = None
        self._number = 0

    async def __aenter__(self) -> "Client":
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connect and say hello; returns when the table has been shown."""
        self.socket = await websockets.connect(
            self.url, subprotocols=[websockets.Subprotocol(PROTOCOL)], compression=None
        )
        self.latest.clear()
        await self.put(self.hello)
        await self.until(lambda: "view" in self.latest)

    async def close(self) -> None:
        """Close the socket."""
        if self.socket is not None:
            await self.socket.close()

    async def hear(self, seconds: float = PATIENCE) -> Frame:
        """The next frame."""
        assert self.socket is not None
        frame: Frame = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        self.frames.append(frame)
        self.latest[frame["type"]] = frame
        return frame

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Hear frames until something is so."""
        while not is_so():
            await self.hear()

    async def put(self, frame: object) -> None:
        """Send a frame, or a text or bytes that may be none."""
        assert self.socket is not None
        await self.socket.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def ask(self, type: str, **fields: Any) -> Frame:
        """Send a frame and wait for its reply."""
        self._number += 1
        number = self._number
        await self.put({"type": type, "id": number, **fields})
        while (frame := await self.hear()).get("re") != number:
            pass
        return frame

    @property
    def view(self) -> Frame:
        """The latest view."""
        return self.latest["view"]

    async def play(self, choose: Callable[[Frame], str], turns: int = 200) -> None:
        """Make so many moves of the own seat, or all until the end."""
        n_made = 0
        while self.view["phase"] != "over" and n_made < turns:
            if self.view["legal"]:
                move = choose(self.view)
                reply = await self.ask("move", turn=self.view["turn"], move=move)
                assert reply["type"] == "view", reply
                n_made += 1
            else:
                await self.hear()
        if self.view["phase"] == "over":
            await self.until(lambda: "over" in self.latest)


def steady(view: Frame, seed: int = 0) -> str:
    """A legal move that depends on what is seen alone, so that it is the same once more."""
    legal: Sequence[str] = view["legal"]
    return legal[(view["turn"] * 7 + seed + view["tokens"]) % len(legal)]
