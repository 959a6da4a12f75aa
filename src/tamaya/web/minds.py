"""Agents in their seats, kept between questions: what an engine remembers.

A mind is a ``Seat`` with its own game. If it has seen a prefix of the moves of a question and has
the memory that the question states, it only observes the rest; otherwise it is rebuilt from the
memory in the question. Both lead to the same memory, byte for byte.
"""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np

from tamaya.adapt.acquaintance import Meeting, acquainted
from tamaya.adapt.player import AdaptiveAgent
from tamaya.agent import Agent
from tamaya.agents.rules.family import RuleAgent
from tamaya.arena.match import code_of
from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.moves import GIVE_UP, move_phrase, move_text
from tamaya.player import Player
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.web.questions import (
    Answer,
    EngineError,
    Explanation,
    Introduction,
    Number,
    Position,
    Question,
    SeenGame,
)
from tamaya.web.snapshots import known_agent

MAX_BYTES = 32 << 20  # of all minds of an engine
MAX_PLAYERS = 64  # agents that stay found
MAX_MEMORY = 1 << 20  # bytes, packed; the largest of ours has 4,000
OVERHEAD = 4096  # bytes of a mind beside its arrays
MAX_ROWS, MAX_TEXT = 200, 500  # of an explanation; characters of a reason or value
_TAG = 8  # bytes in front of a packed memory: whose it is
Act = Callable[[Seat], int]


@dataclass
class Mind:
    """A seat, and the memory with which a question must agree for it to be of use."""

    seat: Seat
    memory: bytes | None  # packed, as the agent's last move here left it
    memory_turn: int

    def has_begun(self, question: Question) -> bool:
        """Whether it has seen a beginning of a question, and remembers the same."""
        seen = self.seat.game.moves
        return (
            self.memory_turn == question.memory_turn
            and self.memory == question.memory
            and tuple(seen) == question.position.moves[: len(seen)]
        )

    @property
    def n_bytes(self) -> int:
        """What it takes of the engine's memory."""
        memory, params = self.seat.memory, getattr(self.seat, "_params", None)
        size = memory.nbytes + self.seat.game.array.nbytes + len(self.memory or b"")
        return size + (0 if params is None else params.nbytes) + OVERHEAD


class Minds:
    """The minds used last, as many as there is room for."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._n_bytes = 0
        self._minds: OrderedDict[tuple[Any, ...], Mind] = OrderedDict()
        self._players: OrderedDict[str, Player] = OrderedDict()

    def __len__(self) -> int:
        return len(self._minds)

    def player(self, text: str) -> Player:
        """The agent of a text; looking it up takes longer than many a move."""
        if text not in self._players:
            self._players[text] = known_agent(text)
            if len(self._players) > MAX_PLAYERS:
                self._players.popitem(last=False)
        self._players.move_to_end(text)
        return self._players[text]

    def introduce(self, text: str) -> Introduction:
        """Who the agent of a text is."""
        player = self.player(text)
        explains = isinstance(player, Agent) and player.explain_function is not None
        return Introduction(player.name, player.spec, player.identity, code_of((text,)),
                            player.is_slow, explains, player.players)  # fmt: skip

    def move(self, question: Question, act: Act = Seat.act) -> Answer:
        """The move of a question."""
        key = _key(question)
        mind = self._mind(question)
        self._drop(key)  # comes back unless the agent fails
        seat = mind.seat
        observe_rest(seat, question.position.moves)
        started = perf_counter()
        move = checked_act(seat, act)
        ms = round(1000 * (perf_counter() - started))
        mind.memory, mind.memory_turn = packed_memory(seat), seat.game.turn + 1
        self._keep(key, mind)
        return Answer(move_text(seat.game.rules, move), mind.memory, ms)

    def explain(self, question: Question, act: Act | None = None) -> Explanation:
        """The reasons of an agent and, with ``act``, its move; the mind stays as it was.

        Whoever asks about a past turn gets a mind for the occasion: the game goes on elsewhere.
        """
        key = _key(question)
        mind, known = self._mind(question), self._minds.get(key)
        is_past = known is not None and known.seat.game.turn > len(question.position.moves)
        if not is_past:
            self._drop(key)
        seat = mind.seat
        observe_rest(seat, question.position.moves)
        rows = tuple((reason[:MAX_TEXT], _plain(value)) for reason, value in seat.explain())
        move = None
        if act is not None:
            before = seat.memory.copy()
            move = move_text(seat.game.rules, checked_act(seat, act))
            seat.memory[...] = before
        if not is_past:
            self._keep(key, mind)
        return Explanation(move, rows[:MAX_ROWS])

    def believe(self, question: Question) -> np.ndarray:
        """[slot, card] -> how likely the cards of a seat are, to an agent or by counting.

        Whoever asks looks back, so that nothing is kept.
        """
        if not question.agent:
            game = dealt_game(question.position)
            for move in question.position.moves:
                game.apply(move)
            return counted_beliefs(game.view(question.seat))
        seat = self._built(question).seat
        observe_rest(seat, question.position.moves)
        return seat.believe()

    def fires(self, text: str, rules: str, games: int) -> list[int]:
        """Moves that each rule of an agent's list makes, in games with copies of itself."""
        from tamaya.evolve.fitness import firing_profile

        player = self.player(text)
        if not isinstance(player, RuleAgent):
            raise EngineError("unavailable", f"agent {player.name!r} follows no rule list")
        return firing_profile(player, Rules.parse(rules), games).tolist()

    def prepare(self, text: str, games: Sequence[SeenGame]) -> str:
        """The text of an agent that has seen games of its partners."""
        player = self.player(text)
        if not isinstance(player, AdaptiveAgent):
            raise EngineError("unavailable", f"agent {player.name!r} does not learn from games")
        meetings = [Meeting(Game.parse(game, complete=True), tuple(seats)) for game, seats in games]
        return acquainted(player, meetings).spec

    def _mind(self, question: Question) -> Mind:
        """A mind that has seen a beginning of a question, the known one if it can be."""
        known = self._minds.get(_key(question))
        return known if known is not None and known.has_begun(question) else self._built(question)

    def _built(self, question: Question) -> Mind:
        """A mind that remembers what a question says, before the moves since."""
        player = self.player(question.agent)
        game = dealt_game(question.position)
        seat = Seat(player, game, question.seat)
        memory = None if question.memory is None else unpacked_memory(seat, question.memory)
        if memory is None:
            return Mind(seat, question.memory, question.memory_turn)
        # The memory is as the agent's own move left it, before anybody saw that move.
        for move in question.position.moves[: question.memory_turn - 1]:
            game.apply(move)
        seat.memory[...] = memory
        return Mind(seat, question.memory, question.memory_turn)

    def _keep(self, key: tuple[Any, ...], mind: Mind) -> None:
        """Remember a mind; the ones used longest ago make room."""
        self._minds[key] = mind
        self._n_bytes += mind.n_bytes
        while self._n_bytes > self._max_bytes and len(self._minds) > 1:
            self._drop(next(iter(self._minds)))

    def _drop(self, key: tuple[Any, ...]) -> None:
        if (mind := self._minds.pop(key, None)) is not None:
            self._n_bytes -= mind.n_bytes


