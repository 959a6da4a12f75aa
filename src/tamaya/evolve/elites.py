"""MAP-Elites: the best rule list for every style of play, after Canaan et al. 2019.

The map has two axes. *Communicativeness* is the share of own turns with a token on which a hint is
given, *risk aversion* the mean chance that a card is playable when it is played. Each of its cells
keeps the best list that plays like that. A list is a row of genes, repeats allowed. Batches depend
on the map before and on the run's seed alone, so a stopped run goes on as if it had not been.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tamaya
from tamaya.agents.rules.measured import CHANCES, HINTS, PLAYS_MADE, TOKEN_TURNS
from tamaya.arena.executor import Executor
from tamaya.evolve.evaluation import Protocol, evaluate, run_code
from tamaya.evolve.folder import check_or_write, write_atomically
from tamaya.evolve.rule_sets import checked_genes
from tamaya.rng import seed_of, wrapped_seed

BATCH = 500  # individuals between two looks at the map


@dataclass(frozen=True)
class ElitesConfig:
    """Everything that decides a run; the defaults are those of the follow-up paper."""

    genes: tuple[str, ...]
    protocol: Protocol = field(default_factory=Protocol)
    faithful: bool = True
    length: int = 15  # genes of an individual
    cells: int = 20  # per axis
    random: int = 10_000  # individuals before the first variant
    variants: int = 1_000_000
    games: int = 20
    crossover: float = 0.5
    mutation: float = 0.1  # per gene
    seed: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "genes", checked_genes(self.genes))
        for name, low in (("length", 1), ("cells", 1), ("random", 1), ("games", 1),
                          ("variants", 0)):  # fmt: skip
            if getattr(self, name) < low:
                raise ValueError(f"{name} must be at least {low}, not {getattr(self, name)}")
        for name in ("crossover", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")

    @property
    def total(self) -> int:
        """Individuals of the whole run."""
        return self.random + self.variants


def styles(measured: np.ndarray) -> np.ndarray:
    """Communicativeness and risk aversion; who never plays a card risks nothing."""
    share = measured[:, HINTS] / np.maximum(1, measured[:, TOKEN_TURNS])
    caution = measured[:, CHANCES] / np.maximum(1, measured[:, PLAYS_MADE])
    caution[measured[:, PLAYS_MADE] == 0] = 1.0
    return np.clip(np.stack([share, caution], axis=1), 0.0, 1.0)


def _empty_map(config: ElitesConfig) -> Any:
    try:
        from ribs.archives import GridArchive  # takes seconds to import
    except ImportError:  # pragma: no cover
        raise ValueError("pyribs is not installed: pip install 'tamaya[evolve]'") from None
    return GridArchive(
        solution_dim=config.length,
        dims=(config.cells, config.cells),
        ranges=[(0.0, 1.0), (0.0, 1.0)],
        seed=config.seed,
    )


class ElitesRun:
    """A run of MAP-Elites in a folder: started there, or resumed."""

    def __init__(
        self, folder: Path, config: ElitesConfig, executor: Executor | None = None
    ) -> None:
        self.folder, self.config, self.executor = folder, config, executor
        self.archive = _empty_map(config)
        check_or_write(folder, {**asdict(config), "algorithm": "map-elites"},
                       {"version": tamaya.__version__,
                        "code": run_code(config.protocol, __file__)})  # fmt: skip
        self.done = 0
        path = folder / "map.npz"
        if path.exists():
            with np.load(path) as kept:
                self.done = int(kept["done"])
                if len(kept["objective"]):
                    self.archive.add(kept["solution"], kept["objective"], kept["measures"])

    def evolve(self, on_batch: Callable[["ElitesRun"], Any] | None = None) -> None:
        """Go on to the last individual, keeping the map after each batch."""
        while self.done < self.config.total:
            is_random = self.done < self.config.random
            stop = self.config.random if is_random else self.config.total
            size = min(BATCH, stop - self.done)
            batch = self._batch(size, np.random.default_rng([self.config.seed, self.done]))
            seed = int(seed_of(wrapped_seed(self.config.seed), self.done))
            scores = evaluate(batch, self.config.genes, self.config.faithful,
                              self.config.protocol, self.config.games, seed, self.executor,
                              measured=True)  # fmt: skip
            self.archive.add(batch, scores.means, styles(scores.measured))
            self.done += size
            self._keep()
            if on_batch:
                on_batch(self)

    def _batch(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """Random lists first, then variants of lists that are on the map."""
        config = self.config
        fresh = rng.integers(len(config.genes), size=(size, config.length))
        parents = self.elites()["solution"].astype(np.int64)
        if self.done < config.random or not len(parents):
            return fresh
        one = parents[rng.integers(len(parents), size=size)]
        two = parents[rng.integers(len(parents), size=size)]
        crossed = rng.random((size, 1)) < config.crossover
        from_two = crossed & (rng.random(one.shape) < 0.5)
        children = np.where(from_two, two, one)
        return np.where(rng.random(one.shape) < config.mutation, fresh, children)

    def elites(self) -> dict[str, np.ndarray]:
        """The lists on the map by cell: ``solution``, ``objective``, ``measures``, ``index``."""
        data = self.archive.data(["solution", "objective", "measures", "index"])
        order = np.argsort(data["index"])
        return {name: values[order] for name, values in data.items()}

    def _keep(self) -> None:
        elites = self.elites()
        path = self.folder / "map.tmp.npz"
        np.savez(path, done=self.done, solution=elites["solution"], objective=elites["objective"],
                 measures=elites["measures"])  # fmt: skip
        os.replace(path, self.folder / "map.npz")

    def rows(self) -> list[dict[str, Any]]:
        """The map for people: place, style, score and rules of each list."""
        elites = self.elites()
        genes = self.config.genes
        return [
            {
                "cell": [int(index) // self.config.cells, int(index) % self.config.cells],
                "communicativeness": float(measures[0]),
                "risk_aversion": float(measures[1]),
                "mean": float(score),
                "rules": ",".join(genes[int(gene)] for gene in solution),
            }
            for solution, score, measures, index in zip(
                elites["solution"], elites["objective"], elites["measures"], elites["index"],
                strict=True)
        ]  # fmt: skip

    def finish(self) -> list[dict[str, Any]]:
        """Write the map as JSON and every list on it as an agent."""
        rows = self.rows()
        write_atomically(self.folder / "map.json", json.dumps(rows, indent=1))
        agents = self.folder / "elites"
        agents.mkdir(exist_ok=True)
        option = f"faithful={str(self.config.faithful).lower()}"
        for row in rows:
            style = (f"# communicativeness {row['communicativeness']:.2f}, risk aversion "
                     f"{row['risk_aversion']:.2f}, mean {row['mean']:.2f}")  # fmt: skip
            name = f"c{row['cell'][0]:02d}-r{row['cell'][1]:02d}.rules"
            (agents / name).write_text(f"{style}\n{option},{row['rules']}\n", encoding="utf-8")
        return rows
