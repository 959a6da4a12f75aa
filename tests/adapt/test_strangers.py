"""Strangers: models against known agents, and what the agent does when a model is likelier."""

import numpy as np
import pytest

from tamaya.adapt.player import adaptive
from tamaya.adapt.prior import prior
from tamaya.adapt.strangers import (
    ANYBODY,
    KNOWN,
    MEMORY,
    N_MODELS,
    PEOPLE,
    SHARES,
    hear_models,
    models_record,
    share_of,
    stranger,
)
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.records import record
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

TWO = Rules(players=2)
WHAT_IT_HEARD = record([("n_heard", np.int64), ("logs", np.float64, 3), *MEMORY])


def logs_of(known: list[float], models: list[float]) -> np.record:
    """A memory with some log-likelihoods."""
    memory = np.zeros(1, WHAT_IT_HEARD)[0]
    memory["logs"], memory["model_logs"] = known, models
    return memory


def heard(game: Game, turn: int, without: tuple[str, ...] = ()) -> np.ndarray:
    """The log-likelihoods of the models at a turn, for the seat that moves."""
    memory = logs_of([0, 0, 0], [0, 0])
    view = game.at(turn).view()
    hear_models(view, models_record(2, without)[0], memory, np.uint64(1))
    return memory["model_logs"].copy()


def test_probabilities_of_models_and_known_agents_add_up():
    memory = logs_of([-3.0, -4.0, -9.0], [-2.0, -5.0])
    mass = np.exp([-3.0, -4.0, -9.0, -2.0, -5.0])
    for kind in range(N_MODELS):
        assert share_of(memory, kind, 3) == pytest.approx(mass[3 + kind] / mass.sum())
    assert share_of(memory, PEOPLE, 0) == pytest.approx(mass[3] / mass[3:].sum())


def test_a_stranger_must_be_likelier_than_all_known_agents_together():
    assert stranger(logs_of([-3, -2.8, -9], [-2.5, -5]), 3) == KNOWN
    assert stranger(logs_of([-3, -4, -9], [-2.5, -5]), 3) == PEOPLE
    assert stranger(logs_of([-9, -9, -9], [-2.5, -5]), 3) == PEOPLE
    assert stranger(logs_of([-9, -9, -9], [-5, -2.5]), 3) == ANYBODY
    assert stranger(logs_of([0, 0, 0], [-5, -2.5]), 0) == ANYBODY  # nobody is known


def test_people_are_told_from_agents_by_their_moves():
    gains = []
    for name in ("human", "certainty"):
        game = play(["example", name], TWO, 1, seed=9, record=True).game(0)
        before, after = np.log(SHARES), heard(game, 16)
        assert (after < before).all()
        gains.append((after - before)[PEOPLE] - (after - before)[ANYBODY])
    assert gains[0] > gains[1]


def test_families_that_must_not_be_known_change_the_models():
    models, others = models_record(2, ())[0], models_record(2, ("human", "ppo"))[0]
    assert others["prior"][PEOPLE] < -1e6
    assert not others["weights"][PEOPLE].any()
    assert np.array_equal(others["weights"][ANYBODY], prior(2, ("human", "ppo")).mean)
    assert not np.array_equal(others["weights"][ANYBODY], models["weights"][ANYBODY])


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
def test_it_notices_that_its_partner_is_a_person_and_says_so():
    named = 0
    for seed in range(3):
        game = play(["tamaya-mixed", "human"], TWO, 1, seed=seed, record=True).game(0)
        turn = max(turn for turn in range(game.turn) if game.at(turn).mover == 0)
        rows = Seat(adaptive.with_text("draws=10,samples=4"), game.at(turn), 0).explain()
        named += str(rows[0][1]).startswith("people") and "plays as" not in dict(rows)
    assert named >= 2
