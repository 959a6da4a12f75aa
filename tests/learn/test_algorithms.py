"""Every algorithm offers what a run asks of it."""

from copy import deepcopy

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.files import make_network
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules
from training import assert_equal

TINY = {
    "ppo": {"games": 4, "turns": 4, "width": 8},
    "rainbow": {"games": 4, "turns": 40, "width": 8, "warm_up": 20, "batch": 8, "period": 8},
    "acha": {"games": 4, "unroll": 4, "batch": 4, "width": 8},
    "bad": {"games": 4, "turns": 4, "width": 8, "hands": 4},
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_learners_step_and_are_restored(algorithm):
    rules = Rules.preset("very-small")
    settings = tuple(TINY[algorithm].items())
    plan = TrainingPlan(algorithm, rules.to_text(), turns=1000, preset="small", settings=settings)
    learner, other = plan.learner(), plan.learner()
    figures = learner.step()
    assert learner.turns > 0 and all(isinstance(value, float) for value in figures.values())
    other.restore(deepcopy(learner.state()))  # as if it came from a file
    learner.step()
    other.step()
    assert_equal(other.state(), learner.state())
    network = make_network(full_metadata(rules, learner.metadata), learner.weights())
    assert network.rules == rules
