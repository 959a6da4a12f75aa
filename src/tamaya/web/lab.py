"""The lab: the current state of runs of evolution and training, and their agents as guests.

    GET  /api/lab                        the runs, those that changed last first
    GET  /api/lab/run?run=NAME           one of them: curves, lists, map, networks
    GET  /api/lab/list?run=NAME&list=KEY one of its rule lists, rule by rule
    POST /api/lab/fires                  how often each rule of a list makes a move
    POST /api/lab/guests                 an agent of a run, made ready to sit down at a table

All of it needs the server's key where there is one. Names are looked up among what was found, and
never become paths.
"""

import asyncio
from collections import OrderedDict
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamaya.web.guard import Refusal
from tamaya.web.requests import NO_STORE, check_key, check_rate, json_of, lobby_of

if TYPE_CHECKING:  # behind these are kernels
    from tamaya.rules import Rules
    from tamaya.web.run_documents import ListedRules, RunDocument, RunReader
    from tamaya.web.run_folders import RunFolder
    from tamaya.web.tables import Tables

GAMES = 400  # that rules are counted in
MOST_COUNTS = 500  # that are kept
LONGEST_KEY = 200  # characters of a name of a run or of something in it
LONGEST_TEXT = 4001  # one more than a rule list may have
Counts = dict[str, Any]


class Lab:
    """The runs of a server, and what was counted about their rule lists."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._reader: RunReader | None = None
        self._lock = asyncio.Lock()
        self._counts: OrderedDict[tuple[str, str], Counts] = OrderedDict()

    async def runs(self) -> "list[RunDocument]":
        """All runs."""
        reader = await self._opened()
        async with self._lock:
            return await asyncio.to_thread(reader.all)

    async def run(self, name: str) -> "RunDocument":
        """A run by its name; Refusal if there is none."""
        reader = await self._opened()
        async with self._lock:
            found = await asyncio.to_thread(reader.get, name)
        if found is None:
            raise Refusal(404, "no_such_run", "there is no such run", "run")
        return found

    async def _opened(self) -> "RunReader":
        if self.folder is None:
            text = "this server shows no runs: tamaya serve --runs FOLDER"
            raise Refusal(404, "no_such_run", text)
        if self._reader is None:
            self._reader = await asyncio.to_thread(_reader_of, self.folder)
        return self._reader

    async def network(self, run: "RunDocument", key: str) -> str:
        """The name of a copy of a run's network."""
        reader = await self._opened()
        return await asyncio.to_thread(_kept_network, reader.folder, run, key)

    async def fires(self, tables: "Tables", agent: str, rules: "Rules") -> Counts:
        """How many moves each rule of an agent's list makes; counted once."""
        from tamaya.web.questions import EngineError

        key = agent, rules.to_text()
        if key not in self._counts:
            try:
                fired = await tables.engines.fires(agent, rules.to_text(), GAMES)
            except EngineError as error:
                raise Refusal(503, error.code, error.text) from None
            self._counts[key] = {"fired": fired, "games": GAMES}
            if len(self._counts) > MOST_COUNTS:
                self._counts.popitem(last=False)
        return self._counts[key]


def _reader_of(folder: Path) -> "RunReader":
    from tamaya.web.run_documents import RunReader
    from tamaya.web.run_folders import RunFolder

    return RunReader(RunFolder(folder))


def list_of(run: "RunDocument", key: str) -> "ListedRules":
    """A rule list of a run; Refusal if there is none."""
    found = next((one for one in run.lists if one.key == key), None)
    if found is None:
        raise Refusal(404, "no_such_list", "the run has no such rule list", "list")
    return found


def lab_routes() -> list[Route]:
    """The routes of the lab."""
    return [
        Route("/api/lab", _runs),
        Route("/api/lab/run", _run),
        Route("/api/lab/list", _list),
        Route("/api/lab/fires", _fires, methods=["POST"]),
        Route("/api/lab/guests", _guest, methods=["POST"]),
    ]


def _asked(request: Request, name: str) -> str:
    return request.query_params.get(name, "")[:LONGEST_KEY]


async def _runs(request: Request) -> Response:
    lab = _lab(request)
    runs = await lab.runs() if lab.folder else []
    folder = lab.folder.name if lab.folder else None
    found = {"folder": folder, "now": time(), "runs": [run.summary() for run in runs]}
    return JSONResponse(found, headers=NO_STORE)


