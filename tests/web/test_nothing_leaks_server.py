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
from sqlalchemy import insert
from websockets.asyncio.client import ClientConnection

from leaks import AGENTS, NAMES, SUBJECT, Situation, Step, situation
from tamaya.cli.serve import listen
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.store import schema
from tamaya.web import advice, answering, app, branches, live
from tamaya.web.app import Settings, create_app
from tamaya.web.deals import GAME, Deals, SharedDeal
from tamaya.web.engines import Answer, Engines, Question
from tamaya.web.events import (
    AGENT,
    IMPORT,
    MOVED,
    OPEN,
    PERSON,
    Event,
    Opening,
    Options,
    SeatState,
)
from tamaya.web.events import Line as Leaving
from tamaya.web.guard import House, Limits
from tamaya.web.journal import END, Entry, TableRecord, creation
from tamaya.web.opening import hash_of
from tamaya.web.sight import view_frame
from tamaya.web.table import Role, Table

N_SITUATIONS, N_LINES, N_DEALS = 200, 40, 15
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

    kind: "type[Run]"

    def __init__(self, folder: Any, engines: Engines) -> None:
        self.engines = ScriptedEngines(engines)
        limits = Limits(sockets=1000, frames_per_second=10**6, requests_per_second=10**6)
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
        run = self.kind(self, found, game, number)
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


def id_of(number: int, letters: str = "abcdefgh") -> str:
    """The id of a table."""
    return f"{number:016o}".translate(str.maketrans("01234567", letters))


class Run:
    """A situation at a server."""

    def __init__(self, world: World, found: Situation, game: Game, number: int) -> None:
        self.world, self.found, self.game = world, found, game
        self.id = id_of(number)
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
            deck=tuple(game.deck), start=int(game.record.start), line=self.leave_another_game(),
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

    def leave_another_game(self) -> Leaving | None:
        """Where the table begins, if it is a line of its own; that game is in the journal too."""
        if not self.found.is_line:
            return None
        parent = Opening(id_of(int(self.id.translate(str.maketrans("abcdefgh", "01234567")), 8),
                               "stuvwxyz"), self.game.rules, (SeatState(),) * len(self.found.kinds),
                         deck=tuple(self.game.deck), start=0, kind=IMPORT)  # fmt: skip
        self.world.tables.journal.create(TableRecord(parent, IMPORT, "", "", "0", created=EPOCH))
        return Leaving(parent.id, 0)

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
        n_tabs, is_open = len(table.tabs), line.socket.close_code is None
        await line.socket.close()
        async with asyncio.timeout(PATIENCE):
            while is_open and len(table.tabs) == n_tabs:
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


World.kind = Run


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

    def leaked(self, found: Situation, check_seed: bool = True) -> set[str]:
        """Types of the frames by which the subject can tell the servers apart."""
        one, other = self.runner.run(self.sent(found))
        if check_seed:
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


# Lines that leave another game.


def is_alone(found: Situation) -> bool:
    """Whether the subject is the host and all others are agents, at a pace that needs no clock."""
    others = [kind for seat, kind in enumerate(found.kinds) if seat != found.seat]
    has_pace = any('"pace"' in step.text for step in found.steps)
    return found.host in (None, found.seat) and set(others) == {AGENT} and not has_pace


def a_line(rng: Random, usual: bool) -> Situation:
    """A situation at a line of the subject's own: cards become others, and it goes back."""
    found = situation(rng, usual=usual)
    while not is_alone(found):
        found = situation(rng, usual=usual)
    n_orders = found.game.rules.players * found.game.rules.hand_size + 6
    for _ in range(5):
        card = rng.choice(found.game.deck)
        frame = {"type": "morph", "order": rng.randrange(n_orders), "card": card}
        found.steps.append(Step(SUBJECT, json.dumps(frame)))
    found.steps += [Step(SUBJECT, '{"type": "back"}'), Step(SUBJECT, '{"type": "look", "turn": 0}')]
    return replace(found, is_line=True)


def test_a_line_tells_its_seats_no_more_than_a_game(worlds):
    rng = Random(5)
    for k in range(N_LINES):
        found = a_line(rng, usual=k % 2 == 0)
        assert not worlds.leaked(found), str(found)


def test_a_card_that_nobody_sees_and_that_becomes_another_is_caught(worlds, monkeypatch):
    """Whether it can depends on what it was."""
    monkeypatch.setattr(branches, "eyes_of", lambda *_: branches.ALL_FACES)
    rng = Random(6)
    assert any(worlds.leaked(a_line(rng, usual=True)) for _ in range(20))


# Deals that somebody has still to play.


