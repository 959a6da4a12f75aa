"""Tables as a server has them, without sockets: scripted engines, and people with tabs."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tamaya.moves import move_text
from tamaya.store.database import Store
from tamaya.web.answering import answer
from tamaya.web.engines import Answer, EngineError, Explanation, Introduction, Question
from tamaya.web.events import OVER, PLAYING
from tamaya.web.guests import GuestList
from tamaya.web.live import LiveTable
from tamaya.web.messages import Message, dump, parse_frame
from tamaya.web.minds import dealt_game
from tamaya.web.questions import SeenGame
from tamaya.web.tab import Tab
from tamaya.web.tables import Tables

GUESTS = GuestList()
FAST = {"pace_ms": 100}
PATIENCE = 120.0  # seconds, on a busy machine
Frame = dict[str, Any]


class ScriptedEngines:
    """Engines whose agents make a legal move that depends on turn and memory, and can be held."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.prepared: list[Sequence[SeenGame]] = []  # from which games
        self.failing: dict[str, EngineError] = {}
        self.open = asyncio.Event()
        self.open.set()

    def status(self) -> Frame:
        return {"ready": True, "compiling": None}

    async def introduce(self, agent: str) -> Introduction:
        return Introduction(agent, agent, f"{agent} v1", "c0de", False, True, (2, 5))

    async def move(self, question: Question, on_progress: Callable[[Frame], None]) -> Answer:
        self.questions.append(question)
        await self.open.wait()
        if error := self.failing.get(question.agent):
            raise error
        game = dealt_game(question.position)
        for move in question.position.moves:
            game.apply(move)
        n_remembered = len(question.memory or b"")
        legal = game.legal_moves
        move = legal[(7 * game.turn + n_remembered + len(question.agent)) % len(legal)]
        memory = (question.memory or b"") + bytes([game.turn])
        return Answer(move_text(game.rules, move), memory, 3)

    async def prepare(
        self, agent: str, games: Sequence[SeenGame], on_progress: Callable[[Frame], None] | None
    ) -> str:
        self.prepared.append(games)
        if error := self.failing.get("prepare"):
            raise error
        return f"{agent}:ally=iggi,chance=0.{len(games)}"

    async def explain(self, question: Question, on_progress: Any, **choose: Any) -> Explanation:
        self.questions.append(question)
        return Explanation(None, (("plays as", question.agent),))

    async def stop(self) -> None:
        pass


@asynccontextmanager
async def tables_of(folder, engines: ScriptedEngines | None = None) -> AsyncIterator[Tables]:
    """The tables of a store, as a server has them."""
    store = Store(str(folder / "store.db"))
    tables = Tables(store, GUESTS, engines or ScriptedEngines())  # type: ignore[arg-type]
    try:
        yield tables
    finally:
        await tables.close()


async def opened(tables: Tables, *seats: str | None, **more: Any) -> Frame:
    """A new table: persons by capital names, agents by theirs, None for an open seat."""
    wanted = [
        {"kind": "open"} if seat is None
        else {"kind": "person", "name": seat} if seat[0].isupper()
        else {"kind": "agent", "agent": seat}
        for seat in seats
    ]  # fmt: skip
    document = {"rules": f"players={len(seats)}", "seats": wanted, "options": FAST, **more}
    return await tables.open(tables.read_order(document))


class Person:
    """Somebody with a tab at a table."""

    def __init__(self, tables: Tables, live: LiveTable) -> None:
        self.tables, self.live, self.tab = tables, live, Tab()

    @classmethod
    async def at(cls, tables: Tables, table: str, token=None, invite=None) -> "Person":
        live = await tables.get(table)
        assert live is not None
        person = cls(tables, live)
        live.introduce(person.tab, token, invite)
        return person

    async def ask(self, type: str, **fields: Any) -> Frame:
        """The reply to a frame; what follows it is heard later."""
        message: Message = parse_frame(dump({"type": type, **fields}))
        reply, *others = await answer(self.tables, self.live, self.tab, message)
        for frame in others:
            self.tab.send(frame)
        return reply

    async def hear(self, type: str) -> Frame:
        """The next frame of a type."""
        while True:
            heard = await asyncio.wait_for(self.tab.outgoing.get(), 30)
            if not isinstance(heard, tuple) and json.loads(heard)["type"] == type:
                return json.loads(heard)

    def heard(self) -> list[Any]:
        """What came since, closing codes included."""
        found = []
        while not self.tab.outgoing.empty():
            frame = self.tab.outgoing.get_nowait()
            found.append(frame[0] if isinstance(frame, tuple) else json.loads(frame))
        return found

    async def move(self, k: int = 0) -> Frame:
        """Make the k-th legal move, when it is the own turn."""
        while (legal := (await self.ask("look", turn=self.live.table.turn))["legal"]) is None:
            assert self.live.table.phase == PLAYING
            await asyncio.sleep(0.01)
        turn = self.live.table.turn
        return await self.ask("move", turn=turn, move=legal[k % len(legal)])

    async def play_on(self, seed: int = 0) -> None:
        """Play to the end."""
        while self.live.table.phase != OVER:
            try:
                await self.move(self.live.table.turn * 5 + seed)
            except AssertionError:
                assert self.live.table.phase == OVER


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.005)


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[[Any], None]:
    """A test that runs in an event loop."""

    def run(tmp_path) -> None:
        asyncio.run(asyncio.wait_for(test(tmp_path), PATIENCE))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run
