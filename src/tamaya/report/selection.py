"""Which figures of the store a report shows: the newest of each kind.

A *figure* is one thing to show and the result it comes from. Self-play and ad-hoc results contain
several, one per table size or partner, and a newer figure replaces each of them separately.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tamaya.arena.protocols import UnreadableResult, read_result
from tamaya.arena.rule_texts import rule_text
from tamaya.rules import Rules

Data = TypeVar("Data")


@dataclass(frozen=True)
class StoredResult:
    """The result of a protocol and its metadata in the store."""

    id: int
    protocol: str
    name: str
    version: str
    seconds: float
    created: str
    result: Any  # of the protocol

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "StoredResult":
        """A row as ``Store.results`` returns it; raises ``UnreadableResult``."""
        return cls(row["id"], row["protocol"], row["name"], row["version"], row["seconds"],
                   row["created"], read_result(row))  # fmt: skip


@dataclass(frozen=True)
class Figure(Generic[Data]):
    """Something to show: its data, the rules it was played under, and the result it belongs to."""

    stored: StoredResult
    players: int  # 0 for several or none
    rules: str  # what differs from the standard rules, without the number of players
    max_score: int
    data: Data

    @classmethod
    def at(cls, stored: StoredResult, rules: Rules, data: Data) -> "Figure[Data]":
        """A figure of games at one table."""
        return cls(stored, rules.players, rule_text(rules), rules.max_score, data)

    @property
    def agent(self) -> str:
        """The agent of the result."""
        return self.stored.result.config.agent

    @property
    def seed(self) -> int:
        """The seed of the result."""
        return self.stored.result.config.seed


@dataclass
class Selection:
    """Results by protocol, oldest first, and the rows that cannot be read."""

    results: dict[str, list[StoredResult]] = field(default_factory=dict)
    unread: list[tuple[Mapping[str, Any], str]] = field(default_factory=list)  # with the reason

    def newest(
        self,
        protocol: str,
        split: Callable[[StoredResult], Iterable[tuple[Hashable, Figure[Data]]]],
    ) -> list[Figure[Data]]:
        """The figures of a protocol's results, the newest of several with the same key."""
        chosen: dict[Hashable, Figure[Data]] = {}
        for stored in self.results.get(protocol, ()):
            chosen.update(split(stored))
        return list(chosen.values())


def select(rows: Sequence[Mapping[str, Any]]) -> Selection:
    """Read the rows of a store, in the order in which they were stored."""
    selection = Selection()
    for row in rows:
        try:
            stored = StoredResult.of(row)
        except UnreadableResult as error:
            selection.unread.append((row, str(error)))
        else:
            selection.results.setdefault(stored.protocol, []).append(stored)
    return selection
