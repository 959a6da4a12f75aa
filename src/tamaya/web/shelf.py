"""A cache of positions of finished games, because computing them takes a while."""

import asyncio
import json

from tamaya.web.sight import review_views
from tamaya.web.table import Table

MOST = 50  # documents, of 100 KB or so


class Shelf:
    """Recently requested documents; a finished game no longer changes.

    A new one is written in a thread, one after the other: several threads would leave the event
    loop so little time that moves at other tables wait for seconds.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int, int, int | None], bytes] = {}  # the oldest first
        self._lock = asyncio.Lock()

    async def views(self, table: Table, first: int, last: int, seat: int | None) -> bytes:
        """Positions from a turn to another as JSON, perhaps as a seat saw them."""
        key = table.id, first, last, seat
        if key not in self._kept:
            async with self._lock:
                if key not in self._kept:  # somebody else may have asked for the same
                    self._kept[key] = await asyncio.to_thread(_written, table, first, last, seat)
                    if len(self._kept) > MOST:
                        del self._kept[next(iter(self._kept))]
        return self._kept[key]


def _written(table: Table, first: int, last: int, seat: int | None) -> bytes:
    views = review_views(table, range(first, last + 1), seat)
    return json.dumps({"views": views}, separators=(",", ":")).encode()
