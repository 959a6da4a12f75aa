"""Nothing leaks: what a role is sent is the same, byte for byte, whatever it cannot see.

Situations are scripts on a game and on the same game with the hidden cards exchanged (``leaks``):
for a seat its own hand and the deck, for who watches persons or waits all hands and the deck, for
who watches agents the deck. Seeds and the memories of agents differ too.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from leaks import AGENTS, NAMES, SUBJECT, Situation, Step, situation
from support import replay, scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.web import messages, sight
from tamaya.web.events import AGENT, OPEN, OVER, PERSON, Event, Opening, Role, SeatState, TableError
from tamaya.web.messages import FrameError, dump, parse_frame
from tamaya.web.sight import Reasons, view_frame
from tamaya.web.table import Table

pytestmark = [pytest.mark.interpreted, pytest.mark.checked]

N_SITUATIONS, N_PARTS = 2000, 8
Frame = dict[str, Any]
many = pytest.mark.skipif(not JIT, reason="takes many situations")
View = Callable[[Table, Role, int | None], Frame]


class Desk:
    """A server without sockets, which keeps what it sends to the subject."""

    def __init__(self, found: Situation, game: Game, seed: int, view: View) -> None:
        seats = [
            SeatState(kind, NAMES[k] if kind == PERSON else "certainty" if kind == AGENT else "",
                      "certainty" if kind == AGENT else "",
                      token_hash=str(k) if kind == PERSON else "")
            for k, kind in enumerate(found.kinds)
        ]  # fmt: skip
        seats = [SeatState() if seat.kind == OPEN else seat for seat in seats]
        start = int(game.record.start)
        opening = Opening("t" * 16, game.rules, tuple(seats), seed, seed,
                          deck=tuple(game.deck), start=start)  # fmt: skip
        self.table = Table(opening)
        self.table.game = replay(game, turns=found.turn)
        self.found, self.line, self.view, self.seed = found, game.moves, view, seed
        is_host = found.host is None or found.host == found.seat
        self.subject = Role(None if found.joins else found.seat, is_host)
        self.sent: list[str] = []

    def run(self) -> list[str]:
        """Everything that the subject is sent."""
        self.welcome()
        for step in self.found.steps:
            self.take(step)
        return self.sent

    def take(self, step: Step) -> None:
        """Let a step happen."""
        if step.who == AGENTS:
            table = self.table
            text, memory = move_text(table.rules, self.line[table.turn]), bytes([self.seed])
            seat = table.game.mover
            self.happen(table.agent_move(seat, table.turn, text, memory, revision=table.revision))
        elif step.text == "hello":
            self.welcome()
        else:
            self.receive(step)

    def welcome(self) -> None:
        """What somebody is sent who comes to the table."""
        self.send(sight.welcome_frame(self.table, self.subject))
        self.send(sight.seats_frame(self.table))
        self.send(self.view(self.table, self.subject, None))
        self.send(sight.asked_frame(self.table))

    def send(self, frame: Frame) -> None:
        """Send a frame to the subject."""
        self.sent.append(dump(frame))

    def role_of(self, step: Step) -> Role:
        """Who sends a frame."""
        if step.who == SUBJECT:
            return self.subject
        assert isinstance(step.who, int)
        return Role(step.who, step.who == self.found.host)

    def receive(self, step: Step) -> None:
        """Answer a frame; errors go to whoever sent it."""
        is_own = step.who == SUBJECT
        try:
            reply = self.answer(self.role_of(step), parse_frame(step.text))
        except (FrameError, TableError) as error:
            assert is_own or step.text.startswith('{"type": "undo"'), f"{step}: {error}"
            reply = {"type": "error", "code": error.code, "text": error.text, "place": error.place}
        if is_own and reply is not None:
            self.send(reply)

    def answer(self, role: Role, message: Any) -> Frame | None:
        """Do what a message says; gives the reply, unless everybody is told."""
        table = self.table
        wishes: dict[type, Callable[[], Event | None]] = {
            messages.Move: lambda: table.move(role, message.turn, message.move),
            messages.Undo: lambda: table.ask_undo(role, message.turn),
            messages.Agree: lambda: table.agree(role, message.yes),
            messages.Leave: lambda: table.leave(role),
            messages.Sit: lambda: table.sit(role, message.seat, message.name, str(message.seat)),
            messages.Fill: lambda: table.fill(role, message.seat, SeatState(AGENT, "certainty")),
            messages.Pace: lambda: table.set_pace(role, message.ms),
        }
        if wish := wishes.get(type(message)):
            event = wish()
            if event is None:
                return self.view(table, role, None)
            self.happen(event)
            self.move_subject(role, message)
            return None
        if isinstance(message, messages.Look):
            return self.view(table, role, message.turn)
        if isinstance(message, (messages.Advise, messages.Why)):
            wanted = message.seat if isinstance(message, messages.Why) else role.seat
            seat = sight.check_question(table, role, message.turn, wanted)
            return sight.reasons_frame(table, "why", message.turn, seat, Reasons("piers", "p0"))
        if isinstance(message, messages.Again):
            table.check_again(role)
        raise AssertionError(message)

    def move_subject(self, role: Role, message: Any) -> None:
        """The subject has sat down, or left before the game."""
        if role != self.subject:
            return
        if isinstance(message, messages.Sit):
            self.subject = replace(role, seat=message.seat)
        elif isinstance(message, messages.Leave) and not self.table.is_started:
            self.subject = replace(role, seat=None)
        else:
            return
        self.welcome()

    def happen(self, event: Event) -> None:
        """Let an event happen and tell everybody."""
        self.table.apply(event)
        assert self.table.phase != OVER
        self.send(sight.seats_frame(self.table))
        self.send(self.view(self.table, self.subject, None))
        self.send(sight.asked_frame(self.table))


def leaks(found: Situation, view: View = view_frame) -> bool:
    """Whether the subject is sent anything else when what it cannot see is exchanged."""
    sent = Desk(found, found.game, 1, view).run()
    return sent != Desk(found, found.other, 2, view).run()


@pytest.mark.parametrize("part", range(N_PARTS))
def test_nobody_is_sent_anything_that_it_cannot_see(part):
    rng, n_exchanged = Random(part), 0
    n = scaled(N_SITUATIONS // N_PARTS)
    for _ in range(n):
        found = situation(rng)
        n_exchanged += found.other.deck != found.game.deck
        assert not leaks(found), str(found)
    assert n_exchanged > 0.7 * n - 3


@many
def test_the_scripts_reach_everything():
    """Most things that can be said are said, and much is granted."""
    rng = Random(100)
    kinds, codes, n_taken_back = set(), set(), 0
    for _ in range(150):
        found = situation(rng, usual=True)
        texts = Desk(found, found.game, 1, view_frame).run()
        kinds |= {text.split('"type":"')[1].split('"')[0] for text in texts}
        codes |= {text.split('"code":"')[1].split('"')[0] for text in texts if '"code"' in text}
        turns = [json.loads(text)["now"] for text in texts if '"type":"view"' in text]
        n_taken_back += turns != sorted(turns)
    assert kinds >= {"welcome", "seats", "view", "asked", "error", "reasons"}
    assert n_taken_back >= 10
    assert codes >= {"bad_frame", "stale", "not_your_turn", "illegal", "forbidden", "taken"}


# Serializers that leak are caught.


def leak_own_card(table: Table, role: Role, turn: int | None) -> Frame:
    """Shows a seat the first of its cards."""
    frame = view_frame(table, role, turn)
    if role.seat is not None:
        game = table.game if turn is None else table.game.at(turn)
        frame["hands"][role.seat][0]["card"] = int(game.record.card[role.seat, 0])
    return frame


def leak_next_card(table: Table, role: Role, turn: int | None) -> Frame:
    """Shows everybody the next card of the deck."""
    frame = view_frame(table, role, turn)
    if frame["deck"]:
        frame["deck"] = table.game.deck[-frame["deck"]]
    return frame


def leak_legal_moves(table: Table, role: Role, turn: int | None) -> Frame:
    """Tells seats that wait what the mover may do: a legal red hint says that they hold red."""
    frame = view_frame(table, role, turn)
    legal = [move_text(table.rules, move) for move in table.game.legal_moves]
    return frame | {"legal": legal}


def leak_marks(table: Table, role: Role, turn: int | None) -> Frame:
    """Marks a seat's own playable cards by their faces."""
    frame = view_frame(table, role, turn)
    if role.seat is not None:
        game = table.game if turn is None else table.game.at(turn)
        for slot in frame["hands"][role.seat]:
            card = int(game.record.card[role.seat, slot["slot"]])
            if card >= 0 and game.record.firework[card // 5] == card % 5:
                slot["marks"] = ["playable"]
    return frame


def leak_empathy(table: Table, role: Role, turn: int | None) -> Frame:
    """Shows what other holders see, the seat's own hand included."""
    frame = view_frame(table, role, turn)
    if role.seat is not None and table.is_started:
        seen = view_frame(table_of_agents(table), Role(), turn)
        for hand, other in zip(frame["hands"], seen["hands"], strict=True):
            for slot, exact in zip(hand, other, strict=True):
                slot["empathy"] = exact.get("empathy")
    return frame


def table_of_agents(table: Table) -> Table:
    """The same game played by agents, whose watchers see all hands."""
    seats = (SeatState(AGENT, "certainty"),) * table.rules.players
    other = Table(replace(table.opening, seats=seats))
    other.game = table.game
    return other


def leak_to_watchers(table: Table, role: Role, turn: int | None) -> Frame:
    """Lets watchers look through the eyes of the seat to move."""
    seat = table.game.mover if role.seat is None else role.seat
    return view_frame(table, replace(role, seat=seat), turn) | {"legal": None, "call": ""}


LEAKS = [leak_own_card, leak_next_card, leak_legal_moves, leak_marks, leak_empathy,
         leak_to_watchers]  # fmt: skip


@many
@pytest.mark.parametrize("view", LEAKS, ids=lambda view: view.__name__)
def test_a_serializer_that_leaks_is_caught(view):
    rng = Random(200)
    caught = sum(leaks(situation(rng, usual=True), view) for _ in range(60))
    assert caught >= 12


def test_the_same_situations_are_innocent_without_a_leak():
    rng = Random(200)
    assert not any(leaks(situation(rng, usual=True)) for _ in range(scaled(60)))


def test_a_leaked_seed_or_memory_would_be_seen():
    """The two tables of a situation differ in all that is secret."""
    found = situation(Random(300), usual=True)
    one, two = (Desk(found, game, seed, view_frame) for seed, game in
                ((1, found.game), (2, found.other)))  # fmt: skip
    for desk in (one, two):
        desk.run()
    assert one.table.seed != two.table.seed and one.table.index != two.table.index
    assert one.table.game.deck != two.table.game.deck
    if one.table.memories:
        assert one.table.memories != two.table.memories
