"""A scripted client of a table: what a page does, without a page."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

PROTOCOL = "tamaya.1"
Frame = dict[str, Any]


def post_table(address: str, seats: Sequence[Frame], **more: Any) -> Frame:
    """Open a table; gives its id, token and invite."""
    rules = f"players={len(seats)}"
    body = {"rules": rules, "seats": list(seats), **more}
    answer = httpx.post(f"{address}/api/tables", json=body, headers={"X-Tamaya": "1"}, timeout=60)
    assert answer.status_code == 201, answer.text
    return answer.json()


class Client:
    """A tab: says hello, sends frames with numbers, keeps what it hears."""

    def __init__(self, address: str, table: str, **hello: str) -> None:
        self.url = address.replace("http", "ws", 1) + "/ws"
        self.hello = {"type": "hello", "table": table, **hello}
        self.frames: list[Frame] = []
        self.latest: dict[str, Frame] = {}
        self._number = 0
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> "Client":
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connect and say hello; returns when the table has been shown."""
        self._socket = await websockets.connect(
            self.url, subprotocols=[websockets.Subprotocol(PROTOCOL)], compression=None
        )
        self.latest.clear()
        await self._socket.send(json.dumps(self.hello))
        await self.until(lambda: "view" in self.latest)

    async def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            with suppress(websockets.ConnectionClosed):
                await self._socket.close()

    async def hear(self, seconds: float = 30.0) -> Frame:
        """The next frame."""
        assert self._socket is not None
        frame: Frame = json.loads(await asyncio.wait_for(self._socket.recv(), seconds))
        self.frames.append(frame)
        self.latest[frame["type"]] = frame
        return frame

    async def until(self, is_so: Any) -> None:
        """Hear frames until something is so."""
        while not is_so():
            await self.hear()

    async def put(self, text: str | bytes) -> None:
        """Send whatever it is."""
        assert self._socket is not None
        await self._socket.send(text)

    async def ask(self, type: str, **fields: Any) -> Frame:
        """Send a frame and wait for its reply."""
        self._number += 1
        number = self._number
        await self.put(json.dumps({"type": type, "id": number, **fields}))
        while (frame := await self.hear()).get("re") != number:
            pass
        return frame

    @property
    def view(self) -> Frame:
        """The latest view."""
        return self.latest["view"]