class DealRun(Run):
    """A deal of which one attempt is over and the subject's goes on."""

    def enter(self) -> None:
        """Write the deal and both attempts; the other one is known to nobody who plays."""
        game, store = self.game, self.world.tables.store
        self.deal = SharedDeal(self.id[-8:], GAME, game.rules, int(game.record.start),
                               tuple(game.deck), SEED, 0, EPOCH)  # fmt: skip
        row = {"id": self.deal.id, "kind": GAME, "rules": game.rules.to_text(),
               "start": self.deal.start, "deck": list(game.deck), "seed": str(SEED),
               "game_index": 0, "key": self.deal.key, "created": EPOCH}  # fmt: skip
        store.write(lambda connection: connection.execute(insert(schema.web_deals), [row]))
        self.world.tables.deals.load()
        super().enter()
        eve = SeatState(PERSON, "Eve", token_hash=hash_of("eve".ljust(22, "-")))
        seats = (eve, *(BOT,) * (game.rules.players - 1))
        self.other = id_of(int(self.id.translate(str.maketrans("abcdefgh", "01234567")), 8),
                           "stuvwxyz")  # fmt: skip
        opening = Opening(self.other, game.rules, seats, SEED, deck=self.deal.deck,
                          start=self.deal.start, deal=self.deal.id)  # fmt: skip
        record = TableRecord(opening, "play", "", "", "0", created=EPOCH)
        store.write(creation(record))
        over = Game(game.rules, deck=game.deck, start=self.deal.start)
        number = 0
        while not over.is_over:  # how it went depends on the cards
            number += 1
            move, seat = over.legal_moves[-1 - over.turn % 3], over.mover
            text = move_text(game.rules, move)
            over.apply(move)
            event = Event(MOVED, over.turn, seat, text)
            self.world.tables.journal.append(self.other, Entry(number, event, at=EPOCH))
        data = {"score": over.score, "status": over.status, "undos": 0}
        end = Entry(number + 1, Event(END, over.turn), data=data, at=EPOCH)
        self.world.tables.journal.append(self.other, end)

    async def go(self) -> list[str]:
        """The script, then everything that the subject can ask about the deal."""
        found = await super().go()
        deal, other = f"/api/deals/{self.deal.id}", f"/api/games/{self.other}"
        own = [self.hello().get("token", ""), "", INVITE, "nonsense"]
        for token in own:
            headers = {"X-Tamaya-Token": token, "X-Tamaya": "1"}
            exports = [f"{other}/export?as={form}" for form in ("text", "json", "link")]
            for path in (deal, f"{deal}/results", other, f"{other}/views", *exports, "/api/tables"):
                answer = await self.world.http.get(path, headers=headers)
                found.append(f"{answer.status_code} {answer.text}")
            for path in (f"{other}/deal", f"{other}/branch"):
                answer = await self.world.http.post(path, headers=headers, json={})
                found.append(f"{answer.status_code} {answer.text}")
            async with websockets.connect(
                f"ws://{self.world.address}/ws", compression=None, proxy=None,
                subprotocols=[websockets.Subprotocol("tamaya.1")],
            ) as socket:  # fmt: skip
                hello = {"type": "hello", "table": self.other}
                known = {"token": token} if len(token) == 22 else {}
                await socket.send(json.dumps({**hello, **known}))
                found.append(str(await asyncio.wait_for(socket.recv(), PATIENCE)))
        return found


def seated(rng: Random) -> Situation:
    """A situation in which the subject sits and plays."""
    while True:
        found = situation(rng, usual=True)
        if found.seat is not None and not found.joins and is_alone(found):
            return found


def test_nothing_of_a_deal_is_told_before_the_own_attempt_ends(worlds, monkeypatch):
    monkeypatch.setattr(World, "kind", DealRun)
    rng = Random(7)
    for _ in range(N_DEALS):
        found = seated(rng)
        assert not worlds.leaked(found), str(found)


@pytest.mark.parametrize("leak", ["attempts", "games"])
def test_a_deal_that_is_told_too_early_is_caught(worlds, monkeypatch, leak):
    monkeypatch.setattr(World, "kind", DealRun)
    if leak == "attempts":
        honest = Deals.document

        async def document(self: Deals, deal: SharedDeal, tokens: Any) -> Frame:
            found = await self.attempts(deal)
            ends = [attempt.end["turns"] for attempt in found if attempt.end]
            return {**await honest(self, deal, tokens), "longest": max(ends)}

        monkeypatch.setattr(Deals, "document", document)
    else:

        async def allow(self: Deals, live: Any, token: str | None) -> None:
            return None

        monkeypatch.setattr(Deals, "check_may_see", allow)
    rng = Random(8)
    assert any(worlds.leaked(seated(rng), check_seed=False) for _ in range(5))


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
