"""The door: names, origins, sizes, rates, keys, and the seal on every answer."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from tamaya.web.guard import (
    PROTOCOL,
    SECURITY_HEADERS,
    Guard,
    House,
    Limits,
    Refusal,
    fault_line,
    host_names,
)

OWN = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000/ws"
POST = {"X-Tamaya": "1"}


async def echo(request: Request) -> PlainTextResponse:
    address = request.scope["tamaya.address"]
    return PlainTextResponse(f"{address} {(await request.body()).decode()}")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept(PROTOCOL)
    await websocket.send_text("welcome")
    await websocket.receive()


INNER = Starlette(
    routes=[Route("/", echo, methods=["GET", "POST", "DELETE"]), WebSocketRoute("/ws", socket)]
)


def client(address: str = "10.0.0.1", **house) -> TestClient:
    """A client of a guarded server, from some address."""
    return TestClient(Guard(INNER, House(**house)), OWN, client=(address, 5))


# Names.


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("127.0.0.1", 200),
        ("localhost:9", 200),
        ("LOCALHOST", 200),
        ("[::1]:8000", 200),
        ("hanabi.example.org", 200),
        ("evil.example.org", 400),
        ("127.0.0.1.evil.org", 400),
        ("hanabi.example.org.evil.org", 400),
        ("evil.org@127.0.0.1", 400),
        ("127.0.0.1/evil.org", 400),
        ("127.0.0.1:port", 400),
        ("127.0.0.1:99999", 400),
        ("[::1", 400),
        ("", 400),
        ("localhost, evil.org", 400),
    ],
)
def test_only_own_names_lead_here(host, status):
    tested = client(names=host_names("127.0.0.1", ["Hanabi.Example.org"]))
    answer = tested.get("/", headers={"Host": host})
    assert answer.status_code == status
    if status == 400:
        assert answer.json()["error"]["place"] == "Host"


def test_a_server_for_others_takes_addresses_but_not_every_name():
    tested = client(names=host_names("0.0.0.0"), takes_addresses=True)
    for host in ("192.168.1.5:8000", "[fe80::1]:8000", "localhost"):
        assert tested.get("/", headers={"Host": host}).status_code == 200
        assert host == "localhost" or client().get("/", headers={"Host": host}).status_code == 400
    assert tested.get("/", headers={"Host": "evil.org"}).status_code == 400


# Origins.


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (OWN, 200),
        (OWN.upper().replace("HTTP", "http"), 200),
        ("https://127.0.0.1:8000", 200),  # a proxy adds TLS
        (None, 200),  # a script
        ("http://127.0.0.1:3000", 403),
        ("http://127.0.0.1", 403),
        ("http://localhost:8000", 403),
        ("https://evil.example.org", 403),
        ("null", 403),
        ("", 403),
        ("file://127.0.0.1:8000", 403),
        (f"{OWN}.evil.org", 403),
    ],
)
def test_only_the_own_page_posts(origin, status):
    headers = POST if origin is None else {**POST, "Origin": origin}
    answer = client().post("/", headers=headers, content="x")
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"]["code"] == "forbidden"


def test_reading_needs_no_origin():
    assert client().get("/", headers={"Origin": "https://evil.org"}).status_code == 200


def test_other_methods_need_the_own_origin_too():
    assert client().delete("/", headers={"Origin": "https://evil.org"}).status_code == 403


def test_a_post_needs_its_header():
    answer = client().post("/", content="x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.org", "Origin": "http://evil.org"}, 400),
    ],
)
def test_sockets_of_other_pages_are_refused_before_they_open(headers, status):
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client().websocket_connect(SOCKET, [PROTOCOL], headers=headers),
    ):
        pass
    assert refused.value.status_code == status
    assert refused.value.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("headers", [{}, {"Origin": OWN}])
def test_sockets_of_the_own_page_open(headers):
    with client().websocket_connect(SOCKET, [PROTOCOL], headers=headers) as opened:
        assert opened.receive_text() == "welcome"


# Sizes.


def test_a_body_has_its_limit():
    tested = client(limits=Limits(body_bytes=100))
    assert tested.post("/", headers=POST, content="x" * 100).text.endswith(100 * "x")
    answer = tested.post("/", headers=POST, content="x" * 101)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_a_body_without_a_length_has_it_too():
    tested = client(limits=Limits(body_bytes=100))
    pieces = (b"x" * 30 for _ in range(4))
    assert tested.post("/", headers=POST, content=pieces).status_code == 413
    pieces = (b"x" * 30 for _ in range(3))
    assert tested.post("/", headers=POST, content=pieces).text.endswith(90 * "x")


@pytest.mark.parametrize("length", ["-1", "1e3", "x", "9" * 40, "٣"])
def test_a_length_that_is_none_is_refused(length):
    status = asyncio.run(raw_status([(b"content-length", length.encode())]))
    assert status == 413


def test_a_body_that_does_not_come_is_not_waited_for():
    guard = Guard(INNER, House(limits=Limits(body_seconds=0.01)))
    assert asyncio.run(raw_status([], guard, is_silent=True)) == 408


async def raw_status(headers, guard=None, is_silent=False) -> int:
    """The status that a POST gets whose headers no client library would send."""
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "client": None,
             "headers": [(b"host", b"localhost"), (b"x-tamaya", b"1"), *headers]}  # fmt: skip
    sent = []

    async def receive():
        if is_silent:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    await (guard or Guard(INNER, House()))(scope, receive, send)
    return sent[0]["status"]


# Rates.


def test_an_address_has_so_many_sockets():
    tested = client(limits=Limits(sockets=2))
    with tested.websocket_connect(SOCKET, [PROTOCOL]) as first:
        assert first.receive_text() == "welcome"
        with tested.websocket_connect(SOCKET, [PROTOCOL]):
            with tested.websocket_connect(SOCKET, [PROTOCOL]) as third:
                assert third.receive_json()["code"] == "too_fast"
                with pytest.raises(WebSocketDisconnect) as closed:
                    third.receive_text()
                assert closed.value.code == 4429
            other = TestClient(tested.app, OWN, client=("10.0.0.2", 5))
            with other.websocket_connect(SOCKET, [PROTOCOL]) as fourth:
                assert fourth.receive_text() == "welcome"
    with tested.websocket_connect(SOCKET, [PROTOCOL]) as fifth:  # there is room again
        assert fifth.receive_text() == "welcome"


def test_an_address_sends_so_many_requests_a_second():
    tested, other = client(limits=Limits(requests_per_second=2)), client("10.0.0.2")
    other.app = tested.app
    found = [tested.get("/api/x").status_code for _ in range(25)]
    assert found == 20 * [404] + 5 * [429]
    assert tested.get("/api/x").json()["error"]["code"] == "too_fast"
    for path in ("/", "/api/status", "/page/x.js"):
        assert tested.get(path).status_code != 429


# Proxies and keys.


def test_forwarded_addresses_count_behind_a_proxy_alone():
    headers = {"X-Forwarded-For": "6.6.6.6, 203.0.113.7"}
    assert client().get("/", headers=headers).text.startswith("10.0.0.1 ")
    proxied = client(is_behind_proxy=True)
    assert proxied.get("/", headers=headers).text.startswith("203.0.113.7 ")
    assert proxied.get("/").text.startswith("10.0.0.1 ")


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("8.8.8.8", "203.0.113.7", "8.8.8.8"),  # past the proxy: whoever asks wrote that header
        ("127.0.0.1", "not an address", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7,", "127.0.0.1"),
        ("172.17.0.1", "2001:4860:1:2::5", "2001:4860:1:2::/64"),
        ("::1", "2001:4860:1:2:3::9", "2001:4860:1:2::/64"),
    ],
)
def test_nobody_chooses_the_address_that_limits_go_by(peer, forwarded, address):
    proxied = client(peer, is_behind_proxy=True)
    answer = proxied.get("/", headers={"X-Forwarded-For": forwarded})
    assert answer.text.startswith(f"{address} ")


@pytest.mark.parametrize(
    ("key", "sent", "may"),
    [
        ("", {}, True),
        ("", {"x-tamaya-key": "x"}, True),
        ("sesame99", {}, False),
        ("sesame99", {"x-tamaya-key": "sesame9"}, False),
        ("sesame99", {"x-tamaya-key": "sesame999"}, False),
        ("sesame99", {"x-tamaya-key": "é"}, False),
        ("sesame99", {"x-tamaya-key": "sesame99"}, True),
    ],
)
def test_only_who_has_the_key_opens_tables(key, sent, may):
    assert House(key=key).may_open(sent) is may


def test_who_guesses_keys_is_not_listened_to():
    tested = client(key="sesame99")
    guesses = [{"X-Tamaya-Key": f"sesame{k}"} for k in range(12)]
    found = [tested.get("/", headers=guess).status_code for guess in guesses]
    assert found == 10 * [200] + 2 * [429]
    right = {"X-Tamaya-Key": "sesame99"}
    answer = tested.get("/", headers=right)  # or the eleventh guess would be as good as the first
    assert (answer.status_code, answer.json()["error"]["place"]) == (429, "X-Tamaya-Key")
    assert tested.get("/").status_code == 200  # invites need no key
    other = TestClient(tested.app, OWN, client=("10.0.0.2", 5))
    assert other.get("/", headers=right).status_code == 200


def test_a_page_with_an_old_key_is_no_guesser():
    tested = client(key="sesame99")
    for _ in range(30):
        assert tested.get("/", headers={"X-Tamaya-Key": "old"}).status_code == 200
    assert tested.get("/", headers={"X-Tamaya-Key": "sesame99"}).status_code == 200


# The seal.


@pytest.mark.parametrize("ask", [
    lambda tested: tested.get("/"),
    lambda tested: tested.get("/nowhere"),
    lambda tested: tested.get("/", headers={"Host": "evil.org"}),
    lambda tested: tested.post("/", headers={"Origin": "null"}),
    lambda tested: tested.post("/", headers=POST, content="x" * 20_000),
    lambda tested: tested.request("BREW", "/"),
])  # fmt: skip
def test_every_answer_is_sealed(ask):
    headers = ask(client()).headers
    for name, value in SECURITY_HEADERS.items():
        assert headers[name] == value
    assert "access-control-allow-origin" not in headers
    assert "set-cookie" not in headers


def test_the_policy_lets_nothing_foreign_in():
    policy = dict(part.strip().split(" ", 1) for part in
                  SECURITY_HEADERS["Content-Security-Policy"].split(";"))  # fmt: skip
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in SECURITY_HEADERS["Content-Security-Policy"]


def test_refusals_name_the_culprit():
    refusal = Refusal(409, "stale", "too late", "turn")
    assert refusal.document() == {"code": "stale", "text": "too late", "place": "turn"}
    assert Refusal(400, "x", "y").document() == {"code": "x", "text": "y"}


def test_a_fault_is_one_line_that_says_where():
    try:
        raise ValueError("two\nlines \x1b[2J")
    except ValueError as error:
        line = fault_line(error)
    assert line.startswith("ValueError at ")
    assert "test_guard.py:" in line
    assert line.endswith(": two lines ?[2J")  # what clients send does not reach the terminal
