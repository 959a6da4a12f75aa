"""A run of MAP-Elites in its own folder, from which it can be resumed.

| file | |
|---|---|
| `run.json` | the settings of the run, its version and its code |
| `map.npz` | the map after the last batch |
| `map.json`, `map.svg` | the map for display |
| `elites` | every list on the map, as an agent |

Batches depend only on the previous map and the run's seed, so a run that was stopped and resumed
ends with the same map.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

import tamaya
from tamaya.arena.executor import Executor
from tamaya.atomic import replacing, write_atomically
from tamaya.checked_files import blaming, check_array, check_finite, read_arrays
from tamaya.evolve import map_elites
from tamaya.evolve.evaluation import evaluate, run_code
from tamaya.evolve.folder import check_or_write
from tamaya.evolve.map_elites import ElitesConfig, next_batch, styles
from tamaya.rng import seed_of, wrapped_seed
from tamaya.run_folder import RunError, hold_folder

__all__ = ["ElitesConfig", "ElitesRun", "styles"]

MAP = "map.npz"


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
        self.close = hold_folder(folder, self)
        check_or_write(folder, {**asdict(config), "algorithm": "map-elites"},
                       {"version": tamaya.__version__,
                        "code": run_code(config.protocol, map_elites.__name__)})  # fmt: skip
        self.done = 0
        if (folder / MAP).exists():
            self._resume(folder / MAP)
        elif (folder / "map.json").exists():
            raise RunError(f"{folder} contains a finished map but no {MAP} to resume from: choose "
                           "another folder")  # fmt: skip

    def _resume(self, path: Path) -> None:
        """Resume from a map."""
        arrays, config = read_arrays(path), self.config
        with blaming(path):
            done = int(check_array(arrays, "done", "iu", ()))
            solution = check_array(arrays, "solution", "iuf", (None, config.length))
            objective = check_array(arrays, "objective", "f", (len(solution),))
            measures = check_array(arrays, "measures", "f", (len(solution), 2))
            check_finite(arrays)
            if not 0 <= done <= config.total:
                raise ValueError(f"{done} lists of {config.total} are done")
            if not np.isin(solution, np.arange(len(config.genes))).all():
                raise ValueError(f"a list has other genes than {len(config.genes)}")
        self.done = done
        if len(objective):
            self.archive.add(solution, objective, measures)

    def evolve(self, on_batch: Callable[["ElitesRun"], Any] | None = None) -> None:
        """Evolve up to the last individual, storing the map after each batch."""
        while self.done < self.config.total:
            is_random = self.done < self.config.random
            stop = self.config.random if is_random else self.config.total
            size = min(map_elites.BATCH, stop - self.done)
            rng = np.random.default_rng([self.config.seed, self.done])
            parents = self.elites()["solution"].astype(np.int64)
            batch = next_batch(self.config, self.done, size, parents, rng)
            seed = int(seed_of(wrapped_seed(self.config.seed), self.done))
            scores = evaluate(batch, self.config.genes, self.config.faithful,
                              self.config.protocol, self.config.games, seed, self.executor,
                              measured=True)  # fmt: skip
            self.archive.add(batch, scores.means, styles(scores.measured))
            self.done += size
            self._keep()
            if on_batch:
                on_batch(self)

    def elites(self) -> dict[str, np.ndarray]:
        """The lists on the map by cell: ``solution``, ``objective``, ``measures``, ``index``."""
        data = self.archive.data(["solution", "objective", "measures", "index"])
        order = np.argsort(data["index"])
        return {name: values[order] for name, values in data.items()}

    def _keep(self) -> None:
        elites = self.elites()
        with replacing(self.folder / MAP) as file:
            np.savez(file, done=self.done, solution=elites["solution"],
                     objective=elites["objective"], measures=elites["measures"])  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """The map for display: cell, style, score and rules of each list."""
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
            write_atomically(agents / name, f"{style}\n{option},{row['rules']}\n")
        return rows
