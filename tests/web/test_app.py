"""The HTTP side of a real server: its page, its addresses, its errors."""

import asyncio
import json
import os
from collections.abc import Iterator

import httpx
import pytest
from starlette.testclient import TestClient

from serving import Client, Server, started
from support import run_command
from tamaya.compiled import JIT
from tamaya.replays import parse_replay
from tamaya.store.database import Store, StoreError
from tamaya.web.app import Settings, create_app
from tamaya.web.guard import SECURITY_HEADERS, House
from tamaya.web.opening import OrderError, own_seat, read_order
from tamaya.web.pages import FOLDER, MEDIA_TYPES, Pages
from tamaya.web.strength import strengths_in

needs_engines = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
PERSON, AGENT = {"kind": "person", "name": "Ann"}, {"kind": "agent", "agent": "piers"}


@pytest.fixture(scope="module")
def http(served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address, timeout=60) as client:
        yield client


# What fails.


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(StoreError("store x.db: gone"), 503, "unavailable"), (OverflowError("inf"), 500, "fault")],
)
def test_what_fails_unforeseen_is_json_and_one_line_in_the_log(error, status, code, caplog):
    app = create_app(Settings(House()))

    async def fail() -> None:
        raise error

    app.lobby.tables = fail  # type: ignore[method-assign, assignment]
    answer = TestClient(app, "http://127.0.0.1").get("/api/tables")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.headers.items() >= {k.lower(): v for k, v in SECURITY_HEADERS.items()}.items()
    assert [record.getMessage().partition(" at ")[0] for record in caplog.records] == [
        f"'/api/tables' failed: {type(error).__name__}"
    ]


# The page.


@pytest.mark.parametrize(
    "path",
    ["/", "/new", "/watch", "/agents", "/rules", "/settings", "/lab", "/report", "/t/" + "a" * 16],
)
@needs_engines
def test_all_screens_are_one_page(http, path):
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.content == (FOLDER / "index.html").read_bytes()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@needs_engines
def test_unknown_screens_are_the_page_that_says_so(http):
    answer = http.get("/nowhere")
    assert answer.status_code == 404
    assert answer.content == (FOLDER / "index.html").read_bytes()


@needs_engines
def test_all_files_of_the_page_are_served_with_their_types(http):
    files = [path for path in FOLDER.rglob("*") if path.suffix in MEDIA_TYPES]
    assert len(files) > 10
    for path in files:
        name = path.relative_to(FOLDER).as_posix()
        answer, page = http.get(f"/page/{name}"), Pages().file(name)
        assert answer.status_code == 200
        assert page is not None and answer.content == page.content
        assert answer.headers["content-type"] == MEDIA_TYPES[path.suffix]
        assert answer.headers["cache-control"] == "no-cache"


