"""The WebSocket of a real server: versions, hellos, orders, rates, sizes, agents of the package."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
import websockets

from serving import PATIENCE, PROTOCOL, Client, Frame, Server
from tamaya.compiled import JIT
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.web.guard import House
from tamaya.web.messages import Advise, Message
from tamaya.web.rates import Bucket, Places, Rate
from tamaya.web.socket import Socket

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
FAST = {"pace_ms": 100}


def with_server(test: Callable[[Server], Awaitable[None]]) -> Callable[[Server], None]:
    """A test that talks to the server in an event loop."""

    def run(served) -> None:
        asyncio.run(asyncio.wait_for(test(served), 10 * PATIENCE))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def connect(server: Server, *protocols: str, **options: Any) -> Any:
    """A bare socket."""
    url = server.address.replace("http", "ws", 1) + "/ws"
    offered = [websockets.Subprotocol(protocol) for protocol in protocols] or None
    return websockets.connect(url, subprotocols=offered, compression=None, **options)


async def closing_code(socket: Any) -> int:
    """The code with which the server closes a socket; what comes before is read."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                await socket.recv()
    except websockets.ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code


# Versions and hellos.


@with_server
async def test_other_versions_are_told_to_load_the_page_again(served):
    for protocols in ((), ("tamaya.0",), ("tamaya.2", "chat")):
        async with connect(served, *protocols) as socket:
            assert await closing_code(socket) == 4400
    async with connect(served, "tamaya.2", PROTOCOL) as socket:
        assert socket.subprotocol == PROTOCOL


@with_server
async def test_sockets_of_other_pages_and_names_are_refused(served):
    for headers, status in (
        ({"Origin": "https://evil.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": f"http://127.0.0.1:{served.port + 1}"}, 403),
    ):
        with pytest.raises(websockets.InvalidStatus) as refused:
            await connect(served, PROTOCOL, additional_headers=headers)
        assert refused.value.response.status_code == status
    async with connect(served, PROTOCOL, additional_headers={"Origin": served.address}) as socket:
        assert socket.subprotocol == PROTOCOL


@with_server
async def test_an_unknown_table_closes_the_socket(served):
    async with connect(served, PROTOCOL) as socket:
        await socket.send(json.dumps({"type": "hello", "table": "a" * 16, "id": 1}))
        error = json.loads(await socket.recv())
        assert (error["code"], error["place"], error["re"]) == ("no_such_table", "table", 1)
        assert await closing_code(socket) == 4404


@with_server
async def test_without_a_hello_there_is_no_table(served):
    async with connect(served, PROTOCOL) as socket:
        await socket.send(json.dumps({"type": "move", "turn": 0, "move": "p0", "id": 7}))
        error = json.loads(await socket.recv())
        assert (error["type"], error["code"], error["re"]) == ("error", "bad_frame", 7)


@with_server
async def test_hello_shows_everything_and_may_be_said_again(served):
    opened = served.open("Ann", "piers", options=FAST)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        assert [frame["type"] for frame in ann.frames] == ["welcome", "seats", "view"]
        welcome = await ann.ask("hello", table=opened["id"], token=opened["token"])
        assert (welcome["type"], welcome["seat"], welcome["host"]) == ("welcome", 0, True)
        await ann.until(lambda: ann.frames[-1]["type"] == "view")
        other = served.open("Ben", "piers")
        welcome = await ann.ask("hello", table=other["id"])
        assert (welcome["table"], welcome["role"], welcome["seat"]) == (
            other["id"],
            "watcher",
            None,
        )
    async with Client(served, opened["id"]) as watcher:
        seats = watcher.latest["seats"]["seats"]
        assert (seats[0]["tabs"], seats[0]["present"]) == (0, False)


# Replies.


@with_server
async def test_every_frame_has_one_reply_with_its_number(served):
    opened = served.open("Ann", "piers", options=FAST)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        move = ann.view["legal"][0]
        for type, fields, expected in (
            ("look", {"turn": 0}, "view"),
            ("look", {"turn": 9}, "error"),
            ("advise", {"turn": 0}, "reasons"),
            ("why", {"turn": 0, "seat": 1}, "error"),
            ("pace", {"ms": 200}, "error"),
            ("step", {}, "error"),
            ("agree", {"yes": True}, "error"),
            ("again", {}, "error"),
            ("sit", {"seat": 1, "name": "Ann"}, "error"),
            ("fill", {"seat": 1, "agent": "nobody"}, "error"),
            ("fill", {"seat": 1, "agent": "smartbot"}, "seats"),
            ("undo", {"turn": 0}, "error"),
            ("move", {"turn": 1, "move": move}, "error"),
            ("move", {"turn": 0, "move": move}, "view"),
            ("move", {"turn": 0, "move": move}, "view"),
        ):
            reply = await ann.ask(type, **fields)
            assert reply["type"] == expected, (type, fields, reply)
        await ann.until(lambda: ann.view["turn"] == 2)
        assert (await ann.ask("undo", turn=2))["turn"] == 0
        numbers = [frame["re"] for frame in ann.frames if "re" in frame]
        assert len(numbers) == len(set(numbers))


@with_server
async def test_frames_are_answered_in_order(served):
    opened = served.open("Ann", None)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        for number in range(15):
            await ann.put({"type": "look", "turn": 0, "id": number})
        await ann.until(lambda: ann.frames[-1].get("re") == 14)
        numbers = [frame["re"] for frame in ann.frames if "re" in frame]
        assert numbers == list(range(15))


# Rates and sizes.


def test_a_bucket_counts_the_last_second():
    bucket = Bucket(20)
    assert [bucket.count(moment) for moment in (0.0, 0.5, 0.99)] == [1, 2, 3]
    assert bucket.count(1.2) == 3
    assert bucket.count(9.0) == 1


