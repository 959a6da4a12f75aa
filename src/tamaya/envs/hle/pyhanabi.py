"""HLE's module ``pyhanabi``: games, states, observations, moves and cards.

There is no C++ library behind it, so the functions that load one just return True.
"""

from typing import Any

from tamaya.envs.hle.cards import (
    COLOR_CHAR,
    HanabiCard,
    HanabiCardKnowledge,
    color_char_to_idx,
    color_idx_to_char,
)
from tamaya.envs.hle.game import AgentObservationType, HanabiGame
from tamaya.envs.hle.history import CHANCE_PLAYER_ID, HanabiHistoryItem
from tamaya.envs.hle.moves import HanabiMove, HanabiMoveType
from tamaya.envs.hle.observation import (
    HanabiObservation,
    ObservationEncoder,
    ObservationEncoderType,
)
from tamaya.envs.hle.state import HanabiEndOfGameType, HanabiState

__all__ = [
    "CHANCE_PLAYER_ID",
    "COLOR_CHAR",
    "AgentObservationType",
    "HanabiCard",
    "HanabiCardKnowledge",
    "HanabiEndOfGameType",
    "HanabiGame",
    "HanabiHistoryItem",
    "HanabiMove",
    "HanabiMoveType",
    "HanabiObservation",
    "HanabiState",
    "ObservationEncoder",
    "ObservationEncoderType",
    "cdef_loaded",
    "color_char_to_idx",
    "color_idx_to_char",
    "lib_loaded",
    "try_cdef",
    "try_load",
]


def try_cdef(header: Any = None, prefixes: Any = None) -> bool:
    """True: there is no header to parse."""
    return True


def try_load(library: Any = None, prefixes: Any = None) -> bool:
    """True: there is no library to load."""
    return True


def cdef_loaded() -> bool:
    """True: there is no header to parse."""
    return True


def lib_loaded() -> bool:
    """True: there is no library to load."""
    return True
