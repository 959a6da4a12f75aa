"""A whole server inside the process of a test: no network, no engines, no thread of its own.

Requests and frames go through everything that a real server has, from the door to the store; only
agents are scripted (``tabling.ScriptedEngines``), and what the analysis engine would compute is
computed here. That is quick, and hundreds of situations cost seconds.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from tabling import ScriptedEngines
from tamaya.moves import move_text
from tamaya.web import app as application
from tamaya.web.analyses import Analyses, Job
from tamaya.web.analysis_engine import Library, begin_analysis, begin_asking, game_of
from tamaya.web.app import App, Settings, create_app
from tamaya.web.engines import Explanation, Question
from tamaya.web.guard import House, Limits
from tamaya.web.minds import Minds
from tamaya.web.tables import Tables

KEY = "the-key-of-this-house"
AGENTS = {"piers": False, "certainty": False}  # that reviews ask
GENEROUS = Limits(10**6, 10**3, 10**6, 10**6, questions=100)
PATIENCE = 30.0
Frame = dict[str, Any]


class HomeEngines(ScriptedEngines):
    """Engines whose agents explain themselves by what their seat sees, and by nothing else."""

    async def start(self) -> None:
        """There is nothing to load."""

    async def warm(self, agent: str, rules: str, on_progress: Any = None) -> None:
        """Nor to compile."""

    async def explain(
        self, question: Question, on_progress: Any = None, *, choose: bool = False
    ) -> Explanation:
        game = game_of(question.position)
        seen = sha256(game.view(question.seat).tobytes()).hexdigest()[:8]
        move = move_text(game.rules, game.legal_moves[0]) if choose else None
        return Explanation(move, (("sees", seen),))

    async def believe(self, question: Question) -> list[list[float]]:
        counting = Question(question.position, question.seat, "")
        found: list[list[float]] = Minds().believe(counting).tolist()
        return found

    async def fires(self, agent: str, rules: str, games: int) -> list[int]:
        return [games]


class HomeAnalyses(Analyses):
    """Does what the analysis engine does, a step whenever nothing else is to be done."""

    def wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        from tamaya.store.database import Store

        store = Store(self._store)
        while self.n_waiting:
            job = next(jobs for jobs in self._waiting.values() if jobs).popleft()
            self._running[job.number] = job
            try:
                await self._do(job, store)
            finally:
                self._running.pop(job.number, None)
        store.close()

    async def _do(self, job: Job, store: Any) -> None:
        request = {"id": job.number, **job.request()}
        if request["ask"] == "deal":
            job.hear({"progress": {"done": 1, "of": 2}})
            return
        is_analysis = request["ask"] == "analyse"
        work = begin_analysis(Library(store), request) if is_analysis else begin_asking(request)
        for message in work.steps:
            await asyncio.sleep(0)
            if job.number not in self._running:  # it was cancelled
                return
            if message is not None:
                job.hear(message)
        if not is_analysis:
            job.hear({"done": None})


class Inside:
    """A server without a network."""

    def __init__(self, app: App, tables: Tables) -> None:
        self.app, self.tables = app, tables
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    async def ask(
        self, path: str, document: object = None, method: str = "", **headers: str
    ) -> httpx.Response:
        """The answer to a document that is sent to an address, or to a plain question."""
        head = {"X-Tamaya": "1", "Content-Type": "application/json"}
        head |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = None if document is None else json.dumps(document).encode()
        method = method or ("GET" if document is None else "POST")
        return await self.http.request(method, path, content=content, headers=head)

    @asynccontextmanager
    async def socket(self, *first: Frame, address: str = "10.0.0.1") -> AsyncIterator["Wire"]:
        """A socket, until it is closed; says something first."""
        wire = Wire(self.app, address)
        try:
            await wire.open()
            for frame in first:
                await wire.put(frame)
            yield wire
        finally:
            await wire.close()


class Wire:
    """A WebSocket without a network."""

    def __init__(self, app: App, address: str) -> None:
        self.frames: list[Frame] = []
        self.texts: list[str] = []
        self.code: int | None = None  # with which it was closed
        self._in: asyncio.Queue[Frame] = asyncio.Queue()
        self._out: asyncio.Queue[Frame] = asyncio.Queue()
        self._number = 0
        scope = {"type": "websocket", "path": "/ws", "raw_path": b"/ws", "query_string": b"",
                 "headers": [(b"host", b"127.0.0.1")], "client": (address, 1), "scheme": "ws",
                 "server": ("127.0.0.1", 80), "root_path": "",
                 "subprotocols": ["tamaya.1"]}  # fmt: skip
        self._serving: Callable[[], Awaitable[None]] = lambda: app(scope, self._in.get, self._send)

    async def _send(self, message: Any) -> None:
        self._out.put_nowait(dict(message))

    async def open(self) -> None:
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(self._serving())
        assert (await self._out.get())["type"] == "websocket.accept"

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self._task, PATIENCE)

    async def put(self, frame: Frame | str) -> None:
        """Send a frame, or a text that may be none."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    async def hear(self) -> Frame:
        """The next frame; ConnectionError if there is none because the socket was closed."""
        message = await asyncio.wait_for(self._out.get(), PATIENCE)
        if message["type"] == "websocket.close":
            self.code = message["code"]
            raise ConnectionError(str(self.code))
        frame: Frame = json.loads(message["text"])
        self.texts.append(message["text"])
        self.frames.append(frame)
        return frame

    async def until(self, type: str) -> Frame:
        """Hear frames up to one of a type."""
        while (frame := await self.hear())["type"] != type:
            pass
        return frame

    async def ask(self, type: str, **fields: Any) -> Frame:
        """Send a frame and wait for its reply."""
        self._number += 1
        number = 10**6 + self._number
        await self.put({"type": type, "id": number, **fields})
        while (frame := await self.hear()).get("re") != number:
            pass
        return frame


@asynccontextmanager
async def inside(
    folder: Path, key: str = "", runs: Path | None = None, limits: Limits = GENEROUS
) -> AsyncIterator[Inside]:
    """A server with a store in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "Engines", lambda files: HomeEngines())
        patch.setattr("tamaya.web.tables.Analyses", HomeAnalyses)
        app = create_app(
            Settings(House(key=key, limits=limits), str(folder / "store.db"), (), runs)
        )
        app.lobby.open()
        try:
            tables = await app.lobby.tables()
            tables.guests.quick = lambda rules: AGENTS  # type: ignore[method-assign]
            await tables.wait_until_ready(PATIENCE)
            server = Inside(app, tables)
            yield server
            await server.http.aclose()
        finally:
            await app.lobby.close()
