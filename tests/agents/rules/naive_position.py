"""A position as a seat sees it, in the most naive Python: what the oracle of the rules looks at.

Values are 1 to 5, as on the cards. Only the game of 50 cards is covered.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reference import ReferenceGame

Move = tuple[Any, ...]  # such as ("play", slot) or ("value", seat, 3)
Card = tuple[int, int]  # colour, value

COLOURS, VALUES = range(5), range(1, 6)
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


@dataclass
class Slot:
    """A card in a hand with what its owner was told; colour and value are None in my own."""

    colour: int | None
    value: int | None
    colours: set[int]
    values: set[int]
    order: int  # place in the deck

    @property
    def known_colour(self) -> int | None:
        """The only colour it can have by hints, if there is only one."""
        return next(iter(self.colours)) if len(self.colours) == 1 else None

    @property
    def known_value(self) -> int | None:
        """The only value it can have by hints, if there is only one."""
        return next(iter(self.values)) if len(self.values) == 1 else None

    @property
    def is_blank(self) -> bool:
        """Whether neither colour nor value is known."""
        return self.known_colour is None and self.known_value is None

    @property
    def is_complete(self) -> bool:
        """Whether colour and value are known."""
        return self.known_colour is not None and self.known_value is not None


@dataclass
class Action:
    """Something that a seat did: a play, a discard or a hint."""

    seat: int
    kind: str  # play, discard, colour or value
    slot: int | None = None
    drew: bool = False
    target: int | None = None
    told: int | None = None  # the colour or value of a hint
    touched: tuple[int, ...] = ()  # slots
    touched_orders: tuple[int, ...] = ()  # what was in them then, for hints to me


class Position:
    """A position as one seat sees it, on its turn.

    With ``ghosts``, the cards it used itself count as unseen: the fault of version 0.1.
    """

    def __init__(self, game: ReferenceGame, me: int, ghosts: bool = False) -> None:
        """Look at a game from a seat."""
        self.n, self.k, self.me = game.rules.players, game.rules.hand_size, me
        self.in_place = game.rules.refill == "in_place"
        self.table = list(game.fireworks)
        self.discards = Counter((colour, rank + 1) for colour, rank in game.discards)
        self.tokens, self.lives = game.tokens, game.lives
        self.hands: list[list[Slot | None]] = [
            [self._slot(held, seat == me) for held in hand] for seat, hand in enumerate(game.hands)
        ]
        self.own = [slot for slot in self.hands[me] if slot is not None]
        assert len(self.own) == self.k, "a hand is full on its owner's turn"
        self.actions: list[Action] = []
        self.draw_times = list(range(self.k))
        self._walk(game)
        used = [event["card"] for event in game.history if event["seat"] == me]
        self.ghosts = [(card[0], card[1] + 1) for card in used if card and ghosts]

    @staticmethod
    def _slot(held: Any, is_mine: bool) -> Slot | None:
        if held is None:
            return None
        colour, value = (None, None) if is_mine else (held.card[0], held.card[1] + 1)
        return Slot(colour, value, set(held.colours), {rank + 1 for rank in held.ranks}, held.order)

    def _walk(self, game: ReferenceGame) -> None:
        """Read the history: actions, what hints to me touched, when I drew my cards."""
        orders = [self.me * self.k + slot for slot in range(self.k)]
        n_dealt, n_received = self.n * self.k, self.k
        for event in game.history:
            kind, *numbers = game.describe(event["move"])
            action = Action(event["seat"], "value" if kind == "rank" else kind)
            if event["target"] is not None:
                action.target = event["target"]
                action.told = numbers[1] + 1 if kind == "rank" else numbers[1]
                action.touched = tuple(event["touched"])
                if action.target == self.me:
                    action.touched_orders = tuple(orders[slot] for slot in action.touched)
            else:
                action.slot, action.drew = numbers[0], event["drew"]
                if action.seat == self.me:
                    assert action.drew, "the last turn of a seat is over"
                    place = action.slot if self.in_place else self.k - 1
                    del orders[action.slot], self.draw_times[action.slot]
                    orders.insert(place, n_dealt)
                    self.draw_times.insert(place, n_received)
                    n_received += 1
                n_dealt += event["drew"]
            self.actions.append(action)

    # Seats and slots.

    @property
    def turn_order(self) -> list[int]:
        """The other seats from the next one on."""
        return [(self.me + k) % self.n for k in range(1, self.n)]

    @property
    def seat_order(self) -> list[int]:
        """The other seats by number."""
        return [seat for seat in range(self.n) if seat != self.me]

    @property
    def next(self) -> int:
        """The seat after mine."""
        return (self.me + 1) % self.n

    def cards(self, seat: int) -> Iterator[tuple[int, Slot]]:
        """The occupied slots of a seat, ascending."""
        return ((s, slot) for s, slot in enumerate(self.hands[seat]) if slot is not None)

    def has_gap(self, seat: int) -> bool:
        """Whether a slot of a seat is empty."""
        return None in self.hands[seat]

    @property
    def newest(self) -> int:
        """My newest slot."""
        return self.draw_times.index(max(self.draw_times))

    @property
    def oldest(self) -> int:
        """My oldest slot."""
        return self.draw_times.index(min(self.draw_times))

    def slot_of_order(self, order: int) -> int | None:
        """Where I hold a card that was dealt or drawn earlier."""
        held = [slot.order for slot in self.own]
        return held.index(order) if order in held else None

    # Cards.

    @cached_property
    def unseen(self) -> list[Card]:
        """The cards I do not see: the deck and my own hand."""
        left = Counter({(colour, value): COPIES[value] for colour in COLOURS for value in VALUES})
        left -= self.discards
        left -= Counter((c, v) for c in COLOURS for v in range(1, self.table[c] + 1))
        for seat in self.seat_order:
            left -= Counter((slot.colour, slot.value) for _, slot in self.cards(seat))
        return [*left.elements(), *self.ghosts]

    def is_playable(self, colour: int | None, value: int | None) -> bool:
        """Whether a card can be played now."""
        assert colour is not None
        return self.table[colour] + 1 == value

    def reach(self, colour: int) -> int:
        """The highest value that a stack can reach."""
        for value in range(self.table[colour] + 1, 6):
            if self.discards[colour, value] == COPIES[value]:
                return value - 1
        return 5

    def is_useless(self, colour: int | None, value: int | None) -> bool:
        """Whether a card, of which either attribute may be unknown, can never score."""
        if value is not None and value <= min(self.table):
            return True
        if colour is None:
            return False
        if self.table[colour] == 5:
            return True
        return value is not None and (self.table[colour] >= value or value > self.reach(colour))

    def is_necessary(self, colour: int, value: int) -> bool:
        """Whether a card is useful and the last of its kind outside the discards."""
        is_last = value == 5 or self.discards[colour, value] == COPIES[value] - 1
        return is_last and not self.is_useless(colour, value)

    # Knowledge.

    def candidates(self, slot: Slot) -> list[Card]:
        """What one of my cards can be, with multiplicity."""
        return [card for card in self.unseen if card[0] in slot.colours and card[1] in slot.values]

    def chances(self, predicate: Callable[[int, int], bool]) -> list[float]:
        """For each of my slots, how likely its card has a property."""
        lists = [self.candidates(slot) for slot in self.own]
        return [sum(predicate(*card) for card in cards) / len(cards) for cards in lists]

    @cached_property
    def chances_playable(self) -> list[float]:
        """For each of my slots, how likely its card is playable."""
        return self.chances(self.is_playable)

    @cached_property
    def chances_useless(self) -> list[float]:
        """For each of my slots, how likely its card is useless."""
        return self.chances(self.is_useless)

    def owner_chances(
        self, seat: int, predicate: Callable[[int, int], bool], hint: Move | None = None
    ) -> dict[int, float]:
        """The same for the slots of another seat, by its own lights, before or after a hint."""
        hand = [(slot.colour, slot.value) for _, slot in self.cards(seat)]
        pool = [*self.unseen, *hand]
        result = {}
        for s, slot in self.cards(seat):
            colours, values = slot.colours, slot.values
            if hint and hint[0] == "value":
                values = {hint[2]} if slot.value == hint[2] else values - {hint[2]}
            elif hint:
                colours = {hint[2]} if slot.colour == hint[2] else colours - {hint[2]}
            fitting = [(c, v) for c, v in pool if c in colours and v in values]
            result[s] = sum(predicate(c, v) for c, v in fitting) / len(fitting)
        return result

    def hints_to(self, seat: int) -> list[Move]:
        """The hints that touch a card of a seat: values, then colours."""
        held = [slot for _, slot in self.cards(seat)]
        values = [("value", seat, v) for v in VALUES if v in [slot.value for slot in held]]
        colours = [("colour", seat, c) for c in COLOURS if c in [slot.colour for slot in held]]
        return [*values, *colours]