@needs_engines
def test_a_file_that_the_browser_has_is_not_sent_again(http):
    tag = http.get("/page/main.js").headers["etag"]
    again = http.get("/page/main.js", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert http.get("/page/main.js", headers={"If-None-Match": '"x"'}).status_code == 200


@pytest.mark.parametrize("path", [
    "/page/", "/page/..%2fapp.py", "/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd",
    "/page/vendor", "/page/vendor/LICENSE", "/page/main.js/", "/page/main.js%00", "/page/MAIN.JS",
])  # fmt: skip
@needs_engines
def test_no_other_file_is_served(http, path):
    answer = http.get(path)
    assert answer.status_code == 404
    assert b"import" not in answer.content or answer.content == (FOLDER / "index.html").read_bytes()


def test_a_file_that_changes_is_read_again_and_a_new_one_is_not(tmp_path):
    (tmp_path / "index.html").write_text("old")
    pages = Pages(tmp_path, {})
    first = pages.index()
    (tmp_path / "index.html").write_text("newer")
    os.utime(tmp_path / "index.html", (1, 1))
    (tmp_path / "late.js").write_text("late")
    assert pages.index().content == b"newer"
    assert pages.index().tag != first.tag
    assert pages.file("late.js") is None
    assert list(pages) == ["index.html"]


# Addresses.


@needs_engines
def test_the_status_says_how_it_is_doing(http):
    status = http.get("/api/status").json()
    assert set(status) == {"version", "compiling", "ready", "tables", "open"}
    assert (status["ready"], status["compiling"], status["open"]) == (True, None, True)


@needs_engines
def test_the_agents_are_those_of_the_package(http):
    document = http.get("/api/agents").json()
    agents = {agent["name"]: agent for agent in document["agents"]}
    assert document["default"] in agents
    assert agents["smartbot"]["players"] == [2, 5]
    assert "slow" in agents["search"]["tags"]
    assert agents["smartbot"]["strength"] == {}  # nobody has measured it here


def test_strength_is_what_the_store_has_seen(tmp_path):
    store = str(tmp_path / "store.db")
    for games, rules in (("40", ""), ("60", ""), ("90", "lives=1"), ("50", "")):
        more = ["--rules", rules] if rules else []
        arguments = "selfplay", "example", "-p", "2,3", "-n", games, "--json", "--store", store
        assert run_command(*arguments, *more).returncode == 0
    found = strengths_in(Store(store))["example"]
    assert {size: row["games"] for size, row in found.items()} == {"2": 60, "3": 60}
    assert 0 < found["2"]["se"] < found["2"]["mean"]


@needs_engines
def test_tables_are_opened_and_listed(http, served):
    opened = served.open("Ann", "piers", None)
    assert set(opened) == {"id", "token", "invite", "seat"}
    assert opened["seat"] == 0
    assert served.open("piers", "smartbot")["seat"] is None
    rows = http.get("/api/tables").json()["tables"]
    [row] = [row for row in rows if row["id"] == opened["id"]]
    assert (row["names"], row["phase"], row["score"], row["turn"]) == (
        ["Ann", "piers", ""], "waiting", None, 0,
    )  # fmt: skip
    text = json.dumps(rows)
    assert opened["token"] not in text
    assert opened["invite"] not in text
    assert "seed" not in text


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ([], "document"),
        ({}, "seats"),
        ({"seats": []}, "seats"),
        ({"seats": 3}, "seats"),
        ({"seats": [PERSON]}, "seats"),
        ({"seats": [PERSON, AGENT, AGENT]}, "seats"),
        ({"seats": [PERSON] * 2}, "seats[1]"),
        ({"seats": [PERSON, {"kind": "cat"}]}, "seats[1].kind"),
        ({"seats": [PERSON, {}]}, "seats[1].kind"),
        ({"seats": [PERSON, {"kind": "agent"}]}, "seats[1].agent"),
        ({"seats": [PERSON, {"kind": "agent", "agent": "x" * 200}]}, "seats[1].agent"),
        ({"seats": [PERSON, {"kind": "agent", "agent": "a/b.py"}]}, "seats[1].agent"),
        ({"seats": [PERSON, {"kind": "open", "name": "x"}]}, "seats[1]"),
        ({"seats": [{"kind": "person", "name": ""}, AGENT]}, "seats[0].name"),
        ({"seats": [{"kind": "person", "name": "x" * 41}, AGENT]}, "seats[0].name"),
        ({"seats": [{"kind": "person", "name": "a\u202eb"}, AGENT]}, "seats[0].name"),
        ({"seats": [PERSON, AGENT], "rules": "players=9"}, "rules"),
        ({"seats": [PERSON, AGENT], "rules": "boom=1"}, "rules"),
        ({"seats": [PERSON, AGENT], "rules": 2}, "rules"),
        ({"seats": [PERSON, AGENT], "rules": "lives=3 " * 100}, "rules"),
        ({"seats": [PERSON, AGENT], "seed": -1}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": 2**64}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": str(2**64)}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": "9" * 9000}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": "\u0663"}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": "-1"}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": ""}, "seed"),
        ({"seats": [PERSON, AGENT], "seed": True}, "seed"),
        ({"seats": [PERSON, AGENT], "index": 2**40}, "index"),
        ({"seats": [PERSON, AGENT], "options": {"pace_ms": 99}}, "options.pace_ms"),
        ({"seats": [PERSON, AGENT], "options": {"pace_ms": 5001}}, "options.pace_ms"),
        ({"seats": [PERSON, AGENT], "options": {"undo": 1}}, "options.undo"),
        ({"seats": [PERSON, AGENT], "options": {"paused": True}}, "options"),
        ({"seats": [PERSON, AGENT], "deck": [1]}, "document"),
    ],
)
def test_bad_orders_name_the_culprit(document, place):
    with pytest.raises(OrderError) as refused:
        read_order(document)
    assert refused.value.place == place


def test_an_order_is_read():
    seats = [AGENT, PERSON, {"kind": "open"}]
    order = read_order({"rules": "players=3", "seats": seats, "seed": 2**64 - 1, "index": 4,
                        "options": {"pace_ms": 100, "undo": False}})  # fmt: skip
    assert (own_seat(order.seats), order.seed, order.index) == (1, 2**64 - 1, 4)
    assert (order.options.pace_ms, order.options.undo) == (100, False)
    digits = str(2**64 - 1)  # which a page cannot hold as a number
    assert read_order({"seats": [AGENT, AGENT], "seed": digits}).seed == 2**64 - 1
    watched = read_order({"seats": [AGENT, AGENT], "options": {"pace_ms": 0}})
    assert own_seat(watched.seats) is None


