"""A game in progress as HLE's object: deals are moves, and play may continue after the end."""

import enum
from typing import TYPE_CHECKING, Any

import numpy as np

from tamaya.envs.hle.board import Board
from tamaya.envs.hle.cards import HanabiCard, card_of
from tamaya.envs.hle.deals import begin, can_deal, deal_all, deal_chosen, deal_one
from tamaya.envs.hle.history import CHANCE_PLAYER_ID, HanabiHistoryItem, deal_item, move_item
from tamaya.envs.hle.moves import HanabiMove, HanabiMoveType
from tamaya.envs.hle.observation import HanabiObservation, Moment
from tamaya.envs.hle.turns import (
    apply_if_legal,
    legal_now,
    observe_all,
    observe_seat,
    take_turn,
)
from tamaya.records import DREW, GAME, VIEW, field_offset
from tamaya.rules import MAX_HAND, MAX_PLAYERS

if TYPE_CHECKING:
    from tamaya.envs.hle.game import HanabiGame

_STATUS = field_offset(GAME, "status")
_DECK = field_offset(GAME, "deck")
_VIEW_SIZE = VIEW.itemsize


def _ids_of(legal: int) -> list[int]:
    """Ids of the moves in a mask, in increasing order."""
    return [move for move in range(legal.bit_length()) if legal >> move & 1]


class HanabiEndOfGameType(enum.IntEnum):
    """Why a game is over."""

    NOT_FINISHED = 0
    OUT_OF_LIFE_TOKENS = 1
    OUT_OF_CARDS = 2
    COMPLETED_FIREWORKS = 3


