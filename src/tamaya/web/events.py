"""What happens at a table, as data: openings, events, who sits where, who asks.

An ``Opening`` and the ``Event``s that followed describe a table completely; the journal stores
both.
"""

import zlib
from dataclasses import dataclass, field

from tamaya.rules import Rules

PERSON, AGENT, OPEN = "person", "agent", "open"
PLAY_TABLE, WATCH_TABLE, IMPORT = "play", "watch", "import"  # kinds of tables
WAITING, PLAYING, OVER = "waiting", "playing", "over"
# Kinds of events.
STARTED, SEATED, MOVED, ASKED, AGREED, REFUSED, UNDONE, OPTIONS, MORPHED = (
    "start", "seat", "move", "ask", "agree", "refuse", "undo", "options", "morph",
)  # fmt: skip
SLOWEST_PACE, FASTEST_PACE = 5_000, 100  # milliseconds from move to move


class TableError(ValueError):
    """A refused request; the code is for programs, the text for people."""

    def __init__(self, code: str, text: str, place: str = "") -> None:
        super().__init__(text)
        self.code, self.text, self.place = code, text, place


@dataclass(frozen=True)
class Role:
    """Who somebody is at a table: in a seat or, with None, watching; the host manages it."""

    seat: int | None = None
    is_host: bool = False


@dataclass(frozen=True)
class SeatState:
    """Who sits in a seat: a person, an agent, or nobody."""

    kind: str = OPEN
    name: str = ""
    agent: str = ""  # the text by which commands accept the agent
    identity: str = ""  # what distinguishes it from others of the same code
    token_hash: str = ""  # of the person who sits here, or did before an agent took over
    code: str = ""  # hash of the agent's code


@dataclass(frozen=True)
class Options:
    """What the host can set."""

    pace_ms: int = 500
    paused: bool = False
    undo: bool = True
    chosen_deal: bool = False  # the host chose the seed, and may know the cards
    palette: str = "tamaya"  # whose names the colours have
    open_hands: bool = False  # seats see all faces: a table to analyse at, not to compare
    seen_deal: bool = False  # whoever opened it has played the deal before


@dataclass(frozen=True)
class Line:
    """Where a table leaves another game: a line of its own from a turn on."""

    parent: str
    turn: int


@dataclass(frozen=True)
class Opening:
    """A table as it was opened; a deck of its own goes before the seed's.

    It is one to play at or to watch, as its seats say, unless it is of another kind. One with a
    ``line`` begins with events of its parent: swapped cards, then the moves up to the turn.
    """

    id: str
    rules: Rules
    seats: tuple[SeatState, ...]
    seed: int = 0
    index: int = 0
    options: Options = Options()
    deck: tuple[int, ...] | None = None
    start: int | None = None
    kind: str = ""
    line: Line | None = None
    deal: str | None = None  # that several tables play


@dataclass(frozen=True)
class Event:
    """Something that happens at a table, complete enough to be replayed."""

    kind: str
    turn: int  # moves made once it has happened
    seat: int | None = None  # who did it, or whose seat has changed
    move: str = ""
    memory: bytes | None = None  # of an agent, after its own move
    sitter: SeatState | None = None  # who sits in the seat from now on
    options: Options | None = None  # from now on
    orders: tuple[int, int] | None = None  # cards that change places


@dataclass(frozen=True)
class Memory:
    """What an agent remembered after a move of its own; packed, because a table has many."""

    seat: int
    identity: str
    packed: bytes

    @classmethod
    def of(cls, seat: int, identity: str, data: bytes) -> "Memory":
        """The memory of the agent in a seat."""
        return cls(seat, identity, zlib.compress(data, 1))

    @property
    def data(self) -> bytes:
        """The memory as the agent left it."""
        return zlib.decompress(self.packed)


@dataclass(frozen=True)
class Wish:
    """A wish to take moves back, which all persons at the table must share."""

    seat: int
    turn: int  # that the game would go back to
    agreed: frozenset[int] = field(default_factory=frozenset)
