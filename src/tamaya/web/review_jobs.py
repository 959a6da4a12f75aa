"""What a review waits for: the values of a game, and what agents would have done in it.

A job turns the analysis engine's messages into frames for the tabs that asked. Values are stored,
so that a tab that asks later gets all of them at once, and values of a restarted engine are not
sent twice. Turns of frames count the moves made, those of the engine from 1.
"""

from typing import Any

from tamaya.moves import move_text
from tamaya.records import GAVE_UP, STATUS_NAMES
from tamaya.web.analyses import KEPT, MOVES, VALUES, Job
from tamaya.web.processes import Message
from tamaya.web.questions import Position
from tamaya.web.sight import speaker_of
from tamaya.web.tab import Frame, Tab
from tamaya.web.table import Table
from tamaya.web.wording import Speaker, seat_names

SIGNS = {"??": "blunder", "?": "mistake", "?!": "inaccuracy"}


class ReviewJob(Job):
    """A job about a finished game, for some tabs."""

    def __init__(self, table: Table, last: int | None = None) -> None:
        super().__init__()
        self.table, self.tabs = table, set[Tab]()
        self.is_done = self.has_failed = False
        start, seed = int(table.game.array["start"][0]), int(table.game.array["seed"][0])
        moves = tuple(table.game.moves[:last])
        rules = table.rules.to_text()
        self.position = Position(rules, start, tuple(table.game.deck), seed, moves)
        self._speakers: dict[int, Speaker] = {}

    def tell(self, frame: Frame) -> None:
        """Tell all tabs."""
        for tab in self.tabs:
            tab.send(frame)

    def words(self, turn: int, move: str) -> str:
        """A move of whoever moves at a turn, in words."""
        if turn not in self._speakers:
            is_last = turn == self.table.turn
            game = self.table.game
            seat = game.mover if is_last else int(game.events[turn]["seat"])
            self._speakers[turn] = speaker_of(self.table, seat, turn)
        return self._speakers[turn].move(move)

    def hear(self, message: Message) -> None:
        """Tell the tabs what came of it."""
        if "compiling" in message:
            self.tell({"type": "compiling", **message["compiling"]})
        elif "error" in message:
            self.is_done = self.has_failed = True
            code, text, _ = message["error"]
            self.tell({"type": "error", "code": code, "text": text, **self._whose()})
        elif "cancelled" not in message:
            self.is_done = "done" in message
            for name, said in message.items():
                self.tell(self.frame(name, said))

    def _whose(self) -> Frame:
        return {}

    def frame(self, name: str, said: Any) -> Frame:
        """What the engine said as a frame."""
        raise NotImplementedError


class Analysis(ReviewJob):
    """The values of all moves of a game, or of the first ones; perhaps only those in the store.

    These have a lane of their own: who has no key does not keep others from theirs.
    """

    def __init__(self, table: Table, blueprint: str, last: int, *, is_stored: bool = False) -> None:
        super().__init__(table)
        self.blueprint, self.last = blueprint, last  # turns, from 1
        self.is_stored = is_stored
        self.lane = KEPT if is_stored else VALUES
        self.focus = 1
        self.more: set[int] = set()
        self.values: dict[int, Frame] = {}  # by turn as in frames
        self.progress: Frame = {"type": "progress", "done": 0, "of": 0}
        self.lost: Frame | None = None  # up to which turn it could be won with open hands
        self.summary: Frame | None = None
        self._name = 0

    @property
    def name(self) -> int:
        """The number that tabs know it by, also after it was submitted once more."""
        self._name = self._name or self.number
        return self._name

    @property
    def key(self) -> tuple[str, str, int, bool]:
        """What distinguishes it from other analyses."""
        return self.table.id, self.blueprint, self.last, self.is_stored

    def request(self) -> Message:
        """What the engine is asked."""
        return {"ask": "analyse", "position": vars(self.position), "blueprint": self.blueprint,
                "last": self.last, "focus": self.focus, "more": sorted(self.more),
                "stored": self.is_stored,
                "gave_up": self.table.game.status == STATUS_NAMES[GAVE_UP]}  # fmt: skip

    def so_far(self) -> list[Frame]:
        """What a tab hears that comes later."""
        lost = [self.lost] if self.lost is not None else []
        ended = [self.summary] if self.summary is not None and self.is_done else []
        return [*self.values.values(), *lost, {**self.progress, "job": self.name}, *ended]

    def hear(self, message: Message) -> None:
        """Tell what is new."""
        if "value" in message:
            known = self.values.get(message["value"]["turn"] - 1)
            if known is not None and known["deals"] >= message["value"]["deals"]:
                return  # of an engine that began again
        super().hear(message)

    def _whose(self) -> Frame:
        return {"job": self.name}

    def frame(self, name: str, said: Any) -> Frame:
        """A value, how far it is, which turn lost the game, or the end."""
        if name == "value":
            turn = said["turn"] - 1
            self.values[turn] = self._value(turn, said)
            return self.values[turn]
        if name == "progress":
            self.progress = {"type": "progress", "job": self.name, **said}
            return self.progress
        if name == "lost":
            turn = said["turn"] and said["turn"] - 1
            self.lost = {"type": "lost", "job": self.name, **said, "turn": turn}
            return self.lost
        self.summary = {"type": "done", "job": self.name,
                        "players": [self._player(seat) for seat in said]}  # fmt: skip
        return self.summary

    def _value(self, turn: int, said: Message) -> Frame:
        names = ("move", "mean", "se", "gain", "gain_se")
        moves = [dict(zip(names, move, strict=True)) for move in said["moves"]]
        return {
            **said,
            "type": "value",
            "job": self.name,
            "turn": turn,
            "best_words": self.words(turn, said["best"]),
            "moves": [{**move, "words": self.words(turn, move["move"])} for move in moves],
        }

    def _player(self, seat: Message) -> Frame:
        choices = seat["choices"]
        return {
            "seat": seat["seat"],
            "name": seat_names(self.table.seats)[seat["seat"]],
            "turns": seat["turns"],
            "sure_loss": seat["sure_loss"],
            "marks": {sign: seat[name] for sign, name in SIGNS.items()},
            "agreement": seat["agreed"] / choices if choices else None,
        }


class Asking(ReviewJob):
    """What agents would have done: at one turn each of them, or how many ways at every turn."""

    lane = MOVES

    def __init__(
        self, table: Table, agents: dict[str, bool], turn: int | None, last: int | None = None
    ) -> None:
        super().__init__(table, last)
        self.agents, self.turn = agents, turn

    def request(self) -> Message:
        """What the engine is asked."""
        ask = "disagree" if self.turn is None else "choices"
        return {"ask": ask, "position": vars(self.position), "agents": list(self.agents),
                "turn": self.turn}  # fmt: skip

    def frame(self, name: str, said: Any) -> Frame:
        """The move of an agent, how many moves there were, or the end."""
        if self.turn is None:
            turn, kinds, agents = said or (None, 0, len(self.agents))
            return {"type": "disagreement", "turn": turn, "kinds": kinds, "agents": agents}
        agent, move = said or (None, None)
        words, is_same = None, None
        if move is not None:
            moves = self.table.game.moves
            words = self.words(self.turn, move)
            made = move_text(self.table.rules, moves[self.turn]) if self.turn < len(moves) else ""
            is_same = move == made
        return {"type": "choice", "turn": self.turn, "agent": agent, "move": move, "words": words,
                "same": is_same, "code": agent and self.agents[agent]}  # fmt: skip
