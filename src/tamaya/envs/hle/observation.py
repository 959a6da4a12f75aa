"""What one seat sees, as HLE's object, and the encoder of its vector.

An observation copies the bytes of a ``VIEW``: it does not change when the game continues, and the
seat's own cards are not in it.
"""

import enum
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tamaya.envs.hle.board import Board
from tamaya.envs.hle.cards import HanabiCard, HanabiCardKnowledge, card_of
from tamaya.envs.hle.catalogue import Catalogue
from tamaya.envs.hle.history import HanabiHistoryItem, deal_item, move_item
from tamaya.envs.hle.moves import HanabiMove
from tamaya.envs.hle.public_game import PublicGame, public_game_of
from tamaya.envs.hle.turns import encode_view
from tamaya.records import DREW, VIEW
from tamaya.rules import MAX_HAND

if TYPE_CHECKING:
    from tamaya.envs.hle.state import HanabiState


class Moment(NamedTuple):
    """What all observations of one moment share; everybody at the table knows it."""

    catalogue: Catalogue
    mover: int  # absolute, -1 while a card has to be dealt
    legal: list[int]  # ids of the mover's moves
    discards: bytes  # card ids, oldest first
    named: bytes  # [seat, slot] -> what hints named, see ``turns.write_named``


class HanabiObservation(Board):
    """The table seen from one seat; seats in its answers are relative to that seat."""

    __slots__ = ("_moment", "_seat", "_vector")

    def __init__(self, state: "HanabiState", game: Any, player: int) -> None:
        seat = operator.index(player)
        moment, raw = state.snapshot(seat)
        self._keep(moment, seat, raw)

    @classmethod
    def from_bytes(
        cls, moment: Moment, seat: int, raw: bytes, vector: bytes
    ) -> "HanabiObservation":
        """Observation of a seat from the bytes of its view and its vector."""
        observation = cls.__new__(cls)
        observation._keep(moment, seat, raw, vector)
        return observation

    def _keep(self, moment: Moment, seat: int, raw: bytes, vector: bytes | None = None) -> None:
        self._moment = moment
        self._rules = moment.catalogue.rules
        self._seat = seat
        self._bytes = raw
        self._vector = vector

    @property
    def _game(self) -> PublicGame:
        """The game without its random stream; programs for HLE create encoders from it."""
        return public_game_of(self._rules)

    def observation(self) -> "HanabiObservation":
        """The observation itself: there is no C++ object behind it."""
        return self

    def cur_player_offset(self) -> int:
        """Seat to move relative to the observer, -1 while a card has to be dealt."""
        mover = self._moment.mover
        return mover if mover < 0 else self._offset(mover)

    def observed_hands(self) -> list[list[HanabiCard]]:
        """All hands, the observer's first; its own cards are hidden unless it is a seer."""
        return [[card_of(card) for card in self._cards(seat)] for seat in self._seats()]

    def card_knowledge(self) -> list[list[HanabiCardKnowledge]]:
        """What hints have told about every card, the observer's hand first."""
        return [self._knowledge(seat) for seat in self._seats()]

    def last_moves(self) -> list[HanabiHistoryItem]:
        """Moves and deals since the observer's own last move and that move, newest first."""
        items = []
        for index in range(self._n_moves() - 1, -1, -1):
            event = self._event(index)
            offset = self._offset(event.seat)
            if event.effect & DREW:
                items.append(deal_item(self._card_of_order(self._order_drawn(index)), offset))
            items.append(move_item(event, self._moment.catalogue.moves[event.move], offset))
            if offset == 0:
                break
        return items

    def legal_moves(self) -> list[HanabiMove]:
        """Legal moves of the observer, none when another seat is to move."""
        return [self._moment.catalogue.moves[move] for move in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """Ids of the legal moves of the observer, in increasing order."""
        return self._moment.legal.copy() if self._seat == self._moment.mover else []

    def card_ids(self) -> list[bytes | bytearray]:
        """Card ids of all hands, the observer's first; 255 is a hidden card."""
        return [self._cards(seat) for seat in self._seats()]

    def named_codes(self) -> list[bytes]:
        """What hints named for every card, the observer's hand first: see ``turns.write_named``."""
        named = self._moment.named
        return [
            named[MAX_HAND * seat : MAX_HAND * seat + len(self._cards(seat))]
            for seat in self._seats()
        ]

    def to_vector(self) -> bytes:
        """The canonical vector, one byte per bit."""
        if self._vector is None:
            vector = np.empty(self._moment.catalogue.vector_length, np.uint8)
            encode_view(np.frombuffer(bytearray(self._bytes), VIEW), vector)
            self._vector = vector.tobytes()
        return self._vector

    def discard_ids(self) -> bytes:
        """Card ids of the discard pile, oldest first."""
        return self._moment.discards

    def _mover(self) -> int:
        return self._moment.mover

    def _offset(self, seat: int) -> int:
        return (seat - self._seat) % self._rules.players

    def _seats(self) -> list[int]:
        """Absolute seats, the observer's first."""
        return self._moment.catalogue.seats_from[self._seat]

    def __str__(self) -> str:
        return self._text(self._seats())

    __repr__ = __str__


class ObservationEncoderType(enum.IntEnum):
    """Encoders by number."""

    CANONICAL = 0


class ObservationEncoder:
    """The canonical encoder; subclass it and override both methods for another encoding."""

    def __init__(
        self,
        game: PublicGame,
        enc_type: ObservationEncoderType = ObservationEncoderType.CANONICAL,
    ) -> None:
        if enc_type != ObservationEncoderType.CANONICAL:
            raise ValueError(f"unknown encoder type {enc_type!r}: there is only CANONICAL")
        self._game = game.c_game

    def shape(self) -> list[int]:
        """Dimensions of a vector."""
        return [self._game.catalogue.vector_length]

    def encode(self, observation: Any) -> list[int]:
        """The observation as a list of 0 and 1."""
        return list(observation.observation().to_vector())
