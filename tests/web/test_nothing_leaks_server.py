"""Nothing leaks from a whole server: sockets, journal, engines, advice, HTTP, coming again.

The situations of ``leaks`` once more, now at two servers that differ in the hidden cards only: the
subject and other persons are real sockets, tables come out of the journal, agents think in real
engines (their moves are replaced by those of the game). Ids, tokens and the clock are fixed.
Everything that the subject is sent or can fetch must be equal, byte for byte.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import httpx
import pytest
import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection

from leaks import AGENTS, NAMES, SUBJECT, Situation, Step, situation
from tamaya.cli.serve import listen
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.web import advice, answering, app, live
from tamaya.web.app import Settings, create_app
from tamaya.web.engines import Answer, Engines, Question
from tamaya.web.events import AGENT, MOVED, OPEN, PERSON, Event, Opening, Options, SeatState
from tamaya.web.guard import House, Limits
from tamaya.web.journal import Entry, TableRecord
from tamaya.web.opening import hash_of
from tamaya.web.sight import view_frame
from tamaya.web.table import Role, Table

N_SITUATIONS = 200
SEED = 9876543210123  # would be found in a frame
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
BOT = SeatState(AGENT, "certainty", "certainty", "certainty", code="c0de")
INVITE, HOST = "invite".ljust(22, "-"), "host".ljust(22, "-")
PATIENCE = 60.0
Frame = dict[str, Any]


def token_of(seat: int) -> str:
    """The token of a person."""
    return f"seat-{seat}".ljust(22, "-")


class ScriptedEngines:
    """Real engines whose agents think when they are let, and then make the moves of a game."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines
        self.line: list[int] = []
        self.permits: asyncio.Queue[None] = asyncio.Queue()

    async def start(self) -> None:
        """Others start and stop them."""

    stop = start

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engines, name)

    async def move(self, question: Question, on_progress: Any) -> Answer:
        """What the agent remembers, and the move of the game."""
        await self.permits.get()
        answer = await self.engines.move(question, on_progress)
        rules, turn = Rules.parse(question.position.rules), len(question.position.moves)
        return replace(answer, move=move_text(rules, self.line[turn]))


class World:
    """A server, at which one situation after the other is run."""

    def __init__(self, folder: Any, engines: Engines) -> None:
        self.engines = ScriptedEngines(engines)
        limits = Limits(sockets=1000, frames_per_second=10**6)
        self.app = create_app(Settings(House(limits=limits), str(folder / "store.db")))
        self.listener = listen("127.0.0.1", 0)
        config = uvicorn.Config(self.app, lifespan="on", log_config=None, access_log=False,
                                ws="websockets-sansio", timeout_graceful_shutdown=1)  # fmt: skip
        self.server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.listener.getsockname()[1]}"

    async def start(self) -> None:
        """Serve, until ``stop``."""
        self.server.config.load()
        self.serving = asyncio.create_task(self.server.serve([self.listener]))
        while not self.server.started:
            await asyncio.sleep(0.01)
        self.tables = await self.app.lobby.tables()
        await self.tables.wait_until_ready(PATIENCE)
        self.http = httpx.AsyncClient(base_url=f"http://{self.address}", trust_env=False)

    async def stop(self) -> None:
        """End the server."""
        await self.http.aclose()
        self.server.should_exit = True
        await self.serving

    async def run(self, found: Situation, game: Game, number: int) -> list[str]:
        """All that the subject is sent or fetches in a situation, with this game."""
        run = Run(self, found, game, number)
        try:
            return await run.go()
        finally:
            await run.close()
            await self.tables.put_aside(0)


class Line:
    """Somebody's socket at a table; keeps what it hears."""

    def __init__(self, world: World, table: str, hello: Frame) -> None:
        self.world, self.hello = world, {"type": "hello", "table": table, **hello}
        self.heard: list[str] = []
        self.now = 0
        self._number = 10**6

    async def connect(self) -> None:
        """Connect and say hello."""
        self.socket: ClientConnection = await websockets.connect(
            f"ws://{self.world.address}/ws", subprotocols=[websockets.Subprotocol("tamaya.1")],
            compression=None, proxy=None,
        )  # fmt: skip
        await self.socket.send(json.dumps(self.hello))
        await self.settle()

    async def settle(self) -> None:
        """Read all that has been sent so far: up to the answer to a harmless question."""
        self._number += 1
        await self.socket.send(json.dumps({"type": "look", "turn": 0, "id": self._number}))
        await self.read_until(lambda frame: frame.get("re") == self._number)

    async def read_until(self, is_last: Any) -> None:
        """Read frames, the last one included."""
        while True:
            text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            frame = json.loads(text)
            if frame["type"] in ("compiling", "thinking"):  # as long as the machine needs
                continue
            self.heard.append(str(text))
            self.now = frame.get("now", self.now)
            if frame["type"] == "welcome" and frame["token"]:
                self.hello["token"] = frame["token"]
            if is_last(frame):
                return


