"""``Game``: one game for people, which checks the arguments that kernels trust.

A game holds one record, its rules, and nothing else; copying, saving and restoring it at any
point are exact, future cards included (the text form omits the seed of the deal, from which
agents draw their random numbers). ``tamaya.notation`` has its text form.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamaya import game_kernels as kernels
from tamaya.cards import COLOUR_LETTERS, card_name, copies_of_rank
from tamaya.compiled import hot
from tamaya.encoding import encode, encoder_kind, vector_dtype, vector_length
from tamaya.moves import (
    GIVE_UP,
    HINT_COLOUR,
    HINT_RANK,
    describe,
    move_phrase,
    move_text,
    parse_move,
)
from tamaya.notation import GameTextError, read_game, write_game
from tamaya.records import GAVE_UP, RUNNING, STATUS_NAMES, VIEW, new_games
from tamaya.rng import seed_of, wrapped_seed
from tamaya.rules import Rules, checked_rules, whole_number
from tamaya.view import fill_view


class IllegalMoveError(ValueError):
    """A move that the rules forbid here."""


@hot
def _move_if_legal(games, move):
    """Apply a legal move to the one game of an array; False for others."""
    if not kernels.is_legal(games[0], move):
        return False
    kernels.apply_move(games[0], move)
    return True


@hot
def _legal_mask(games):
    return kernels.legal_mask(games[0])


@hot
def _encode(kind, games, seat, out):
    encode(kind, games[0], seat, out)


@hot
def _fill_view(games, seat, views):
    fill_view(games[0], seat, views[0])


class DrawnView(np.record):  # type: ignore[misc]
    """A view that notebooks draw; kernels treat it like any other."""

    def _repr_html_(self) -> str | None:
        from tamaya.drawing import table_svg

        # NumPy gives the records inside a record the same class, but an event is not a view.
        return table_svg(self) if self.dtype == VIEW else None


DRAWN_VIEW = np.dtype((DrawnView, VIEW))


class Game:
    """A game of Hanabi: deal it by seed and index, or from a deck of your own, top card first."""

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int = 0,
        index: int = 0,
        *,
        deck: Iterable[int] | None = None,
        start: int | None = None,
    ) -> None:
        self.rules = checked_rules(rules)
        self.array = new_games(1, self.rules)
        number = whole_number("index", index)
        kernels.shuffle(self.record, np.uint64(seed_of(wrapped_seed(seed), number)))
        if deck is not None:
            self.record.deck[: self.rules.deck_size] = _checked_deck(self.rules, list(deck))
        if start is not None:
            if not 0 <= whole_number("start", start) < self.rules.players:
                raise ValueError(f"start {start} is not a seat of {self.rules.players} players")
            self.record.start = start
        kernels.deal(self.record)

    @classmethod
    def from_record(cls, rules: Rules, record: np.record) -> "Game":
        """A game with a copy of a record, such as one recorded by ``tamaya.table``."""
        game = cls.__new__(cls)
        game.rules = rules
        game.array = new_games(1, rules)
        game.array[0] = record
        return game

    @property
    def record(self) -> np.record:
        """The record itself, for kernels; ``array`` contains it and is faster to pass."""
        return self.array[0]

    def _number(self, field: str) -> int:
        return int(self.array[field][0])

    @property
    def legal_moves(self) -> list[int]:
        """Ids of the legal moves in increasing order; empty when the game is over."""
        legal = int(_legal_mask(self.array))
        return [move for move in range(self.rules.n_moves) if legal >> move & 1]

    def apply(self, move: int | str) -> None:
        """Make a move, given as an id or as text such as ``p0``; ``x`` gives up."""
        if isinstance(move, str):
            move = parse_move(self.rules, move)
        number = whole_number("move", move)
        if number == GIVE_UP and not self.is_over:
            kernels.give_up(self.record)
            return
        exists = 0 <= number < self.rules.n_moves
        if not exists or not _move_if_legal(self.array, number):
            raise IllegalMoveError(self._why_illegal(number))

    def _why_illegal(self, move: int) -> str:
        if self.is_over:
            return f"the game is over ({self.status}), no move can be made"
        if not 0 <= move < self.rules.n_moves:
            return f"move {move} does not exist: ids go from 0 to {self.rules.n_moves - 1}"
        legal = " ".join(move_text(self.rules, other) for other in self.legal_moves)
        return (
            f"{move_phrase(self.rules, move)} ({move_text(self.rules, move)}) is not legal for "
            f"seat {self.mover} at turn {self.turn}: legal moves are {legal}"
        )

    def why_illegal(self, move: int) -> str:
        """The rule that a move of the seat to move breaks; empty if it is legal."""
        kind, place, _ = describe(self.rules, move)
        if self.is_over:
            return f"the game is over ({self.status})"
        if _legal_mask(self.array) >> np.uint64(move) & np.uint64(1):
            return ""
        if kind in (HINT_COLOUR, HINT_RANK):
            return "it touches no card" if self._number("tokens") else "no hint token is left"
        is_empty = self.array["order"][0, self.mover, place] < 0
        return "the slot is empty" if is_empty else "all hint tokens are there"

    def view(self, seat: int | None = None) -> np.record:
        """What a seat sees, by default the seat to move; notebooks draw it."""
        views = np.zeros(1, DRAWN_VIEW)
        _fill_view(self.array, self._checked_seat(seat), views)
        return views[0]

    def _checked_seat(self, seat: int | None) -> int:
        seat = self.mover if seat is None else seat
        if not 0 <= whole_number("seat", seat) < self.rules.players:
            raise ValueError(f"seat {seat} is not a seat of {self.rules.players} players")
        return seat

    def copy(self) -> "Game":
        """An independent game in the same position, with the same future cards."""
        return Game.from_record(self.rules, self.record)

    def at(self, turn: int) -> "Game":
        """The same game as it was after that many moves; ``at(0)`` is the deal."""
        if not 0 <= whole_number("turn", turn) <= self.turn:
            raise ValueError(f"turn {turn} is not one of this game: it has 0 to {self.turn}")
        game = self.copy()
        kernels.deal(game.record)
        for move in self.moves[:turn]:
            kernels.apply_move(game.record, move)
        return game

    __copy__ = copy

    def vector(
        self, seat: int | None = None, encoder: str = "hle", dtype: Any = None
    ) -> np.ndarray:
        """The observation vector of a seat, by default the seat to move."""
        out = np.zeros(vector_length(self.rules, encoder), vector_dtype(encoder, dtype))
        _encode(encoder_kind(encoder), self.array, self._checked_seat(seat), out)
        return out

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._number("status") != RUNNING

    @property
    def status(self) -> str:
        """Running, or why the game ended."""
        return STATUS_NAMES[self._number("status")]

    @property
    def score(self) -> int:
        """Score by the rules, valid at any time."""
        bombed = self._number("lives") <= 0 and self.rules.bomb == "zero"
        return 0 if bombed else self.points

    @property
    def points(self) -> int:
        """Sum of the fireworks, even after a bomb-out."""
        return self._number("points")

    @property
    def mover(self) -> int:
        """Seat to move."""
        return self._number("mover")

    @property
    def turn(self) -> int:
        """Moves made so far."""
        return self._number("n_moves")

    @property
    def deck(self) -> list[int]:
        """All cards by order, dealt and still hidden."""
        return self.array["deck"][0, : self.rules.deck_size].tolist()

    @property
    def hands(self) -> list[list[int]]:
        """Cards of each seat by slot, empty slots left out."""
        rows = self.array["card"][0, : self.rules.players, : self.rules.hand_size].tolist()
        return [[card for card in row if card >= 0] for row in rows]

    @property
    def moves(self) -> list[int]:
        """Ids of the moves made so far."""
        return self.events["move"].tolist()

    @property
    def events(self) -> np.ndarray:
        """The events so far, one ``EVENT`` record each."""
        return self.array["history"][0, : self.turn]

    def svg(self, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The position as an SVG drawing: all hands, or what one seat sees."""
        from tamaya.drawing import table_svg

        return table_svg(self.record if seat is None else self.view(seat), names)

    def _repr_html_(self) -> str:
        return self.svg()

    def to_text(self) -> str:
        """Text that ``Game.parse`` reads back: rules, deck and moves."""
        gave_up = [GIVE_UP] if self._number("status") == GAVE_UP else []
        return write_game(self.rules, self._number("start"), self.deck, [*self.moves, *gave_up])

    @staticmethod
    def parse(text: str, *, complete: bool = False) -> "Game":
        """Parse a game and replay it move by move; ValueError names the line and the problem.

        A ``complete`` text must have a checksum.
        """
        said = read_game(text, complete=complete)
        try:
            game = Game(said.rules, deck=said.deck, start=said.start)
        except ValueError as error:
            raise GameTextError(f"line {said.deck_line}: {error}") from None
        for move in said.moves:
            try:
                game.apply(move)
            except ValueError as error:
                place = f"line {said.moves_line}, move {game.turn + 1}"
                raise GameTextError(f"{place}: {error}") from None
        return game

    def save(self, path: str | Path) -> None:
        """Write the text of the game to a file."""
        Path(path).write_text(self.to_text(), encoding="utf-8")

    @staticmethod
    def load(path: str | Path) -> "Game":
        """The game of a file; ValueError names the file and what is wrong with it."""
        try:
            return Game.parse(Path(path).read_text(encoding="utf-8"), complete=True)
        except UnicodeDecodeError:
            raise GameTextError(f"{path}: not a text file") from None
        except GameTextError as error:
            raise GameTextError(f"{path}: {error}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game) or self.rules != other.rules:
            return False
        same_deal = self.deck == other.deck and self.record.start == other.record.start
        return same_deal and self.moves == other.moves and self.status == other.status

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game {self.rules.to_text()}: turn {self.turn}, score {self.score}, {self.status}>"

    def __str__(self) -> str:
        record = self.record
        stacks = " ".join(
            f"{COLOUR_LETTERS[colour]}{record.firework[colour]}"
            for colour in range(self.rules.colours)
        )
        lines = [
            f"turn {self.turn}  fireworks {stacks}  tokens {record.tokens}  lives {record.lives}  "
            f"deck {record.deck_size}  score {self.score}  {self.status}"
        ]
        for seat, hand in enumerate(self.hands):
            mark = ">" if seat == self.mover and not self.is_over else " "
            lines.append(f"{mark} seat {seat}: {' '.join(card_name(card) for card in hand)}")
        return "\n".join(lines)


def _checked_deck(rules: Rules, deck: Sequence[int]) -> Sequence[int]:
    """The deck, checked to contain exactly the cards of the rules."""
    wanted = Counter({
        5 * colour + rank: copies_of_rank(rank, rules.ranks)
        for colour in range(rules.colours)
        for rank in range(rules.ranks)
    })  # fmt: skip
    given = Counter(deck)
    for card in sorted(set(wanted) | set(given), key=str):
        if wanted[card] != given[card]:
            name = card_name(card) if card in range(25) else repr(card)
            raise ValueError(f"the deck has {given[card]} of {name} instead of {wanted[card]}")
    return deck


def __getattr__(name: str) -> Any:
    """Kernels that moved to ``tamaya.game_kernels``, for users' files that import them here."""
    return getattr(kernels, name)
