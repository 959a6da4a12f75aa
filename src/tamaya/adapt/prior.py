"""What strangers are expected to be like: the spread of models fitted to known agents.

``benchmarks/prior.py`` fits a model to self-play games of every plain agent, and the package keeps
the weights. A stranger's weights are expected near the mean over families, each of which counts
once, and not closer to it than the families themselves are. Families that must not be known are
left out of both. Players of codes are left out always: with them a hint means something else.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from tamaya.adapt.crosstable import FOLDER
from tamaya.adapt.families import CODES, FAMILIES, family_of, library
from tamaya.adapt.features import N_WEIGHTS
from tamaya.adapt.model import Prior, weights_of
from tamaya.registry import find_agent

PEOPLE = "human"  # the agent, and the family
SIZES = {2: (2,), 3: (3, 4, 5)}  # table sizes of a file, by the least of them
ALOOF = ("random", "first-legal", "legal-random", "osawa-random")  # who care for nobody's moves
KEPT = 0.4  # of the mean: agents of a library are surer of their moves than of each other's
LEAST_VARIANCE = 0.3
CLOSE = 0.03  # of the variance among families: people are closer to each other


def plain_agents(players: int) -> tuple[str, ...]:
    """The agents of a table size that a prior is made of."""
    names = [name for name in library(players, CODES) if name not in ALOOF]
    return tuple([*names, PEOPLE] if find_agent(PEOPLE).plays_with(players) else names)


def path_of(players: int) -> Path:
    """The file of a table size."""
    return FOLDER / f"prior-{max(size for size in SIZES if size <= players)}.json"


@cache
def known_weights(players: int) -> dict[str, np.ndarray]:
    """The weights of the packaged models by agent."""
    document = json.loads(path_of(players).read_text(encoding="utf-8"))
    return {name: weights_of(text) for name, text in document["weights"].items()}


@cache
def prior(players: int, without: tuple[str, ...] = ()) -> Prior:
    """What is expected of a stranger who belongs to none of some families."""
    known = known_weights(players)
    members = {family: [known[name] for name in known if family_of(name) == family]
               for family in FAMILIES if family not in without}  # fmt: skip
    families = [np.array(weights) for weights in members.values() if weights]
    if len(families) < 2:
        return Prior(np.zeros(N_WEIGHTS), np.ones(N_WEIGHTS))
    mean = np.mean([weights.mean(axis=0) for weights in families], axis=0)
    spread = np.mean([((weights - mean) ** 2).mean(axis=0) for weights in families], axis=0)
    return Prior(KEPT * mean, spread + LEAST_VARIANCE)


def people(players: int, without: tuple[str, ...] = ()) -> np.ndarray | None:
    """The weights of a model of people, unless they must not be known."""
    return None if PEOPLE in without else known_weights(players).get(PEOPLE)


def among_people(players: int, without: tuple[str, ...] = ()) -> Prior | None:
    """What is expected of a stranger who is a person, unless people must not be known."""
    weights = people(players, without)
    return None if weights is None else close_to(weights, players, without)


def close_to(weights: np.ndarray, players: int, without: tuple[str, ...] = ()) -> Prior:
    """What is expected of a person among people who have some weights in common."""
    return Prior(weights, CLOSE * prior(players, without).variance)
