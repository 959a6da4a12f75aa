"""Ten thousand frames and requests that no page sends: errors with a place, and nothing else.

Never a 500, never a traceback in the log, never a card or a secret that a role must not know. Wrong
hosts get 400, foreign origins 403, what is too large 413 or the close code 4429.
"""

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

import pytest
import websockets

from serving import PATIENCE, Client, Frame, Server
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.rules import Rules

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
N_FRAMES, N_REQUESTS = 7000, 3000
AT_ONCE = 4  # frames that are sent before the answers are read
FAST = {"pace_ms": 100}
TYPES = ("hello", "sit", "leave", "start", "fill", "move", "look", "undo", "agree", "advise", "why",
         "pace", "pause", "step", "again", "back", "morph")  # fmt: skip
FIELDS = ("id", "table", "token", "invite", "name", "seat", "turn", "move", "agent", "params",
          "yes", "on", "ms", "type", "re", "seed", "deck", "order", "card",
          "person")  # fmt: skip
MOVES = ("p0", "p1", "d0", "d4", "h11", "h15", "h1R", "h2B", "h2W", "x", "p9", "h9R")


# A server whose sockets may send as fast as they can.
CODE = """
import sys
from tamaya.web import guard
guard.Limits.__init__.__defaults__ = (*[10**6] * 4, *guard.Limits.__init__.__defaults__[4:])
from tamaya.cli.main import run
run()
"""


class Hurried(Server):
    """A server without the limits that would end the fuzzing early."""

    def command(self) -> list[str]:
        """What starts it."""
        return [sys.executable, "-c", CODE, *super().command()[3:]]


@pytest.fixture(scope="module")
def hurried(tmp_path_factory) -> Iterator[Server]:
    server = Hurried(tmp_path_factory.mktemp("hurried")).start()
    try:
        yield server.wait()
    finally:
        server.kill()


def check_log(server: Server) -> None:
    """Nothing failed unforeseen, and nothing secret was written down."""
    log = server.log()
    assert " failed: " not in log
    assert "Traceback" not in log
    assert "Exception" not in log


# What is sent.


class Fuzzer:
    """Makes frames and requests by chance, from nearly right to nonsense."""

    def __init__(self, seed: int, secrets: list[str]) -> None:
        self.rng, self.secrets = Random(seed), secrets

    def value(self, depth: int = 0) -> Any:
        """Any value of JSON."""
        rng = self.rng
        kinds = [
            None, True, False, 0, 1, -1, rng.randrange(-5, 200), rng.getrandbits(70), 1e308, 0.5,
            "", "p0", "A" * rng.randrange(60), "\u202e\x00é😀", rng.choice(MOVES),
            rng.choice(self.secrets), "smartbot", "search:blueprint=/tmp/x.py", "../../etc/passwd",
            "{{7*7}}", "'; DROP TABLE web_tables; --", "<script>alert(1)</script>",
        ]  # fmt: skip
        if depth < 3 and rng.random() < 0.2:
            size = rng.randrange(4)
            if rng.random() < 0.5:
                return [self.value(depth + 1) for _ in range(size)]
            return {rng.choice(FIELDS): self.value(depth + 1) for _ in range(size)}
        return rng.choice(kinds)

    def right_frame(self, view: Frame) -> Frame:
        """A frame as a page sends it, though perhaps not at this moment."""
        rng = self.rng
        legal = view["legal"] or MOVES
        fields: dict[str, Frame] = {
            "hello": {"table": rng.choice(self.secrets), "token": rng.choice(self.secrets)},
            "sit": {"seat": rng.randrange(6), "name": rng.choice(("Ann", "Ben"))},
            "fill": {"seat": rng.randrange(6), "agent": rng.choice(("piers", "iggi"))},
            "move": {"turn": view["now"] - (rng.random() < 0.2), "move": rng.choice(legal)},
            "look": {"turn": rng.randrange(max(1, view["now"] + 2))},
            "undo": {"turn": view["now"]},
            "agree": {"yes": rng.random() < 0.5},
            "advise": {"turn": view["now"]},
            "why": {"turn": rng.randrange(max(1, view["now"] + 1)), "seat": rng.randrange(3)},
            "pace": {"ms": rng.choice((100, 5000, 99))},
            "pause": {"on": rng.random() < 0.5},
            "morph": {"order": rng.randrange(50), "card": rng.randrange(25)},
        }
        type = rng.choices(TYPES, [8 if name == "move" else 1 for name in TYPES])[0]
        return {"type": type, "id": rng.randrange(1000), **fields.get(type, {})}

    def frame(self, view: Frame) -> str | bytes:
        """A frame or what somebody may send instead."""
        rng, kind = self.rng, self.rng.random()
        frame = self.right_frame(view)
        if kind < 0.3:
            return json.dumps(frame)
        if kind < 0.6:  # one field is wrong
            name = rng.choice((*frame, *FIELDS))
            return json.dumps({**frame, name: self.value()})
        if kind < 0.7:  # one field is missing
            frame.pop(rng.choice(tuple(frame)))
            return json.dumps(frame)
        if kind < 0.8:
            return json.dumps(self.value())
        text = json.dumps(frame)
        place = rng.randrange(len(text))
        if kind < 0.9:
            return text[:place] + rng.choice('{}[]",:\\\x00e9é') + text[place + 1 :]
        if kind < 0.95:
            return text[:place]
        if kind < 0.97:
            return rng.randbytes(rng.randrange(40))
        return rng.choice(("[" * 3000, '{"a":' * 3000, "9" * 5000, '"' + "\\ud800" * 9 + '"'))