@pytest.mark.parametrize(
    ("seats", "more", "place"),
    [
        ([PERSON, {"kind": "agent", "agent": "nobody"}], {}, "seats[1].agent"),
        ([PERSON, {"kind": "agent", "agent": "hatbot"}], {}, "seats[1].agent"),
        (
            [PERSON, {"kind": "agent", "agent": "search", "params": {"ms": 10**6}}],
            {},
            "seats[1].params.ms",
        ),
        ([PERSON, AGENT], {"rules": "players=2 observation=seer"}, "rules"),
    ],
)
@needs_engines
def test_tables_that_cannot_be_name_the_culprit(served, seats, more, place):
    status, answer = served.post({"rules": "players=2", "seats": seats, **more})
    assert (status, answer["error"]["place"]) == (400, place)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/api", 404),
        ("GET", "/api/games/" + "a" * 16, 404),
        ("GET", "/api/games/x", 404),
        ("GET", "/api/games/" + "a" * 16 + "/export?as=json", 404),
        ("GET", "/api/games/" + "a" * 16 + "/export?as=pdf", 400),
        ("PUT", "/api/tables", 405),
        ("POST", "/api/status", 405),
        ("DELETE", "/", 405),
        ("GET", "/ws", 404),
    ],
)
@needs_engines
def test_errors_are_json_and_sealed(http, method, path, status):
    answer = http.request(method, path, headers={"X-Tamaya": "1"})
    assert answer.status_code == status
    if not path.startswith("/ws"):
        assert set(answer.json()["error"]) <= {"code", "text", "place"}
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[" * 10_000, {}, 400),
        (b'{"seed": ' + b"9" * 9000 + b"}", {}, 400),
        (b'{"seed": NaN}', {}, 400),
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"{}", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (b" " * 17_000, {}, 413),
        (b"{}", {"Origin": "https://evil.org"}, 403),
        (b"{}", {"Host": "evil.org"}, 400),
    ],
)
@needs_engines
def test_bad_bodies_are_refused(http, content, headers, status):
    head = {"X-Tamaya": "1", "Content-Type": "application/json", **headers}
    answer = http.post("/api/tables", content=content, headers=head)
    assert answer.status_code == status
    assert answer.json()["error"]["text"]


@needs_engines
def test_an_address_opens_so_many_tables_a_minute(tmp_path):
    with started(tmp_path, "--tables-per-minute", "3") as server:
        wanted = {"rules": "players=2", "seats": [PERSON, {"kind": "open"}]}
        assert [server.post(wanted)[0] for _ in range(4)] == [201, 201, 201, 429]
        assert server.post({"rules": "x"})[0] == 400  # who errs does not use up the others' time


# Games.


@needs_engines
def test_a_game_is_there_for_others_when_it_is_over(http, served):
    opened = served.open("Ann", "piers", options={"pace_ms": 100}, seed=9)
    path = f"/api/games/{opened['id']}"

    async def play() -> None:
        async with Client(served, opened["id"], token=opened["token"]) as ann:
            assert http.get(path).status_code == 409
            assert http.get(f"{path}/export?as=text").status_code == 409
            await ann.play(lambda view: next(move for move in view["legal"] if move[0] == "p"))

    asyncio.run(play())
    document = http.get(path).json()
    game = parse_replay(document["text"])
    assert (document["score"], document["status"]) == (game.score, game.status)
    assert document["names"] == ["Ann", "piers"]
    assert (document["seed"], document["chosen_deal"]) == ("9", True)
    exported = {form: http.get(f"{path}/export?as={form}") for form in ("json", "text", "link")}
    assert parse_replay(exported["json"].text) == parse_replay(exported["text"].text) == game
    assert exported["json"].headers["content-type"] == "application/json"
    assert exported["link"].text.startswith("https://hanab.live/")
    assert exported["link"].text.strip() == document["link"]
    assert "attachment" in exported["text"].headers["content-disposition"]
    assert http.get(f"{path}/export").text == exported["json"].text


# Keys.


@needs_engines
def test_a_server_for_others_has_a_key(tmp_path):
    with started(tmp_path, "--name", "hanabi.example.org", TAMAYA_KEY="sesame1234") as server:
        wanted = {"rules": "players=2", "seats": [PERSON, {"kind": "open"}]}
        assert not server.get("/api/status")["open"]
        status, answer = server.post(wanted)
        assert (status, answer["error"]["place"]) == (403, "X-Tamaya-Key")
        assert server.post(wanted, **{"X-Tamaya-Key": "sesame1235"})[0] == 403
        own = {"X-Tamaya-Key": "sesame1234", "Host": "hanabi.example.org",
               "Origin": "https://hanabi.example.org"}  # fmt: skip
        for path in ("/api/lab", "/api/lab/run?run=x", "/api/report"):
            assert httpx.get(server.address + path).status_code == 403
        for path in ("/api/lab/guests", "/api/lab/fires", "/api/report/games"):
            answer = httpx.post(server.address + path, json={}, headers={"X-Tamaya": "1"})
            assert answer.status_code == 403
        status, opened = server.post(wanted, **own)
        assert status == 201
        invited(server, opened)
        assert "sesame" not in server.log()


def invited(server: Server, opened: dict) -> None:
    """Whoever has an invite needs no key."""

    async def sit() -> None:
        async with Client(server, opened["id"], invite=opened["invite"]) as ben:
            assert (await ben.ask("sit", seat=1, name="Ben"))["seat"] == 1

    asyncio.run(sit())
