"""Questions to engines and their answers: records that are sent as lines of JSON.

A question contains everything that its answer depends on: the deal, the moves so far, the agent,
and its memory after its own last move. So any engine can answer it, even one that has just been
started.
"""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the page is served before any kernel is loaded
    from tamaya.game import Game

Number = int | float | bool | str | None
Row = tuple[str, Number]

MOVE, EXPLAIN, ADVISE, WARM, INTRODUCE = "move", "explain", "advise", "warm", "introduce"
BELIEVE, FIRES, PREPARE = "believe", "fires", "prepare"
SeenGame = tuple[str, tuple[int, ...]]  # a finished game as text, and the seats of a partner


class EngineError(Exception):
    """A question that gets no answer.

    ``code`` is stuck (too slow, twice), fault (the agent raised, or its process ended), illegal,
    unavailable (no such agent, it does not compile, the server stops) or busy. ``text`` is for
    everybody at the table; ``words`` are the agent's own, which may speak of cards that somebody
    at the table must not know.
    """

    def __init__(self, code: str, text: str, words: str = "") -> None:
        super().__init__(text)
        self.code, self.text, self.words = code, text, words


@dataclass(frozen=True)
class Position:
    """A game so far: its deal and its moves."""

    rules: str
    start: int  # seat that moved first
    deck: tuple[int, ...]
    seed: int  # of the deal, from which agents draw their random numbers
    moves: tuple[int, ...]

    @classmethod
    def of(cls, game: "Game", turn: int | None = None) -> "Position":
        """The position of a game after so many moves, by default after all of them."""
        start, seed = int(game.array["start"][0]), int(game.array["seed"][0])
        moves = tuple(game.moves[:turn])
        return cls(game.rules.to_text(), start, tuple(game.deck), seed, moves)


@dataclass(frozen=True)
class Question:
    """What an agent would do in a seat whose turn it is.

    ``memory`` is what ``Answer.memory`` was when the same agent made the last move of this seat,
    and ``memory_turn`` the number of moves after that move; None if it has made none.
    """

    position: Position
    seat: int
    agent: str
    memory: bytes | None = None
    memory_turn: int = 0

    def __post_init__(self) -> None:
        if self.memory is not None and not 1 <= self.memory_turn <= len(self.position.moves):
            raise ValueError(f"memory_turn {self.memory_turn} is not in 1 to "
                             f"{len(self.position.moves)}, the moves made")  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """A move as text, what the agent remembers after choosing it, and how long it thought."""

    move: str
    memory: bytes
    ms: int


@dataclass(frozen=True)
class Explanation:
    """Rows of (reason, value), and the move that the agent would make if it was asked for."""

    move: str | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Introduction:
    """Who an agent is: what records and routes need to know of it."""

    name: str
    spec: str
    identity: str
    code: str  # fingerprint of the code that decides its moves
    is_slow: bool
    explains: bool
    players: tuple[int, int]


def agent_name(text: str) -> str:
    """The name in the text of an agent; parameters may be as long as a rule list."""
    return text.partition(":")[0]


def dump_line(fields: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def question_fields(question: Question) -> dict[str, Any]:
    """The fields of a question."""
    memory = None if question.memory is None else to_text(question.memory)
    # ``asdict`` would copy deck and moves number by number, fifty times as slowly.
    return {**vars(question), "position": vars(question.position), "memory": memory}


def question_of(fields: dict[str, Any]) -> Question:
    """The question of some fields."""
    said = fields["position"]
    position = Position(said["rules"], said["start"], tuple(said["deck"]), said["seed"],
                        tuple(said["moves"]))  # fmt: skip
    memory = None if fields["memory"] is None else from_text(fields["memory"])
    return Question(position, fields["seat"], fields["agent"], memory, fields["memory_turn"])


def to_text(memory: bytes) -> str:
    """Bytes as JSON carries them."""
    return b64encode(memory).decode()


def from_text(text: str) -> bytes:
    """The bytes of a text."""
    return b64decode(text)
