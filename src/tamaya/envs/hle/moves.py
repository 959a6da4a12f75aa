"""Moves as HLE's objects, and the table of all moves of a game by id."""

import enum
import operator
from typing import Any

from tamaya.envs.hle.cards import color_idx_to_char, color_letter, rank_digit
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.rules import Rules


class HanabiMoveType(enum.IntEnum):
    """Kinds of moves, the deals of the deck among them."""

    INVALID = 0
    PLAY = 1
    DISCARD = 2
    REVEAL_COLOR = 3
    REVEAL_RANK = 4
    DEAL = 5


class HanabiMove:
    """A move of a player or a deal; numbers that mean nothing for its kind are -1."""

    __slots__ = ("_card_index", "_color", "_rank", "_target_offset", "_type")

    def __init__(
        self,
        move_type: HanabiMoveType,
        card_index: int = -1,
        target_offset: int = -1,
        color: int = -1,
        rank: int = -1,
    ) -> None:
        self._type = HanabiMoveType(move_type)
        self._card_index = operator.index(card_index)
        self._target_offset = operator.index(target_offset)
        self._color = operator.index(color)
        self._rank = operator.index(rank)

    @property
    def c_move(self) -> "HanabiMove":
        """The move itself: there is no C++ object behind it."""
        return self

    def type(self) -> HanabiMoveType:
        """Kind of the move."""
        return self._type

    def card_index(self) -> int:
        """Slot of a play or discard."""
        return self._card_index

    def target_offset(self) -> int:
        """Seat that a hint goes to, relative to the mover."""
        return self._target_offset

    def color(self) -> int:
        """Colour of a colour hint or of a dealt card."""
        return self._color

    def rank(self) -> int:
        """Rank, from 0, of a rank hint or of a dealt card."""
        return self._rank

    @staticmethod
    def get_discard_move(card_index: int) -> "HanabiMove":
        """Move that discards the card in a slot."""
        return HanabiMove(HanabiMoveType.DISCARD, card_index)

    @staticmethod
    def get_play_move(card_index: int) -> "HanabiMove":
        """Move that plays the card in a slot."""
        return HanabiMove(HanabiMoveType.PLAY, card_index)

    @staticmethod
    def get_reveal_color_move(target_offset: int, color: int) -> "HanabiMove":
        """Hint of a colour to the seat at an offset from the mover."""
        return HanabiMove(HanabiMoveType.REVEAL_COLOR, -1, target_offset, color)

    @staticmethod
    def get_reveal_rank_move(target_offset: int, rank: int) -> "HanabiMove":
        """Hint of a rank, counted from 0, to the seat at an offset from the mover."""
        return HanabiMove(HanabiMoveType.REVEAL_RANK, -1, target_offset, -1, rank)

    def to_dict(self) -> dict[str, Any]:
        """The move as ``rl_env`` takes it; ValueError for the invalid move."""
        kind = self._type
        if kind in (HanabiMoveType.PLAY, HanabiMoveType.DISCARD):
            return {"action_type": kind.name, "card_index": self._card_index}
        color, rank, offset = color_idx_to_char(self._color), self._rank, self._target_offset
        if kind == HanabiMoveType.REVEAL_COLOR:
            return {"action_type": kind.name, "target_offset": offset, "color": color}
        if kind == HanabiMoveType.REVEAL_RANK:
            return {"action_type": kind.name, "target_offset": offset, "rank": rank}
        if kind == HanabiMoveType.DEAL:
            return {"action_type": kind.name, "color": color, "rank": rank}
        raise ValueError(f"the move {self} has no dict")

    def __str__(self) -> str:
        kind = self._type
        if kind == HanabiMoveType.PLAY:
            return f"(Play {self._card_index})"
        if kind == HanabiMoveType.DISCARD:
            return f"(Discard {self._card_index})"
        if kind == HanabiMoveType.REVEAL_COLOR:
            return f"(Reveal player +{self._target_offset} color {color_letter(self._color)})"
        if kind == HanabiMoveType.REVEAL_RANK:
            return f"(Reveal player +{self._target_offset} rank {rank_digit(self._rank)})"
        if kind == HanabiMoveType.DEAL:
            return f"(Deal {color_letter(self._color)}{rank_digit(self._rank)})"
        return "(INVALID)"

    __repr__ = __str__


def deal_move(card: int) -> HanabiMove:
    """Deal of a card id; 255 and -1 are hidden cards."""
    if 0 <= card < 25:
        return HanabiMove(HanabiMoveType.DEAL, color=card // 5, rank=card % 5)
    return HanabiMove(HanabiMoveType.DEAL)


def move_of(rules: Rules, move: int) -> HanabiMove:
    """HLE's object for a move id."""
    kind, place, value = describe(rules, move)
    if kind == DISCARD:
        return HanabiMove.get_discard_move(place)
    if kind == PLAY:
        return HanabiMove.get_play_move(place)
    if kind == HINT_COLOUR:
        return HanabiMove.get_reveal_color_move(place, value)
    return HanabiMove.get_reveal_rank_move(place, value)


def uid_of(rules: Rules, move: HanabiMove) -> int:
    """Id of a move by HLE's formula, which does not check that the game has such a move."""
    kind, cards, others = move.type(), 2 * rules.hand_size, rules.players - 1
    if kind == HanabiMoveType.DISCARD:
        return move.card_index()
    if kind == HanabiMoveType.PLAY:
        return rules.hand_size + move.card_index()
    if kind == HanabiMoveType.REVEAL_COLOR:
        return cards + (move.target_offset() - 1) * rules.colours + move.color()
    if kind == HanabiMoveType.REVEAL_RANK:
        first = cards + others * rules.colours
        return first + (move.target_offset() - 1) * rules.ranks + move.rank()
    return -1
