"""An agent that makes random legal moves."""

import random
from typing import Any

from tamaya.envs.hle.rl_env import Agent


class RandomAgent(Agent):
    """Makes any legal move, with Python's global generator as HLE's agent does."""

    def __init__(self, config: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        self.config = config

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        """A random legal move, None if it is not the agent's turn."""
        if observation["current_player_offset"] != 0:
            return None
        return random.choice(observation["legal_moves"])