@with_server
async def test_who_sends_too_fast_is_warned_and_then_sent_away(served):
    opened = served.open("Ann", None)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        for number in range(60):
            await ann.put({"type": "look", "turn": 0, "id": number})
        try:
            while True:
                await ann.hear()
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd is not None and closed.rcvd.code == 4429
        errors = [frame for frame in ann.frames if frame["type"] == "error"]
        assert errors and {error["code"] for error in errors} == {"too_fast"}
        views = [frame for frame in ann.frames if frame["type"] == "view" and "re" in frame]
        assert len(views) <= 20


@pytest.mark.parametrize("size", [64 * 1024 + 1, 500_000])
def test_frames_that_are_too_long_close_the_socket(served, size):
    async def send() -> None:
        async with connect(served, PROTOCOL) as socket:
            await socket.send("x" * size)
            error = json.loads(await socket.recv())
            assert error["code"] == "too_large"
            assert await closing_code(socket) == 4429

    asyncio.run(send())


@with_server
async def test_what_is_no_frame_is_an_error_with_its_place(served):
    opened = served.open("Ann", None)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        for text, place in (
            (b"\x00\x01", None),
            ("{", "document"),
            ("[]", "document"),
            ('{"type": "dance"}', "type"),
            ('{"type": "look", "turn": "0"}', "turn"),
            ('{"type": "move", "turn": 0, "move": "x"}', "move"),
        ):
            await ann.put(text)
            error = await ann.hear()
            assert (error["type"], error.get("place")) == ("error", place)


# Agents of the package, through engines.


@with_server
async def test_a_watched_game_is_that_of_the_compiled_table(served):
    """The same moves as ``tamaya watch``, and the same reasons as ``Seat.explain``."""
    team, rules = ["iggi", "piers", "iggi"], Rules(players=3)
    finished = play(team, rules, 1, seed=21, first=4, record=True).game(0)
    opened = served.open(*team, seed=21, index=4, options={"pace_ms": 0})
    async with Client(served, opened["id"]) as watcher:
        await watcher.until(lambda: "over" in watcher.latest)
        moves = [event["move"] for event in watcher.view["past"]]
        assert moves == [move_text(rules, move) for move in finished.moves]
        assert watcher.latest["over"]["score"] == finished.score
        running = [frame for frame in watcher.frames if frame["type"] == "view"]
        assert [frame["turn"] for frame in running] == list(
            range(running[0]["turn"], finished.turn + 1)
        )
        turn = 5
        reasons = await watcher.ask("why", turn=turn)
        game = finished.at(0)
        seats = [Seat(find_agent(name), game, seat) for seat, name in enumerate(team)]
        for move in finished.moves[:turn]:
            game.apply(move)
            for seat in seats:
                seat.observe()
        rules_tried = [row["parts"][0]["text"] for row in reasons["details"]]
        assert rules_tried == [name for name, _ in seats[game.mover].explain()]
        assert reasons["move"] == moves[turn]


@with_server
async def test_advice_leads_through_a_game(served):
    opened = served.open("Ann", "tamaya-mixed", seed=3, options=FAST)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        for _ in range(4):
            await ann.until(lambda: ann.view["legal"] is not None)
            turn = ann.view["turn"]
            reasons = await ann.ask("advise", turn=turn)
            assert reasons["move"] in ann.view["legal"]
            assert reasons["rows"]
            await ann.ask("move", turn=turn, move=reasons["move"])


@with_server
async def test_a_person_may_ask_and_move_at_once(served):
    """Advice takes its time; a move does not wait for it."""
    opened = served.open("Ann", "piers", seed=3, options=FAST)
    async with Client(served, opened["id"], token=opened["token"]) as ann:
        await ann.put({"type": "advise", "turn": 0, "agent": "search", "id": 900})
        reply = await ann.ask("move", turn=0, move=ann.view["legal"][0])
        assert reply["type"] == "view"
        assert not any(frame.get("re") == 900 for frame in ann.frames)


class Asker(Socket):
    """A socket whose questions are answered when somebody says so."""

    def __init__(self, places: Places, said: asyncio.Event) -> None:
        websocket = SimpleNamespace(scope={"tamaya.address": "10.0.0.1"})
        super().__init__(websocket, None, House(), places, Rate(10, 60.0))  # type: ignore[arg-type]
        self.said = said

    async def _do(self, message: Message) -> list[Frame]:
        await self.said.wait()
        return [{"type": "reasons"}]

    def ask(self, n: int) -> None:
        """Ask so many questions."""
        for number in range(n):
            self._ask(Advise(number, 0, "search"))

    def heard(self) -> list[str]:
        """The types of what came back."""
        found = [self.tab.outgoing.get_nowait() for _ in range(self.tab.outgoing.qsize())]
        return [json.loads(text).get("code", "reasons") for text in found if isinstance(text, str)]


def test_an_address_asks_so_much_at_once_over_all_its_sockets():
    """Whoever watches may ask, so that many sockets of one address could keep engines busy."""

    async def ask() -> None:
        places, said = Places(6), asyncio.Event()
        askers = [Asker(places, said) for _ in range(3)]
        for asker in askers:
            asker.ask(5)
        assert [asker.heard() for asker in askers] == [["busy"], ["busy"] * 3, ["busy"] * 5]
        said.set()
        while len(places):
            await asyncio.sleep(0)
        assert [asker.heard() for asker in askers] == [["reasons"] * 4, ["reasons"] * 2, []]
        askers[2].ask(1)  # who has been answered may ask again
        assert len(places) == 1

    asyncio.run(ask())