class HanabiState(Board):
    """A game in progress; the random stream belongs to its ``HanabiGame`` and is shared."""

    __slots__ = ("_games", "parent")

    def __init__(self, game: "HanabiGame | None", c_state: "HanabiState | None" = None) -> None:
        if c_state is not None:
            self._keep(c_state.parent, bytearray(c_state._bytes))
        elif game is not None:
            self._keep(game, bytearray(game.catalogue.blank))
            begin(self._games, game.streams)
        else:
            raise ValueError("a state needs a game, or a state to copy")

    def _keep(self, parent: "HanabiGame", record: bytearray) -> None:
        """Own a record; the array shares its bytes, because copying arrays is slow."""
        self.parent = parent
        self._rules = parent.rules
        self._bytes = record
        self._games = np.frombuffer(record, GAME)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.parent, self._bytes

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._keep(*state)

    def copy(self) -> "HanabiState":
        """A copy of the state, which shares the random stream of the game."""
        return HanabiState(None, self)

    def observation(self, player: int) -> HanabiObservation:
        """What a seat sees now."""
        return HanabiObservation(self, self.parent, player)

    def snapshot(self, seat: int) -> tuple[Moment, bytes]:
        """What everybody knows now, and the bytes of a seat's view."""
        if not 0 <= seat < self._rules.players:
            raise ValueError(f"player must be from 0 to {self._rules.players - 1}, not {seat}")
        raw = bytearray(_VIEW_SIZE)
        named = np.zeros((MAX_PLAYERS, MAX_HAND), np.uint8)
        legal = observe_seat(self._games, seat, np.frombuffer(raw, VIEW), named)
        return self._moment(legal, named), bytes(raw)

    def observations(self) -> list[HanabiObservation]:
        """What every seat sees now, vectors included, in one call of the compiled core."""
        players, length = self._rules.players, self.parent.catalogue.vector_length
        raw = bytearray(players * _VIEW_SIZE)
        named = np.zeros((MAX_PLAYERS, MAX_HAND), np.uint8)
        vectors = np.empty((players, length), np.uint8)
        legal = observe_all(self._games, np.frombuffer(raw, VIEW), named, vectors)
        moment, bits = self._moment(legal, named), vectors.tobytes()
        observations = []
        for seat in range(players):
            view = bytes(raw[seat * _VIEW_SIZE : (seat + 1) * _VIEW_SIZE])
            vector = bits[seat * length : (seat + 1) * length]
            observations.append(HanabiObservation.from_bytes(moment, seat, view, vector))
        return observations

    def _moment(self, legal: int, named: np.ndarray) -> Moment:
        ids = _ids_of(int(legal))
        return Moment(
            self.parent.catalogue, self._mover(), ids, self.discard_ids(), named.tobytes()
        )

    def apply_move(self, move: HanabiMove) -> None:
        """Make a move for the seat to move, or deal a chosen card; ValueError if not legal."""
        if move.type() == HanabiMoveType.DEAL:
            card = self.parent.card_id(move)
            if card < 0 or not deal_chosen(self._games, self.parent.streams, card):
                raise ValueError(f"{move} is not possible: {self._why_not(move)}")
        elif not apply_if_legal(self._games, self.parent.move_id(move)):
            raise ValueError(f"{move} is not legal: {self._why_not(move)}")

    def take_turn(self, move: int) -> None:
        """Make a move by its id and deal until a player is to move; ValueError if not legal."""
        if not take_turn(self._games, self.parent.streams, move):
            named = self.parent.get_move(move)
            raise ValueError(f"{named} is not legal: {self._why_not(named)}")

    def _why_not(self, move: HanabiMove) -> str:
        """Reason for a refused move."""
        is_deal = move.type() == HanabiMoveType.DEAL
        if is_deal != (self._mover() == CHANCE_PLAYER_ID):
            return "it is a player's turn" if is_deal else "a card has to be dealt first"
        if is_deal:
            return "the deck has no such card"
        return f"expected one of {self.legal_moves()}"

    def deal_random_card(self) -> None:
        """Deal a random card; ValueError if it is a player's turn."""
        if not deal_one(self._games, self.parent.streams):
            raise ValueError("no card can be dealt: it is a player's turn")

    def deal_random_cards(self) -> None:
        """Deal random cards until it is a player's turn."""
        deal_all(self._games, self.parent.streams)

    def cur_player(self) -> int:
        """Seat to move, -1 while a card has to be dealt."""
        return self._mover()

    def player_hands(self) -> list[list[HanabiCard]]:
        """All hands by absolute seat, oldest card first."""
        return [[card_of(card) for card in self._cards(s)] for s in range(self._rules.players)]

    def end_of_game_status(self) -> HanabiEndOfGameType:
        """Why the game is over, or NOT_FINISHED."""
        return HanabiEndOfGameType(self._bytes[_STATUS])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._bytes[_STATUS] != 0

    def legal_moves(self) -> list[HanabiMove]:
        """Legal moves of the seat to move; ValueError while a card has to be dealt."""
        if self._mover() == CHANCE_PLAYER_ID:
            raise ValueError("nobody has legal moves: a card has to be dealt first")
        return [self.parent.get_move(move) for move in _ids_of(int(legal_now(self._games)))]

    def move_is_legal(self, move: HanabiMove) -> bool:
        """Whether a move can be made now."""
        if move.type() == HanabiMoveType.DEAL:
            card = self.parent.card_id(move)
            return card >= 0 and bool(can_deal(self._games, self.parent.streams, card))
        uid = self.parent.move_id(move)
        return uid >= 0 and bool(int(legal_now(self._games)) >> uid & 1)

    def score(self) -> int:
        """Sum of the fireworks, 0 without lives; valid at any time."""
        return sum(self.fireworks()) if self.life_tokens() > 0 else 0

    def move_history(self) -> list[HanabiHistoryItem]:
        """All moves and deals, oldest first, with absolute seats."""
        rules = self._rules
        n_dealt = rules.deck_size - self.deck_size()
        deck = self._bytes[_DECK : _DECK + n_dealt]
        n_first = min(n_dealt, rules.players * rules.hand_size)
        items = [deal_item(deck[order], order // rules.hand_size) for order in range(n_first)]
        order = n_first
        for index in range(self._n_moves()):
            event = self._event(index)
            items.append(move_item(event, self.parent.get_move(event.move), event.seat))
            if event.effect & DREW:
                items.append(deal_item(deck[order], event.seat))
                order += 1
        return items

    def __str__(self) -> str:
        return self._text(range(self._rules.players))

    __repr__ = __str__
