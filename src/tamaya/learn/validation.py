"""How strong the network is now: greedy play on deals that are always the same.

The games are played by the compiled agent that will be shipped. Deals for choosing among networks
(`VALIDATION`) and for reporting (`TEST`) are different ones, and training sees neither: its deals
come from seeds that are hashed from the run's.
"""

from typing import Any

import numpy as np

from tamaya.agents.learned.files import make_network
from tamaya.agents.learned.kinds import network_agent
from tamaya.encoding import observation_spec
from tamaya.rules import Rules
from tamaya.table import play

VALIDATION, TEST = 1_000_003, 1_000_033  # seeds


class Examiner:
    """Plays the network of a run as it is."""

    def __init__(self, rules: Rules, card: dict[str, Any], parts: dict[str, np.ndarray]) -> None:
        self.rules = rules
        self.card = full_card(rules, card)
        self.network = make_network(self.card, parts)
        self.agent = network_agent("network", [self.network])

    def load(self, parts: dict[str, np.ndarray]) -> None:
        """Take over other weights of the same shapes."""
        self.network.weights[:] = make_network(self.card, parts).weights

    def scores(self, games: int, seed: int = VALIDATION) -> np.ndarray:
        """Scores of games of the network with itself, on one thread."""
        return play(self.agent, self.rules, games, seed=seed, threads=1).results["score"]


def full_card(rules: Rules, card: dict[str, Any]) -> dict[str, Any]:
    """A network's card with what it says of the table."""
    observation = observation_spec(rules, card["encoder"])
    return {"rules": rules.to_text(), **card, "observation": observation}


def summary(scores: np.ndarray, rules: Rules) -> dict[str, float | int]:
    """Mean, standard error, and the shares of perfect games and of games with zero points."""
    return {
        "games": len(scores),
        "mean": float(scores.mean()),
        "se": float(scores.std(ddof=1) / len(scores) ** 0.5) if len(scores) > 1 else 0.0,
        "perfect": float((scores == rules.max_score).mean()),
        "zero": float((scores == 0).mean()),
    }