class Run:
    """A situation at a server."""

    def __init__(self, world: World, found: Situation, game: Game, number: int) -> None:
        self.world, self.found, self.game = world, found, game
        self.id = f"{number:016o}".translate(str.maketrans("01234567", "abcdefgh"))
        self.lines: dict[int | str, Line] = {}

    def enter(self) -> None:
        """Write the table and its moves so far to the journal."""
        found, game = self.found, self.game
        seats = []
        for seat, kind in enumerate(found.kinds):
            person = SeatState(PERSON, NAMES[seat], token_hash=hash_of(token_of(seat)))
            seats.append({PERSON: person, AGENT: BOT, OPEN: SeatState()}[kind])
        opening = Opening(
            self.id, game.rules, tuple(seats), SEED, options=Options(pace_ms=0),
            deck=tuple(game.deck), start=int(game.record.start),
        )  # fmt: skip
        host = HOST if found.host is None else token_of(found.host)
        kind = Table(opening).kind
        record = TableRecord(opening, kind, hash_of(host), hash_of(INVITE), "0", created=EPOCH)
        journal = self.world.tables.journal
        journal.create(record)
        for turn, event in enumerate(game.events[: found.turn]):
            text = move_text(game.rules, int(event["move"]))
            journal.append(
                self.id, Entry(turn + 1, Event(MOVED, turn + 1, int(event["seat"]), text), at=EPOCH)
            )

    def hello(self) -> Frame:
        """How the subject comes."""
        found = self.found
        hello: Frame = {"token": HOST} if found.host is None else {}
        if found.seat is not None and not found.joins:
            # A host who sits in a seat has one token for both.
            hello = {"token": token_of(found.seat)}
        return {**hello, "invite": INVITE} if found.joins else hello

    async def go(self) -> list[str]:
        """Let everything happen."""
        self.world.engines.line = self.game.moves
        while not self.world.engines.permits.empty():
            self.world.engines.permits.get_nowait()
        self.enter()
        subject = self.lines[SUBJECT] = Line(self.world, self.id, self.hello())
        await subject.connect()
        for step in self.found.steps:
            await self.take(step, subject)
        return [*subject.heard, *[await self.fetched(path) for path in self.paths()]]

    async def take(self, step: Step, subject: Line) -> None:
        """Let a step happen, and wait until everybody has heard of it."""
        if step.who == AGENTS:
            now = subject.now
            self.world.engines.permits.put_nowait(None)
            await subject.read_until(lambda frame: frame.get("now", 0) > now)
        elif step.text == "hello":
            await self.hang_up(subject)
            await subject.connect()
        elif '"type": "advise"' in step.text or '"type": "why"' in step.text:
            await subject.socket.send(json.dumps({**json.loads(step.text), "id": 777}))
            await subject.read_until(lambda frame: frame.get("re") == 777)
        else:
            line = await self.line_of(step.who)
            await line.socket.send(step.text)
            if line is not subject:
                await line.settle()
        await subject.settle()

    async def line_of(self, who: int | str) -> Line:
        """The socket of somebody, who comes when it is needed."""
        if who not in self.lines:
            assert isinstance(who, int)
            self.lines[who] = Line(self.world, self.id, {"token": token_of(who)})
            await self.lines[who].connect()
        return self.lines[who]

    async def hang_up(self, line: Line) -> None:
        """Close a socket, and wait until the server knows."""
        table = await self.world.tables.get(self.id)
        assert table is not None
        n_tabs = len(table.tabs)
        await line.socket.close()
        while len(table.tabs) == n_tabs:
            await asyncio.sleep(0)

    def paths(self) -> list[str]:
        """What anybody can fetch who knows the id."""
        game = f"/api/games/{self.id}"
        return ["/api/tables", game, f"{game}/export?as=text", f"/t/{self.id}", "/api/status"]

    async def fetched(self, path: str) -> str:
        """An answer over HTTP."""
        answer = await self.world.http.get(path)
        return f"{answer.status_code} {answer.text}"

    async def close(self) -> None:
        """Close all sockets."""
        for line in self.lines.values():
            await self.hang_up(line)


