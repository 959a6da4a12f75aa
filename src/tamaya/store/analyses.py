"""Sums of analysed turns in the store, slice by slice, so that nothing is weighed twice.

A slice is a range of the numbered deals of a turn: its first deal, how many there are, and their
sums in the words of ``tamaya.replays.kept_sums``. Slices begin where everybody lets them begin, so
two processes that weigh the same turn write the same rows; the longer one of the same
beginning stays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from tamaya.store import schema
from tamaya.store.database import Store

MOST_KEYS = 500  # in one query


@dataclass(frozen=True)
class Slice:
    """The sums of a range of deals of a turn."""

    key: str  # of the turn: who asks what, see the analyst
    first: int
    deals: int
    sums: bytes


def read_slices(store: Store, keys: Sequence[str]) -> list[Slice]:
    """All slices of some turns, in no order that matters."""
    table, found = schema.web_analyses, []
    for start in range(0, len(keys), MOST_KEYS):
        some = keys[start : start + MOST_KEYS]
        query = select(table.c.key, table.c.slice, table.c.deals, table.c.sums)
        found += [Slice(*row) for row in store.read(query.where(table.c.key.in_(some)))]
    return found


def write_slices(store: Store, slices: Iterable[Slice]) -> None:
    """Enter slices in one transaction; one that is there gives way only to more deals."""
    now = datetime.now(UTC)
    rows = [{"key": each.key, "slice": each.first, "deals": each.deals, "sums": each.sums,
             "created": now} for each in slices]  # fmt: skip
    if not rows:
        return
    table = schema.web_analyses
    dialect = postgresql if store.engine.dialect.name == "postgresql" else sqlite
    entry = dialect.insert(table)
    entry = entry.on_conflict_do_update(
        index_elements=["key", "slice"],
        set_={name: entry.excluded[name] for name in ("deals", "sums", "created")},
        where=table.c.deals < entry.excluded.deals,
    )

    def enter(connection: Connection) -> None:
        connection.execute(entry, rows)

    store.write(enter)
