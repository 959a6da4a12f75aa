"""Series: games in a row with the same partner, after each of which an agent learns from them.

Game k of series s has the number ``LONGEST * s + k`` of its match, so that a longer series begins
with the same deals. A series is one task: what happens in it depends on no other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from tamaya.arena.executor import check_code
from tamaya.arena.match import Match, code_of
from tamaya.game import Game
from tamaya.lookup import agent_file, find_agent
from tamaya.player import Player
from tamaya.records import OUT_OF_LIVES
from tamaya.workers import cpu_time

LONGEST = 100  # games
MOST_SAMPLES = 10  # the last games, which the agent learns from
_learning = Lock()  # two threads must not compile the same agent for the first time


@dataclass(frozen=True)
class Series:
    """How a series went, game by game."""

    number: int
    scores: tuple[int, ...]
    points: tuple[int, ...]  # also after a bomb-out
    bombed: tuple[bool, ...]
    named: tuple[str | None, ...]  # whom the agent took its partner for, if it says so
    seconds: float


@dataclass(frozen=True)
class SeriesTask:
    """A series of a match of one agent with copies of its partner."""

    match: Match  # seating ONE
    number: int
    length: int
    names: str  # the parameter that says for whom the agent takes its partner
    code: str  # fingerprint of the code that is to play it; another one is refused

    @property
    def agents(self) -> Sequence[str]:
        """The agents of the match."""
        return self.match.agents

    def carry_out(self) -> Series:
        """Play the games, and let the agent learn after each of them."""
        check_code(self.agents, self.code, code_of(self.match.agents))
        started = cpu_time()
        text, partner = self.match.agents
        learner = player = find_agent(text)
        games: list[Game] = []
        partners: list[tuple[int, ...]] = []
        results, named = [], []
        for number in range(LONGEST * self.number, LONGEST * self.number + self.length):
            if games:
                with _learning:
                    player = learner.prepared(games[-MOST_SAMPLES:], partners[-MOST_SAMPLES:])
            match = Match((spec_in(text, player), partner), self.match.rules, self.match.seed,
                          self.match.seating)  # fmt: skip
            played = match.play(number, 1, record=True, threads=1)
            results.append(played.results[0])
            named.append(player.settings.get(self.names))
            games.append(played.game(0))
            own = int(match.seats(number, 1)[0])
            seats = range(self.match.rules.players)
            partners.append(tuple(seat for seat in seats if seat != own))
        return Series(
            self.number,
            tuple(int(result["score"]) for result in results),
            tuple(int(result["points"]) for result in results),
            tuple(bool(result["status"] == OUT_OF_LIVES) for result in results),
            tuple(None if name is None else str(name) for name in named),
            cpu_time() - started,
        )


def spec_in(text: str, player: Player) -> str:
    """The spec of an agent under the name that was given, which may be a user's file."""
    file = agent_file(text)
    if file is None:
        return player.spec
    if file.suffix == ".py":
        return f"{file}:{player.spec}"
    _, colon, parameters = player.spec.partition(":")  # other files have one agent, without a name
    return f"{file}{colon}{parameters}"
