"""A match: who plays whom under which rules, and any part of its games.

Every protocol consists of matches. A match is plain data, so it can be sent to another machine;
its identity covers the code of its agents, so stored results are never confused with those of
other code.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

import tamaya
from tamaya.arena import tally
from tamaya.arena.tally import Tally
from tamaya.compiled import hot
from tamaya.fingerprint import fingerprint
from tamaya.lookup import find_agent
from tamaya.rng import below, scramble, seed_of
from tamaya.rules import Rules
from tamaya.table import Played, play

ALL, EACH, ONE, PAIR = "all", "each", "one", "pair"
_SEAT_STREAM = 0x5EA7  # the child of the seed that determines only who sits where


@dataclass(frozen=True)
class Match:
    """Agents as texts and how they are seated.

    | seating | |
    |---|---|
    | `all` | the agent sits in all seats |
    | `each` | one agent per seat |
    | `one` | the first sits in a random seat, copies of the second in all others |
    | `pair` | the first in all seats, then the second in all seats on the same deals |
    """

    agents: tuple[str, ...]
    rules: Rules
    seed: int
    seating: str = ALL

    def __post_init__(self) -> None:
        wanted = {ALL: 1, EACH: self.rules.players, ONE: 2, PAIR: 2}
        if self.seating not in wanted:
            raise ValueError(f"seating must be one of {', '.join(wanted)}, not {self.seating!r}")
        if len(self.agents) != wanted[self.seating]:
            raise ValueError(f"seating {self.seating!r} takes {wanted[self.seating]} agents, "
                             f"not {len(self.agents)}")  # fmt: skip

    def play(self, first: int, games: int, **options: Any) -> Played:
        """Play a range of the games of the match; options as for ``tamaya.table.play``.

        For a pair these are the games of the first agent.
        """
        seatings = self.seatings(first, games) if self.seating == ONE else None
        agents = self.agents[:1] if self.seating == PAIR else self.agents
        return play(agents, self.rules, games, seed=self.seed, first=first,
                    seatings=seatings, **options)  # fmt: skip

    def tally(self, first: int, games: int) -> Tally:
        """The tally of a range of the games, on one thread."""
        return self.timed_tally(first, games)[0]

    def timed_tally(self, first: int, games: int) -> tuple[Tally, float]:
        """The tally of a range of the games and the CPU seconds of play, without compiling."""
        played = self.play(first, games, threads=1)
        if self.seating != PAIR:
            return Tally.of(played.results, first=first), played.cpu_seconds
        other = Match(self.agents[1:], self.rules, self.seed).play(first, games, threads=1)
        tally = Tally.of(played.results, other.results, first)
        return tally, played.cpu_seconds + other.cpu_seconds

    def seatings(self, first: int, games: int) -> np.ndarray:
        """Who sits where in a range of games: 0 for the first agent, 1 for the second."""
        seatings = np.ones((games, self.rules.players), np.int64)
        seatings[np.arange(games), self.seats(first, games)] = 0
        return seatings

    def seats(self, first: int, games: int) -> np.ndarray:
        """Seat of the first agent in a range of games."""
        seats = np.zeros(games, np.int64)
        draw_seats(np.uint64(self.seed % 2**64), first, self.rules.players, seats)
        return seats

    @property
    def key(self) -> str:
        """Identity of the match: everything that determines its games."""
        text = json.dumps([asdict(self), code_of(self.agents)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {**asdict(self), "agents": list(self.agents), "version": tamaya.__version__,
                "code": code_of(self.agents)}  # fmt: skip


@hot
def draw_seats(seed, first, players, seats):
    """Fill the seat of the first agent in a range of games."""
    stream = np.uint64(seed_of(seed, _SEAT_STREAM))
    for k in range(len(seats)):
        seats[k] = below(scramble(seed_of(stream, first + k)), players)


@cache
def code_of(agents: tuple[str, ...]) -> str:
    """Fingerprint of the code that determines the games of some agents and how they are counted."""
    digest = hashlib.sha256()
    modules = {__name__, tally.__name__, "tamaya.table", "tamaya.batch"}
    texts = list(agents)
    for text in texts:
        player = find_agent(text)  # raises for an unknown agent here, not in the middle of a run
        digest.update(player.identity.encode())
        texts += player.depends_on  # blueprints of a search, and their blueprints
        modules.update(player.modules)
    digest.update(fingerprint(*modules).encode())
    return digest.hexdigest()[:16]
