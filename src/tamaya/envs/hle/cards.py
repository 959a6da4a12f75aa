"""Cards and what hints have told about them, as HLE's objects.

Colours are letters or numbers in the order ``RYGWB``, ranks count from 0 except in printed text.
"""

import operator
from typing import Any

from tamaya.cards import COLOUR_LETTERS, COLOUR_MASK, NO_CARD, RANK_MASK
from tamaya.records import TOLD_COLOUR, TOLD_RANK

COLOR_CHAR = list(COLOUR_LETTERS)
_COLOUR_MASKS: list[int] = COLOUR_MASK.tolist()
_RANK_MASKS: list[int] = RANK_MASK.tolist()


def color_idx_to_char(color_idx: int) -> str | None:
    """Letter of a colour, None for -1."""
    assert hasattr(color_idx, "__index__"), f"expected the number of a color, not {color_idx!r}"
    return None if color_idx == -1 else COLOR_CHAR[color_idx]


def color_char_to_idx(color_char: str) -> int:
    """Number of a colour; ValueError names an invalid letter."""
    assert isinstance(color_char, str), f"expected the letter of a color, not {color_char!r}"
    if color_char not in COLOR_CHAR:
        raise ValueError(f"{color_char!r} is not a color: expected one of {COLOR_CHAR}")
    return COLOR_CHAR.index(color_char)


def color_letter(color: int) -> str:
    """Letter of a colour in printed moves, ``X`` for an invalid number."""
    return COLOUR_LETTERS[color] if 0 <= color < 5 else "X"


def rank_digit(rank: int) -> str:
    """Rank as printed, counted from 1; ``X`` for an invalid number."""
    return "12345"[rank] if 0 <= rank < 5 else "X"


class HanabiCard:
    """A card, or the back of one: both numbers are -1 then."""

    __slots__ = ("_color", "_rank")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, color: int, rank: int) -> None:
        self._color = color
        self._rank = rank

    def color(self) -> int:
        """Number of the colour, -1 if unknown."""
        return self._color

    def rank(self) -> int:
        """Rank from 0, -1 if unknown."""
        return self._rank

    def valid(self) -> bool:
        """Whether the card is known."""
        return self._color >= 0 and self._rank >= 0

    def to_dict(self) -> dict[str, Any]:
        """Letter of the colour and rank."""
        return {"color": color_idx_to_char(self._color), "rank": self._rank}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HanabiCard):
            return NotImplemented
        return self._color == other._color and self._rank == other._rank

    def __str__(self) -> str:
        return COLOR_CHAR[self._color] + str(self._rank + 1) if self.valid() else "XX"

    __repr__ = __str__


def card_of(card: int) -> HanabiCard:
    """HLE's object for a card id, as a byte or signed; 255 and -1 are hidden cards."""
    return HanabiCard(card // 5, card % 5) if 0 <= card < 25 else HanabiCard(NO_CARD, NO_CARD)


class HanabiCardKnowledge:
    """What hints have told about one card, directly or by not touching it."""

    __slots__ = ("_colors", "_possible", "_ranks", "_told")

    def __init__(self, possible: int, told: int, colors: int, ranks: int) -> None:
        self._possible = possible
        self._told = told
        self._colors = colors
        self._ranks = ranks

    def color(self) -> int | None:
        """Colour that a hint named for this card, None if none did."""
        return lowest_card(self._possible) // 5 if self._told & TOLD_COLOUR else None

    def rank(self) -> int | None:
        """Rank that a hint named for this card, None if none did."""
        return lowest_card(self._possible) % 5 if self._told & TOLD_RANK else None

    def color_plausible(self, color_index: int) -> int:
        """1 unless a hint has excluded the colour, else 0."""
        index = operator.index(color_index)
        return int(0 <= index < self._colors and self._possible & _COLOUR_MASKS[index] != 0)

    def rank_plausible(self, rank_index: int) -> int:
        """1 unless a hint has excluded the rank, else 0."""
        index = operator.index(rank_index)
        return int(0 <= index < self._ranks and self._possible & _RANK_MASKS[index] != 0)

    def to_dict(self) -> dict[str, Any]:
        """Letter of the named colour and the named rank, None where no hint named one."""
        color = self.color()
        return {"color": None if color is None else COLOR_CHAR[color], "rank": self.rank()}

    def __str__(self) -> str:
        color, rank = self.color(), self.rank()
        colors = [COLOUR_LETTERS[c] for c in range(self._colors) if self.color_plausible(c)]
        ranks = [str(r + 1) for r in range(self._ranks) if self.rank_plausible(r)]
        named = color_letter(-1 if color is None else color) + rank_digit(
            -1 if rank is None else rank
        )
        return f"{named}|{''.join(colors)}{''.join(ranks)}"

    __repr__ = __str__


def lowest_card(mask: int) -> int:
    """Lowest card of a mask that is not empty."""
    return (mask & -mask).bit_length() - 1
