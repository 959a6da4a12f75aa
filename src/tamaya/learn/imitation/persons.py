"""How a person's own games help to predict the next ones.

A model of people in common, such as ``adaptive`` responds to, is fitted to those who are learned
from. For each person held out it is fitted once more, to some games of that person, beginning from
what is common: a prior that is as narrow as ``CLOSE`` says. All numbers of games seen are tested on
the same later games, so that they can be compared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import nan, sqrt
from typing import Any

import numpy as np

from tamaya.adapt.model import choices_of, fit, fitted, log_likelihood
from tamaya.adapt.prior import close_to, prior
from tamaya.learn.imitation.games import TEST, TRAIN, VALIDATION, PersonGame, games_in

EACH = 20  # games of each person at most for what is common, so that nobody outweighs all others


@dataclass(frozen=True)
class Known:
    """How well people are predicted by who has seen some games of theirs."""

    seen: int  # games of the person
    people: int
    moves: int
    nats: float  # of a move, every person the same weight
    nats_se: float  # over people
    gain: float  # compared with what is common, in nats
    gain_se: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {key: None if value != value else value for key, value in asdict(self).items()}


def by_person(games: Iterable[PersonGame]) -> dict[str, list[PersonGame]]:
    """Games of each person, in the order in which they were played."""
    found: dict[str, list[PersonGame]] = {}
    for each in games:
        found.setdefault(each.person, []).append(each)
    return found


def common_model(games: Sequence[PersonGame], split: int) -> np.ndarray:
    """The weights that explain those who are learned from."""
    learned = by_person(games_in(games, (TRAIN,), split))
    several = [each for own in learned.values() for each in own[:EACH]]
    if not several:
        raise ValueError(f"nobody is learned from by split {split}: use another split")
    choices = choices_of([each.game for each in several], _seats(several))
    return fit(choices, prior(several[0].game.rules.players))


def personal_model(games: Sequence[PersonGame], common: np.ndarray) -> np.ndarray:
    """The weights that explain a person, the common ones without any games."""
    if not games:
        return common
    expected = close_to(common, games[0].game.rules.players)
    return fitted([each.game for each in games], expected, _seats(games))


def by_games_seen(
    games: Sequence[PersonGame], numbers: Sequence[int], split: int
) -> list[Known]:  # fmt: skip
    """How well held-out people are predicted after some numbers of games, on the games after."""
    most, common = max(numbers), common_model(games, split)
    held_out = by_person(games_in(games, (VALIDATION, TEST), split)).values()
    people = [own for own in held_out if len(own) > most]
    if not people:
        raise ValueError(f"nobody held out by split {split} has played more than {most} games")
    later = [choices_of([each.game for each in own[most:]], _seats(own[most:])) for own in people]
    n_moves = sum(len(choices.chosen) for choices in later)
    base = np.array([-log_likelihood(choices, common) for choices in later])
    rows = []
    for n in numbers:
        models = [personal_model(own[most - n : most], common) for own in people]
        nats = np.array([-log_likelihood(choices, weights)
                         for choices, weights in zip(later, models, strict=True)])  # fmt: skip
        rows.append(Known(n, len(people), n_moves, float(nats.mean()), _error(nats),
                          float((base - nats).mean()), _error(base - nats)))  # fmt: skip
    return rows


def _seats(games: Sequence[PersonGame]) -> list[int]:
    """The seats of people in each game, as bits."""
    return [sum(1 << seat for seat in each.seats) for each in games]


def _error(values: np.ndarray) -> float:
    """The standard error of a mean."""
    return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else nan
