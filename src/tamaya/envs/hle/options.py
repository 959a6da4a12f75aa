"""Options of a game under HLE's names, read as HLE reads them.

Values may be numbers or text, unknown names are ignored, and a whole number may be followed by
other text (``"5.0"`` is 5). Where HLE aborts, this raises ValueError.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamaya.rules import MAX_HAND, MAX_LIVES, MAX_PLAYERS, MAX_TOKENS, OBSERVATIONS, Rules

RANDOM_SEED = -1
_INT32 = 1 << 31
_LIMITS = {
    "players": (2, MAX_PLAYERS),
    "colors": (1, 5),
    "ranks": (1, 5),
    "hand_size": (1, MAX_HAND),
    "max_information_tokens": (0, MAX_TOKENS),
    "max_life_tokens": (1, MAX_LIVES),
}


@dataclass(frozen=True)
class Options:
    """Rules of a game, the seed of its deals, and the observation type as it was given."""

    rules: Rules
    seed: int
    observation_type: int

    def to_text(self) -> str:
        """One option per line, in the order in which HLE's library prints them."""
        rules = self.rules
        lines = {
            "random_start_player": "true" if rules.random_start else "false",
            "seed": self.seed,
            "max_life_tokens": rules.lives,
            "max_information_tokens": rules.tokens,
            "hand_size": rules.hand_size,
            "ranks": rules.ranks,
            "colors": rules.colours,
            "observation_type": self.observation_type,
            "players": rules.players,
        }
        return "".join(f"{name}={value}\n" for name, value in lines.items())


def read_options(params: Mapping[str, Any]) -> Options:
    """Options of a mapping; ValueError names the invalid option."""
    if str(params.get("no_completion_token", False)).lower() not in ("false", "0"):
        raise ValueError("no_completion_token is not an option here: in the Hanabi Learning "
                         "Environment a completed colour always returns a token; "
                         "tamaya.envs.vector has this rule")  # fmt: skip
    players = _limited(params, "players", 2)
    observation_type = _whole(params, "observation_type", 1)
    # HLE accepts any number here and treats those without a meaning like card knowledge.
    known = observation_type if 0 <= observation_type < len(OBSERVATIONS) else 1
    rules = Rules(
        players=players,
        colours=_limited(params, "colors", 5),
        ranks=_limited(params, "ranks", 5),
        hand_size=_limited(params, "hand_size", 5 if players <= 3 else 4),
        tokens=_limited(params, "max_information_tokens", 8),
        lives=_limited(params, "max_life_tokens", 3),
        random_start=str(params.get("random_start_player")) in ("1", "true", "True"),
        observation=OBSERVATIONS[known],
    )
    seed = _whole(params, "seed", RANDOM_SEED)
    while seed == RANDOM_SEED:
        seed = secrets.randbits(32) - _INT32
    return Options(rules, seed, observation_type)


def _whole(params: Mapping[str, Any], name: str, default: int) -> int:
    """Whole number at the start of an option's text."""
    if name not in params:
        return default
    found = re.match(r"\s*[+-]?\d+", str(params[name]), re.ASCII)
    if not found:
        raise ValueError(f"{name} must be a whole number, not {params[name]!r}")
    value = int(found.group())
    if not -_INT32 <= value < _INT32:
        raise ValueError(f"{name} must fit into 32 bits, {value} does not")
    return value


def _limited(params: Mapping[str, Any], name: str, default: int) -> int:
    """Whole number of an option that has limits."""
    value = _whole(params, name, default)
    low, high = _LIMITS[name]
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
    return value
