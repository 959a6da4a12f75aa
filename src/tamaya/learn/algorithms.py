"""The algorithms that can be run, and their interface."""

from typing import Any, Protocol

from tamaya.agents.learned.files import Metadata, Weights
from tamaya.learn import acha, bad, ppo, rainbow

# Modules with Settings, PRESETS and Learner.
ALGORITHMS: dict[str, Any] = {"ppo": ppo, "rainbow": rainbow, "acha": acha, "bad": bad}


class Learner(Protocol):
    """The interface of an algorithm."""

    turns: int  # of all games so far

    @property
    def metadata(self) -> Metadata:
        """Kind, encoder and shape of its network."""

    def weights(self) -> Weights:
        """The weights of its network, in the form that ``tamaya.agents.learned`` uses."""

    def step(self) -> dict[str, float]:
        """Learn from some more turns; returns figures for the log."""

    def state(self) -> dict[str, Any]:
        """Everything that determines how learning continues."""

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
