"""Compact checkpoints: what was learned survives them, and a run goes on without its replay."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from damage import damaged_bytes, wrong_documents
from tamaya.checked_files import FileError, read_arrays
from tamaya.learn import ppo
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.compact import restore_compact, write_compact
from tamaya.learn.from_network import begin_from, read_source
from tamaya.learn.halves import count_of, halved_moments, whole_moments
from tamaya.learn.journal import read_journal
from tamaya.learn.run import TrainingRun
from tamaya.run_folder import RunError
from training import TINY_PLAN, TINY_RAINBOW, assert_equal, train

MORE = replace(TINY_RAINBOW, turns=1200)


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> dict[str, bytes]:
    """The files of a run that are kept when its machine is lost."""
    folder = tmp_path_factory.mktemp("lost")
    train(folder, TINY_RAINBOW)
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.is_file() and path.name not in ("checkpoint.pt", ".lock")}  # fmt: skip


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


# What is in them.


def test_moments_survive_in_half_precision():
    rng = np.random.default_rng(1)
    means = (rng.normal(size=1000) * 10.0 ** rng.uniform(-6, 1, 1000)).astype(np.float32)
    squares = np.square(means) * rng.uniform(1, 100, 1000).astype(np.float32)
    own_means, own_squares = whole_moments(halved_moments(means, squares), 1000)
    steps, own_steps = (m / (np.sqrt(v) + 3.125e-5)
                        for m, v in ((means, squares), (own_means, own_squares)))  # fmt: skip
    assert np.abs(own_steps - steps).max() < 2e-3  # of the learning rate
    again = halved_moments(own_means, own_squares)
    assert np.array_equal(whole_moments(again, 1000), (own_means, own_squares))


def test_moments_and_counts_that_make_no_sense_are_refused():
    arrays = {"means": np.zeros(3, np.float16), "roots": -np.ones(3, np.float16),
              "n": np.array(-1), "many": np.zeros(2, np.int64)}  # fmt: skip
    with pytest.raises(ValueError, match="'roots' has negative numbers"):
        whole_moments(arrays, 3)
    with pytest.raises(ValueError, match=r"'means' should be \(4,\), found \(3,\)"):
        whole_moments(arrays, 4)
    with pytest.raises(ValueError, match="'n' should be at least 0, not -1"):
        count_of(arrays, "n")
    with pytest.raises(ValueError, match=r"'many' should be \(\), found \(2,\)"):
        count_of(arrays, "many")


@pytest.mark.parametrize("dueling", [False, True])
def test_a_learner_goes_on_from_its_compact_state(dueling):
    plan = replace(TINY_RAINBOW, settings=(*TINY_RAINBOW.settings, ("dueling", dueling)))
    one, other = plan.learner(), plan.learner()
    while one.turns < 800:
        one.step()
    other.restore_compact(one.compact_state())
    assert other.turns == one.turns and other.update.adam.n_steps == one.update.adam.n_steps > 0
    assert np.allclose(other.network.flat, one.network.flat, rtol=5e-4, atol=1e-7)
    assert np.allclose(other.update.adam.squares, one.update.adam.squares, rtol=2e-3, atol=1e-10)
    assert other.epsilon == one.epsilon
    assert torch.equal(other.target.network.out, other.network.added_up()[0])
    while other.refill():
        pass
    for name, array in one.compact_state().items():
        assert np.array_equal(array, other.compact_state()[name]), name


def test_the_replay_is_refilled_without_learning():
    one, other = TINY_RAINBOW.learner(), TINY_RAINBOW.learner()
    while one.turns < 200:
        one.step()
    assert one.refill() == 0  # it lacks nothing
    other.restore_compact(one.compact_state())
    before = one.compact_state()
    n_turns = 0
    while played := other.refill():
        assert played <= 40
        n_turns += played
    assert 200 <= other.replay.n_added <= n_turns  # as many as there were turns, not 300
    assert 0 < before["priority"] < 100
    assert (other.replay.priorities == before["priority"]).all()
    for name, array in other.compact_state().items():
        assert np.array_equal(array, before[name]), name
    other.step()
    assert other.turns == 240 and other.update.adam.n_steps > one.update.adam.n_steps


def test_a_compact_state_can_be_from_before_the_first_transition():
    learner = TINY_RAINBOW.learner()
    state = learner.compact_state()
    assert state["priority"] == 100 and state["turns"] == 0
    learner.restore_compact(state)
    assert learner.refill() == 0


def test_other_deals_are_played_than_at_the_beginning():
    one, other = TINY_RAINBOW.learner(), TINY_RAINBOW.learner()
    state = one.compact_state()
    state["turns"] = np.array(400)
    other.restore_compact(state)
    assert not torch.equal(one.rollouts.state()["seed"], other.rollouts.state()["seed"])


# Runs.


def test_a_run_goes_on_without_its_checkpoint(tmp_path, kept):
    write(tmp_path, kept)
    before = read_journal(tmp_path)
    about = json.loads(kept["compact.json"])
    run = TrainingRun(tmp_path, MORE)
    assert run.learner.turns == about["turns"] == before[-1]["turns"] == 800
    assert run.best == about["best"] and run.cpu_seconds == about["cpu_seconds"]
    run.train()
    log = read_journal(tmp_path)
    assert log[: len(before)] == before
    note = log[len(before)]
    assert note["turns"] == 800 and note["resumed_from_compact"] is True
    assert 300 <= note["refilled"] < 400
    assert note["cpu_seconds"] >= before[-1]["cpu_seconds"]
    assert [row["turns"] for row in log[len(before) + 1 :]] == [1000, 1200]
    assert run.learner.turns == 1200
    again = TrainingRun(tmp_path, MORE)  # now from the checkpoint
    assert not again.origin and again.learner.turns == 1200


def test_it_goes_on_alike_each_time(tmp_path, kept):
    states = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, kept)
        states.append(train(tmp_path / name, MORE).learner.state())
    assert_equal(*states)


def test_what_was_written_after_the_compact_checkpoint_is_written_again(tmp_path, kept):
    write(tmp_path, kept)
    with open(tmp_path / "log.jsonl", "a") as file:
        file.write('{"turns": 1000, "loss": 3.0}\n')
    train(tmp_path, MORE)
    rows = [row for row in read_journal(tmp_path) if row["turns"] == 1000]
    assert len(rows) == 1 and rows[0]["loss"] != 3.0


def test_a_run_that_is_stopped_while_it_refills_begins_again_with_that(tmp_path, kept):
    write(tmp_path, kept)
    run = TrainingRun(tmp_path, MORE)
    run.stop()
    assert run.train() == {"turns": 800}
    assert not (tmp_path / "checkpoint.pt").exists()
    assert (tmp_path / "log.jsonl").read_bytes() == kept["log.jsonl"]
    run.close()
    assert train(tmp_path, MORE).learner.turns == 1200


def test_without_the_best_network_the_next_one_is_the_best(tmp_path, kept):
    write(tmp_path, {name: data for name, data in kept.items() if name != "best.npz"})
    run = TrainingRun(tmp_path, MORE)
    assert run.best == -1
    run.train()
    assert (tmp_path / "best.npz").exists() and run.best >= 0


def test_a_checkpoint_is_preferred(tmp_path, kept):
    train(tmp_path, TINY_RAINBOW, stop_at=200)
    write(tmp_path, kept)
    assert TrainingRun(tmp_path, TINY_RAINBOW).learner.turns == 200


def test_a_fresh_run_moves_it_aside(tmp_path, kept):
    write(tmp_path, kept)
    run = TrainingRun(tmp_path, TINY_RAINBOW, fresh=True)
    assert run.learner.turns == 0
    assert (tmp_path / "before-1" / "compact.npz").read_bytes() == kept["compact.npz"]


class Bare:
    """A learner of one's own with no more than the interface asks for."""

    def __init__(self, *given: Any) -> None:
        learner = ppo.Learner(*given)
        for name in ("metadata", "weights", "step", "state", "restore"):
            setattr(self, name, getattr(learner, name))
        self.learner = learner

    @property
    def turns(self) -> int:
        return self.learner.turns


