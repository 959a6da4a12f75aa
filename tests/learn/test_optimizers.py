"""Learners with torch's optimisers continue from their compact states."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.checked_files import FileError, read_arrays
from tamaya.learn.journal import read_journal
from tamaya.learn.run import TrainingRun
from training import TINY_PLANS, train

OTHERS = pytest.mark.parametrize("plan", TINY_PLANS[1:], ids=lambda plan: plan.algorithm)


@OTHERS
def test_a_learner_continues_from_its_compact_state(plan):
    one, other = plan.learner(), plan.learner()
    for _ in range(6):
        one.step()
    other.restore_compact(one.compact_state())
    assert other.turns == one.turns > 0
    for mine, theirs in zip(one.network.parameters(), other.network.parameters(), strict=True):
        assert torch.allclose(mine, theirs, rtol=5e-4, atol=1e-7)
        own, others = (each.optimizer.state[part] for each, part in ((one, mine), (other, theirs)))
        assert own.keys() == others.keys() and own["step"] == others["step"] > 0
        for name in own:
            assert torch.allclose(own[name], others[name], rtol=2e-3, atol=1e-7), name
    for name, array in one.compact_state().items():
        assert np.array_equal(array, other.compact_state()[name]), name
    # Its deals are others than those it has learned from.
    assert not torch.equal(games_of(one)["seed"], games_of(other)["seed"])
    other.step()
    assert other.turns > one.turns


def games_of(learner):
    return getattr(learner, "actors", learner).rollouts.state()


@OTHERS
def test_a_compact_state_can_be_from_before_the_first_step(plan):
    one, other = plan.learner(), plan.learner()
    other.restore_compact(one.compact_state())
    assert other.turns == 0 and not other.optimizer.state
    other.step()


@OTHERS
def test_a_run_continues_without_its_checkpoint(tmp_path, plan):
    run = train(tmp_path, plan, stop_at=300)
    run.close()
    (tmp_path / "checkpoint.pt").unlink()
    again = train(tmp_path, plan)
    assert again.learner.turns >= plan.turns
    notes = [row for row in read_journal(tmp_path) if "resumed_from_compact" in row]
    assert [note["refilled"] for note in notes] == [0] and notes[0]["turns"] >= 300


@pytest.fixture
def acha():
    return next(plan for plan in TINY_PLANS if plan.algorithm == "acha")


def test_acha_plays_with_what_it_continues_from(acha):
    one, compact, begun = (acha.learner() for _ in range(3))
    one.step()
    compact.restore_compact(one.compact_state())
    begun.begin_from(one.weights(), one.turns)
    for learner in (compact, begun):
        for name, part in learner.weights().items():
            assert np.array_equal(learner.played.weights()[name], part), name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"learning_rate": np.array(-0.5)}, "'learning_rate' should be at least 0, not -0.5"),
        ({"entropy": np.array(-1.0)}, "'entropy' should be at least 0, not -1.0"),
        ({"turns": np.array(2**63, np.uint64)}, "'turns' should be at most 9007199254740992, not"),
        ({"first.bias": np.full(16, 1e300)}, "'first.bias' has numbers that are not finite"),
        ({"roots": 1e6}, "'roots' has numbers that half precision does not have"),
    ],
)
def test_absurd_numbers_are_named_before_anything_is_written(tmp_path, acha, changes, message):
    train(tmp_path, acha, stop_at=300).close()
    (tmp_path / "checkpoint.pt").unlink()
    arrays = read_arrays(tmp_path / "compact.npz")
    if "roots" in changes:
        changes = {"roots": np.full(len(arrays["roots"]), changes["roots"])}
    np.savez(tmp_path / "compact.npz", **{**arrays, **changes})
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.*")}
    with pytest.raises(FileError, match=rf"compact\.npz: {message}"):
        TrainingRun(tmp_path, acha)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.*")} == before


def test_acha_keeps_what_a_population_has_changed(acha):
    one, other = acha.learner(), acha.learner()
    one.learning_rate, one.entropy, one.generation = 0.5, 0.25, 7
    other.restore_compact(one.compact_state())
    assert (other.learning_rate, other.entropy, other.generation) == (0.5, 0.25, 7)
