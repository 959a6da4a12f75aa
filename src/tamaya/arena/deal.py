"""One deal: the same deck for many teams, their scores on it, and how hard it is.

A deal is the deck, the seat that begins, and the seed from which agents draw random numbers. Game k
of a seed is a deal, and so is the deck of any recorded game; teams play it exactly as ``play``
does, so ``tamaya watch AGENT --seed S --game K`` shows the game of a row.

*Difficulty* is how many points below its usual score a panel of agents falls: for each agent its
mean score on many deals minus its score on this one, averaged over the panel. Its standard error
has two parts: the agents of a panel disagree (their spread divided by the root of their number,
because another panel would yield another figure), and their means are estimates (these errors are
treated as fully correlated, because all means come from the same deals). ``share`` expresses the
same as a rank: on what share of deals the panel scores less than on this one, ties counting half,
so 10 % is a hard deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from statistics import fmean, stdev
from typing import Self

from tamaya.agent import AgentFault, Player
from tamaya.arena.tally import Tally
from tamaya.game import Game, IllegalMoveError
from tamaya.rules import Rules
from tamaya.seat import Seat

# One or two agents of each school that seldom lose all lives: schools fail on different deals, and
# variants of the same agent would only repeat each other.
PANEL = (
    "certainty", "confidence", "iggi", "outer", "piers", "mirror-situational", "nyu-game-lab",
    "tamaya-mirror", "tamaya-mixed", "smartbot", "fireflower-careful", "wtfwthat", "information",
)  # fmt: skip


@dataclass(frozen=True)
class Deal:
    """A deck, top card first, the seat that begins, and the seed of the agents' generators."""

    rules: Rules
    deck: tuple[int, ...]
    start: int
    seed: int

    @classmethod
    def of_game(cls, game: Game) -> Self:
        """The deal of a game that may have been played already."""
        record = game.record
        return cls(game.rules, tuple(game.deck), int(record.start), int(record.seed))

    @classmethod
    def of_seed(cls, rules: Rules, seed: int, index: int = 0) -> Self:
        """Game number ``index`` of a seed."""
        return cls.of_game(Game(rules, seed, index))

    def game(self) -> Game:
        """The game before the first move."""
        game = Game(self.rules, deck=self.deck, start=self.start)
        game.record.seed = self.seed
        return game

    def play(self, team: Sequence[Player]) -> Game:
        """The finished game of a team, one agent for all seats or one for each."""
        game = self.game()
        n = self.rules.players
        if len(team) not in (1, n):
            raise ValueError(f"a team has one agent or {n}, not {len(team)}")
        seats = [Seat(team[seat % len(team)], game, seat) for seat in range(n)]
        while not game.is_over:
            mover = seats[game.mover]
            try:
                game.apply(mover.act())
            except IllegalMoveError as error:
                raise AgentFault(f"agent {mover.player.spec!r}: {error}") from None
            if game.is_over:
                break
            for seat in seats:
                seat.observe()
        return game

    def play_with_guest(self, team: Sequence[Player], guest: Player, seat: int) -> Game:
        """The finished game of a guest in one seat, with one agent for the others or one each."""
        others = list(team) * (self.rules.players - 1) if len(team) == 1 else list(team)
        return self.play([*others[:seat], guest, *others[seat:]])


@dataclass(frozen=True)
class Row:
    """The game of one team on a deal."""

    name: str  # of the agent, or of the people who played
    score: int
    points: int  # sum of the fireworks, even after a bomb-out
    status: str  # why the game ended
    turns: int
    rank: int = 0  # 1 for the best; equal scores share the better rank
    is_tied: bool = False  # whether another row has the same rank
    is_given: bool = False  # whether it is the game that the deal was taken from


def row_of(name: str, game: Game, is_given: bool = False) -> Row:
    """The row of a finished game."""
    return Row(name, game.score, game.points, game.status, game.turn, is_given=is_given)


def ranked(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows with their ranks, the best first, equal ones by name."""
    scores = [row.score for row in rows]
    found = []
    for row in sorted(rows, key=lambda row: (-row.score, row.name)):
        rank = 1 + sum(score > row.score for score in scores)
        is_tied = scores.count(row.score) > 1
        found.append(Row(row.name, row.score, row.points, row.status, row.turns, rank, is_tied,
                         row.is_given))  # fmt: skip
    return tuple(found)


@dataclass(frozen=True)
class Opinion:
    """How one agent of the panel did on a deal."""

    agent: str
    score: int  # on this deal
    mean: float  # over many deals
    se: float
    share: float  # of those deals on which it scores less, ties counting half

    @property
    def difficulty(self) -> float:
        """How many points less than usual it scores."""
        return self.mean - self.score


def opinion_of(agent: str, score: int, usual: Tally) -> Opinion:
    """The opinion of an agent with a score on this deal and a tally of many others."""
    below = sum(usual.scores[:score]) + usual.scores[score] / 2
    return Opinion(agent, score, usual.mean, usual.se, below / usual.games)


@dataclass(frozen=True)
class Difficulty:
    """How hard a deal is, in points and in ranks; NaN without a panel."""

    points: float  # by which the panel scores less than usual
    se: float
    share: float  # of deals that are harder, by the mean of the panel
    panel: tuple[Opinion, ...]


def difficulty_of(panel: Sequence[Opinion]) -> Difficulty:
    """The difficulty of a deal by the opinions of a panel."""
    if not panel:
        return Difficulty(nan, nan, nan, ())
    found = [opinion.difficulty for opinion in panel]
    spread = stdev(found) / sqrt(len(found)) if len(found) > 1 else nan
    measured = fmean(opinion.se for opinion in panel)
    return Difficulty(fmean(found), sqrt(spread**2 + measured**2),
                      fmean(opinion.share for opinion in panel), tuple(panel))  # fmt: skip