def _key(question: Question) -> tuple[Any, ...]:
    """What distinguishes the seats of agents, whatever has been moved."""
    position = question.position
    return (question.agent, question.seat, position.rules, position.start, position.seed,
            position.deck)  # fmt: skip


def dealt_game(position: Position) -> Game:
    """The deal of a position, before the first move."""
    game = Game(Rules.parse(position.rules), deck=position.deck, start=position.start)
    game.array["seed"] = position.seed
    return game


def observe_rest(seat: Seat, moves: tuple[int, ...]) -> None:
    """Make the moves that a seat has not seen, and let it observe each."""
    for move in moves[seat.game.turn :]:
        seat.game.apply(move)
        seat.observe()


def checked_act(seat: Seat, act: Act = Seat.act) -> int:
    """The move of a seat, if it is one; EngineError says what is wrong with it."""
    move, game = act(seat), seat.game
    if move == GIVE_UP or move in game.legal_moves:
        return move
    place = f"agent {seat.player.name!r} in seat {seat.seat}, turn {game.turn}"
    if not 0 <= move < game.rules.n_moves:
        words = f"{move} is no move, ids go from 0 to {game.rules.n_moves - 1}"
    else:
        phrase = move_phrase(game.rules, move)
        words = f"{phrase} ({move_text(game.rules, move)}): {game.why_illegal(move)}"
    raise EngineError("illegal", f"{place} made an illegal move", words)


def packed_memory(seat: Seat) -> bytes:
    """What an agent remembers, with a mark of whose memory it is."""
    packed = _tag(seat) + zlib.compress(seat.memory.tobytes(), 1)
    if len(packed) > MAX_MEMORY:
        text = f"agent {seat.player.name!r} remembers too much to be written down at every move"
        raise EngineError("unavailable", text, f"{len(packed)} bytes, at most {MAX_MEMORY}")
    return packed


def unpacked_memory(seat: Seat, packed: bytes) -> np.ndarray | None:
    """The memory of packed bytes; None if they are not of this agent as it is now."""
    if packed[:_TAG] != _tag(seat):
        return None
    try:
        raw = zlib.decompressobj().decompress(packed[_TAG:], seat.memory.nbytes + 1)
    except zlib.error:
        return None
    if len(raw) != seat.memory.nbytes:
        return None
    return np.frombuffer(raw, seat.memory.dtype).reshape(seat.memory.shape)


def _tag(seat: Seat) -> bytes:
    """A mark of an agent and of the layout of its memory."""
    memory = seat.memory
    text = f"{seat.player.spec} {memory.dtype.descr} {memory.shape}"
    return blake2b(text.encode(), digest_size=_TAG).digest()


def _plain(value: Any) -> Number:
    """A value of a row as JSON carries it."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)[:MAX_TEXT]
