"""The web server: its page, its HTTP addresses, and the guard in front of them.

The page and ``/api/status`` are available at once: everything that imports kernels is loaded in a
thread, and requests that need it wait. All answers to ``/api/`` are JSON, including errors:
``{"error": {"code", "text", "place"}}``. An unexpected failure is one line in the log, without what
the client sent.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from tamaya.web.deal_routes import deal_routes
from tamaya.web.engines import Engines
from tamaya.web.games import game_routes
from tamaya.web.guard import Guard, House, Refusal, fault_line
from tamaya.web.lab import Lab, lab_routes
from tamaya.web.pages import Page, Pages
from tamaya.web.person_routes import person_routes
from tamaya.web.rates import Places, Rate
from tamaya.web.reports import Reports, report_routes
from tamaya.web.requests import NO_STORE, check_key, check_rate, json_of, lobby_of

if TYPE_CHECKING:
    from tamaya.web.tables import Tables

log = logging.getLogger("tamaya.web")
WAIT_SECONDS = 300.0  # that a request waits for kernels which have to be compiled


@dataclass(frozen=True)
class Settings:
    """The options of `tamaya serve`."""

    house: House
    store: str | None = None
    files: tuple[str, ...] = ()  # of agents
    runs: Path | None = None  # the folder that the lab shows


class Lobby:
    """What the routes share: the tables, once they are loaded, and the settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pages = Pages()
        self.lab = Lab(settings.runs)
        self.reports = Reports()
        self.opened = Rate(settings.house.limits.tables_per_minute, 60.0)
        self.questions = Places(settings.house.limits.questions)
        self.version = version("tamaya")
        self.on_failure: Callable[[], None] = lambda: None
        self._loading: asyncio.Task[Tables] | None = None

    def open(self) -> None:
        """Begin to load the tables."""
        self._loading = asyncio.create_task(self._load())
        self._loading.add_done_callback(lambda _: self.failure and self.on_failure())

    async def _load(self) -> "Tables":
        engines = Engines(self.settings.files)
        await engines.start()  # first, because it takes the longest
        try:
            module = await asyncio.to_thread(import_module, "tamaya.web.tables")
            tables: Tables = await module.open_tables(
                self.settings.store, self.settings.files, engines
            )
        except BaseException:
            await engines.stop()
            raise
        return tables

    @property
    def tables_if_there(self) -> "Tables | None":
        """The tables, if they are loaded."""
        task = self._loading
        is_loaded = task and task.done() and not task.cancelled() and not task.exception()
        return task.result() if task and is_loaded else None

    @property
    def failure(self) -> BaseException | None:
        """Why the tables cannot be loaded, if so."""
        task = self._loading
        return task.exception() if task and task.done() and not task.cancelled() else None

    async def tables(self) -> "Tables":
        """The tables; waits until they are loaded."""
        assert self._loading is not None
        with suppress(Exception):
            await asyncio.shield(self._loading)
        if self.failure:
            raise Refusal(503, "unavailable", "the server could not load its tables")
        return self._loading.result()

    async def close(self) -> None:
        """Stop everything."""
        if self._loading is None:
            return
        await self.reports.close()
        if tables := self.tables_if_there:
            await tables.close()
        self._loading.cancel()
        with suppress(Exception, asyncio.CancelledError):
            await self._loading


class App(Guard):
    """The whole server as an ASGI application; ``lobby`` has its state."""

    def __init__(self, app: ASGIApp, lobby: Lobby) -> None:
        super().__init__(app, lobby.settings.house)
        self.lobby = lobby


