"""A table of the web: who may do what at it.

Every action has a method that checks it and returns an ``Event``; nothing has happened until
``apply`` is called with it. In between, the event is stored.
"""

from dataclasses import replace

from tamaya.moves import GIVE_UP, move_text, parse_move
from tamaya.web import morphs
from tamaya.web.events import (
    AGENT,
    AGREED,
    ASKED,
    FASTEST_PACE,
    MORPHED,
    MOVED,
    OPEN,
    OPTIONS,
    OVER,
    PERSON,
    REFUSED,
    SEATED,
    SLOWEST_PACE,
    STARTED,
    UNDONE,
    WAITING,
    WATCH_TABLE,
    Event,
    Options,
    Role,
    SeatState,
    TableError,
)
from tamaya.web.table_state import TableState


class Table(TableState):
    """A table and the wishes of those who are at it."""

    # Seats.

    def sit(self, role: Role, seat: int, name: str, token_hash: str) -> Event:
        """A person sits down, in an open seat or in the one that it left or lost to an agent."""
        sitter = self._checked_seat(seat)
        self._check_not_over()
        if self.kind == WATCH_TABLE:
            raise TableError("forbidden", "only agents play at this table", "seat")
        if role.seat is not None and role.seat != seat:
            raise TableError("forbidden", "you sit in another seat", "seat")
        if role.seat is None and sitter.kind != OPEN:
            raise TableError("taken", f"seat {seat} is taken by {sitter.name}", "seat")
        return Event(SEATED, self.turn, seat, sitter=SeatState(PERSON, name, token_hash=token_hash))

    def leave(self, role: Role) -> Event:
        """A person gets up; in a game that has begun, it may take its seat again."""
        seat = self._checked_player(role)
        self._check_not_over()
        sitter = self.seats[seat]
        if sitter.kind != PERSON:
            raise TableError("forbidden", f"nobody sits in seat {seat}")
        left = SeatState() if self.phase == WAITING else replace(sitter, kind=OPEN)
        return Event(SEATED, self.turn, seat, sitter=left)

    def fill(self, role: Role, seat: int, agent: SeatState, *, is_away: bool = False) -> Event:
        """The host gives an open seat, that of a person who is away or an agent's to an agent."""
        self._check_host(role)
        sitter = self._checked_seat(seat)
        self._check_not_over()
        if sitter.kind == PERSON and not is_away:
            raise TableError("taken", f"{sitter.name} sits in seat {seat}", "seat")
        sitter = replace(agent, kind=AGENT, token_hash=sitter.token_hash)
        return Event(SEATED, self.turn, seat, sitter=sitter)

    def start(self, role: Role) -> Event:
        """The host begins the game, though seats are open; they can be taken later."""
        self._check_host(role)
        if self.phase != WAITING:
            raise TableError("stale", "the game has begun")
        return Event(STARTED, self.turn)

    # Moves.

    def move(self, role: Role, turn: int, text: str) -> Event | None:
        """A person moves; None if this very move has been made already."""
        seat = self._checked_player(role)
        if self._was_made(seat, turn, text):
            return None
        self._check_turn(seat, turn)
        if self.seats[seat].kind != PERSON:
            raise TableError("not_your_turn", f"{self.seats[seat].name} plays for you")
        self._check_move(text)
        return Event(MOVED, self.turn + 1, seat, move=text)

    def agent_move(
        self, seat: int, turn: int, text: str, memory: bytes | None, *, revision: int
    ) -> Event:
        """An agent moves, as it decided at a turn and a revision of the table."""
        if revision != self.revision:
            raise TableError("stale", "the table has changed since the agent was asked")
        self._check_turn(seat, turn)
        gives_up = text == move_text(self.rules, GIVE_UP)
        if not gives_up:
            self._check_move(text)
        return Event(MOVED, self.turn + (not gives_up), seat, move=text, memory=memory)

    def _was_made(self, seat: int, turn: int, text: str) -> bool:
        if not 0 <= turn < self.turn:
            return False
        event = self.game.events[turn]
        return event["seat"] == seat and move_text(self.rules, int(event["move"])) == text

    def _check_turn(self, seat: int, turn: int) -> None:
        if turn != self.turn:
            raise TableError("stale", f"it is turn {self.turn}, not turn {turn}", "turn")
        self._check_not_over()
        if self.phase == WAITING:
            raise TableError("waiting", "the game has not begun")
        if self.game.mover != seat:
            raise TableError("not_your_turn", f"it is the turn of seat {self.game.mover}")

    def _check_move(self, text: str) -> None:
        try:
            move = parse_move(self.rules, text)
            if move == GIVE_UP:
                raise ValueError("only agents give up")
        except ValueError as error:
            raise TableError("illegal", str(error), "move") from None
        if reason := self.game.why_illegal(move):
            raise TableError("illegal", f"{text} is not legal: {reason}", "move")

    # Taking back.

    def ask_undo(self, role: Role, turn: int) -> Event | None:
        """A person wants its last move back: at once if alone with agents, else all must agree.

        Somebody who left a seat or may still take one cannot agree, and would find a game in which
        their cards were played, seen and taken back: so such moves cannot be undone. None if
        this person has asked already.
        """
        seat = self._checked_player(role)
        if turn != self.turn:
            raise TableError("stale", f"it is turn {self.turn}, not turn {turn}", "turn")
        self._check_not_over()
        if not self.options.undo:
            raise TableError("forbidden", "moves cannot be taken back at this table")
        if self.seats[seat].kind != PERSON:
            raise TableError("forbidden", f"nobody sits in seat {seat}")
        back_to = self._own_last_turn(seat)
        if self.asked and self.asked.seat == seat:
            return None
        if self.asked:
            name = self.seats[self.asked.seat].name
            raise TableError("busy", f"{name} has asked to take a move back")
        if self._persons() == {seat}:
            if any(self._is_for_person(other) for other in range(len(self.seats)) if other != seat):
                raise TableError("forbidden", "other players would have to agree, but are away")
            return Event(UNDONE, back_to, seat)
        return Event(ASKED, self.turn, seat)

    def agree(self, role: Role, yes: bool) -> Event | None:
        """A person agrees to take moves back, or does not; None if it has agreed already."""
        seat = self._checked_player(role)
        if self.asked is None:
            raise TableError("stale", "nobody has asked to take a move back")
        if self.seats[seat].kind != PERSON:
            raise TableError("forbidden", f"nobody sits in seat {seat}")
        if not yes:
            return Event(REFUSED, self.turn, seat)
        if seat == self.asked.seat or seat in self.asked.agreed:
            return None
        if self._persons() <= {seat, self.asked.seat, *self.asked.agreed}:
            return Event(UNDONE, self.asked.turn, seat)
        return Event(AGREED, self.turn, seat)

    def _own_last_turn(self, seat: int) -> int:
        last = self._last_move_of(seat)
        if last is None:
            raise TableError("forbidden", "you have made no move that could be taken back")
        if last < self.first_turn:
            raise TableError("forbidden", "the line begins here: nothing can be taken back")
        return last

    def _persons(self) -> set[int]:
        return {seat for seat, sitter in enumerate(self.seats) if sitter.kind == PERSON}

    # Lines that leave another game.

    def back(self, role: Role) -> Event | None:
        """Back to where the line begins; None if nothing has happened since."""
        self.check_line(role)
        return Event(UNDONE, self.first_turn, role.seat) if self.turn > self.first_turn else None

    def morph(self, role: Role, orders: tuple[int, int]) -> Event:
        """Two cards change places; MorphError if they cannot."""
        self.check_line(role)
        morphs.swapped(self.game, orders)
        return Event(MORPHED, self.turn, role.seat, orders=orders)

    def check_line(self, role: Role) -> None:
        """Whether somebody may change a line: its host, and no other person sits there."""
        if self.opening.line is None:
            raise TableError("forbidden", "this is a game, not a line of your own")
        self._check_host(role)
        self._check_not_over()
        others = [sitter for seat, sitter in enumerate(self.seats) if seat != role.seat]
        if any(sitter.kind == PERSON or sitter.token_hash for sitter in others):
            raise TableError("forbidden", "others have a seat here: nothing can be changed")

    # What the host sets.

    def set_pace(self, role: Role, ms: int) -> Event:
        """The host sets how fast agents play before watchers."""
        if not FASTEST_PACE <= ms <= SLOWEST_PACE:
            expected = f"expected {FASTEST_PACE} to {SLOWEST_PACE} ms"
            raise TableError("bad_frame", f"a pace of {ms} ms does not exist: {expected}", "ms")
        return self._set_options(role, replace(self.options, pace_ms=ms))

    def pause(self, role: Role, on: bool) -> Event:
        """The host stops the agents, or lets them go on."""
        return self._set_options(role, replace(self.options, paused=on))

    def check_watch_host(self, role: Role) -> None:
        """Whether somebody is the host of a table of agents, who alone sets its pace."""
        self._check_host(role)
        if self.kind != WATCH_TABLE:
            raise TableError("forbidden", "persons play at this table at their own pace")

    def check_again(self, role: Role) -> None:
        """Whether somebody may ask for the next deal: the host, once the game is over."""
        self._check_host(role)
        if self.phase != OVER:
            raise TableError("forbidden", "the game is not over")

    def _set_options(self, role: Role, options: Options) -> Event:
        self.check_watch_host(role)
        self._check_not_over()
        return Event(OPTIONS, self.turn, options=options)

    # Who may.

    def _checked_seat(self, seat: int) -> SeatState:
        if not 0 <= seat < len(self.seats):
            expected = f"expected 0 to {len(self.seats) - 1}"
            raise TableError("no_such_seat", f"seat {seat} does not exist: {expected}", "seat")
        return self.seats[seat]

    def _checked_player(self, role: Role) -> int:
        if role.seat is None:
            raise TableError("forbidden", "you watch this table, you have no seat at it")
        self._checked_seat(role.seat)
        return role.seat

    def _check_host(self, role: Role) -> None:
        if not role.is_host:
            raise TableError("forbidden", "only the host of the table may do that")

    def _check_not_over(self) -> None:
        if self.phase == OVER:
            raise TableError("over", f"the game is over ({self.game.status})")