def check_frame(frame: Frame, seat: int | None, secrets: list[str]) -> None:
    """Fail if a frame holds what a role must not know while the game runs."""
    text = json.dumps(frame)
    for secret in secrets:
        assert secret not in text, f"a secret in {frame['type']}"
    if frame["type"] == "welcome":
        assert frame["phase"] == "over" or frame["seed"] is None
    if frame["type"] == "error":
        assert frame["code"] and frame["text"]
        assert "Error" not in frame["code"]
    if frame["type"] != "view" or frame["phase"] == "over":
        return
    assert "deck" not in frame or isinstance(frame["deck"], int)
    for holder, hand in enumerate(frame["hands"]):
        for slot in hand:
            is_hidden = seat is None or seat == holder or frame["phase"] == "waiting"
            assert not (is_hidden and slot.get("card") is not None)
    assert frame["legal"] is None or frame["mover"] == seat


# Frames.


class Roles:
    """A table of two persons and an agent: its tabs, and what each of them must not hear."""

    def __init__(self, server: Server) -> None:
        self.server = server

    async def open(self) -> "Roles":
        """A new table with everybody there."""
        opened = self.server.open("Ann", None, "piers", options=FAST)
        table = self.table = opened["id"]
        self.ann = Client(self.server, table, token=opened["token"])
        self.ben = Client(self.server, table, invite=opened["invite"])
        self.watcher = Client(self.server, table)
        self.tabs = (self.ann, self.ben, self.watcher)
        for tab in self.tabs:
            await tab.connect()
        token = (await self.ben.ask("sit", seat=1, name="Ben"))["token"]
        self.ben.hello = {"type": "hello", "table": table, "token": token}
        self.keys = {self.ann: opened["token"], self.ben: token, self.watcher: opened["invite"]}
        return self

    def seat(self, tab: Client) -> int | None:
        """The seat that a tab has by what it was told last."""
        return tab.latest["welcome"]["seat"]

    async def exchange(self, tab: Client, texts: list[str | bytes]) -> None:
        """Send some things and check all that comes until a plain question is answered."""
        others = [key for other, key in self.keys.items() if other is not tab]
        try:
            for text in texts:
                await tab.put(text)
            await tab.put({"type": "look", "turn": 0, "id": 2**31 - 1})
            while (frame := await tab.hear()).get("re") != 2**31 - 1:
                check_frame(frame, self.seat(tab), others)
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd is not None
            assert closed.rcvd.code in (4404, 4429, 1012), closed
            await tab.connect()
        if self.seat(tab) != {self.ann: 0, self.ben: 1}.get(tab) or (
            tab.latest["welcome"]["table"] != self.table
        ):
            tab.latest.clear()
            await tab.put(tab.hello)
            await tab.until(lambda: "view" in tab.latest)

    async def close(self) -> None:
        """Everybody leaves."""
        for tab in self.tabs:
            await tab.close()


