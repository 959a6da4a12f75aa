"""A game's options, its table of moves and its random stream as HLE's object."""

from typing import Any

from tamaya.envs.hle.deals import new_stream
from tamaya.envs.hle.options import read_options
from tamaya.envs.hle.public_game import AgentObservationType, PublicGame
from tamaya.envs.hle.state import HanabiState

__all__ = ["AgentObservationType", "HanabiGame"]


class HanabiGame(PublicGame):
    """Options of a game; all its states deal from one random stream."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self._options = read_options(params or {})
        super().__init__(self._options.rules)
        self.streams = new_stream(self._options.seed)

    @property
    def c_game(self) -> "HanabiGame":
        """The game itself: there is no C++ object behind it."""
        return self

    def new_initial_state(self) -> HanabiState:
        """A state before the first deal."""
        return HanabiState(self)

    def parameter_string(self) -> str:
        """All options and the seed in use, one per line."""
        return self._options.to_text()

    def observation_type(self) -> AgentObservationType:
        """What a seat is told, by the number that was given."""
        return AgentObservationType(self._options.observation_type)