class Worlds:
    """Two servers that differ in what is hidden."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.number = 0
        self.types: set[str] = set()  # of all frames that were sent
        self.worlds: list[World] = []

    async def start(self, folders: list[Any], engines: Engines) -> None:
        """Start both."""
        for folder in folders:
            world = World(folder, engines)
            app.Engines = lambda files, world=world: world.engines  # type: ignore[misc, assignment]
            await world.start()
            self.worlds.append(world)

    async def sent(self, found: Situation) -> list[list[str]]:
        """What the subject gets at both servers."""
        self.number += 1
        games = (found.game, found.other)
        return [await world.run(found, game, self.number)
                for world, game in zip(self.worlds, games, strict=True)]  # fmt: skip

    def leaked(self, found: Situation) -> set[str]:
        """Types of the frames by which the subject can tell the servers apart."""
        one, other = self.runner.run(self.sent(found))
        assert not any(str(SEED) in text for text in (*one, *other))
        assert len(one) == len(other), str(found)
        self.types |= {type_of(text) for text in one}
        return {type_of(text) for text, again in zip(one, other, strict=True) if text != again}


def type_of(text: str) -> str:
    """The type of a frame; answers over HTTP are of none."""
    return json.loads(text)["type"] if text.startswith("{") else "HTTP"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory) -> Iterator[Worlds]:
    """Two servers with fixed clocks, and tokens that are the same at both."""
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr(live, "monotonic", lambda: 1000.0)
        patch.setattr(answering, "new_token", lambda: "issued".ljust(22, "-"))
        patch.setattr(app, "Engines", app.Engines)  # put back at the end
        both, engines = Worlds(runner), Engines()
        folders = [tmp_path_factory.mktemp(name) for name in ("one", "other")]

        async def start() -> None:
            await engines.start()
            await both.start(folders, engines)

        async def stop() -> None:
            for world in both.worlds:
                await world.stop()
            await engines.stop()

        runner.run(start())
        yield both
        runner.run(stop())


def test_nobody_is_sent_anything_that_it_cannot_see(worlds):
    rng = Random(1)
    for k in range(N_SITUATIONS):
        found = situation(rng, usual=k % 2 == 0)
        assert not worlds.leaked(found), str(found)
    frames = {"welcome", "seats", "view", "asked", "reasons", "error"}
    assert worlds.types >= frames | {"HTTP"}


# Servers that leak are caught.


def shows_own_cards(table: Table, role: Role, turn: int | None = None) -> Frame:
    """A view with the first of a seat's own cards in its label."""
    frame = view_frame(table, role, turn)
    if role.seat is not None:
        card = int(table.game.at(frame["turn"]).record.card[role.seat, 0])
        frame["hands"][role.seat][0]["label"] += f" {card}"
    return frame


def shows_next_card(table: Table, role: Role, turn: int | None = None) -> Frame:
    """A view with the next card of the deck in what is read aloud."""
    frame = view_frame(table, role, turn)
    return frame | {"said": f"{frame['said']} {table.game.deck[-frame['deck'] :][:1]}"}


def shows_legal_moves(table: Table, role: Role, turn: int | None = None) -> Frame:
    """A view that tells seats that wait what the mover may do."""
    return view_frame(table, role, turn) | {"legal": table.game.legal_moves}


@pytest.mark.parametrize("view", [shows_own_cards, shows_next_card, shows_legal_moves],
                         ids=lambda view: view.__name__)  # fmt: skip
def test_a_view_that_shows_too_much_is_caught(worlds, monkeypatch, view):
    for module in (live, answering):
        monkeypatch.setattr(module, "view_frame", view)
    rng = Random(2)
    assert any("view" in worlds.leaked(situation(rng, usual=True)) for _ in range(20))


def test_reasons_of_other_seats_are_caught(worlds, monkeypatch):
    """What another seat would do depends on the subject's own hand."""

    def anybody(table: Table, role: Role, turn: int, seat: int | None) -> int:
        if turn == table.turn:
            return table.game.mover
        return int(table.game.events[turn]["seat"])

    monkeypatch.setattr(advice, "check_question", anybody)
    rng = Random(3)
    found = (situation(rng, usual=True) for _ in range(150))
    asking = (one for one in found if any('"why"' in step.text for step in one.steps))
    assert any(worlds.leaked(one) == {"reasons"} for one in asking)
