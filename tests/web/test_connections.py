"""Connections that no browser makes: slow, silent, many, and full of pings."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
import websockets
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.frames import Frame, Opcode

from tamaya.cli.serve import listen
from tamaya.web import connections
from tamaya.web.connections import Gate, most_connections
from tamaya.web.guard import PROTOCOL, SECURITY_HEADERS, Guard, House, Limits

PATIENCE = 60.0  # seconds, on a busy machine
SOON = Limits(head_seconds=0.2, body_seconds=0.2, frames_per_second=20)
NEVER = Limits(head_seconds=1e6, body_seconds=1e6)


async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def echo(websocket: WebSocket) -> None:
    await websocket.accept(PROTOCOL)
    async for text in websocket.iter_text():
        await websocket.send_text(text)


ROUTES = [Route("/", hello, methods=["GET", "POST"]), WebSocketRoute("/ws", echo)]


class Address:
    """A server with the connections of ``tamaya serve`` and an application of two lines."""

    def __init__(self, port: int, gate: Gate) -> None:
        self.port, self.gate = port, gate
        self.head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def answer(self, *pieces: bytes) -> bytes:
        """All that comes back until the server closes."""
        reader, writer = await self.connect()
        for piece in pieces:
            writer.write(piece)
        return await read_all(reader, writer)

    async def open_socket(self) -> websockets.ClientConnection:
        return await websockets.connect(
            f"ws://127.0.0.1:{self.port}/ws", subprotocols=[websockets.Subprotocol(PROTOCOL)],
            compression=None, ping_interval=None,
        )  # fmt: skip


async def read_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """What comes until the other side closes."""
    found = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            while data := await reader.read(1 << 16):
                found += data
    writer.close()
    return found


@asynccontextmanager
async def serving(limits: Limits, **house: Any) -> AsyncIterator[Address]:
    settings = House(limits=limits, **house)
    gate = Gate(settings)
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        Guard(Starlette(routes=ROUTES), settings), log_config=None, lifespan="off",
        ws_per_message_deflate=False, timeout_graceful_shutdown=1, **gate.protocols(),
    )  # fmt: skip
    server = uvicorn.Server(config)
    server.capture_signals = suppress  # type: ignore[method-assign, assignment]
    running = asyncio.create_task(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(0.001)
    try:
        yield Address(listener.getsockname()[1], gate)
    finally:
        server.should_exit = True
        await running


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test in an event loop, during which nothing fails unheard."""

    def run(caplog) -> None:
        asyncio.run(asyncio.wait_for(test(), 5 * PATIENCE))
        assert [record.getMessage() for record in caplog.records if record.exc_info] == []

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def refusal_in(answer: bytes) -> tuple[int, dict[str, str]]:
    """Status and error of an answer, which has all headers of security."""
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    for name, value in SECURITY_HEADERS.items():
        assert headers[name.lower()] == value
    assert headers["content-type"] == "application/json"
    return int(lines[0].split()[1]), json.loads(body)["error"]


# Slow ones.


@in_loop
async def test_half_a_request_is_not_waited_for():
    async with serving(SOON) as server:
        for begun in (b"", b"G", server.head, server.head + b"X: " + b"x" * 1000):
            status, error = refusal_in(await server.answer(begun))
            assert (status, error["code"]) == (408, "too_slow")
        assert len(server.gate) == 0


@pytest.mark.parametrize("n_before", [0, 1])
def test_a_request_that_drips_is_not_waited_for(n_before):
    """Every byte is something new, but the head has to be there in time, the second one too."""

    async def send() -> int:
        async with serving(SOON) as server:
            reader, writer = await server.connect()
            for _ in range(n_before):
                writer.write(server.head + b"\r\n")
                await reader.readuntil(b"hello")
            dripping = asyncio.create_task(drip(writer, server.head + b"X: " + 10**6 * b"x"))
            status, _ = refusal_in(await read_all(reader, writer))
            dripping.cancel()
            return status

    assert asyncio.run(asyncio.wait_for(send(), PATIENCE)) == 408


