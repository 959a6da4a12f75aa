"""HLE's module ``rl_env``: the environment with dicts for observations and moves.

Every step returns a new dict per seat, which a program may change:

    current_player, current_player_offset        seat to move: absolute, relative to this seat
    life_tokens, information_tokens, num_players, deck_size
    fireworks                                    letter -> height
    legal_moves, legal_moves_as_int              empty for seats that are not to move
    observed_hands, card_knowledge               by relative seat, then by slot
    discard_pile                                 oldest first
    vectorized                                   list of 0 and 1, see ``tamaya.encoding``
    pyhanabi                                     the observation as an object
"""

import operator
from typing import Any

from tamaya.envs.hle import pyhanabi
from tamaya.envs.hle.cards import COLOR_CHAR, card_of, color_char_to_idx

MOVE_TYPES = [kind.name for kind in pyhanabi.HanabiMoveType]

_CARD_DICTS = [card_of(card).to_dict() for card in range(256)]  # 255 is a hidden card
_NAMED_DICTS = [  # by the codes of turns.write_named
    {"color": color, "rank": rank}
    for color in (None, *COLOR_CHAR)
    for rank in (None, 0, 1, 2, 3, 4)
]
_PRESETS: dict[str, dict[str, int]] = {
    "Hanabi-Full": {"colors": 5, "max_information_tokens": 8, "max_life_tokens": 3},
    "Hanabi-Small": {
        "colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1,
    },
    "Hanabi-Very-Small": {
        "colors": 1, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1,
    },
}  # fmt: skip
_PRESETS["Hanabi-Full-CardKnowledge"] = _PRESETS["Hanabi-Full"]
_PRESETS["Hanabi-Full-Minimal"] = {**_PRESETS["Hanabi-Full"], "observation_type": 0}


class Environment:
    """The interface of an environment."""

    def reset(self, config: dict[str, Any]) -> dict[str, Any]:
        """Start a new game and return the first observation."""
        raise NotImplementedError("an environment must define reset")

    def step(self, action: Any) -> tuple[dict[str, Any], int, bool, dict[str, Any]]:
        """Make a move; returns observation, reward, whether the game is over, and a dict."""
        raise NotImplementedError("an environment must define step")


