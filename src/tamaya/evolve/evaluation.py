"""Evaluating a population: cut into tasks that run anywhere, and put together again."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamaya.arena.executor import Executor, Threads
from tamaya.arena.pools import pool_of
from tamaya.evolve.fitness import FitnessTask, fitness_code, gene_lines
from tamaya.fingerprint import fingerprint
from tamaya.rules import Rules

GAMES_PER_TASK = 1000  # some 50 ms of work
MIRROR, MIXED = "mirror", "mixed"


@dataclass(frozen=True)
class Protocol:
    """How individuals are evaluated: mirror or mixed play, and under which rules."""

    kind: str = MIRROR
    pool: str = "C"
    players: tuple[int, ...] = (2, 3, 4, 5)
    rules: str = "bomb=keep refill=in_place"

    def __post_init__(self) -> None:
        if self.kind not in (MIRROR, MIXED):
            raise ValueError(f"the protocol must be mirror or mixed, not {self.kind!r}")
        self.cells()  # raises for an unknown agent or rule here, not in the middle of a run

    def cells(self) -> list[tuple[Rules, str]]:
        """Rules and partner of every cell."""
        partners = pool_of(self.pool) if self.kind == MIXED else ("",)
        tables = [Rules.parse(f"players={players} {self.rules}") for players in self.players]
        return [(rules, partner) for rules in tables for partner in partners]


def run_code(protocol: Protocol, algorithm: str) -> str:
    """Fingerprint of all code that determines a run, including the module of its algorithm."""
    digest = hashlib.sha256(fingerprint(__name__, algorithm).encode())
    for partner in dict.fromkeys(partner for _, partner in protocol.cells()):
        digest.update(fitness_code(partner).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Scores:
    """Mean score and standard error of every individual, all cells at equal weight.

    The error is that of the papers, over all games together: it includes the spread between cells.
    """

    means: np.ndarray
    errors: np.ndarray
    cells: np.ndarray  # [individual, cell] -> mean
    games: int  # of each individual
    measured: np.ndarray  # [individual, 4] -> counts of tamaya.agents.rules.measured, if requested


def evaluate(
    chromosomes: np.ndarray,
    genes: tuple[str, ...],
    faithful: bool,
    protocol: Protocol,
    games: int,
    seed: int,
    executor: Executor | None = None,
    on_progress: Callable[[int], Any] | None = None,
    measured: bool = False,
) -> Scores:
    """Play the same games with every individual, a number of them in each cell of the protocol.

    Every cell has the deals and seats of the same seed.
    """
    cells = protocol.cells()
    gene_lines(genes, faithful)  # compiled here once, not by every thread
    totals = np.zeros((2, len(chromosomes), len(cells)), np.int64)
    sums = np.zeros((len(chromosomes), 4))
    tasks = _tasks(chromosomes, genes, faithful, cells, games, seed, measured)
    for answer in (executor or Threads()).run(tasks):
        n = len(answer.totals)
        totals[0, answer.first : answer.first + n, answer.cell] = answer.totals
        totals[1, answer.first : answer.first + n, answer.cell] = answer.squares
        sums[answer.first : answer.first + n] += answer.measured
        if on_progress:
            on_progress(n * games)
    n_games = games * len(cells)
    means = totals[0].sum(axis=1) / n_games
    variances = totals[1].sum(axis=1) / n_games - means**2
    errors = np.sqrt(np.maximum(variances, 0.0) / max(1, n_games - 1))
    return Scores(means, errors, totals[0] / games, n_games, sums)


def _tasks(
    chromosomes: np.ndarray,
    genes: tuple[str, ...],
    faithful: bool,
    cells: Sequence[tuple[Rules, str]],
    games: int,
    seed: int,
    measured: bool,
) -> Iterator[FitnessTask]:
    size = max(1, GAMES_PER_TASK // games)
    codes = {partner: fitness_code(partner) for _, partner in cells}
    for cell, (rules, partner) in enumerate(cells):
        for first in range(0, len(chromosomes), size):
            part = chromosomes[first : first + size]
            yield FitnessTask(genes, faithful, part, rules, partner, games, seed, cell, first,
                              measured, codes[partner])  # fmt: skip