def test_algorithms_without_them_write_none_and_say_so(tmp_path, kept, monkeypatch):
    own = SimpleNamespace(Settings=ppo.Settings, PRESETS=ppo.PRESETS, Learner=Bare)
    monkeypatch.setitem(ALGORITHMS, "own", own)
    plan = replace(TINY_PLAN, algorithm="own")
    run = train(tmp_path / "own", plan, stop_at=300)
    run.close()
    assert (tmp_path / "own" / "latest.npz").exists()
    assert not (tmp_path / "own" / "compact.npz").exists()
    (tmp_path / "other").mkdir()
    write(tmp_path / "other", kept)
    with pytest.raises(RunError, match=r"compact\.npz: own cannot be resumed from a compact"):
        TrainingRun(tmp_path / "other", plan)
    with pytest.raises(FileError, match=r"latest\.npz: own cannot begin from a network"):
        begin_from(read_source(tmp_path / "own" / "latest.npz"), plan, plan.learner())


def test_a_run_that_has_diverged_keeps_the_one_before(tmp_path, kept):
    write(tmp_path, kept)
    run = TrainingRun(tmp_path, TINY_RAINBOW)
    run.learner.network.flat[0] = np.nan
    write_compact(tmp_path, TINY_RAINBOW, run.learner, best=0, seconds=0, cpu_seconds=0)
    assert (tmp_path / "compact.npz").read_bytes() == kept["compact.npz"]


