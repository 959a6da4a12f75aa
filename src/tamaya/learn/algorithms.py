"""The algorithms that can be run, and what one has to offer."""

from typing import Any, Protocol

import numpy as np

from tamaya.learn import acha, bad, ppo, rainbow

# Modules with Settings, PRESETS and Learner.
ALGORITHMS: dict[str, Any] = {"ppo": ppo, "rainbow": rainbow, "acha": acha, "bad": bad}


class Learner(Protocol):
    """What an algorithm has to offer to be run."""

    turns: int  # of all games so far

    @property
    def card(self) -> dict[str, Any]:
        """Encoder and shape of its network."""

    def parts(self) -> dict[str, np.ndarray]:
        """The weights of its network."""

    def step(self) -> dict[str, float]:
        """Learn from some more turns; returns figures for the log."""

    def state(self) -> dict[str, Any]:
        """Everything that decides how learning goes on."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
