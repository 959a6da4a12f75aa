"""The guard of the web server: who is admitted, how often and with how much.

``Guard`` is ASGI middleware in front of every route:

    Host        one of our own names, else 400: other names indicate DNS rebinding
    Origin      that of our own page on WebSockets and POST, else 403; scripts send none
    X-Tamaya    every POST has it, else 403: a form of another page cannot set it
    body        16 KB, 1 MB for a game to import, else 413; 10 seconds, else 408
    sockets     20 per address, else close 4429
    rate        20 requests a second to /api/ per address, else 429; not for the status
    headers     the content policy and its companions, on every answer

A server that others can reach has a *key*, which the page sends as ``X-Tamaya-Key``: without it
nobody opens tables, imports or analyses (``may_open``); with an invite anybody can take a seat.
After ten wrong keys in a minute, in requests or in frames, an address has to wait until the minute
is over. There are no cookies. ``X-Forwarded-For`` counts only behind the host's own proxy, and only
if that is near: clients that bypass the proxy cannot choose their address.

``tamaya.web.connections`` is in front of this, and handles what is not a request yet.
"""

import asyncio
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamaya.web.rates import Guesses, Places, Rate, neighbourhood

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
PROTOCOL = "tamaya.1"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOO_FAST = 4429  # code of a closed socket
WRONG_KEYS = 10  # that an address may try in a minute
NEEDS_KEY = "only people with the key of this server can do that: use the link that it printed"
STATUS = "/api/status"
IMPORTS = "/api/games"  # the address that takes games from elsewhere


@dataclass(frozen=True)
class Limits:
    """How much one address, socket or request may ask for."""

    tables_per_minute: int = 10
    sockets: int = 20
    frames_per_second: int = 20
    requests_per_second: int = 20  # to /api/, in the mean of ten seconds
    questions: int = 6  # for advice or reasons at once; engines let eight wait
    frame_bytes: int = 64 * 1024
    body_bytes: int = 16 * 1024
    body_seconds: float = 10.0
    head_seconds: float = 10.0
    connections: int = 2000  # of all addresses together
    import_bytes: int = 1 << 20

    def body_limit(self, path: str) -> int:
        """Bytes of a request to an address."""
        return self.import_bytes if path == IMPORTS else self.body_bytes


@dataclass(frozen=True)
class House:
    """The names of the server, its key, and whether it is behind a proxy."""

    names: frozenset[str] = frozenset(LOOPBACK)
    takes_addresses: bool = False  # any IP address is a name: these cannot be rebound
    key: str = ""
    is_behind_proxy: bool = False
    limits: Limits = field(default_factory=Limits)

    def is_known_as(self, name: str) -> bool:
        """Whether a name is one of the server's."""
        return name in self.names or (self.takes_addresses and _is_address(name))

    def may_open(self, headers: Mapping[str, str]) -> bool:
        """Whether a request may open tables."""
        return self.is_opened_by(headers.get("x-tamaya-key", ""))

    def is_opened_by(self, key: str) -> bool:
        """Whether a key is the server's; any will do where it needs none."""
        return not self.key or hmac.compare_digest(key.encode(), self.key.encode())


