"""Situations in which something could leak: a game, the same with hidden cards exchanged, a script.

A script is what happens at a table from some turn on, seen from one place at it, the *subject's*:
moves of the game, looks back, moves taken back and made again, wrong moves, broken frames, coming
again, leaving and sitting down. Nothing in it depends on what the subject cannot see, so whoever
runs it on both games must send the subject the same bytes. ``tests/web/test_nothing_leaks.py`` runs
it without a server, ``test_nothing_leaks_server.py`` through one.
"""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from support import permuted, pick_rules, play_randomly, replay
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.web.table import AGENT, OPEN, PERSON

SUBJECT, AGENTS = "subject", "agents"
NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")
Who = int | str


@dataclass(frozen=True)
class Step:
    """A frame that somebody sends: the subject or the person in a seat; or a move of an agent."""

    who: Who
    text: str = ""


@dataclass
class Situation:
    """Two games that look the same to the subject, and what happens."""

    game: Game
    other: Game
    kinds: list[str]  # of the seats when the subject comes
    seat: int | None  # of the subject, None if it watches
    joins: bool  # whether it takes its seat only during the script
    turn: int  # at which it comes
    host: int | None  # seat of the host; None for the subject, wherever it sits
    steps: list[Step] = field(default_factory=list)
    is_line: bool = False  # whether the table leaves another game

    def __str__(self) -> str:
        lines = [self.game.to_text(), f"subject {self.seat} comes at turn {self.turn}"]
        lines += [f"{kind} {NAMES[seat]}" for seat, kind in enumerate(self.kinds)]
        return "\n".join([*lines, *map(str, self.steps)])


def situation(rng: Random, usual: bool = False) -> Situation:
    """A situation at random, under any rules or the usual ones."""
    sort = rng.choice(["seat", "seat", "seat", "joins", "watcher", "agents", "waiting"])
    rules = _rules(rng, sort, usual)
    whole = play_randomly(Game(rules, rng.getrandbits(60)), rng)
    last = 0 if sort == "waiting" else rng.randrange(whole.turn)
    game = replay(whole, turns=last)
    players = range(rules.players)
    seat = rng.choice(players) if sort in ("seat", "joins") else None
    if sort == "waiting":
        seat = rng.choice([None, 0])
    kinds = _kinds(rng, sort, seat, rules.players)
    hidden = {"agents": (), "watcher": players, "waiting": players}.get(sort, (seat,))
    persons = [k for k, kind in enumerate(kinds) if kind == PERSON and k != seat]
    is_host = sort == "agents" or rng.random() < 0.4 or not persons
    host = seat if is_host and sort == "seat" else persons[0] if persons else None
    found = Situation(game, permuted(game, hidden, rng), kinds, seat, sort == "joins",
                      0 if sort == "joins" else rng.randrange(last + 1), host)  # fmt: skip
    _Author(found, rng).write(rng.randrange(4, 13))
    return found


def _rules(rng: Random, sort: str, usual: bool) -> Rules:
    if usual:
        return Rules(players=rng.randrange(2, 6))
    rules = pick_rules(rng.choice)
    if sort == "agents":
        return rules
    return Rules.parse(f"{rules.to_text()} observation=card_knowledge")


def _kinds(rng: Random, sort: str, seat: int | None, players: int) -> list[str]:
    if sort == "agents":
        return [AGENT] * players
    kinds = [rng.choice([PERSON, AGENT]) for _ in range(players)]
    if sort == "waiting":
        kinds[0], kinds[1] = PERSON, OPEN
    elif seat is None:
        kinds[rng.randrange(players)] = PERSON
    else:
        kinds[seat] = OPEN if sort == "joins" else PERSON
    return kinds


