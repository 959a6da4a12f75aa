"""A tab of a browser that looks at a table: who it is, and what waits to be sent to it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tamaya.web.events import Role
from tamaya.web.messages import dump

Frame = dict[str, Any]
MOST_WAITING = 200  # frames that a tab may be behind
LARGEST_WAITING = 1 << 20  # bytes of them
COME_AGAIN = 1012  # close code: the tab connects again by itself


class Outgoing(asyncio.Queue[str | tuple[int, str]]):
    """Frames that wait to be sent, or the code and reason of closing, and how long they are."""

    n_bytes = 0

    def _put(self, item: str | tuple[int, str]) -> None:
        self.n_bytes += len(item)  # frames are ASCII
        super()._put(item)

    def _get(self) -> str | tuple[int, str]:
        item: str | tuple[int, str] = super()._get()
        self.n_bytes -= len(item)
        return item


@dataclass(eq=False)
class Tab:
    """A tab that looks at a table: who it is, and what it is to be sent."""

    role: Role = field(default_factory=Role)
    token: str | None = None
    sat: dict[str, tuple[int, str]] = field(default_factory=dict)  # [table] -> seat, hash of token
    is_invited: bool = False
    has_played: bool = False  # the deal of the table, at another one
    person: str | None = None  # hash of their key, if agents may remember them
    address: str = ""
    may_open: Callable[[], bool] = lambda: True  # one more table; if so, it counts
    outgoing: Outgoing = field(default_factory=Outgoing)
    is_closed: bool = False

    def send(self, frame: Frame, re: int | None = None) -> None:
        """Send a frame, in reply to one if that had a number."""
        self.send_text(dump(frame if re is None else {**frame, "re": re}))

    def send_text(self, text: str) -> None:
        """Send a frame that is written already; a tab that does not read is sent away."""
        if self.is_closed:
            return
        waiting = self.outgoing
        is_short = waiting.empty() or waiting.n_bytes + len(text) <= LARGEST_WAITING
        if is_short and waiting.qsize() < MOST_WAITING:
            waiting.put_nowait(text)
        else:
            self.close(COME_AGAIN, "too slow")

    def close(self, code: int, reason: str) -> None:
        """Close the socket, after what was sent before; what is sent later goes nowhere."""
        self.is_closed = True
        self.outgoing.put_nowait((code, reason))