def test_fuzzed_frames_get_errors_and_nothing_else(hurried):
    async def fuzz() -> None:
        fuzzer = Fuzzer(1, ["a" * 16, "b" * 22, "nonsense"])
        roles = await Roles(hurried).open()
        for n in range(N_FRAMES // AT_ONCE):
            tab = fuzzer.rng.choice(roles.tabs)
            fuzzer.secrets[0] = roles.table
            await roles.exchange(tab, [fuzzer.frame(tab.view) for _ in range(AT_ONCE)])
            if tab.view["phase"] == "over" or n % 200 == 199:
                await roles.close()
                roles = await Roles(hurried).open()
        await roles.close()

    asyncio.run(fuzz())
    check_log(hurried)


# Requests.


def fuzzed_request(
    rng: Random, fuzzer: Fuzzer, port: int, game: str
) -> tuple[str, str, bytes, dict, set]:
    """Method, path, body, headers, and the statuses that are right for them."""
    seats = [{"kind": "person", "name": "Ann"}, {"kind": "agent", "agent": "piers"}]
    order: Any = {"rules": "players=2", "seats": seats, "seed": 1, "options": FAST}
    kind = rng.random()
    if kind < 0.5:
        order[rng.choice((*order, "deck", "id"))] = fuzzer.value()
    elif kind < 0.7:
        order["seats"][rng.randrange(2)] = {
            "kind": "agent",
            "agent": "piers",
            "params": fuzzer.value(),
        }
    elif kind < 0.8:
        order = fuzzer.value()
    body = json.dumps(order).encode()
    if rng.random() < 0.1:
        place = rng.randrange(len(body) + 1)
        body = body[:place] + rng.randbytes(3) + body[place:]
    headers = {"Host": f"127.0.0.1:{port}", "X-Tamaya": "1", "Content-Type": "application/json"}
    path = "/api/tables"
    if rng.random() < 0.4:
        path, fields = rng.choice((
            ("/api/deals", ("rules", "seed")), ("/api/deals/today/play", ("seats", "options")),
            (f"/api/deals/{rng.choice(fuzzer.secrets)}/play", ("seats",)),
            (f"/api/games/{rng.choice(fuzzer.secrets)}/branch", ("seats",)),
            (f"/api/games/{game}/branch", ("turn", "seats", "open", "morphs")),
            (f"/api/games/{game}/deal", ()), ("/api/games/%00/deal", ()),
        ))  # fmt: skip
        wished = order if isinstance(order, dict) else {}
        wished = {**wished, "turn": rng.choice((0, 3, -1, 10**9)), "open": rng.random() < 0.5,
                  "morphs": rng.choice(([], [[0, 1]], [[0, 49]], fuzzer.value()))}  # fmt: skip
        body = json.dumps({name: wished[name] for name in fields if name in wished}).encode()
        token = rng.choice(("", "x" * 22, ",", "a" * 9000, ",".join(["b" * 22] * 50)))
        headers["X-Tamaya-Token"] = token
    method = rng.choices(("POST", "GET", "PUT", "PATCH", "BREW"), (12, 6, 1, 1, 1))[0]
    if method == "GET":
        path = rng.choice((
            "/", "/api/status", "/api/agents", "/api/tables", "/page/main.js", "/ws",
            f"/api/games/{rng.choice(fuzzer.secrets)}", "/api/games/%00%ff/export?as=json",
            f"/api/deals/{rng.choice(fuzzer.secrets)}", "/api/deals/today", f"/api/games/{game}",
            "/api/deals/today/results", "/api/deals/%00", "/api/deals/2026-99-99-3", "/d/%00",
            "/page/%2e%2e/%2e%2e/pyproject.toml", "/" + "a" * rng.randrange(5000), "/t/x?y=%zz",
        ))  # fmt: skip
        body = b""
    allowed = {200, 201, 304, 400, 403, 404, 405, 409, 413, 415}
    wrong = rng.random()
    if wrong < 0.1:
        headers["Host"] = rng.choice(("evil.org", "127.0.0.1.evil.org", "", "a@127.0.0.1", "[::1"))
        allowed = {400}
    elif wrong < 0.2 and method == "POST":
        headers["Origin"] = rng.choice(("https://evil.org", "null", f"http://127.0.0.1:{port + 1}"))
        allowed = {403}
    elif wrong < 0.25 and method == "POST":
        del headers["X-Tamaya"]
        allowed = {403}
    elif wrong < 0.3 and method == "POST":
        body = b" " * rng.randrange(16 * 1024 + 1, 40_000)
        allowed = {413}
    elif wrong < 0.35:
        headers["Content-Type"] = rng.choice(("text/plain", "", "multipart/form-data"))
    elif wrong < 0.4:
        headers["If-None-Match"] = "x" * rng.randrange(3000)
    return method, path, body, headers, allowed


def finished_game(server: Server) -> str:
    """The id of a game that is over, which has branches and a deal."""
    game = Game(Rules(), 5)
    while not game.is_over:
        game.apply(game.legal_moves[0])
    status, found = server.ask("/api/games", {"text": game.to_text()})
    assert status == 201
    return str(found["id"])


def test_fuzzed_requests_get_errors_and_nothing_else(hurried):
    rng = Random(2)
    fuzzer = Fuzzer(3, ["a" * 16, "b" * 22, "x"])
    game = finished_game(hurried)
    connection = HTTPConnection("127.0.0.1", hurried.port, timeout=PATIENCE)
    seen = set()
    for _ in range(N_REQUESTS):
        method, path, body, headers, allowed = fuzzed_request(rng, fuzzer, hurried.port, game)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        try:
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
        except (HTTPException, OSError):  # refused before all was sent
            connection.close()
            continue
        assert answer.status in allowed, (method, path, body[:200], headers, answer.status)
        assert b"Traceback" not in content
        if path.startswith("/api") and answer.status >= 400:
            assert json.loads(content)["error"]["text"]
        seen.add(answer.status)
        if answer.will_close:
            connection.close()
    connection.close()
    assert seen >= {200, 201, 400, 403, 404, 405, 413, 415}
    check_log(hurried)


@pytest.mark.parametrize("text", [
    b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://evil.org/ HTTP/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
])  # fmt: skip
def test_what_is_hardly_http_is_refused(hurried, text):
    address = "127.0.0.1", hurried.port
    with socket.create_connection(address, PATIENCE) as raw, suppress(ConnectionError):
        raw.sendall(text)
        answer = raw.recv(1000)
        assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")), answer
    check_log(hurried)
