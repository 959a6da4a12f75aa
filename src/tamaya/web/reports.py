"""The report on the page: the results of the server's store, and the games behind its figures.

    GET  /api/report         the report as HTML; the page puts it into a frame of its own
    POST /api/report/games   {"game": ID}: takes the game of a figure in, to be opened at /g/ID

Both need the server's key if there is one, because results name files and agents of the host. A
report is built in a separate process and cached until the store has new results. Games come from
the report itself, which replayed them from their seeds, so clients cannot have anything else
played.
"""

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tamaya.web.guard import Refusal
from tamaya.web.requests import NO_STORE, check_key, check_rate, json_of, lobby_of

if TYPE_CHECKING:  # behind it are kernels
    from tamaya.web.tables import Tables

log = logging.getLogger("tamaya.web")
SECONDS = 600.0  # for a report; agents may have to be compiled
MOST_BYTES = 64 << 20
State = tuple[int, int]  # number of results, and the last one


@dataclass(frozen=True)
class MadeReport:
    """A report, and the games behind its figures by id."""

    state: State
    html: str
    games: dict[str, dict[str, Any]]


class Reports:
    """The report of a server's store; made once for all who ask meanwhile."""

    def __init__(self) -> None:
        self._made: MadeReport | None = None
        self._making: asyncio.Task[MadeReport] | None = None

    async def report(self, tables: "Tables") -> MadeReport:
        """The report of the results that are there now."""
        state = await asyncio.to_thread(_state_of, tables)
        if self._made is not None and self._made.state == state:
            return self._made
        if self._making is None:
            self._making = asyncio.create_task(self._make(tables.store.url, state))
            self._making.add_done_callback(self._done)
        return await asyncio.shield(self._making)

    def _done(self, task: asyncio.Task[MadeReport]) -> None:
        self._making = None
        if not task.cancelled() and task.exception() is None:
            self._made = task.result()

    async def _make(self, url: str, state: State) -> MadeReport:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tamaya.web.report_process", stdout=PIPE,
            env={**os.environ, "TAMAYA_STORE": url}, start_new_session=True,
        )  # fmt: skip
        try:
            async with asyncio.timeout(SECONDS):
                said, _ = await process.communicate()
            if process.returncode or len(said) > MOST_BYTES:
                log.error("the report could not be made: status %s", process.returncode)
                raise Refusal(503, "unavailable", "the report could not be made; see the log")
            return MadeReport(state, **await asyncio.to_thread(json.loads, said))
        except TimeoutError:
            raise Refusal(503, "busy", "the report takes too long: try again later") from None
        finally:
            with suppress(ProcessLookupError):
                process.kill()

    def game(self, name: str) -> dict[str, Any]:
        """A game of the report that was made last."""
        if self._made is None or name not in self._made.games:
            raise Refusal(404, "no_such_game", "the report has no such game: load it again", "game")
        return self._made.games[name]

    async def close(self) -> None:
        """Stop what is being made."""
        if self._making is not None:
            self._making.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._making


def _state_of(tables: "Tables") -> State:
    from sqlalchemy import func, select

    from tamaya.store.schema import results

    found = tables.store.read(select(func.count(), func.max(results.c.id)).select_from(results))
    return found[0][0], found[0][1] or 0


def report_routes() -> list[Route]:
    """The routes of the report."""
    return [
        Route("/api/report", _report),
        Route("/api/report/games", _take_in, methods=["POST"]),
    ]


async def _report(request: Request) -> Response:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    made = await lobby.reports.report(await lobby.tables())
    return HTMLResponse(made.html, headers=NO_STORE)


async def _take_in(request: Request) -> Response:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    document = await json_of(request)
    name = document.get("game") if isinstance(document, dict) else None
    if not isinstance(name, str):
        raise Refusal(400, "bad_request", "expected the id of a game", "game")
    game = lobby.reports.game(name)
    check_rate(request, lobby.opened)
    await enter_game(await lobby.tables(), name, game)
    return JSONResponse({"id": name}, 201, NO_STORE)


async def enter_game(tables: "Tables", name: str, found: dict[str, Any]) -> None:
    """Write a game of a report to the journal, unless it is there, with its agents in the seats."""
    from tamaya.game import Game
    from tamaya.store.database import StoreError
    from tamaya.web.events import IMPORT, Opening, Options
    from tamaya.web.imports import entries_of
    from tamaya.web.journal import EntryError, TableRecord
    from tamaya.web.library import NOBODY

    await tables.wait_until_ready()
    if await tables.get(name) is not None:
        return
    game = await asyncio.to_thread(Game.parse, found["text"])
    seats = await _seats(tables, found["agents"])
    opening = Opening(
        name, game.rules, seats, found["seed"], found["number"], Options(chosen_deal=True),
        tuple(game.deck), int(game.record.start), IMPORT,
    )  # fmt: skip
    record = TableRecord(opening, IMPORT, NOBODY, NOBODY, version("tamaya"))
    try:
        await tables.writer.create(record, entries_of(game))
    except EntryError:
        return  # somebody else has just asked for it
    except StoreError:
        raise Refusal(503, "unavailable", "the server cannot write to its store") from None


async def _seats(tables: "Tables", agents: list[str]) -> tuple[Any, ...]:
    """Who sat where; agents that are not on the guest list are known by their names alone."""
    from tamaya.web.events import AGENT, PERSON, SeatState
    from tamaya.web.guests import GuestError
    from tamaya.web.names import LONGEST_NAME, distinct_name
    from tamaya.web.questions import EngineError
    from tamaya.web.wording import agent_label

    seats: list[SeatState] = []
    for text in agents:
        label = agent_label(text)[:LONGEST_NAME]
        try:
            who = await tables.engines.introduce(tables.guests.admit(text))
            seat = SeatState(AGENT, label, text, who.identity, code=who.code)
        except (GuestError, EngineError):
            seat = SeatState(PERSON, label)
        names = [other.name for other in seats]
        seats.append(SeatState(seat.kind, distinct_name(seat.name, names), seat.agent,
                               seat.identity, code=seat.code))  # fmt: skip
    return tuple(seats)