def create_app(settings: Settings) -> App:
    """The server of some settings."""
    lobby = Lobby(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        lobby.open()
        yield
        await lobby.close()

    routes = [
        Route("/api/status", _status),
        Route("/api/agents", _agents),
        Route("/api/tables", _recent_tables),
        Route("/api/tables", _open_table, methods=["POST"]),
        *game_routes(),
        *deal_routes(),
        *lab_routes(),
        *report_routes(),
        *person_routes(),
        WebSocketRoute("/ws", _socket),
        Route("/page/{path:path}", _file),
        Route("/{path:path}", _index),
    ]
    handlers = {HTTPException: _http_error, Refusal: _refusal, Exception: _fault}
    inner = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)  # type: ignore[arg-type]
    inner.state.lobby = lobby
    return App(Quiet(inner), lobby)


class Quiet:
    """ASGI middleware: an unexpected failure becomes one line in the log; see also ``_fault``."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one connection on."""
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            if scope["type"] == "lifespan":
                raise
            path = ascii(scope.get("path", scope["type"])[:40])  # chosen by the client
            log.error("%s failed: %s", path, fault_line(error))


async def _fault(_: Request, error: Exception) -> Response:
    """The answer to a request that failed unexpectedly, without details."""
    from tamaya.store.database import StoreError  # behind it are kernels

    if isinstance(error, StoreError):
        return Refusal(503, "unavailable", "the server cannot read its store").response()
    return Refusal(500, "fault", "the server made a mistake; it is in its log").response()


async def _refusal(_: Request, refusal: Refusal) -> Response:
    return refusal.response()


async def _http_error(_: Request, error: HTTPException) -> Response:
    codes = {404: "no_such_page", 405: "bad_method"}
    code = codes.get(error.status_code, "bad_request")
    return Refusal(error.status_code, code, error.detail).response()


# The page.


async def _index(request: Request) -> Response:
    path = request.url.path
    if path.startswith("/api"):
        raise Refusal(404, "no_such_page", "there is no such address")
    page = lobby_of(request).pages
    return _page_response(request, page.index(), 200 if page.is_screen(path) else 404)


async def _file(request: Request) -> Response:
    found = lobby_of(request).pages.file(request.path_params["path"])
    if found is None:
        raise Refusal(404, "no_such_page", "there is no such file")
    return _page_response(request, found, 200)


def _page_response(request: Request, page: Page, status: int) -> Response:
    headers = {"ETag": page.tag, "Cache-Control": "no-cache"}
    if status == 200 and page.tag in request.headers.get("if-none-match", "").split(", "):
        return Response(status_code=304, headers=headers)
    return Response(page.content, status, headers, page.media_type)


# HTTP addresses.


async def _status(request: Request) -> Response:
    lobby = lobby_of(request)
    tables = lobby.tables_if_there
    compiling = tables.compiling() if tables else None
    return JSONResponse({
        "version": lobby.version,
        "compiling": compiling,
        "ready": tables is not None and tables.is_ready,
        "tables": tables.n_live if tables else 0,
        "open": lobby.settings.house.may_open(request.headers),
    }, headers=NO_STORE)  # fmt: skip


async def _agents(request: Request) -> Response:
    tables = await lobby_of(request).tables()
    return JSONResponse(await tables.catalogue())


async def _recent_tables(request: Request) -> Response:
    """The newest, or those that are ``over``; games from elsewhere are for who may bring some."""
    lobby = lobby_of(request)
    tables = await lobby.tables()
    may_import = lobby.settings.house.may_open(request.headers)
    found = await tables.recent(imports=may_import, only_over="over" in request.query_params)
    return JSONResponse({"tables": found}, headers=NO_STORE)


async def _open_table(request: Request) -> Response:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    document = await json_of(request)
    tables = await lobby.tables()
    order = tables.read_order(document)
    check_rate(request, lobby.opened)
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            opened = await tables.open(order)
    except TimeoutError:
        raise Refusal(503, "busy", "kernels are still being compiled: try again") from None
    return JSONResponse(opened, 201, NO_STORE)


async def _socket(websocket: WebSocket) -> None:
    from tamaya.web.socket import serve_socket

    lobby = lobby_of(websocket)
    house = lobby.settings.house
    await serve_socket(websocket, lobby.tables, house, lobby.questions, lobby.opened)
