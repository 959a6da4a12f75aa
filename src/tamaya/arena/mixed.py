"""Mirror and mixed evaluation of the CIG competition line.

Mirror: n games with copies of oneself for each number of players. Mixed: n games for each number
of players and each partner of a pool, one tested agent in a random seat and copies of the partner
in the others; seats and deals are the same for every agent that is tested with the same seed.
Averages give every cell the same weight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.runner import Outcome, Runner
from tamaya.arena.tally import Tally, without_nan
from tamaya.rules import Rules


@dataclass(frozen=True)
class Evaluation:
    """One agent with itself or with the partners of a pool, for several numbers of players."""

    agent: str
    partners: tuple[str, ...]  # empty for mirror play
    seed: int
    games: int  # per cell
    outcomes: tuple[Outcome, ...]

    @property
    def total(self) -> Tally:
        """All games together; all cells have as many."""
        return reduce(add, (outcome.tally for outcome in self.outcomes))

    def by_players(self) -> dict[int, Tally]:
        """The games of each number of players."""
        tallies: dict[int, Tally] = {}
        for outcome in self.outcomes:
            players = outcome.match.rules.players
            tallies[players] = tallies.get(players, Tally()) + outcome.tally
        return tallies

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store."""
        return without_nan({
            "agent": self.agent,
            "partners": list(self.partners),
            "seed": self.seed,
            "games_per_cell": self.games,
            "mean": self.total.mean,
            "se": self.total.se,
            "mean_points_kept": self.total.mean_points,
            "by_players": [
                {"players": players, "games": tally.games, "mean": tally.mean, "se": tally.se,
                 "mean_points_kept": tally.mean_points}
                for players, tally in self.by_players().items()
            ],
            "cells": [
                {
                    "players": outcome.match.rules.players,
                    "partner": outcome.match.agents[-1],
                    "mean": outcome.tally.mean,
                    "se": outcome.tally.se,
                    "mean_points_kept": outcome.tally.mean_points,
                    "bombed": outcome.tally.bombed / outcome.tally.games,
                }
                for outcome in self.outcomes
            ],
            "seconds": sum(outcome.seconds for outcome in self.outcomes),
        })  # fmt: skip


def mirror(
    agent: str, tables: Sequence[Rules], games: int, seed: int, runner: Runner
) -> Evaluation:
    """Evaluate an agent with copies of itself."""
    matches = [Match((agent,), rules, seed, ALL) for rules in tables]
    return Evaluation(agent, (), seed, games, tuple(runner.play(matches, games)))


def mixed(
    agent: str,
    partners: Sequence[str],
    tables: Sequence[Rules],
    games: int,
    seed: int,
    runner: Runner,
) -> Evaluation:
    """Evaluate an agent with every partner of a pool."""
    matches = [
        Match((agent, partner), rules, seed, ONE) for rules in tables for partner in partners
    ]
    return Evaluation(agent, tuple(partners), seed, games, tuple(runner.play(matches, games)))
