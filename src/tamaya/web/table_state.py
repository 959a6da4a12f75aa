"""The state of a table of the web, and what events make of it.

    waiting   some seats are open, nobody has moved
    playing   moves are made; a seat may be left, taken again or given to an agent
    over      the game has ended, or was played elsewhere: nothing changes any more

A table is rebuilt exactly from its ``Opening`` and its events. There is no clock here, no random
number and no input or output. ``tamaya.web.table`` checks who may do what.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Self

from tamaya.game import Game
from tamaya.web import morphs
from tamaya.web.events import (
    AGENT,
    AGREED,
    ASKED,
    IMPORT,
    MORPHED,
    MOVED,
    OPEN,
    OPTIONS,
    OVER,
    PERSON,
    PLAY_TABLE,
    PLAYING,
    REFUSED,
    SEATED,
    STARTED,
    UNDONE,
    WAITING,
    WATCH_TABLE,
    Event,
    Memory,
    Opening,
    TableError,
    Wish,
)


class TableState:
    """A table as it stands."""

    def __init__(self, opening: Opening) -> None:
        rules, seats = opening.rules, opening.seats
        if len(seats) != rules.players:
            raise TableError(
                "bad_frame", f"{len(seats)} seats for {rules.players} players", "seats"
            )
        self.opening = opening
        self.id, self.rules = opening.id, rules
        self.seed, self.index = opening.seed, opening.index
        self.seats = list(seats)
        is_played = any(self._is_for_person(seat) for seat in range(len(seats)))
        self.kind = opening.kind or (PLAY_TABLE if is_played else WATCH_TABLE)
        if self.kind == PLAY_TABLE and rules.observation != "card_knowledge":
            reason = f"observation={rules.observation} is for agents alone"
            raise TableError("bad_frame", f"{reason}: persons play by card_knowledge", "rules")
        self.seatings = {0: tuple(seats)}  # [turn] -> who sat at the table from then on
        self.options = opening.options
        self.game = Game(rules, opening.seed, opening.index, deck=opening.deck, start=opening.start)
        self.is_started = OPEN not in (seat.kind for seat in seats)
        self.undos = 0
        self.revision = 0  # grows when moves are taken back or a seat changes hands
        self.asked: Wish | None = None
        self.morphs: list[tuple[int, int]] = []  # cards that have changed places
        self.memories: dict[int, Memory] = {}  # [moves made] -> memory after the last of them

    @classmethod
    def replay(cls, opening: Opening, events: Iterable[Event]) -> Self:
        """The table once more, from its opening and what happened since."""
        table = cls(opening)
        for event in events:
            table.apply(event)
        return table

    @property
    def phase(self) -> str:
        """Waiting, playing or over."""
        if self.game.is_over or self.kind == IMPORT:
            return OVER
        return PLAYING if self.is_started else WAITING

    @property
    def turn(self) -> int:
        """Moves made so far."""
        return self.game.turn

    @property
    def first_turn(self) -> int:
        """Moves that were made elsewhere, which stay."""
        return self.opening.line.turn if self.opening.line else 0

    @property
    def agent_to_move(self) -> int | None:
        """The seat of the agent whose turn it is; None if it is a person's, or nobody's."""
        seat = self.game.mover
        return seat if self.phase == PLAYING and self.seats[seat].kind == AGENT else None

    def memory_of(self, seat: int, turn: int | None = None) -> tuple[bytes | None, int]:
        """What a seat's agent remembers, now or at a turn, and the moves that this covers.

        That is its memory after the last move of the seat; None and 0 if there is none. If a
        person or another agent made that move, the agent has to see the game from the beginning.
        """
        last = self._last_move_of(seat, turn)
        memory = None if last is None else self.memories.get(last + 1)
        if memory is None or last is None or memory.identity != self.seats[seat].identity:
            return None, 0
        return memory.data, last + 1

    def _last_move_of(self, seat: int, turn: int | None = None) -> int | None:
        """The turn at which a seat moved last, before a turn if one is given."""
        movers = self.game.events["seat"][:turn].tolist()
        return max((k for k, mover in enumerate(movers) if mover == seat), default=None)

    def _is_for_person(self, seat: int) -> bool:
        """Whether a seat is a person's, open to one, or kept for one while an agent plays."""
        sitter = self.seats[seat]
        return sitter.kind != AGENT or bool(sitter.token_hash)

    # What happens.

    def apply(self, event: Event) -> None:
        """Let an event happen that was allowed."""
        happen = {
            STARTED: self._started,
            SEATED: self._seated,
            MOVED: self._moved,
            ASKED: self._asked,
            AGREED: self._agreed,
            REFUSED: self._refused,
            UNDONE: self._undone,
            OPTIONS: self._set,
            MORPHED: self._morphed,
        }
        if event.kind not in happen:
            raise TableError("bad_frame", f"events of the kind {event.kind!r} do not exist")
        happen[event.kind](event)

    def _started(self, event: Event) -> None:
        self.is_started = True

    def _seated(self, event: Event) -> None:
        assert event.seat is not None and event.sitter is not None
        before, self.seats[event.seat] = self.seats[event.seat], event.sitter
        self.seatings[event.turn] = tuple(self.seats)
        if before.kind == event.sitter.kind == PERSON:
            return  # another name, or another key to the seat: nothing that anybody waits for
        self.is_started = self.is_started or OPEN not in (seat.kind for seat in self.seats)
        self.asked = None  # who has to agree is not the same any more
        self.revision += 1

    def _moved(self, event: Event) -> None:
        assert event.seat is not None
        self.game.apply(event.move)
        if event.memory is not None:
            identity = self.seats[event.seat].identity
            self.memories[self.turn] = Memory.of(event.seat, identity, event.memory)
        if self.phase == OVER or (self.asked and self.asked.seat == event.seat):
            self.asked = None  # who moves on wants nothing back

    def _asked(self, event: Event) -> None:
        assert event.seat is not None
        back_to = self._last_move_of(event.seat)
        assert back_to is not None
        self.asked = Wish(event.seat, back_to)

    def _agreed(self, event: Event) -> None:
        assert event.seat is not None and self.asked is not None
        self.asked = replace(self.asked, agreed=self.asked.agreed | {event.seat})

    def _refused(self, event: Event) -> None:
        self.asked = None

    def _undone(self, event: Event) -> None:
        self.game = self.game.at(event.turn)
        earlier = {turn: seats for turn, seats in self.seatings.items() if turn < event.turn}
        self.seatings = {**earlier, event.turn: tuple(self.seats)}
        self.memories = {
            turn: memory for turn, memory in self.memories.items() if turn <= event.turn
        }
        self.asked = None
        self.undos += 1
        self.revision += 1

    def _morphed(self, event: Event) -> None:
        assert event.orders is not None
        self.game = morphs.swapped(self.game, event.orders)
        self.morphs.append(event.orders)
        self.memories = {}  # of cards that are not what they were
        self.revision += 1

    def _set(self, event: Event) -> None:
        assert event.options is not None
        self.options = event.options