async def drip(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send byte by byte."""
    with suppress(ConnectionError):
        for byte in data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_a_body_that_drips_after_the_answer_is_cut_off(method, monkeypatch):
    """The answer does not need it, and the rest would keep the connection for ever."""
    monkeypatch.setattr(connections, "LATER", 0.0)

    async def send() -> bytes:
        async with serving(SOON) as server:
            reader, writer = await server.connect()
            writer.write(server.head.replace(b"GET", method) + b"Content-Length: 16000\r\n\r\n")
            dripping = asyncio.create_task(drip(writer, 16_000 * b"x"))
            answer = await read_all(reader, writer)
            dripping.cancel()
            return answer

    assert asyncio.run(asyncio.wait_for(send(), PATIENCE)).startswith(b"HTTP/1.1 ")


@in_loop
async def test_who_is_quick_keeps_the_connection():
    async with serving(SOON) as server:
        reader, writer = await server.connect()
        for _ in range(2):
            writer.write(server.head + b"\r\n")
            assert b"hello" in await reader.readuntil(b"hello")
            await asyncio.sleep(2 * SOON.head_seconds)  # a pause between requests is no slowness
        writer.close()
        async with await server.open_socket() as opened:
            await asyncio.sleep(2 * (SOON.head_seconds + SOON.body_seconds))
            await opened.send("still here")
            assert await opened.recv() == "still here"


@in_loop
async def test_who_never_reads_is_let_go():
    """The kernel gives up what stays unread; nobody else can while the buffer is full."""
    listener = listen("127.0.0.1", 0)
    if not hasattr(socket, "TCP_USER_TIMEOUT"):
        pytest.skip("this system has no such limit")
    client = socket.create_connection(listener.getsockname())
    accepted, _ = listener.accept()
    seconds = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) / 1000
    assert 5 <= seconds <= 60  # accepted connections have it from the one that listens
    for one in (client, accepted, listener):
        one.close()


# Many.


@in_loop
async def test_an_address_has_so_many_connections_whatever_they_are_for():
    async with serving(Limits(sockets=2, head_seconds=1e6)) as server:
        silent = [await server.connect() for _ in range(1 + connections.SPARE)]
        async with await server.open_socket():
            status, error = refusal_in(await server.answer(b""))
            assert (status, error["code"]) == (429, "too_fast")
        silent.pop()[1].close()
        while len(server.gate) >= 1 + connections.SPARE:
            await asyncio.sleep(0.001)
        answer = await server.answer(server.head + b"Connection: close\r\n\r\n")
        assert answer.endswith(b"hello")
        for _, writer in silent:
            writer.close()
    assert len(server.gate) == 0


@in_loop
async def test_a_proxy_speaks_for_many_but_all_have_an_end():
    async with serving(Limits(sockets=1, connections=70, head_seconds=1e6),
                       is_behind_proxy=True) as server:  # fmt: skip
        silent = [await server.connect() for _ in range(70)]
        assert refusal_in(await server.answer(b""))[0] == 429
        for _, writer in silent:
            writer.close()


def test_connections_leave_files_for_the_rest():
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        assert most_connections(2000) <= max(2000, limits[1] - connections.FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, limits[1]))
        wanted = 2000 if limits[1] < 0 else min(2000, limits[1] - connections.FILES)
        assert most_connections(2000) == wanted  # the process gets the files that it may have
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


# Frames that are no messages.


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.CONT])
def test_frames_that_are_no_messages_are_counted(opcode):
    async def flood() -> None:
        async with serving(NEVER) as server, await server.open_socket() as opened:
            protocol, transport = opened.protocol, opened.transport
            if opcode == Opcode.CONT:
                protocol.send_text(b"never ends", fin=False)
            for _ in range(50):
                protocol.send_frame(Frame(opcode, b"", fin=opcode != Opcode.CONT))
            transport.write(b"".join(protocol.data_to_send()))
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await asyncio.wait_for(opened.recv(), PATIENCE)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429

    asyncio.run(flood())


@in_loop
async def test_who_sends_pings_and_never_reads_costs_nothing():
    """The answers would pile up here; the connection ends instead."""
    async with serving(NEVER) as server:
        reader, writer = await server.connect()
        writer.write(server.head.replace(b"/ ", b"/ws ", 1) + b"Upgrade: websocket\r\n"
                     b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")  # fmt: skip
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        with suppress(ConnectionError):
            for _ in range(200):
                writer.write(50 * (b"\x89\xfd" + bytes(4) + 125 * b"x"))
                await writer.drain()
        while len(server.gate):
            await asyncio.sleep(0.01)
        writer.close()


@in_loop
async def test_pieces_and_pings_of_honest_clients_are_fine():
    async with serving(NEVER) as server, await server.open_socket() as opened:
        await opened.send(["one ", "message ", "in ", "pieces"])
        assert await opened.recv() == "one message in pieces"
        for _ in range(3):
            await (await opened.ping())


# What is none of it.


@pytest.mark.parametrize("sent", [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 10**5,
])  # fmt: skip
def test_what_is_no_http_is_told_so_as_everything_else(sent, caplog):
    async def send() -> tuple[int, dict[str, str]]:
        async with serving(NEVER) as server:
            return refusal_in(await server.answer(sent))

    status, error = asyncio.run(send())
    assert (status, error["code"]) == (400, "bad_request")


@in_loop
async def test_nonsense_after_an_answer_closes_and_fails_nowhere():
    async with serving(NEVER) as server:
        reader, writer = await server.connect()
        writer.write(server.head.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")  # refused for want of its header
        assert answer.startswith(b"HTTP/1.1 403 ")
        writer.write(b"this is no chunk\r\n")
        await read_all(reader, writer)


@in_loop
async def test_a_handshake_that_is_none_is_told_so():
    async with serving(NEVER) as server:
        for more in (b"", b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n",
                     b"Sec-WebSocket-Version: 7\r\n"):  # fmt: skip
            head = server.head + b"Upgrade: websocket\r\nConnection: Upgrade\r\n" + more + b"\r\n"
            status, error = refusal_in(await server.answer(head))
            assert status in (400, 426) and error["code"] == "bad_request"


@in_loop
async def test_text_that_is_not_utf8_closes_the_socket_without_a_trace():
    async with serving(NEVER) as server, await server.open_socket() as opened:
        opened.protocol.send_text(b"\xff\xfe")
        opened.transport.write(b"".join(opened.protocol.data_to_send()))
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(opened.recv(), PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1007
