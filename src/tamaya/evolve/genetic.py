"""The genetic algorithm of Canaan et al. 2018: individuals are orders of all rules of a set.

A generation depends only on the previous one and on the run's seed, so a run that was stopped
resumes with identical results.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.rule_sets import checked_genes
from tamaya.rng import seed_of, wrapped_seed

try:
    from deap import base, tools
except ImportError:  # pragma: no cover
    raise ValueError("DEAP is not installed: pip install 'tamaya[evolve]'") from None


PAPER, FRONT = "paper", "front"
FRONT_PLACES = 20  # at the front of a list, where rules are reached at all


@dataclass(frozen=True)
class Config:
    """The settings of a run; the defaults are those of the paper's Table II."""

    genes: tuple[str, ...]
    protocol: Protocol = field(default_factory=Protocol)
    faithful: bool = True
    population: int = 200
    generations: int = 500
    games: int = 20  # per cell and individual
    crossover: float = 0.9
    mutation: float = 0.1  # per gene
    elite: int = 20
    tournament: int = 5
    variation: str = PAPER
    finalists: int = 10
    final_games: int = 2000  # per cell
    seed: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "genes", checked_genes(self.genes))
        for name, low in (("population", 2), ("generations", 1), ("games", 1), ("elite", 0),
                          ("tournament", 1), ("finalists", 1), ("final_games", 1)):  # fmt: skip
            if getattr(self, name) < low:
                raise ValueError(f"{name} must be at least {low}, not {getattr(self, name)}")
        if self.variation not in (PAPER, FRONT):
            raise ValueError(f"variation must be {PAPER} or {FRONT}, not {self.variation!r}")
        for name in ("crossover", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        if self.elite >= self.population:
            raise ValueError(f"elite {self.elite} leaves none of {self.population} to vary")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def evaluation_seed(self, generation: int) -> int:
        """Seed of the games of a generation, the same for all its individuals."""
        return int(seed_of(wrapped_seed(self.seed), generation))


class Score(base.Fitness):
    """A mean score, the higher the better."""

    weights = (1.0,)


class Individual(list):
    """An order of rules, by numbers of genes."""

    def __init__(self, genes: Sequence[int], score: float | None = None) -> None:
        super().__init__(genes)
        self.fitness = Score(() if score is None else (score,))


@contextmanager
def seeded(config: Config, generation: int) -> Iterator[None]:
    """Seed Python's generator, which DEAP uses, by the run and the generation."""
    before = random.getstate()
    random.seed(f"tamaya evolution {config.seed} {generation}")
    try:
        yield
    finally:
        random.setstate(before)


def first_population(config: Config, known: Sequence[Sequence[int]] = ()) -> np.ndarray:
    """Random orders; known lists come first, with all other rules appended."""
    with seeded(config, 0):
        everything = range(len(config.genes))
        population = []
        for start in known[: config.population]:
            rest = [gene for gene in everything if gene not in start]
            population.append([*dict.fromkeys(start), *random.sample(rest, len(rest))])
        while len(population) < config.population:
            population.append(random.sample(everything, len(everything)))
    return np.array(population, np.int64)


def next_population(
    config: Config, population: np.ndarray, scores: np.ndarray, generation: int
) -> np.ndarray:
    """The next generation: the elite unchanged, the others crossed and mutated."""
    people = [
        Individual(genes, score)
        for genes, score in zip(population.tolist(), scores.tolist(), strict=True)
    ]
    people.sort(key=lambda individual: individual.fitness, reverse=True)
    with seeded(config, generation):
        children = [
            _child(config, individual, people) if rank >= config.elite else list(individual)
            for rank, individual in enumerate(people)
        ]
    return np.array(children, np.int64)


def _child(config: Config, individual: Individual, people: list[Individual]) -> list[int]:
    if config.variation == FRONT:
        return _front_child(config, people)
    genes = list(individual)
    if random.random() < config.crossover:
        [other] = tools.selTournament(people, 1, config.tournament)
        cuts = random.randrange(len(genes)), random.randrange(len(genes))
        genes = ordered_crossover(genes, list(other), min(cuts), max(cuts))
    [mutated] = tools.mutShuffleIndexes(genes, config.mutation)
    return mutated


def _front_child(config: Config, people: list[Individual]) -> list[int]:
    """A child of two good parents with a few rules moved to the front or away from it.

    In a long list only the first rules are ever reached; the paper's operators shuffle all of it,
    so that with many rules nearly every child loses what its parents had learned.
    """
    one, two = tools.selTournament(people, 2, config.tournament)
    genes = list(one)
    if random.random() < config.crossover / 3:
        cut = random.randrange(1, FRONT_PLACES)
        genes = ordered_crossover(genes, list(two), 0, cut)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        front = min(FRONT_PLACES, len(genes))
        start = random.randrange(len(genes) if random.random() < 0.6 else front)
        stop = random.randrange(front) if random.random() < 0.8 else len(genes) - 1
        genes.insert(stop, genes.pop(start))
    return genes


def ordered_crossover(one: Sequence[int], two: Sequence[int], start: int, stop: int) -> list[int]:
    """Keep a segment of one parent in place, fill up from the left with the other from its end.

    The paper's variant; DEAP's cxOrdered fills behind the segment first.
    """
    segment = list(one[start:stop])
    kept = set(segment)
    rest = [gene for gene in (*two[stop:], *two[:stop]) if gene not in kept]
    return [*rest[:start], *segment, *rest[start:]]
