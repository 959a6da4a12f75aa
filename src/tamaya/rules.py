"""The rules of a game: sizes, tokens, and the variations used in the source papers.

``Rules`` is frozen and checked on construction; presets have the names of the Hanabi Learning
Environment (HLE).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from numbers import Integral
from operator import index
from typing import Any

from tamaya.cards import N_COLOURS, N_RANKS, copies_of_rank

MAX_PLAYERS = 5
MAX_HAND = 8  # HLE loses hint outcomes beyond eight cards
MAX_TOKENS = 50
MAX_LIVES = 100
MAX_MOVES = 160  # no game under any rules is longer: see Rules.longest_game

OBSERVATIONS = ("minimal", "card_knowledge", "seer")
BOMBS = ("zero", "keep")
REFILLS = ("shift", "in_place")


class RulesError(ValueError):
    """Invalid rules; the message names the option."""


@dataclass(frozen=True)
class Rules:
    """Options of a game; ``hand_size`` 0 means the usual one for the number of players."""

    players: int = 2
    colours: int = 5
    ranks: int = 5
    hand_size: int = 0
    tokens: int = 8
    lives: int = 3
    random_start: bool = False
    observation: str = "card_knowledge"  # what a view shows of hints; a seer sees its own cards
    bomb: str = "zero"  # what a game without lives scores: zero, or keep the points
    empty_hints: bool = False  # a hint may touch no card
    discard_at_full: bool = False  # discarding at full tokens is legal and gains nothing
    refill: str = "shift"  # a new card goes after the others, or into the emptied slot
    no_completion_token: bool = False  # completing a colour returns no token

    def __post_init__(self) -> None:
        self._check_range("players", 2, MAX_PLAYERS)
        if self.hand_size == 0 and not isinstance(self.hand_size, bool):
            object.__setattr__(self, "hand_size", 5 if self.players <= 3 else 4)
        self._check_range("colours", 1, N_COLOURS)
        self._check_range("ranks", 1, N_RANKS)
        self._check_range("hand_size", 1, MAX_HAND)
        self._check_range("tokens", 0, MAX_TOKENS)
        self._check_range("lives", 1, MAX_LIVES)
        self._check_choice("observation", OBSERVATIONS)
        self._check_choice("bomb", BOMBS)
        self._check_choice("refill", REFILLS)
        for name in ("random_start", "empty_hints", "discard_at_full", "no_completion_token"):
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name} must be true or false, not {getattr(self, name)!r}")
        if self.players * self.hand_size > self.deck_size:
            raise RulesError(
                f"hand_size {self.hand_size} for {self.players} players needs "
                f"{self.players * self.hand_size} cards, the deck has {self.deck_size}"
            )

    def _check_range(self, name: str, low: int, high: int) -> None:
        value = getattr(self, name)
        is_whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not is_whole or not low <= value <= high:
            raise RulesError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
        object.__setattr__(self, name, int(value))

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, name)
        if value not in choices:
            raise RulesError(f"{name} must be one of {', '.join(choices)}, not {value!r}")

    @property
    def deck_size(self) -> int:
        """Cards in the whole deck."""
        return self.colours * sum(copies_of_rank(rank, self.ranks) for rank in range(self.ranks))

    @property
    def max_score(self) -> int:
        """Score of a perfect game."""
        return self.colours * self.ranks

    @property
    def n_moves(self) -> int:
        """Number of move ids, legal or not: 20, 30, 38, 48 for the full game."""
        return 2 * self.hand_size + (self.players - 1) * (self.colours + self.ranks)

    @property
    def longest_game(self) -> int:
        """Bound on the moves of a game: each refilled move earns at most one token."""
        return 2 * (self.deck_size - self.players * self.hand_size) + self.tokens + self.players

    @classmethod
    def preset(cls, name: str, players: int = 2, **options: Any) -> "Rules":
        """Rules under a name of HLE (``Hanabi-Full``, ``Hanabi-Small``, ...) or its short form."""
        key = name.lower().removeprefix("hanabi-")
        if key not in PRESETS:
            raise RulesError(f"unknown preset {name!r}: expected one of {', '.join(PRESETS)}")
        return cls(players=players, **{**PRESETS[key], **options})

    @classmethod
    def from_mapping(cls, options: Mapping[str, Any]) -> "Rules":
        """Rules of a mapping with the names of the fields; an unknown name is an error."""
        known = {field.name for field in fields(cls)}
        for name in options:
            if name not in known:
                raise RulesError(
                    f"unknown rule {name!r}: expected one of {', '.join(sorted(known))}"
                )
        return cls(**options)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Parse rules such as ``players=3 bomb=keep``; other options have their defaults."""
        options: dict[str, Any] = {}
        kinds = {field.name: field.type for field in fields(cls)}
        for item in text.replace(",", " ").split():
            name, equals, value = item.partition("=")
            if not equals or name not in kinds:
                raise RulesError(f"{item!r} is not a rule: expected name=value, "
                                 f"the name one of {', '.join(kinds)}")  # fmt: skip
            options[name] = _parse_value(name, kinds[name], value)
        return cls(**options)

    def to_text(self) -> str:
        """Text that ``parse`` reads back: players, hand size and what differs from the default."""
        usual = Rules(players=self.players)
        parts = [f"players={self.players}", f"hand_size={self.hand_size}"]
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("players", "hand_size") and value != getattr(usual, field.name):
                parts.append(f"{field.name}={str(value).lower()}")
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """All options by name, for JSON; those newer than stored documents only if they are set."""
        options = asdict(self)
        if not self.no_completion_token:
            del options["no_completion_token"]
        return options


def checked_rules(rules: Rules | None) -> Rules:
    """Rules passed by a caller, the standard ones for None; TypeError for anything else."""
    if rules is None:
        return Rules()
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, such as Rules(players=3), not {rules!r}")
    return rules


def whole_number(name: str, value: Any) -> int:
    """An argument that must be a whole number; TypeError names it for anything else."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


def _parse_value(name: str, kind: Any, value: str) -> int | bool | str:
    if kind in (int, "int"):
        try:
            return int(value)
        except ValueError:
            raise RulesError(f"{name} must be a whole number, not {value!r}") from None
    if kind in (bool, "bool"):
        if value.lower() not in ("true", "false"):
            raise RulesError(f"{name} must be true or false, not {value!r}")
        return value.lower() == "true"
    return value


PRESETS: dict[str, dict[str, Any]] = {
    "full": {},
    "full-cardknowledge": {},
    "full-minimal": {"observation": "minimal"},
    "small": {"colours": 2, "hand_size": 2, "tokens": 3, "lives": 1},
    "very-small": {"colours": 1, "hand_size": 2, "tokens": 3, "lives": 1},
}
