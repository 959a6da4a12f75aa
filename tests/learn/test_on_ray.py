"""A population on Ray: Tune's takeovers reach the runs, and the record tells of them."""

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.checkpoint import read_checkpoint
from tamaya.learn.journal import read_journal
from tamaya.learn.pbt import read_history
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.population import Population, PopulationConfig

SETTINGS = (("games", 4), ("unroll", 4), ("batch", 4), ("width", 8))
PLAN = TrainingPlan("acha", "players=2 hand_size=5 bomb=keep", turns=2 * 192, settings=SETTINGS,
            log_every=40, validate_every=96, validation_games=10, seed=3)  # fmt: skip


@pytest.mark.slow
def test_a_population_on_ray(tmp_path):
    pytest.importorskip("ray.tune", reason="Ray Tune is not installed: populations are not tested")
    import ray

    from tamaya.learn.on_ray import train_on_ray

    population = Population(tmp_path, PopulationConfig(2, 96), PLAN)
    shown = []
    try:
        train_on_ray(population, 2, None, 0, lambda member, row: shown.append(member))
    finally:
        ray.shutdown()
    history = read_history(tmp_path)
    assert [each.turns for each in history] == [0, 96, 192]
    assert sorted(shown) == [0, 0, 1, 1]
    (takeover,) = history[1].takeovers
    scores = history[1].scores
    assert takeover.source != takeover.member
    assert scores[takeover.source] >= scores[takeover.member]
    for member in range(2):
        state = read_checkpoint(population.home(member) / "checkpoint.pt")["learner"]
        assert state["turns"] == 192
        assert state["learning_rate"] == history[-1].values[member]["learning_rate"]
        first = read_journal(population.home(member))[0]
        assert first["learning_rate"] == pytest.approx(history[0].values[member]["learning_rate"])
    assert (tmp_path / "best.npz").exists()
