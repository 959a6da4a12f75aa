"""Validation: greedy play of the current network on fixed deals.

The compiled agent as which the network will be exported plays the games. Deals for choosing among
networks (`VALIDATION`) differ from those for reporting (`TEST`), and training sees neither: its
deals come from seeds that are hashes of the run's seed.
"""

import numpy as np

from tamaya.agents.learned.files import Metadata, Weights, make_network
from tamaya.agents.learned.kinds import network_agent
from tamaya.encoding import observation_spec
from tamaya.rules import Rules
from tamaya.table import play

VALIDATION, TEST = 1_000_003, 1_000_033  # seeds


class Evaluator:
    """Plays the current network of a run."""

    def __init__(self, rules: Rules, metadata: Metadata, weights: Weights) -> None:
        self.rules = rules
        self.metadata = full_metadata(rules, metadata)
        self.network = make_network(self.metadata, weights)
        self.agent = network_agent("network", [self.network])

    def load(self, weights: Weights) -> None:
        """Load other weights of the same shapes."""
        self.network.weights[:] = make_network(self.metadata, weights).weights

    def scores(self, games: int, seed: int = VALIDATION) -> np.ndarray:
        """Scores of self-play games of the network, on one thread."""
        return play(self.agent, self.rules, games, seed=seed, threads=1).results["score"]


def full_metadata(rules: Rules, metadata: Metadata) -> Metadata:
    """A network's metadata, completed with rules and observation."""
    observation = observation_spec(rules, metadata["encoder"])
    return {"rules": rules.to_text(), **metadata, "observation": observation}


def summary(scores: np.ndarray, rules: Rules) -> dict[str, float | int]:
    """Mean, standard error, and the shares of perfect games and of games with zero points."""
    return {
        "games": len(scores),
        "mean": float(scores.mean()),
        "se": float(scores.std(ddof=1) / len(scores) ** 0.5) if len(scores) > 1 else 0.0,
        "perfect": float((scores == rules.max_score).mean()),
        "zero": float((scores == 0).mean()),
    }
