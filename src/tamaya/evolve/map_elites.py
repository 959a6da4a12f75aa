"""MAP-Elites: the best rule list for every style of play, after Canaan et al. 2019.

The map has two axes. *Communicativeness* is the share of own turns with a token on which a hint is
given, *risk aversion* the mean probability that a card is playable when it is played. Each cell
keeps the best list with that style. A list is a row of genes, repeats allowed.
"""

from dataclasses import dataclass, field

import numpy as np

from tamaya.agents.rules.measured import CHANCES, HINTS, PLAYS_MADE, TOKEN_TURNS
from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.rule_sets import checked_genes

BATCH = 500  # individuals between two updates of the map


@dataclass(frozen=True)
class ElitesConfig:
    """The settings of a run; the defaults are those of the follow-up paper."""

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
    """Communicativeness and risk aversion; an agent that never plays a card risks nothing."""
    share = measured[:, HINTS] / np.maximum(1, measured[:, TOKEN_TURNS])
    caution = measured[:, CHANCES] / np.maximum(1, measured[:, PLAYS_MADE])
    caution[measured[:, PLAYS_MADE] == 0] = 1.0
    return np.clip(np.stack([share, caution], axis=1), 0.0, 1.0)


def next_batch(
    config: ElitesConfig, done: int, size: int, parents: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Random lists first, then variants of the parents, lists that are on the map."""
    fresh = rng.integers(len(config.genes), size=(size, config.length))
    if done < config.random or not len(parents):
        return fresh
    one = parents[rng.integers(len(parents), size=size)]
    two = parents[rng.integers(len(parents), size=size)]
    crossed = rng.random((size, 1)) < config.crossover
    from_two = crossed & (rng.random(one.shape) < 0.5)
    children = np.where(from_two, two, one)
    return np.where(rng.random(one.shape) < config.mutation, fresh, children)