async def _run(request: Request) -> Response:
    run = await _lab(request).run(_asked(request, "run"))
    return JSONResponse({**run.document(), "now": time()}, headers=NO_STORE)


async def _list(request: Request) -> Response:
    run = await _lab(request).run(_asked(request, "run"))
    found = list_of(run, _asked(request, "list"))
    return JSONResponse(await asyncio.to_thread(_readable, found), headers=NO_STORE)


def _readable(found: "ListedRules") -> dict[str, Any]:
    try:
        return found.document()
    except ValueError as error:
        raise Refusal(409, "unavailable", f"the list cannot be read: {error}", "list") from None


async def _fires(request: Request) -> Response:
    """Of a list of a run or, with ``rules``, of a text of at most 40 rules."""
    lab, tables = _lab(request), await lobby_of(request).tables()
    wish = await _wish(request, ("run", "list", "players"), ("rules",))
    run = await lab.run(wish["run"])
    listed = list_of(run, wish["list"])
    rules = _table_of(listed, wish["players"])
    if "rules" in wish:
        agent = await asyncio.to_thread(_admitted, tables, wish["rules"], rules)
    else:
        agent = await asyncio.to_thread(_kept_list, run.name, listed)
    return JSONResponse(await lab.fires(tables, agent, rules), headers=NO_STORE)


async def _guest(request: Request) -> Response:
    """The name under which a list or a network of a run can be asked to a table."""
    lobby = lobby_of(request)
    lab = _lab(request)
    await lobby.tables()
    check_rate(request, lobby.opened)
    wish = await _wish(request, ("run",), ("list", "network"))
    run = await lab.run(wish["run"])
    if "list" in wish:
        name = await asyncio.to_thread(_kept_list, run.name, list_of(run, wish["list"]))
    else:
        name = await lab.network(run, wish.get("network", ""))
    return JSONResponse({"agent": name}, 201, NO_STORE)


def _lab(request: Request) -> Lab:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    return lobby.lab


async def _wish(request: Request, needed: tuple[str, ...], perhaps: tuple[str, ...]) -> Any:
    """The object of a request: some texts, and a number of players."""
    from tamaya.replays.fields import Field, ReplayError

    document = Field(await json_of(request), "")
    try:
        for name in document.mapping():
            if name not in (*needed, *perhaps):
                expected = ", ".join((*needed, *perhaps))
                raise document.error(f"unknown field: expected {expected}")
        names = [*needed, *(name for name in perhaps if name in document)]
        return {
            name: document[name].whole("players", 2, 5)
            if name == "players"
            else document[name].text()[:LONGEST_TEXT]
            for name in names
        }
    except ReplayError as error:
        raise Refusal(400, "bad_request", error.reason, error.place) from None


def _table_of(listed: "ListedRules", players: int) -> "Rules":
    from tamaya.rules import Rules, RulesError

    if players not in listed.sizes:
        sizes = ", ".join(map(str, listed.sizes))
        raise Refusal(400, "bad_request", f"the list is for {sizes} players", "players")
    try:
        return Rules.parse(f"{listed.rules} players={players}".strip())
    except RulesError as error:
        raise Refusal(409, "unavailable", f"the run's rules cannot be read: {error}") from None


def _admitted(tables: "Tables", text: str, rules: "Rules") -> str:
    """The agent of a rule list that somebody has edited."""
    from tamaya.web.guests import GuestError

    try:
        return tables.guests.admit("rules", {"rules": text}, rules)
    except GuestError as error:
        raise Refusal(400, "bad_request", error.text, error.place) from None


def _kept_list(run: str, listed: "ListedRules") -> str:
    from tamaya.player import AgentError
    from tamaya.web.snapshots import keep_rules
    from tamaya.web.wording import agent_label

    try:
        return keep_rules(f"{run}-{listed.key}", listed.text)
    except AgentError as error:
        raise Refusal(409, "unavailable", agent_label(str(error)), "list") from None


def _kept_network(folder: "RunFolder", run: "RunDocument", key: str) -> str:
    from tamaya.web.snapshots import keep_network
    from tamaya.web.wording import agent_label

    if key not in run.files:
        raise Refusal(404, "no_such_network", "the run has no such network", "network")
    path = run.files[key]
    try:
        folder.check_files(path.parent, [path.name, path.with_suffix(".json").name])
        return keep_network(f"{run.name}-{key}", path)
    except ValueError as error:  # of files and of agents
        raise Refusal(409, "unavailable", agent_label(str(error)), "network") from None
