"""How well moves of people are predicted: the share that was the likeliest, and nats.

Both are given with the same weight for every person, with standard errors over persons, and with
the same weight for every move. A nat is minus the natural logarithm of the probability that was
given to the move made; the lower the better.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import nan, sqrt
from typing import Any

import numpy as np

from tamaya.agents.learned.people.agent import NOT_SAID, PARAMS, PeopleAgent
from tamaya.agents.learned.people.choice import write_probabilities
from tamaya.agents.learned.people.situation import EXPERIENCE, Situation
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT
from tamaya.learn.imitation.decisions import Watcher
from tamaya.learn.imitation.games import PersonGame, common_rules
from tamaya.rules import Rules

NOISES = np.geomspace(0.001, 1.0, 200)  # rates among which the best is chosen


@dataclass(frozen=True)
class Score:
    """How well one predictor does."""

    name: str
    people: int
    moves: int
    accuracy: float  # every person the same weight
    accuracy_se: float
    nats: float
    nats_se: float
    accuracy_by_move: float
    nats_by_move: float
    noise: float | None = None  # rate of random moves of an agent that names one move

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {key: None if value != value else value for key, value in asdict(self).items()}


@dataclass(frozen=True)
class Turns:
    """Turns of people in some games, one after the other: who moved, what, out of how many."""

    people: tuple[str, ...]
    person: np.ndarray
    moves: np.ndarray
    n_legal: np.ndarray


def turns_of(games: Sequence[PersonGame]) -> Turns:
    """All turns of people."""
    people = tuple(dict.fromkeys(each.person for each in games))
    rows = []
    for each in games:
        again = each.game.at(0)
        for move in each.game.moves:
            if again.mover in each.seats:
                rows.append((people.index(each.person), int(move), len(again.legal_moves)))
            again.apply(move)
    person, moves, n_legal = np.array(rows, np.int64).reshape(-1, 3).T
    return Turns(people, person, moves, n_legal)


def score(name: str, turns: Turns, right: np.ndarray, nats: np.ndarray,
          noise: float | None = None) -> Score:  # fmt: skip
    """The score of a predictor from what it was worth at every turn."""
    n = np.bincount(turns.person, minlength=len(turns.people))
    means = [np.bincount(turns.person, values, len(turns.people)) / n for values in (right, nats)]
    errors = [each.std(ddof=1) / sqrt(len(n)) if len(n) > 1 else nan for each in means]
    return Score(name, len(turns.people), len(turns.moves), float(means[0].mean()),
                 float(errors[0]), float(means[1].mean()), float(errors[1]), float(right.mean()),
                 float(nats.mean()), noise)  # fmt: skip


def score_uniform(turns: Turns) -> Score:
    """All legal moves equally likely."""
    return score("uniform", turns, 1 / turns.n_legal, np.log(turns.n_legal))


def best_noise(turns: Turns, named: np.ndarray) -> float:
    """The rate of random moves with which an agent that names moves explains turns best."""
    weights = 1 / np.bincount(turns.person)[turns.person]
    losses = [(weights * noisy_nats(turns, named, noise)).sum() for noise in NOISES]
    return float(NOISES[int(np.argmin(losses))])


def noisy_nats(turns: Turns, named: np.ndarray, noise: float) -> np.ndarray:
    """Nats of an agent that makes the move it names, except for a rate of random moves."""
    probs = noise / turns.n_legal
    probs[named == turns.moves] += 1 - noise
    return -np.log(probs)


def score_named(name: str, turns: Turns, named: np.ndarray, noise: float) -> Score:
    """An agent that names one move per turn, -1 for none."""
    right = (named == turns.moves).astype(float)
    return score(name, turns, right, noisy_nats(turns, named, noise), noise)


@hot
def judge_situation(params, players, situation, legal, probs):
    """Write how likely each move of a situation is."""
    write_probabilities(params.brain[players], situation, legal, probs)


def probabilities(agent: PeopleAgent, games: Sequence[PersonGame]) -> np.ndarray:
    """[turn, move] -> how likely an agent takes each move of people to be.

    Unless the agent's ``experience`` is set it is what each person said.
    """
    rules: Rules = common_rules(games)
    if not agent.plays_with(rules.players):
        raise ValueError(f"{agent.name} has no network for {rules.players} players")
    names = agent.networks[rules.players].metadata["advisers"]
    watcher = Watcher(rules, names)
    params = agent.params.record().view(PARAMS)
    own, rows = agent.params.experience, []
    for each in games:
        said = each.experience if own == NOT_SAID else own
        known = said if said in EXPERIENCE else ""
        asked = PersonGame(each.game, each.seats, each.person, known)
        for situation, legal, _ in watcher.turns(asked):
            mask = np.bitwise_or.reduce(MOVE_BIT[np.flatnonzero(legal)])
            probs = np.zeros(rules.n_moves)
            judge_situation(params[0], np.int64(rules.players), Situation(*situation), mask, probs)
            rows.append(probs)
    return np.array(rows)


def score_people(name: str, turns: Turns, probs: np.ndarray) -> Score:
    """An agent that gives every move a probability."""
    made = probs[np.arange(len(turns.moves)), turns.moves]
    right = (probs.argmax(axis=1) == turns.moves).astype(float)
    return score(name, turns, right, -np.log(np.maximum(made, 1e-12)))
