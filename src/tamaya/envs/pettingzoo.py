"""Hanabi as a PettingZoo AEC environment, complete and without a build step.

| | |
|---|---|
| agents | `player_0` .. `player_4`, in turn order |
| observation | `{"observation": vector, "action_mask": int8}`; only the mover's mask has ones |
| actions | move ids of HLE, 20, 30, 38 or 48 of them for 2 to 5 players |
| rewards | change of the score, the same for all; on a bomb-out minus everything collected |
| end | termination only, games are never truncated; the last observations are fresh |

    from tamaya.envs import pettingzoo as hanabi
    env = hanabi.env(players=3)

Calls for PettingZoo's own ``hanabi_v5`` work too, because its option names are accepted. One thing
differs: without a ``hand_size``, four and five players have hands of four cards.
"""

import sys
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from tamaya.compiled import hot
from tamaya.encoding import encode, encoder_kind, vector_dtype, vector_length
from tamaya.game import Game, IllegalMoveError
from tamaya.game_kernels import write_legal
from tamaya.moves import move_phrase
from tamaya.rules import OBSERVATIONS, Rules, RulesError, checked_rules, whole_number

OPTION_NAMES = {
    "colors": "colours", "max_information_tokens": "tokens", "max_life_tokens": "lives",
    "observation_type": "observation", "random_start_player": "random_start",
}  # fmt: skip


@hot
def observe_seat(games, kind, seat, vector, mask):
    """Write the vector of a seat, and its legal moves if it is to move."""
    encode(kind, games[0], seat, vector)
    if seat == games[0].mover:
        write_legal(games[0], mask)


def read_options(options: Mapping[str, Any]) -> Rules:
    """Rules of options by the names of ``Rules`` or of ``hanabi_v5``."""
    own: dict[str, Any] = {}
    for key, value in options.items():
        name = OPTION_NAMES.get(key, key)
        if name in own:
            raise RulesError(f"{name} is given under two names")
        own[name] = value
    observation = own.get("observation")
    if isinstance(observation, int) and 0 <= observation < len(OBSERVATIONS):
        own["observation"] = OBSERVATIONS[observation]
    if own.get("random_start") in (0, 1):
        own["random_start"] = bool(own["random_start"])
    return Rules.from_mapping(own)


class HanabiAEC(AECEnv):
    """One game of Hanabi for PettingZoo; options are those of ``tamaya.rules.Rules``."""

    metadata: dict[str, Any] = {
        "name": "tamaya_hanabi_v1",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        encoder: str = "hle",
        dtype: Any = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if rules is not None and options:
            raise ValueError(f"give either rules or options, not both: {', '.join(options)}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be None, 'ansi' or 'human', not {render_mode!r}")
        self.rules = read_options(options) if rules is None else checked_rules(rules)
        self.render_mode = render_mode
        self._kind = encoder_kind(encoder)
        self._dtype = vector_dtype(encoder, dtype)
        self._length = vector_length(self.rules, encoder)
        self._seed, self._index = int(np.random.SeedSequence().entropy) % 2**63, -1  # type: ignore[arg-type]
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._is_closed = False
        self._seats = {name: seat for seat, name in enumerate(self.possible_agents)}
        vector = gymnasium.spaces.Box(0, 1, (self._length,), self._dtype.type)
        mask = gymnasium.spaces.Box(0, 1, (self.rules.n_moves,), np.int8)
        space = gymnasium.spaces.Dict({"observation": vector, "action_mask": mask})
        self._observation_spaces = {name: space for name in self.possible_agents}
        self._action_spaces: dict[str, gymnasium.Space] = {
            name: gymnasium.spaces.Discrete(self.rules.n_moves) for name in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.Space:
        """Space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        """Space of an agent's move ids."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal game 0 of a seed, or the next game of the seed in use."""
        self._seed, self._index = (self._seed, self._index + 1) if seed is None else (seed, 0)
        self.game = Game(self.rules, self._seed, self._index)
        self._is_closed = False
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[self.game.mover]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees; its mask lists its legal moves."""
        seat = self._seats[agent]
        vector = np.empty(self._length, self._dtype)
        mask = np.zeros(self.rules.n_moves, np.int8)
        observe_seat(self.game.array, self._kind, seat, vector, mask)
        return {"observation": vector, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a move of the selected agent; an illegal one changes nothing and raises."""
        if not self.agents:
            raise ValueError("call reset before step" if not self._is_closed else
                             "the environment is closed: call reset to play again")  # fmt: skip
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        before = self.game.score
        try:
            self.game.apply(whole_number("action", action))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"{agent}: {error}") from None
        reward = self.game.score - before
        self.rewards = dict.fromkeys(self.agents, reward)
        self._cumulative_rewards[agent] = 0
        self.agent_selection = self.possible_agents[self.game.mover]
        if self.game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board and all hands as text, which the mode "human" writes to standard output."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi' or 'human'")
            return None
        lines = [str(self.game)]
        if self.game.turn:
            event = self.game.events[-1]
            lines.append(f"seat {event.seat}: {move_phrase(self.rules, int(event.move))}")
        text = "\n".join(lines)
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text

    def close(self) -> None:
        """End the game; there is nothing to release."""
        self.agents = []
        self._is_closed = True

    def __repr__(self) -> str:
        turn = f"turn {self.game.turn}" if self.agents else "not reset"
        return f"<HanabiAEC {self.rules.to_text()}: {turn}>"

    __str__ = __repr__


def env(*arguments: Any, **options: Any) -> HanabiAEC:
    """A new environment; arguments as for ``HanabiAEC``."""
    return HanabiAEC(*arguments, **options)


raw_env = HanabiAEC  # as PettingZoo calls it