class HanabiEnv(Environment):
    """Hanabi as a reinforcement learning environment; ``reset`` before the first ``step``."""

    state: pyhanabi.HanabiState

    def __init__(self, config: dict[str, Any]) -> None:
        assert isinstance(config, dict), f"expected a dict of options, not {config!r}"
        self.game = pyhanabi.HanabiGame(config)
        self.observation_encoder = pyhanabi.ObservationEncoder(
            self.game, pyhanabi.ObservationEncoderType.CANONICAL
        )
        self.players = self.game.num_players()

    def reset(self) -> dict[str, Any]:  # type: ignore[override]
        """Start a new game and return the observations of all seats."""
        self.state = self.game.new_initial_state()
        self.state.deal_random_cards()
        return self._make_observation_all_players()

    def vectorized_observation_shape(self) -> list[int]:
        """Dimensions of the vector in each seat's observation."""
        return self.observation_encoder.shape()

    def num_moves(self) -> int:
        """Number of move ids, legal or not."""
        return self.game.max_moves()

    def step(self, action: Any) -> tuple[dict[str, Any], int, bool, dict[str, Any]]:
        """Make a move, given as a dict or as its id, and deal the replacement.

        The reward is the change of the score: a bomb-out costs all points collected so far.
        """
        move = self._move_id(action)
        state = self.state
        before = state.score()
        state.take_turn(move)
        observation = self._make_observation_all_players()
        return observation, state.score() - before, state.is_terminal(), {}

    def _move_id(self, action: Any) -> int:
        """Id of an action; ValueError if it is neither a dict nor a whole number."""
        if isinstance(action, dict):
            return self.game.get_move_uid(self._build_move(action))
        try:
            uid = operator.index(action)
        except TypeError:
            raise ValueError(f"expected a dict or the id of a move, not {action!r}") from None
        return self.game.get_move_uid(self.game.get_move(uid))

    def _make_observation_all_players(self) -> dict[str, Any]:
        """Observations of all seats, and whose turn it is."""
        observations = [
            self._extract_dict_from_backend(seat, observation)
            for seat, observation in enumerate(self.state.observations())
        ]
        return {
            "player_observations": observations,
            "current_player": self.state.cur_player(),
        }

    def _extract_dict_from_backend(
        self, player_id: int, observation: pyhanabi.HanabiObservation
    ) -> dict[str, Any]:
        """An observation of a seat as a dict."""
        legal, move_dicts = observation.legal_ids(), self.game.catalogue.move_dicts
        offset = observation.cur_player_offset()
        return {
            "current_player": offset if offset < 0 else (player_id + offset) % self.players,
            "current_player_offset": offset,
            "life_tokens": observation.life_tokens(),
            "information_tokens": observation.information_tokens(),
            "num_players": observation.num_players(),
            "deck_size": observation.deck_size(),
            "fireworks": dict(zip(COLOR_CHAR, observation.fireworks(), strict=False)),
            "legal_moves": [move_dicts[move].copy() for move in legal],
            "legal_moves_as_int": legal,
            "observed_hands": [
                [_CARD_DICTS[card].copy() for card in hand] for hand in observation.card_ids()
            ],
            "discard_pile": [_CARD_DICTS[card].copy() for card in observation.discard_ids()],
            "card_knowledge": [
                [_NAMED_DICTS[code].copy() for code in hand] for hand in observation.named_codes()
            ],
            "vectorized": self.observation_encoder.encode(observation),
            "pyhanabi": observation,
        }

    def _build_move(self, action: dict[str, Any]) -> pyhanabi.HanabiMove:
        """Move of a dict; AssertionError lists the legal moves if it is not one of them."""
        assert isinstance(action, dict), f"expected a move as a dict, not {action!r}"
        assert "action_type" in action, f"the move {action} has no action_type"
        kind = action["action_type"]
        assert kind in MOVE_TYPES, f"action_type {kind!r} must be one of {MOVE_TYPES}"
        if kind == "PLAY":
            move = pyhanabi.HanabiMove.get_play_move(card_index=action["card_index"])
        elif kind == "DISCARD":
            move = pyhanabi.HanabiMove.get_discard_move(card_index=action["card_index"])
        elif kind == "REVEAL_RANK":
            move = pyhanabi.HanabiMove.get_reveal_rank_move(
                target_offset=action["target_offset"], rank=action["rank"]
            )
        elif kind == "REVEAL_COLOR":
            move = pyhanabi.HanabiMove.get_reveal_color_move(
                target_offset=action["target_offset"], color=color_char_to_idx(action["color"])
            )
        else:
            raise ValueError(f"action_type {kind} is not a move of a player")
        legal = self.state.legal_moves()
        assert str(move) in map(str, legal), f"{move} is not legal: expected one of {legal}"
        return move


def make(
    environment_name: str = "Hanabi-Full", num_players: int = 2, pyhanabi_path: str | None = None
) -> HanabiEnv:
    """An environment of a preset; ValueError names an unknown one."""
    if environment_name not in _PRESETS:
        raise ValueError(
            f"unknown environment {environment_name!r}: expected one of {', '.join(_PRESETS)}"
        )
    return HanabiEnv({**_PRESETS[environment_name], "players": num_players})


class Agent:
    """The interface of an agent."""

    def __init__(self, config: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError("an agent must define __init__")

    def reset(self, config: dict[str, Any]) -> None:
        """Prepare for a new game."""
        raise NotImplementedError("an agent must define reset")

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        """Choose a move from the observation of the agent's seat, None if it is not its turn."""
        raise NotImplementedError("an agent must define act")
