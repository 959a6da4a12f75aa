"""What states and observations share: reading a record byte by byte, and the printed text.

A ``GAME`` and a ``VIEW`` have their fields at the same offsets, so one class reads both. Reading
bytes returns plain Python ints and is several times faster than NumPy's scalars; as a byte, -1 is
255. Seats are absolute in the record.
"""

import sys
from collections.abc import Iterable
from typing import NamedTuple

from tamaya.cards import COLOUR_LETTERS
from tamaya.envs.hle.cards import HanabiCard, HanabiCardKnowledge, card_of
from tamaya.records import (
    DREW,
    EVENT,
    EVENT_SIZE,
    GAME,
    HISTORY_OFFSET,
    SCORED,
    VIEW,
    field_offset,
)
from tamaya.rules import MAX_HAND, MAX_PLAYERS, Rules

HIDDEN = 255  # a hidden card


_POSSIBLE = field_offset(GAME, "possible")
_ORDER = field_offset(GAME, "order")
_CARD = field_offset(GAME, "card")
_TOLD = field_offset(GAME, "told")
_TOKENS = field_offset(GAME, "tokens")
_LIVES = field_offset(GAME, "lives")
_MOVER = field_offset(GAME, "mover")
_DECK_SIZE = field_offset(GAME, "deck_size")
_FIREWORK = field_offset(GAME, "firework")
_N_CARDS = field_offset(GAME, "n_cards")
_N_MOVES = field_offset(GAME, "n_moves")
_EVENT_CARD = field_offset(EVENT, "card")
_EVENT_EFFECT = field_offset(EVENT, "effect")

if field_offset(VIEW, "card") != _CARD:
    raise AssertionError("games and views must keep the cards at the same place")


class Event(NamedTuple):
    """An ``EVENT`` as Python ints; card, order and target are 255 where they mean nothing."""

    seat: int
    move: int
    target: int
    card: int
    order: int
    touched: int
    newly: int
    effect: int


if EVENT.names != Event._fields or len(Event._fields) != EVENT_SIZE:
    raise AssertionError("an event must have these fields of one byte each")


class Board:
    """A record with the methods that states and observations share."""

    __slots__ = ("_bytes", "_rules")

    _bytes: bytes | bytearray
    _rules: Rules

    def num_players(self) -> int:
        """Number of players."""
        return self._rules.players

    def deck_size(self) -> int:
        """Cards left in the deck."""
        return self._bytes[_DECK_SIZE]

    def information_tokens(self) -> int:
        """Hint tokens left."""
        return self._bytes[_TOKENS]

    def life_tokens(self) -> int:
        """Lives left; negative if play continued after the last one was lost."""
        lives = self._bytes[_LIVES]
        return lives if lives < 128 else lives - 256

    def fireworks(self) -> list[int]:
        """Height of each firework, by colour."""
        return list(self._bytes[_FIREWORK : _FIREWORK + self._rules.colours])

    def discard_pile(self) -> list[HanabiCard]:
        """Discarded and misplayed cards, oldest first."""
        return [card_of(card) for card in self.discard_ids()]

    def card_playable_on_fireworks(self, color: int, rank: int) -> bool:
        """Whether a card would score now."""
        in_game = 0 <= color < self._rules.colours
        return bool(in_game and self._bytes[_FIREWORK + color] == rank)

    def _n_moves(self) -> int:
        """Moves so far, deals not counted."""
        return int.from_bytes(self._bytes[_N_MOVES : _N_MOVES + 2], sys.byteorder)

    def discard_ids(self) -> bytes:
        """Card ids of the discard pile, oldest first."""
        end = HISTORY_OFFSET + EVENT_SIZE * self._n_moves()
        cards = self._bytes[HISTORY_OFFSET + _EVENT_CARD : end : EVENT_SIZE]
        effects = self._bytes[HISTORY_OFFSET + _EVENT_EFFECT : end : EVENT_SIZE]
        used = zip(cards, effects, strict=True)
        return bytes([card for card, effect in used if card != HIDDEN and not effect & SCORED])

    def _mover(self) -> int:
        """Seat to move, -1 while a card has to be dealt."""
        if self._bytes[_DECK_SIZE] > 0:
            n_cards = self._bytes[_N_CARDS : _N_CARDS + self._rules.players]
            if min(n_cards) < self._rules.hand_size:
                return -1
        return self._bytes[_MOVER]

    def _cards(self, seat: int) -> bytes | bytearray:
        """Card ids of a hand, oldest first."""
        first = _CARD + MAX_HAND * seat
        return self._bytes[first : first + self._bytes[_N_CARDS + seat]]

    def _knowledge(self, seat: int) -> list[HanabiCardKnowledge]:
        """What hints have told about each card of a hand."""
        n_cards = self._bytes[_N_CARDS + seat]
        first = MAX_HAND * seat
        told = self._bytes[_TOLD + first : _TOLD + first + n_cards]
        masks = memoryview(self._bytes)[_POSSIBLE + 4 * first : _POSSIBLE + 4 * (first + n_cards)]
        colours, ranks = self._rules.colours, self._rules.ranks
        return [
            HanabiCardKnowledge(mask, named, colours, ranks)
            for mask, named in zip(masks.cast("i"), told, strict=True)
        ]

    def _event(self, index: int) -> Event:
        """A move of the history."""
        first = HISTORY_OFFSET + EVENT_SIZE * index
        return Event._make(self._bytes[first : first + EVENT_SIZE])

    def _card_of_order(self, order: int) -> int:
        """Card in a hand by its order, HIDDEN if it is not seen."""
        place = self._bytes.index(order, _ORDER, _ORDER + MAX_PLAYERS * MAX_HAND)
        return self._bytes[_CARD + place - _ORDER]

    def _order_drawn(self, index: int) -> int:
        """Order of the card that replaces the one used by an event."""
        end = HISTORY_OFFSET + EVENT_SIZE * index
        effects = self._bytes[HISTORY_OFFSET + _EVENT_EFFECT : end : EVENT_SIZE]
        dealt = self._rules.players * self._rules.hand_size
        return dealt + sum(1 for effect in effects if effect & DREW)

    def _text(self, seats: Iterable[int]) -> str:
        """The table as HLE prints it, with the hands in a given order of seats."""
        mover = self._mover()
        heights = zip(COLOUR_LETTERS, self.fireworks(), strict=False)
        fireworks = "".join(f"{letter}{height} " for letter, height in heights)
        hands = []
        for seat in seats:
            cards = zip(self._cards(seat), self._knowledge(seat), strict=True)
            rows = [f"{card_of(card)} || {known}\n" for card, known in cards]
            hands.append(("Cur player\n" if seat == mover else "") + "".join(rows))
        tables = "-----\n".join(hands)
        discards = "".join(f" {card}" for card in self.discard_pile())
        return (
            f"Life tokens: {self.life_tokens()}\nInfo tokens: {self.information_tokens()}\n"
            f"Fireworks: {fireworks}\nHands:\n{tables}"
            f"Deck size: {self.deck_size()}\nDiscards:{discards}"
        )