class _Author:
    """Writes the script of a situation, keeping account of the turn and of who is there."""

    def __init__(self, situation: Situation, rng: Random) -> None:
        self.situation, self.rng = situation, rng
        self.rules, self.moves = situation.game.rules, situation.game.moves
        self.movers = situation.game.events["seat"].tolist()
        self.kinds = list(situation.kinds)
        self.turn = situation.turn
        self.is_seated = situation.seat is not None and not situation.joins

    def say(self, who: Who, type: str, **fields: Any) -> None:
        """Write a frame; only some carry a number."""
        frame = {"type": type, **fields}
        if self.rng.random() < 0.5:
            frame["id"] = self.rng.randrange(100)
        self.situation.steps.append(Step(who, json.dumps(frame)))

    def write(self, n_steps: int) -> None:
        """Write so many steps, or a few more."""
        acts = [self.go_on] * 6 + [self.look] * 3 + [
            self.take_back, self.take_back, self.move_wrongly, self.break_frame, self.come_again,
            self.get_up, self.ask_why, self.meddle, self.join, self.join,
        ]  # fmt: skip
        while len(self.situation.steps) < n_steps:
            self.rng.choice(acts)()

    def persons(self) -> list[int]:
        """Other persons at the table."""
        own = self.situation.seat
        return [seat for seat, kind in enumerate(self.kinds) if kind == PERSON and seat != own]

    def voice(self, seat: int) -> Who:
        """Who speaks for a seat."""
        return SUBJECT if seat == self.situation.seat else seat

    def go_on(self) -> None:
        """The next move of the game."""
        if OPEN in self.kinds or self.turn >= len(self.moves):
            return
        seat = self.movers[self.turn]
        if self.kinds[seat] == AGENT:
            self.situation.steps.append(Step(AGENTS))
        else:
            text = move_text(self.rules, self.moves[self.turn])
            self.say(self.voice(seat), "move", turn=self.turn, move=text)
            if self.rng.random() < 0.2:  # it did not hear that it was made
                self.say(self.voice(seat), "move", turn=self.turn, move=text)
        self.turn += 1

    def look(self) -> None:
        """A look at an earlier turn, or at one that is not there."""
        self.say(SUBJECT, "look", turn=self.rng.randrange(self.turn + 1 + self.rng.randrange(2)))

    def take_back(self) -> None:
        """Somebody wants a move back; the others agree, or one does not."""
        if OPEN in self.kinds:
            return
        everybody = self.persons() + [self.situation.seat] * self.is_seated
        if not everybody:
            self.say(SUBJECT, "undo", turn=self.turn)
            return
        asker = self.rng.choice(everybody)
        self.say(self.voice(asker), "undo", turn=self.turn)
        own = [turn for turn in range(self.turn) if self.movers[turn] == asker]
        if not own:
            return
        for seat in everybody:
            if seat != asker:
                yes = self.rng.random() < 0.8
                self.say(self.voice(seat), "agree", yes=yes)
                if not yes:
                    return
        self.turn = own[-1]

    def move_wrongly(self) -> None:
        """A move at another turn, out of turn, or one that the rules forbid here."""
        position = self.situation.game.at(self.turn)
        forbidden = [move for move in range(self.rules.n_moves) if move not in position.legal_moves]
        is_on_turn = self.is_seated and position.mover == self.situation.seat
        if is_on_turn and not forbidden:
            return
        move = self.rng.choice(forbidden if is_on_turn else range(self.rules.n_moves))
        turn = self.turn + (0 if is_on_turn else self.rng.choice([0, 1, 9]))
        self.say(SUBJECT, "move", turn=turn, move=move_text(self.rules, move))

    def break_frame(self) -> None:
        """A frame that is none."""
        broken = ["", "{", "[]", "null", '{"type":"look"}', '{"type":"peek","turn":0,"id":3}',
                  '{"type":"look","turn":-1}', '{"type":"move","turn":0,"move":"p0","deck":1}',
                  '{"type":"why","turn":0,"seat":9}', '{"type":"look","turn":1e9}']  # fmt: skip
        self.situation.steps.append(Step(SUBJECT, self.rng.choice(broken)))

    def come_again(self) -> None:
        """The subject's line breaks, it says hello again."""
        self.situation.steps.append(Step(SUBJECT, "hello"))

    def get_up(self) -> None:
        """The subject leaves its seat and takes it again; meanwhile an agent may play for it."""
        seat = self.situation.seat
        if not self.is_seated or seat is None or OPEN in self.kinds:
            self.say(SUBJECT, "leave")
            return
        self.say(SUBJECT, "leave")
        self.look()
        host = self.situation.host
        if host is not None and self.rng.random() < 0.5:
            self.say(self.voice(host), "fill", seat=seat, agent="certainty")
            self.kinds[seat] = AGENT
            self.go_on()
        self.say(SUBJECT, "sit", seat=seat, name=NAMES[seat])
        self.kinds[seat] = PERSON

    def ask_why(self) -> None:
        """What somebody thinks, which may be none of the subject's business."""
        turn = self.rng.randrange(self.turn + 1)
        if self.rng.random() < 0.5:
            self.say(SUBJECT, "advise", turn=turn)
        else:
            self.say(SUBJECT, "why", turn=turn, seat=self.rng.randrange(self.rules.players))

    def meddle(self) -> None:
        """Wishes that are mostly refused."""
        wishes: list[dict[str, Any]] = [
            {"type": "agree", "yes": True}, {"type": "again"}, {"type": "pace", "ms": 200},
            {"type": "sit", "seat": self.rng.randrange(5), "name": "Eve"},
        ]  # fmt: skip
        wish = self.rng.choice(wishes)
        if wish["type"] != "sit" or OPEN not in self.kinds:
            self.say(SUBJECT, **wish)

    def join(self) -> None:
        """The subject takes the seat that was kept for it."""
        if self.situation.joins and not self.is_seated:
            seat = self.situation.seat
            assert seat is not None
            self.say(SUBJECT, "sit", seat=seat, name=NAMES[seat])
            self.kinds[seat] = PERSON
            self.is_seated = True
