"""Who plays well with whom: crosstables of the library, played beforehand and kept as data.

``benchmarks/crosstable.py`` plays them. A cell is the mean of some hundred games, and the highest
of many noisy cells flatters its agent; so cells are shrunk toward what is expected of their row and
column, the more the larger their errors are, before the best answer is chosen.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Self

import numpy as np

FOLDER = Path(__file__).parent / "tables"


@dataclass(frozen=True, eq=False)
class Crosstable:
    """Mean scores: the row's agent in one random seat, copies of the column's in all others."""

    players: int
    agents: tuple[str, ...]
    means: np.ndarray  # [row, column], shrunk
    errors: np.ndarray  # of the cells as they were played

    @classmethod
    def of(cls, document: Mapping[str, object]) -> Self:
        """The table of a file's document."""
        means, errors = np.array(document["mean"], float), np.array(document["se"], float)
        agents = tuple(map(str, document["agents"]))  # type: ignore[call-overload]
        return cls(int(document["players"]), agents, shrunk(means, errors), errors)  # type: ignore[call-overload]

    def part(self, rows: Sequence[str], columns: Sequence[str]) -> np.ndarray:
        """The cells of some agents with some partners."""
        place = {name: k for k, name in enumerate(self.agents)}
        return self.means[np.ix_([place[a] for a in rows], [place[b] for b in columns])]

    def answer(self, rows: Sequence[str], shares: Mapping[str, float]) -> tuple[str, float]:
        """The best of some agents for partners with some probabilities, and its expected score."""
        expected = self.part(rows, list(shares)) @ np.array(list(shares.values()))
        best = int(np.argmax(expected))
        return rows[best], float(expected[best])


def shrunk(means: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Cells drawn toward the sum of their row's and column's effects, by their errors.

    The diagonal is a case of its own, because agents fit themselves best, and stays as it is.
    """
    others = np.where(np.eye(len(means), dtype=bool), np.nan, means)
    if len(means) < 3:
        return means.copy()
    rows, columns = np.nanmean(others, axis=1), np.nanmean(others, axis=0)
    expected = rows[:, None] + columns[None, :] - np.nanmean(others)
    noise = errors**2
    spread = np.nanmean((others - expected) ** 2 - noise)
    kept = max(spread, 0.0) / (max(spread, 0.0) + noise + 1e-9)
    result = expected + kept * (means - expected)
    np.fill_diagonal(result, np.diag(means))
    return result


def path_of(players: int) -> Path:
    """The file of a table size."""
    return FOLDER / f"crosstable-{players}.json"


@cache
def crosstable(players: int) -> Crosstable:
    """The table that comes with the package for a number of players."""
    return Crosstable.of(json.loads(path_of(players).read_text(encoding="utf-8")))


@cache
def tables_digest() -> str:
    """What distinguishes the packaged tables from others."""
    files = sorted(FOLDER.glob("*.json"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
