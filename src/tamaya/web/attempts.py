"""Tables with a given deck, read from the journal, and people's attempts at a deal."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, select

from tamaya.store import schema
from tamaya.store.database import Store
from tamaya.web.events import PLAY_TABLE, Options, SeatState
from tamaya.web.journal import END, aware, sitter_of
from tamaya.web.wording import seat_names


@dataclass(frozen=True)
class Attempt:
    """A game of people on a deal, finished or in progress."""

    table: str
    seats: tuple[SeatState, ...]
    options: Options
    created: datetime
    end: dict[str, Any] | None  # score, status, undos and turns, once it is over

    def seat_of(self, hashes: Iterable[str]) -> int | None:
        """The seat of somebody who has tokens of these hashes."""
        known = {digest for digest in hashes if digest}
        found = [k for k, sitter in enumerate(self.seats) if sitter.token_hash in known]
        return found[0] if found else None

    def document(self, hashes: Iterable[str]) -> dict[str, Any]:
        """The document for people who have played the deal."""
        assert self.end is not None
        return {
            "table": self.table,
            "names": list(seat_names(self.seats)),
            "kinds": [sitter.kind for sitter in self.seats],
            "seat": self.seat_of(hashes),
            "seen": self.options.seen_deal,
            "chosen": self.options.chosen_deal,
            "created": self.created.isoformat(timespec="seconds"),
            **self.end,
        }


def has_cards(rules: str, start: int, deck: Sequence[int]) -> ColumnElement[bool]:
    """Whether the cards of a table lie in a certain order."""
    tables = schema.web_tables
    is_deck = cast(tables.c.deck, Text) == json.dumps(list(deck))
    return and_(is_deck, tables.c.start == start, tables.c.rules == rules)


def tables_with(store: Store, rules: str, start: int, deck: Sequence[int]) -> list[str]:
    """The ids of all tables with these cards, oldest first, without lines that leave a game."""
    tables = schema.web_tables
    rows = store.read(
        select(tables.c.id)
        .where(has_cards(rules, start, deck), tables.c.parent_turn.is_(None))
        .order_by(tables.c.created, tables.c.id)
    )
    return [row.id for row in rows]


def read_attempts(store: Store, rules: str, start: int, deck: Sequence[int]) -> list[Attempt]:
    """All attempts at a deal, oldest first; lines that branch off a game are not attempts."""
    tables, seats, events = schema.web_tables, schema.web_seats, schema.web_events
    rows = store.read(
        select(tables.c.id, tables.c.options, tables.c.created)
        .where(
            has_cards(rules, start, deck),
            tables.c.kind == PLAY_TABLE,
            tables.c.parent_turn.is_(None),
        )
        .order_by(tables.c.created, tables.c.id)
    )
    ids = [row.id for row in rows]
    sitters: dict[str, dict[int, SeatState]] = {table: {} for table in ids}
    taken = select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.since, seats.c.seat)
    for row in store.read(taken):
        sitters[row.table_id][row.seat] = sitter_of(row)
    ended = select(events).where(events.c.table_id.in_(ids), events.c.kind == END)
    ends = {row.table_id: {**row.data, "turns": row.turn} for row in store.read(ended)}
    return [Attempt(row.id, tuple(sitters[row.id].values()), Options(**row.options),
                    aware(row.created), ends.get(row.id)) for row in rows]  # fmt: skip
