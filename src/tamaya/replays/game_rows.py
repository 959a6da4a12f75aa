"""One row per game: what every seat surely lost, its marks, and its agreement with an agent."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

from tamaya.agent import Player
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays.agreement import moves_of
from tamaya.replays.analysis import TurnAnalysis
from tamaya.replays.analyst import DEALS, Analyst
from tamaya.replays.data_files import DataGame
from tamaya.replays.marks import FULL_SCORE, SeatSummary, summarise


@dataclass(frozen=True)
class GameRow:
    """An analysed game."""

    name: str
    rules: str
    max_score: int
    score: int
    status: str
    seats: tuple[SeatSummary, ...]
    about: dict[str, Any]  # further fields of the file

    @property
    def turns(self) -> int:
        """Moves made."""
        return sum(seat.turns for seat in self.seats)

    @property
    def sure_loss(self) -> float:
        """What all seats surely lost, in points of the game."""
        return sum(seat.sure_loss for seat in self.seats)

    def count(self, name: str) -> int:
        """A count of the seats, such as ``blunder``, over all of them."""
        return sum(getattr(seat, name) for seat in self.seats)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "turns": self.turns, "sure_loss": self.sure_loss}


@dataclass(frozen=True)
class Totals:
    """Many games added up; losses are points of 25, so that games of all sizes add up."""

    games: int
    turns: int
    blunder: int
    mistake: int
    inaccuracy: int
    open: int
    choices: int
    agreed: int
    sure_loss: float
    loss_per_move: float
    loss_per_move_se: float  # over games

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def game_row(
    analyst: Analyst,
    found: DataGame,
    deals: int = DEALS,
    open_deals: int = 0,
    *,
    turns: Sequence[int] | None = None,
    agree: Player | None = None,
    threads: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> GameRow:
    """Analyse a game, or some of its turns; agreement is with the blueprint, or with ``agree``."""
    game = found.game
    assert game is not None
    rows = analyst.analyse(game, turns, deals, open_deals, threads=threads, on_progress=on_progress)
    if agree is not None:
        rows = with_moves_of(agree, game, rows)
    return GameRow(found.name, game.rules.to_text(), game.rules.max_score, game.score, game.status,
                   tuple(summarise(rows)), found.about)  # fmt: skip


def with_moves_of(player: Player, game: Game, rows: Sequence[TurnAnalysis]) -> list[TurnAnalysis]:
    """Analysed turns of a game, with an agent's moves in place of the blueprint's."""
    moves = [None if move is None else move_text(game.rules, move)
             for move in moves_of(player, game)]  # fmt: skip
    return [replace(row, blueprint=moves[row.turn - 1]) for row in rows]


def totals_of(rows: Iterable[GameRow]) -> Totals:
    """Games added up; the error of the loss per move is that of a ratio of sums over games."""
    rows = list(rows)
    losses = [row.sure_loss * FULL_SCORE / row.max_score for row in rows]
    turns = sum(row.turns for row in rows)
    mean = sum(losses) / turns if turns else 0.0
    spread = sum((loss - mean * row.turns) ** 2 for loss, row in zip(losses, rows, strict=True))
    n = len(rows)
    error = sqrt(spread * n / (n - 1)) / turns if n > 1 and turns else 0.0
    names = ("blunder", "mistake", "inaccuracy", "open", "choices", "agreed")
    counts = {name: sum(row.count(name) for row in rows) for name in names}
    return Totals(games=n, turns=turns, **counts, sure_loss=sum(losses), loss_per_move=mean,
                  loss_per_move_se=error)  # fmt: skip
