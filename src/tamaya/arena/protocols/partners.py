"""Who goes best with a partner: every agent of a pool in one random seat among copies of it.

Seats and deals are the same for every agent. The partner itself is among the agents, as what it
scores without a guest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.pools import pool_text
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text, tables_of
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


@dataclass(frozen=True)
class Guest:
    """The scores of one agent with the partner at one table size."""

    agent: str
    players: int
    games: int
    mean: float
    se: float | None  # None after a single game
    mean_points_kept: float  # mean of the fireworks, even after a bomb-out
    bombed: float  # share of games that ended without lives
    perfect: float  # share of games with the highest score


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """A partner, and the agents that are tried with it."""

    partner: str  # as commands accept it
    pool: tuple[str, ...]  # the agents
    players: str = "2"  # table sizes, such as 3, 2-5 or 2,4
    games: int = 1000  # per agent and table size
    seed: int = 0  # of deals, seats and play
    rules: str = ""  # what differs from the standard rules

    @property
    def title(self) -> str:
        """The partner."""
        return f"with {self.partner}"

    @property
    def games_text(self) -> str:
        """Games per agent."""
        return f"{self.games:,} per agent"

    @property
    def guests(self) -> tuple[str, ...]:
        """The agents, the partner itself once."""
        return tuple(dict.fromkeys((*self.pool, self.partner)))

    def tables(self) -> list[Rules]:
        """The rules of every table size."""
        return tables_of(self.players, self.rules)

    def n_games(self) -> int:
        """Games of all agents."""
        check_agents(self.guests, self.tables())
        return self.games * len(self.tables()) * len(self.guests)

    def arguments(self) -> list[object]:
        """`tamaya partners` with all options that matter."""
        return ["partners", self.partner, "--pool", pool_text(self.pool), "-p", self.players,
                "-n", self.games, "--seed", self.seed, *rules_arguments(self.rules)]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """All agents with the partner, the best of each table size first."""

    config: Config
    guests: tuple[Guest, ...]
    seconds: float

    def at(self, players: int) -> list[Guest]:
        """The agents at a table size, the best first."""
        return [guest for guest in self.guests if guest.players == players]

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {
            "partner": self.config.partner,
            "rules": rule_text(self.config.tables()[0]),
            "seed": self.config.seed,
            "guests": [document_of(guest) for guest in self.guests],
            "seconds": self.seconds,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        guests = tuple(record_of(Guest, row) for row in document["guests"])
        players = ",".join(map(str, dict.fromkeys(guest.players for guest in guests)))
        known = config_of(
            Config, config, partner=document["partner"], seed=document["seed"], players=players,
            pool=tuple(dict.fromkeys(guest.agent for guest in guests)),
            games=guests[0].games if guests else 1, rules=document["rules"],
        )  # fmt: skip
        return cls(known, guests, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each agent and table size."""
        return [{"figure": "with a partner", "row": guest.agent, "partner": self.config.partner,
                 **document_of(guest)} for guest in self.guests]  # fmt: skip


def run(config: Config, runner: Runner) -> Result:
    """Try every agent with the partner."""
    tables = config.tables()
    matches = [
        Match((agent,), rules, config.seed, ALL)
        if agent == config.partner
        else Match((agent, config.partner), rules, config.seed, ONE)
        for rules in tables
        for agent in config.guests
    ]
    outcomes = runner.play(matches, config.games)
    guests = []
    for outcome in outcomes:
        tally, rules = outcome.tally, outcome.match.rules
        guests.append(Guest(
            outcome.match.agents[0], rules.players, tally.games, tally.mean,
            tally.se if tally.games > 1 else None, tally.mean_points, tally.bombed / tally.games,
            tally.scores[rules.max_score] / tally.games,
        ))  # fmt: skip
    guests.sort(key=lambda guest: (guest.players, -guest.mean, guest.agent))
    return Result(config, tuple(guests), sum(outcome.seconds for outcome in outcomes))


PROTOCOL = RegisteredProtocol("partners", Config, Result, run)
