"""Behaviour: what an agent does in self-play, or what was done in recorded games.

``tamaya.arena.behaviour`` does the counting; counts of chunks of games add up exactly, so any
worker can count them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.arena.behaviour import SCALARS, Behaviour, behaviour_of
from tamaya.arena.executor import check_code
from tamaya.arena.match import Match, code_of
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text, rules_for
from tamaya.arena.runner import Runner, is_slow
from tamaya.arena.tally import without_nan
from tamaya.game import Game
from tamaya.lookup import agent_file
from tamaya.rules import Rules

CHUNK = 100  # games that are recorded and counted at a time
# Figures of a whole result, in the order of the document.
FIGURES = ("turns_per_game", "hints_per_game", "play_success", "lives_lost_per_game",
           "playable_hint_precision", "touched_playable",
           "discarded_critical_per_game")  # fmt: skip


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """What an agent does in self-play."""

    agent: str  # as commands accept it, or a file or folder of recorded games
    players: int = 2  # table size
    games: int = 1000  # to play and count
    seed: int = 0  # of deals and play
    rules: str = ""  # what differs from the standard rules
    people: str = ""  # of recorded games: only the people who said this, or all of them

    @property
    def title(self) -> str:
        """The agent, or the recorded games."""
        return f"{self.agent}, people: {self.people}" if self.people else self.agent

    @property
    def games_text(self) -> str:
        """Games."""
        return f"{self.games:,}"

    @property
    def is_recorded(self) -> bool:
        """Whether the agent is a path to games: with a separator or a suffix, unlike a name."""
        path = Path(self.agent)
        is_path = "/" in self.agent or bool(path.suffix)
        return is_path and path.exists() and agent_file(self.agent) is None

    def table(self) -> Rules:
        """The rules."""
        return rules_for(self.players, self.rules)

    def n_games(self) -> int:
        """Games to play; none if they were recorded."""
        if self.is_recorded:
            return 0
        check_agents([self.agent], [self.table()])
        return self.games

    def arguments(self) -> list[object]:
        """`tamaya behaviour` with all options that matter."""
        return ["behaviour", self.agent, "-p", self.players, "-n", self.games, "--seed", self.seed,
                *(["--people", self.people] if self.people else []),
                *rules_arguments(self.rules)]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """Counts of what was done, and the shares that follow from them."""

    config: Config
    counted: Behaviour
    seconds: float

    def conditional(self) -> list[list[float]]:
        """P(next action | action) by rows, -1 in the rows of actions that were never taken."""
        shares = self.counted.conditional()
        return np.where(np.isnan(shares), -1, shares).tolist()

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        counted = self.counted
        return without_nan(
            {
                "agent": self.config.agent,
                "seed": self.config.seed,
                "players": counted.rules.players,
                "rules": counted.rules.as_dict(),
                "seconds": self.seconds,
                "counts": counted.to_dict(),
                "labels": counted.labels(),
                "conditional": self.conditional(),
                "marginal": counted.marginal().tolist(),
                "rates": counted.rates,
                **{name: getattr(counted, name) for name in FIGURES},
            }
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back: everything else follows from the counts."""
        counted = Behaviour.from_dict(document["counts"])
        known = config_of(Config, config, agent=document["agent"], seed=document["seed"],
                          players=counted.rules.players, games=counted.games,
                          rules=rule_text(counted.rules))  # fmt: skip
        return cls(known, counted, document["seconds"])

    def rows(self) -> list[Row]:
        """A row of rates, one for each action, and one for each pair of actions in a row."""
        counted, labels = self.counted, self.counted.labels()
        head = {"row": self.config.agent, "players": counted.rules.players,
                "hand_size": counted.rules.hand_size, "games": counted.games}  # fmt: skip
        rates = {f"{kind}_rate": rate for kind, rate in counted.rates.items()}
        rows = [{"figure": "behaviour", **head, **rates, "turns": counted.turns,
                 **{name: getattr(counted, name) for name in (*FIGURES, *SCALARS)}}]  # fmt: skip
        marginal, conditional = counted.marginal(), counted.conditional()
        rows += [
            {"figure": "action", **head, "action": label, "count": int(counted.first[a]),
             "share": float(marginal[a])}
            for a, label in enumerate(labels)
        ]  # fmt: skip
        rows += [
            {"figure": "next action", **head, "action": label, "next_action": after,
             "count": int(counted.following[a, b]), "share": float(conditional[a, b])}
            for a, label in enumerate(labels)
            for b, after in enumerate(labels)
        ]  # fmt: skip
        return rows


@dataclass(frozen=True)
class CountTask:
    """A range of the games of a match, to be played and counted."""

    match: Match
    first: int
    games: int
    code: str  # fingerprint of the code that must play it; any other is refused

    @property
    def agents(self) -> Sequence[str]:
        """The agents of the match."""
        return self.match.agents

    def carry_out(self) -> tuple[Behaviour, float]:
        """The counts, and the seconds of play."""
        check_code(self.agents, self.code, code_of(self.match.agents))
        played = self.match.play(self.first, self.games, record=True, threads=1)
        assert played.records is not None
        return behaviour_of(played.records, self.match.rules), played.seconds


def run(
    config: Config,
    runner: Runner,
    games: Sequence[Game] = (),
    seats: Sequence[int] | None = None,
) -> Result:
    """Count what an agent does in self-play, or what was done in the games that are given.

    With ``seats``, one for each game, only what was done in that seat counts.
    """
    if games:
        records = np.concatenate([game.array for game in games])
        chosen = None if seats is None else np.array(seats)
        return Result(config, behaviour_of(records, games[0].rules, chosen), 0.0)
    counts, seconds = [], 0.0
    for counted, took in runner.carry_out(_tasks(config)):
        counts.append(counted)
        seconds += took
        runner.note_played(counted.games, took)
    return Result(config, reduce(add, counts), seconds)


def _tasks(config: Config) -> Iterator[CountTask]:
    match = Match((config.agent,), config.table(), config.seed)
    size = 1 if is_slow(match) else CHUNK
    for first in range(0, config.games, size):
        yield CountTask(match, first, min(size, config.games - first), code_of(match.agents))


PROTOCOL = RegisteredProtocol("behaviour", Config, Result, run)
