"""Limits on connections below the level of requests: number, speed, and malformed input.

uvicorn reads HTTP and WebSockets; it would wait for the rest of a request without limit, and answer
every ping. Its protocols are used here with bounds:

    connections     so many per address and in all, else 429; a proxy speaks for many addresses
    head, body      seconds from the first byte of each to its last, else 408 or the end
    control frames  pings, pongs and pieces of messages: as many a second as messages, else 4429
    answers         what is no HTTP, no handshake and no UTF-8 is told so as by any other route

The operating system handles clients that do not read, see ``tamaya.cli.serve.listen``.
"""

import asyncio
import json
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import Frame
from websockets.http11 import Response
from websockets.server import ServerProtocol

from tamaya.web.guard import SECURITY_HEADERS, TOO_FAST, House, Refusal
from tamaya.web.rates import Bucket, Places, neighbourhood

SPARE = 60  # connections of an address besides its sockets: a page loads over six at once
LATER = 5.0  # seconds after which a body is cut off that ``Guard`` has given up
LINGER = 1.0  # seconds in which somebody who is sent away may read why
BAD_TEXT = 1007  # code of a closed socket: not UTF-8
FILES = 200  # that the server has open beside connections, at most


class Gate:
    """Counts the connections of a server."""

    def __init__(self, house: House) -> None:
        self.limits = house.limits
        self.most = most_connections(house.limits.connections)
        self._is_behind_proxy = house.is_behind_proxy
        self._places = Places(house.limits.sockets + SPARE)
        self._addresses: dict[asyncio.BaseTransport, str] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Whether a connection is admitted; a known one stays admitted."""
        if transport in self._addresses:
            return True
        peer = get_remote_addr(transport)
        address = "" if self._is_behind_proxy or peer is None else neighbourhood(peer[0])
        if len(self) >= self.most or (address and not self._places.take(address)):
            return False
        self._addresses[transport] = address
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection that is closed."""
        if address := self._addresses.pop(transport, ""):
            self._places.give_back(address)

    def protocols(self) -> dict[str, Any]:
        """What uvicorn's configuration needs to let all connections through here."""
        return {"http": partial(HttpConnection, self), "ws": partial(SocketConnection, self)}


def most_connections(wanted: int) -> int:
    """How many connections can be open: each is a file, of which a process has a limited number."""
    try:
        import resource
    except ImportError:  # not on this system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or soft < wanted + FILES <= hard:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted + FILES), hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - FILES))


class HttpConnection(H11Protocol):
    """An HTTP connection."""

    def __init__(self, gate: Gate, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.gate = gate
        self._part: object = None  # of a request that is being waited for
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        if self.gate.enter(transport):
            self._expect(h11.IDLE)
        else:
            self._end(Refusal(429, "too_fast", "too many connections from your address"))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._expect(None)
        self.gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something has arrived."""
        super().data_received(data)
        state = self.conn.their_state
        is_waited_for = state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()
        is_http = self.transport.get_protocol() is self
        self._expect(state if is_waited_for and is_http else None)

    def _expect(self, part: object) -> None:
        """Wait for a part of a request, head or body, but not for ever; None if all is there."""
        if part is self._part:
            return
        self._part = part
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        limits = self.gate.limits
        if part is not None:
            seconds = limits.head_seconds if part is h11.IDLE else limits.body_seconds + LATER
            self._patience = self.loop.call_later(seconds, self._lose_patience)

    def _lose_patience(self) -> None:
        if self._part is h11.IDLE:
            self._end(Refusal(408, "too_slow", "the request did not arrive in time"))
        else:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read."""
        self._end(Refusal(400, "bad_request", "this is not a request of HTTP/1.1"))

    def _end(self, refusal: Refusal) -> None:
        """Say why, unless an answer is under way, and close."""
        response = refusal.response()
        response.headers.update({**SECURITY_HEADERS, "Connection": "close"})
        reason = HTTPStatus(refusal.status).phrase.encode()
        head = h11.Response(status_code=refusal.status, reason=reason, headers=response.raw_headers)
        with suppress(h11.LocalProtocolError):
            for event in (head, h11.Data(data=bytes(response.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class SocketConnection(WebSocketsSansIOProtocol):
    """A connection that speaks WebSocket."""

    def __init__(self, gate: Gate, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.gate = gate
        self._limit = gate.limits.frames_per_second
        self._bucket = Bucket(self._limit)
        self.conn = Handshake(max_size=self.config.ws_max_size, logger=self.logger)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self.gate.leave(self.transport)
        super().connection_lost(exc)

    def handle_cont(self, event: Frame) -> None:
        """A further piece of a message."""
        if self._may_go_on():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """A ping."""
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """A pong, solicited or not."""
        if self._may_go_on():
            super().handle_pong(event)

    def _may_go_on(self) -> bool:
        """Whether another frame is not too many; messages are counted where they are answered."""
        if self.close_sent:
            return False
        if self._bucket.count(monotonic()) <= 2 * self._limit:
            return True
        self._fail(TOO_FAST, "too fast")
        return False

    def send_receive_event_to_app(self) -> None:
        """A message is complete."""
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.frames = []
            self._fail(BAD_TEXT, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        """Close at once, without waiting for the client to read."""
        if self.close_sent:
            return
        self.conn.fail(code, reason)
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.loop.call_later(LINGER, self.transport.abort)


class Handshake(ServerProtocol):
    """The server's side of a WebSocket, whose refusals look like those of all addresses."""

    def reject(self, status: HTTPStatus | int, text: str) -> Response:
        """The answer to an invalid handshake."""
        number = int(status)
        refusal = Refusal(number, "bad_request", "this is not the handshake of a WebSocket")
        body = json.dumps({"error": refusal.document()}).encode()
        headers = Headers(SECURITY_HEADERS)
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = str(len(body))
        headers["Connection"] = "close"
        return Response(number, HTTPStatus(number).phrase, headers, body)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
