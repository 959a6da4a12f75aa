"""A run of the genetic algorithm in its own folder, from which it can be resumed.

| file | |
|---|---|
| `run.json` | the settings of the run, its version and its code |
| `generations.jsonl` | best, mean and the best chromosome of every generation |
| `state.npz` | the population after the last finished generation |
| `top.json` | the finalists, played again on other deals |
| `best.rules` | the best of them, as an agent |
| `curves.svg` | best and mean by generation, drawn by the command |
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import tamaya
from tamaya.agents.rules.language import parse_rules, steps_text
from tamaya.arena.executor import Executor
from tamaya.atomic import replacing, write_atomically
from tamaya.checked_files import blaming, check_array, check_finite, read_arrays
from tamaya.evolve import genetic
from tamaya.evolve.evaluation import Scores, evaluate, run_code
from tamaya.evolve.folder import check_or_write
from tamaya.evolve.genetic import Config, first_population, next_population
from tamaya.evolve.minimal import rules_that_fire
from tamaya.evolve.outcome import (
    CURVES,
    TOP,
    Finalist,
    finalists_in,  # noqa: F401  (its old place)
    generations_in,
)
from tamaya.run_folder import RunError, hold_folder

FINAL = 2**32  # the "generation" whose games the finalists play
STATE = "state.npz"


@dataclass(frozen=True)
class Generation:
    """The outcome of a generation."""

    number: int
    best: float
    mean: float
    sd: float
    chromosome: list[int]  # of the best
    rules: str  # the same as a rule list
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"generation": self.number, "best": self.best, "mean": self.mean, "sd": self.sd,
                "chromosome": self.chromosome, "seconds": round(self.seconds, 3)}  # fmt: skip


class EvolutionRun:
    """A run in a folder: started there, or resumed; ``close`` releases the folder."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        executor: Executor | None = None,
        known: Sequence[str] = (),
        on_games: Callable[[int], Any] | None = None,
    ) -> None:
        self.folder, self.config, self.executor = folder, config, executor
        self.on_games = on_games
        self.known = list(known)
        self.close = hold_folder(folder, self)
        check_or_write(folder, {**config.as_dict(), "known": self.known},
                       {"version": tamaya.__version__,
                        "code": run_code(config.protocol, genetic.__name__)})  # fmt: skip
        n_lines = len(generations_in(folder))
        if n_lines > 1 and not (folder / STATE).exists():  # the first may be cut off by a kill
            raise RunError(f"{folder} contains {n_lines} generations but no {STATE} to resume "
                           "from: choose another folder")  # fmt: skip

    def start(self) -> tuple[int, np.ndarray, np.ndarray | None]:
        """Number of the last finished generation (-1), its population and its scores."""
        path, config = self.folder / STATE, self.config
        if not path.exists():
            return -1, first_population(config, self._known_chromosomes()), None
        arrays, n_genes = read_arrays(path), len(config.genes)
        with blaming(path):
            number = int(check_array(arrays, "generation", "iu", ()))
            if not 0 <= number < config.generations:
                raise ValueError(f"there is no generation {number} of {config.generations}")
            population = check_array(arrays, "population", "iu", (config.population, n_genes))
            if not (np.sort(population, axis=1) == np.arange(n_genes)).all():
                raise ValueError("'population' should have all genes once in every row")
            scores = check_array(arrays, "scores", "f", (config.population,))
            check_finite(arrays)
        return number, population, scores

    def _known_chromosomes(self) -> list[list[int]]:
        """Known lists as numbers of genes; rules that are not in the set are omitted."""
        place = {gene: k for k, gene in enumerate(self.config.genes)}
        lists = [parse_rules(text).lists for text in self.known]
        steps = dict.fromkeys(steps for several in lists for steps in several)
        return [[place[str(step)] for step in one if str(step) in place] for one in steps]

    def evolve(self, on_generation: Callable[[Generation], Any] | None = None) -> None:
        """Evolve up to the last generation, storing each one when it is done."""
        number, population, scores = self.start()
        self._drop_after(number)
        while number + 1 < self.config.generations:
            number += 1
            started = perf_counter()
            if scores is not None:
                population = next_population(self.config, population, scores, number)
            scores = self._evaluate(population, self.config.games, number).means
            seconds = perf_counter() - started
            self._keep(number, population, scores, seconds, on_generation)

    def _evaluate(self, population: np.ndarray, games: int, generation: int) -> Scores:
        config = self.config
        seed = config.evaluation_seed(generation)
        return evaluate(population, config.genes, config.faithful, config.protocol, games, seed,
                        self.executor, self.on_games)  # fmt: skip

    def _keep(
        self,
        number: int,
        population: np.ndarray,
        scores: np.ndarray,
        seconds: float,
        on_generation: Callable[[Generation], Any] | None,
    ) -> None:
        best = int(scores.argmax())
        rules = ",".join(self.config.genes[gene] for gene in population[best])
        generation = Generation(number, float(scores[best]), float(scores.mean()),
                                float(scores.std()), population[best].tolist(), rules,
                                seconds)  # fmt: skip
        with (self.folder / CURVES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(generation.as_dict()) + "\n")
        with replacing(self.folder / STATE) as state:
            np.savez(state, generation=number, population=population, scores=scores)
        if on_generation:
            on_generation(generation)

    def _drop_after(self, number: int) -> None:
        """Drop curve rows of generations whose population was not saved."""
        path = self.folder / CURVES
        rows = generations_in(self.folder)[: number + 1]
        if len(rows) <= number:
            raise RunError(f"{path} has {len(rows)} generations, fewer than the {number + 1} of "
                           f"{STATE}: lines are missing")  # fmt: skip
        if path.exists():
            text = "".join(json.dumps(row) + "\n" for row in rows)
            write_atomically(path, text)

    def finish(self) -> list[Finalist]:
        """Play the finalists again and write the best one as an agent."""
        config = self.config
        number, population, scores = self.start()
        if scores is None or number + 1 < config.generations:
            raise RunError(f"the run in {self.folder} has not finished its generations")
        ranks = np.argsort(-scores, kind="stable")
        unique = list(dict.fromkeys(map(tuple, population[ranks].tolist())))[: config.finalists]
        fitness = {tuple(population[k].tolist()): float(scores[k]) for k in ranks[::-1]}
        chosen = np.array(unique, np.int64)
        again = self._evaluate(chosen, config.final_games, FINAL)
        seed = config.evaluation_seed(FINAL)
        finalists = [
            Finalist(
                float(again.means[k]),
                float(again.errors[k]),
                again.games,
                again.cells[k].tolist(),
                list(unique[k]),
                steps_text(rules_that_fire(config, chosen[k], config.final_games, seed)),
                fitness[unique[k]],
            )
            for k in range(len(unique))
        ]
        finalists.sort(key=lambda finalist: -finalist.mean)
        top = [finalist.as_dict() for finalist in finalists]
        write_atomically(self.folder / TOP, json.dumps(top, indent=1))
        write_atomically(self.folder / "best.rules", self.agent_text(finalists[0]))
        return finalists

    def agent_text(self, finalist: Finalist) -> str:
        """The file of an agent."""
        protocol = self.config.protocol
        how = "mirror play" if protocol.kind == "mirror" else f"mixed play, pool {protocol.pool},"
        sizes = ", ".join(map(str, protocol.players))
        lines = [
            f"# Evolved for {how} with {sizes} players ({protocol.rules}).",
            f"# {finalist.mean:.3f} ± {finalist.se:.3f} in {finalist.games:,} games that evolution "
            "has not seen.",
            f"source=Tamaya {tamaya.__version__} (seed {self.config.seed})",
            f"faithful={str(self.config.faithful).lower()}",
            *finalist.rules.replace(",", "\n").splitlines(),
        ]
        return "\n".join(_joined_brackets(lines)) + "\n"


Run = EvolutionRun  # its old name


def _joined_brackets(lines: Sequence[str]) -> list[str]:
    """Join lines that were split inside the arguments of a rule."""
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1].count("(") > joined[-1].count(")"):
            joined[-1] += "," + line
        else:
            joined.append(line)
    return joined
