"""ACHA: actors lag as told, good moves become more likely, runs go on bit for bit."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.acha import Learner, Settings
from tamaya.learn.networks import masked
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.run import TrainingRun
from tamaya.rules import Rules
from training import assert_equal, blank_state, train_twice

torch.set_num_threads(1)
TINY = Settings(width=16, games=6, unroll=5, batch=4, lag=2)


def test_actors_lag_behind_by_as_many_updates_as_told():
    learner = Learner(Rules(), replace(TINY, lag=3), 1, 1000)
    first = learner.network.first.weight.detach().clone()
    lagging, equal = 0, 0
    while learner.n_updates < 12:
        before = learner.n_updates
        learner.step()
        same = torch.equal(learner.played.first.weight, learner.network.first.weight)
        if learner.n_updates > before:
            assert same == (learner.n_updates % 3 == 0)
            lagging, equal = lagging + (not same), equal + same
    assert lagging and equal
    assert not torch.equal(first, learner.network.first.weight)


def test_good_moves_become_more_likely_and_bad_ones_less():
    learner = Learner(Rules(lives=20), replace(TINY, entropy=0.0, value_weight=0.0), 1, 1000)
    while len(learner.actors.waiting) < 4:
        learner.actors.play(learner.played)
    unrolls = learner.actors.take(4)
    unrolls.rewards[:] = torch.tensor([1.0, -1.0, 1.0, -1.0])[:, None]
    unrolls.ends[:] = True  # every turn for itself

    def chosen():
        inputs, state = unrolls.inputs.transpose(0, 1).float(), blank_state(4, 16)
        logits, _ = learner.network.unroll(inputs, state, unrolls.ends.T)
        logits = masked(logits.transpose(0, 1), unrolls.legal).log_softmax(-1)
        return logits.gather(2, unrolls.moves[..., None]).squeeze(2)[:, :-1].detach()

    unrolls.outputs[:], unrolls.cells[:] = 0, 0
    before = chosen()
    for _ in range(5):
        learner._update(unrolls)
    change = (chosen() - before).mean(1)
    assert (change * unrolls.rewards[:, 0] > 0).all()


SETTINGS = (("games", 6), ("unroll", 4), ("batch", 4), ("width", 16), ("lag", 3))
PLAN = TrainingPlan("acha", turns=640, settings=SETTINGS, log_every=100, validate_every=300,
                    validation_games=10)  # fmt: skip


def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path):
    _, log = train_twice(tmp_path, PLAN, 48, 200, 430)
    assert log[-1]["learning_rate"] == Settings().learning_rate
    assert log[-1]["entropy_weight"] == Settings().entropy


@pytest.mark.slow
def test_the_full_game_is_learned_beyond_never_playing(tmp_path):
    """Who never plays unless it is sure scores about one point at first."""
    plan = TrainingPlan(
        "acha", turns=800_000, preset="derived", log_every=100_000, validate_every=100_000
    )
    run = TrainingRun(tmp_path, plan)
    run.train()
    assert run.best > 2


def test_an_heir_goes_on_from_another_state_with_deals_of_its_own():
    source, heir = (Learner(Rules(), TINY, seed, 1000) for seed in (1, 2))
    for _ in range(6):
        source.step()
        heir.step()
    heir.inherit(source.state(), {"learning_rate": 0.5, "entropy": 0.25}, 3)
    assert_equal(heir.network.state_dict(), source.network.state_dict())
    assert_equal(heir.optimizer.state_dict()["state"], source.optimizer.state_dict()["state"])
    assert (heir.learning_rate, heir.entropy, heir.generation) == (0.5, 0.25, 3)
    one, other = (each.actors.snapshot() for each in (source, heir))
    assert_equal(one["current"], other["current"])
    assert torch.equal(one["rollouts"]["games"], other["rollouts"]["games"])
    assert not torch.equal(one["rollouts"]["seed"], other["rollouts"]["seed"])
    assert not torch.equal(one["rollouts"]["generator"], other["rollouts"]["generator"])
