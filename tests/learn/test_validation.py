"""Validation: the same deals always, by the compiled player."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.ppo import Learner, Settings
from tamaya.learn.validation import TEST, VALIDATION, Evaluator, full_metadata, summary
from tamaya.rules import Rules

RULES = Rules.preset("small", bomb="keep")


def test_scores_are_of_the_weights_that_were_loaded_last():
    settings = Settings(width=16, games=8)
    one, other = (Learner(RULES, settings, seed, 100) for seed in (1, 2))
    evaluator = Evaluator(RULES, one.metadata, one.weights())
    before = evaluator.scores(200)
    assert (evaluator.scores(200) == before).all()
    assert (evaluator.scores(200, TEST) != before).any() and TEST != VALIDATION
    evaluator.load(other.weights())
    fresh = Evaluator(RULES, other.metadata, other.weights())
    assert (evaluator.scores(200) == fresh.scores(200)).all()


def test_metadata_say_what_the_table_is_like():
    metadata = full_metadata(RULES, {"kind": "mlp", "encoder": "hle", "width": 4})
    assert Rules.parse(metadata["rules"]) == RULES
    assert metadata["observation"].startswith("hle 2 players ")


def test_summaries():
    assert summary(np.array([0, 10, 10, 4]), RULES) == {
        "games": 4, "mean": 6.0, "se": pytest.approx(2.449490), "perfect": 0.5, "zero": 0.25,
    }  # fmt: skip
    assert summary(np.array([7]), RULES)["se"] == 0.0
