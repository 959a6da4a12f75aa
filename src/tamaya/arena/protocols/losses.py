"""Losses: where an agent loses its points in self-play.

Every game that scores less than the maximum has one cause, by hindsight: ``tamaya.arena.losses``.
Games are played in their order until so many are lost, so the answer does not depend on workers.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from tamaya.arena.executor import check_code
from tamaya.arena.losses import CAUSES, MOVES, Loss, loss_of
from tamaya.arena.match import Match, code_of
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    AgentConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import Runner, is_slow
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.endgame.winnable import MOST, Solver
from tamaya.workers import cpu_time

CHUNK = 100  # games of a task

Keep = Callable[[Rules, Loss, Game], None]  # gets every lost game that counts


@dataclass(frozen=True)
class Cause:
    """The lost games of one cause at one table size."""

    cause: str
    lost: int  # games
    share: float  # of the lost games
    points: int  # that they lost
    per_game: float  # points lost, over all games
    deck: float | None  # median of the cards in the deck before the losing moves that are known
    moves: dict[str, int]  # those losing moves by kind


@dataclass(frozen=True)
class LosingMoves:
    """The losing moves of one cause and kind where the same kinds of moves would have won."""

    cause: str
    move: str
    instead: tuple[str, ...]
    lost: int
    deck: float  # median of the cards in the deck
    tokens: float  # median of the tokens
    game: int  # the first of them
    turn: int  # and its losing move, from 1


@dataclass(frozen=True)
class Table:
    """The lost games at one table size."""

    rules: Rules
    games: int  # that were played for them
    losses: tuple[Loss, ...]

    @property
    def points(self) -> int:
        """Points lost in all games."""
        return sum(self.rules.max_score - loss.score for loss in self.losses)

    @property
    def mean(self) -> float:
        """Mean score of all games."""
        return self.rules.max_score - self.points / self.games

    def causes(self) -> list[Cause]:
        """The lost games by cause, in the order of ``CAUSES``; causes without any are left out."""
        found = [self._cause(name) for name in CAUSES]
        return [cause for cause in found if cause.lost]

    def _cause(self, name: str) -> Cause:
        losses = [loss for loss in self.losses if loss.cause == name]
        points = sum(self.rules.max_score - loss.score for loss in losses)
        kinds = Counter(loss.move for loss in losses)
        decks = [loss.deck for loss in losses if loss.deck >= 0]
        return Cause(
            name, len(losses), len(losses) / max(1, len(self.losses)), points,
            points / self.games, median(decks) if decks else None,
            {kind: kinds[kind] for kind in MOVES},
        )  # fmt: skip

    def losing_moves(self) -> list[LosingMoves]:
        """The losing moves that are known, the most frequent first."""
        alike: dict[tuple[str, str, tuple[str, ...]], list[Loss]] = {}
        for loss in self.losses:
            if loss.move:
                alike.setdefault((loss.cause, loss.move, loss.instead), []).append(loss)
        found = [LosingMoves(*what, len(losses), median(loss.deck for loss in losses),
                             median(loss.tokens for loss in losses), losses[0].game,
                             losses[0].turn)
                 for what, losses in alike.items()]  # fmt: skip
        return sorted(found, key=lambda moves: -moves.lost)

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {
            "players": self.rules.players, "hand_size": self.rules.hand_size,
            "games": self.games, "lost": len(self.losses), "points": self.points,
            "mean": self.mean, "causes": [document_of(cause) for cause in self.causes()],
            "losses": [document_of(loss) for loss in self.losses],
        }  # fmt: skip


@dataclass(frozen=True)
class Config(AgentConfig):
    """The lost games of one agent at some table sizes."""

    agent: str  # as commands accept it
    players: str = "2-5"  # table sizes, such as 3, 2-5 or 2,4
    lost: int = 1000  # games to be lost per table size
    games: int = 1_000_000  # to be played at most per table size
    seed: int = 0  # decides deals and play
    rules: str = ""  # what differs from the standard rules
    positions: int = MOST  # looked at for each question whether a position can be won

    @property
    def games_text(self) -> str:
        """Lost games per table size."""
        return f"{self.lost:,} lost per size"

    def n_games(self) -> int:
        """Games at all tables, if too few of them are lost."""
        check_agents([self.agent], self.tables())
        return self.games * len(self.tables())

    def arguments(self) -> list[object]:
        """`tamaya losses` with all options that matter."""
        return ["losses", self.agent, "-p", self.players, "--lost", self.lost, "-n", self.games,
                "--seed", self.seed, *rules_arguments(self.rules),
                *(["--positions", self.positions] if self.positions != MOST else ())]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """The lost games of one agent by table size and cause."""

    config: Config
    tables: tuple[Table, ...]
    seconds: float

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        options = self.tables[0].rules.as_dict()
        return {
            "agent": self.config.agent,
            "seed": self.config.seed,
            "rules": {name: options[name] for name in options
                      if name not in ("players", "hand_size")},
            "results": [table.as_dict() for table in self.tables],
            "seconds": self.seconds,
        }  # fmt: skip

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back: everything else follows from the losses."""
        tables = tuple(
            Table(Rules(players=row["players"], hand_size=row["hand_size"], **document["rules"]),
                  row["games"], tuple(record_of(Loss, loss) for loss in row["losses"]))
            for row in document["results"]
        )  # fmt: skip
        known = config_of(
            Config, config, agent=document["agent"], seed=document["seed"],
            players=",".join(str(table.rules.players) for table in tables),
            rules=rule_text(tables[0].rules),
        )  # fmt: skip
        return cls(known, tables, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each table size and cause."""
        rows = []
        for table in self.tables:
            for cause in table.causes():
                row = document_of(cause)
                kinds = {f"losing_{kind}s": n for kind, n in row.pop("moves").items()}
                rows.append({"figure": "losses", "row": self.config.agent,
                             "players": table.rules.players, "hand_size": table.rules.hand_size,
                             "games": table.games, **row, **kinds})  # fmt: skip
        return rows


@dataclass(frozen=True)
class Found:
    """The lost games in a range of games."""

    games: int
    losses: tuple[tuple[Loss, Game], ...]
    seconds: float


@dataclass(frozen=True)
class LossTask:
    """A range of the games of a match, to be played and searched for losses."""

    match: Match
    first: int
    games: int
    positions: int
    code: str  # fingerprint of the code that is to play it; another one is refused

    @property
    def agents(self) -> Sequence[str]:
        """The agents of the match."""
        return self.match.agents

    def carry_out(self) -> Found:
        """The lost games and why they were."""
        check_code(self.agents, self.code, code_of(self.match.agents))
        played = self.match.play(self.first, self.games, record=True, threads=1)
        started, solver, losses = cpu_time(), Solver(), []
        is_lost = played.results["score"] < self.match.rules.max_score
        for place in is_lost.nonzero()[0].tolist():
            game = played.game(place)
            loss = loss_of(game, self.first + place, solver, self.positions)
            losses.append((loss, game))
        return Found(self.games, tuple(losses), played.cpu_seconds + cpu_time() - started)


def run(config: Config, runner: Runner, keep: Keep | None = None) -> Result:
    """Play an agent with itself until so many games are lost, and find out why they were.

    ``keep`` gets the lost games that count, in their order.
    """
    tables, seconds = [], 0.0
    for rules in config.tables():
        found: list[tuple[Loss, Game]] = []
        for part in runner.carry_out(_tasks(config, rules, found)):
            found += part.losses
            seconds += part.seconds
            runner.note_played(part.games, part.seconds)
        found = sorted(found, key=lambda lost: lost[0].game)[: config.lost]
        n_games = found[-1][0].game + 1 if len(found) == config.lost else config.games
        tables.append(Table(rules, n_games, tuple(loss for loss, _ in found)))
        for loss, game in found:
            if keep is not None:
                keep(rules, loss, game)
    return Result(config, tuple(tables), seconds)


def _tasks(config: Config, rules: Rules, found: Sequence[object]) -> Iterator[LossTask]:
    """Ranges of games one after the other, until enough lost games are found."""
    match = Match((config.agent,), rules, config.seed)
    size = 1 if is_slow(match) else CHUNK
    for first in range(0, config.games, size):
        if len(found) >= config.lost:
            return
        yield LossTask(match, first, min(size, config.games - first), config.positions,
                       code_of(match.agents))  # fmt: skip


PROTOCOL = RegisteredProtocol("losses", Config, Result, run)