class Lock:
    """Checks keys from HTTP and from sockets, and limits guessing."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._guesses = Guesses(WRONG_KEYS, 60.0)

    def is_opened_by(self, key: str | None, address: str) -> bool:
        """Whether a key is right; Refusal if its address has tried too many wrong ones lately."""
        if not self.house.key or key is None:
            return not self.house.key
        if self._guesses.is_barred(address):
            text = "too many wrong keys: wait a minute, then use the link that the server printed"
            raise Refusal(429, "too_fast", text, "X-Tamaya-Key")
        is_right = self.house.is_opened_by(key)
        if not is_right:
            self._guesses.note(address, key)
        return is_right


class Refusal(Exception):
    """A refused request: HTTP status, code, text and the place it is about."""

    def __init__(self, status: int, code: str, text: str, place: str = "") -> None:
        super().__init__(text)
        self.status, self.code, self.text, self.place = status, code, text, place

    def response(self) -> JSONResponse:
        """The answer to the client."""
        return JSONResponse({"error": self.document()}, self.status)

    def document(self) -> dict[str, str]:
        """Code, text and, where there is one, place."""
        place = {"place": self.place} if self.place else {}
        return {"code": self.code, "text": self.text, **place}


class Guard:
    """ASGI middleware that refuses invalid requests and adds security headers to every answer."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self.app, self.house = app, house
        self._sockets = Places(house.limits.sockets)
        self._lock = Lock(house)
        self._requests = Rate(10 * house.limits.requests_per_second, 10.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one connection."""
        if scope["type"] == "http":
            await self._http(scope, receive, _sealing(send))
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["tamaya.address"] = self._address(scope)
        try:
            headers = Headers(scope=scope)
            self._check_host(headers)
            self._check_rate(scope)
            # What a wrong key keeps shut says ``House``.
            self._lock.is_opened_by(headers.get("x-tamaya-key"), scope["tamaya.address"])
            if scope["method"] not in ("GET", "HEAD"):
                self._check_origin(headers)
                if scope["method"] == "POST" and "x-tamaya" not in headers:
                    raise Refusal(403, "forbidden", "a POST needs the header X-Tamaya: 1")
                limit = self.house.limits.body_limit(scope["path"])
                receive = await self._with_body(headers, receive, limit)
        except Refusal as refusal:
            await refusal.response()(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope["tamaya.address"] = self._address(scope)
        scope["tamaya.lock"] = self._lock
        try:
            headers = Headers(scope=scope)
            self._check_host(headers)
            self._check_origin(headers)
        except Refusal as refusal:
            await _deny(refusal, scope, receive, send)
            return
        if not self._sockets.take(address):
            await _close_at_once(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self._sockets.give_back(address)

    def _address(self, scope: Scope) -> str:
        """The address of the client, as the nearest proxy saw it if there is one."""
        peer = scope["client"][0] if scope.get("client") else ""
        if self.house.is_behind_proxy and _is_near(peer):
            forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
            nearest = forwarded.rpartition(",")[2].strip()
            peer = nearest if _is_address(nearest) else peer
        return neighbourhood(peer)

    def _check_rate(self, scope: Scope) -> None:
        """Limit the rate of requests, except for files and the status, which cost very little."""
        is_costly = scope["path"].startswith("/api/") and scope["path"] != STATUS
        if is_costly and not self._requests.takes(scope["tamaya.address"]):
            most = self.house.limits.requests_per_second
            raise Refusal(429, "too_fast", f"at most {most} requests a second: wait a little")

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        name = _host_name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not self.house.is_known_as(name):
            raise Refusal(400, "bad_host", "this server is not known under that name: "
                          "tamaya serve --name adds names", "Host")  # fmt: skip

    def _check_origin(self, headers: Headers) -> None:
        origins = headers.getlist("origin")
        if not origins:
            return  # a script: browsers always send one
        scheme, mark, rest = origins[0].partition("://")
        own = headers.get("host", "").lower()
        if len(origins) > 1 or not mark or scheme not in ("http", "https") or rest.lower() != own:
            raise Refusal(403, "forbidden", "only pages of this server may do that", "Origin")

    async def _with_body(self, headers: Headers, receive: Receive, limit: int) -> Receive:
        """A way to receive the body again, after it has been read and measured."""
        too_large = Refusal(413, "too_large", f"a request has at most {limit} bytes", "body")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > limit:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self.house.limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        break
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise too_large
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            raise Refusal(408, "too_slow", "the request did not arrive in time", "body") from None
        first: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again


def host_names(host: str, more: Iterable[str] = ()) -> frozenset[str]:
    """The names of a server that listens at an address, those of this machine, and more."""
    return frozenset(name.lower().strip("[]") for name in (*LOOPBACK, host, *more))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_near(address: str) -> bool:
    """Whether an address is of this machine or its own network, as a proxy's is."""
    return not _is_address(address) or not ip_address(address).is_global


def _host_name(host: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018 (a port that is none raises)
    except ValueError:
        return None
    is_plain = parts.netloc == host and "@" not in host
    return parts.hostname if is_plain else None


def _sealing(send: Send) -> Send:
    """A ``send`` that adds the headers of security."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(SECURITY_HEADERS)
        await send(message)

    return sealed


async def _deny(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the handshake of a WebSocket with an HTTP error."""
    await receive()
    response = refusal.response()
    start = {"type": "websocket.http.response.start", "status": refusal.status,
             "headers": response.raw_headers}  # fmt: skip
    headers = MutableHeaders(scope=start)
    headers.update(SECURITY_HEADERS)
    await send(start)
    await send({"type": "websocket.http.response.body", "body": response.body})


async def _close_at_once(scope: Scope, receive: Receive, send: Send) -> None:
    """Accept a socket only to close it with a code, because pages cannot read an HTTP status."""
    await receive()
    offered = PROTOCOL in scope.get("subprotocols", [])
    await send({"type": "websocket.accept", "subprotocol": PROTOCOL if offered else None})
    error = {"type": "error", "code": "too_fast", "text": "too many connections from your address"}
    await send({"type": "websocket.send", "text": json.dumps(error, sort_keys=True)})
    await send({"type": "websocket.close", "code": TOO_FAST, "reason": error["text"]})


def fault_line(error: BaseException) -> str:
    """An unexpected exception and where it came from, in one line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "somewhere"
    words = " ".join(str(error).split())[:200]
    shown = "".join(letter if letter.isprintable() else "?" for letter in words)
    return f"{type(error).__name__} at {where}: {shown}"