# Files that cannot be used.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 2}, "seed is 1, but 2 in this run"),
        ({"rules": "players=3"}, "rules is 'players=2 .*', but 'players=3 hand_size=5' in this"),
        ({"settings": (("width", 32),)}, "setting width is 16, but 32 in this run"),
    ],
)
def test_those_of_another_run_are_named(tmp_path, kept, changes, message):
    write(tmp_path, kept)
    with pytest.raises(FileError, match=rf"compact\.json: {message}"):
        TrainingRun(tmp_path, replace(TINY_RAINBOW, **changes))
    assert (tmp_path / "log.jsonl").read_bytes() == kept["log.jsonl"]
    assert (tmp_path / "run.json").read_bytes() == kept["run.json"]


def changed_arrays(folder: Path, **changes: Any) -> None:
    arrays: dict[str, Any] = {**read_arrays(folder / "compact.npz"), **changes}
    np.savez(folder / "compact.npz", **{k: v for k, v in arrays.items() if v is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turns": np.array(400)}, r" is of 400 turns, but compact\.json of 800"),
        ({"means": None}, " lacks 'means'"),
        ({"first": np.zeros((3, 16), np.float16)}, r": 'first' should be \(\d+, 16\), found"),
        ({"out": np.array([np.inf])}, ": 'out' has numbers that are not finite"),
        ({"priority": np.array(0.0)}, r": 'priority' should be above 0, not 0\.0"),
        ({"n_steps": np.array(1.5)}, ": 'n_steps' cannot have entries of type float64"),
    ],
)
def test_arrays_that_do_not_fit_are_named(tmp_path, kept, changes, message):
    write(tmp_path, kept)
    changed_arrays(tmp_path, **changes)
    with pytest.raises(FileError, match=rf"compact\.npz{message}"):
        TrainingRun(tmp_path, TINY_RAINBOW)


def test_a_missing_half_is_named(tmp_path, kept):
    write(tmp_path, {name: data for name, data in kept.items() if name != "compact.json"})
    with pytest.raises(FileError, match=r"compact\.json: No such file"):
        TrainingRun(tmp_path, TINY_RAINBOW)
    write(tmp_path, kept)
    (tmp_path / "compact.npz").unlink()
    with pytest.raises(RunError, match="contains a run without its checkpoint"):
        TrainingRun(tmp_path, TINY_RAINBOW)


def test_whatever_happens_to_the_files_the_error_names_one(tmp_path, kept):
    """Or the damage does not matter."""
    learner = TINY_RAINBOW.learner()
    n_refused = 0
    versions = [("compact.npz", data) for data in damaged_bytes(kept["compact.npz"], 60)]
    versions += [("compact.json", json.dumps(document).encode())
                 for _, document in wrong_documents(json.loads(kept["compact.json"]))]  # fmt: skip
    for name, data in versions:
        write(tmp_path, {**kept, name: data})
        try:
            restore_compact(tmp_path, TINY_RAINBOW, learner)
        except FileError as error:
            n_refused += 1
            assert str(tmp_path) in str(error) and "\n" not in str(error)
    assert n_refused > 0.7 * len(versions)
