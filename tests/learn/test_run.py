"""Runs: resumed ones equal those that were not stopped, and nothing is lost or overwritten."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from support import as_another_process
from tamaya.checked_files import FileError
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.journal import read_journal
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.run import Plan, Run, TrainingRun
from tamaya.lookup import find_agent
from tamaya.run_folder import RunError
from training import TINY_PLAN, TINY_SETTINGS, assert_equal, timeless, train, train_twice

FULL_PLAN = replace(TINY_PLAN, rules="players=2")


@pytest.mark.parametrize("changes", [{}, {"preset": "other-play"}, {"rules": "players=3"}])
def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path, changes):
    plan = replace(FULL_PLAN, **changes)
    _, log = train_twice(tmp_path, plan, 64, 256, 300, 500)
    assert sum("validation" in row for row in log) == 2


def test_what_a_killed_run_did_after_its_checkpoint_is_done_again(tmp_path):
    whole = train(tmp_path / "whole", TINY_PLAN)
    train(tmp_path / "killed", TINY_PLAN, stop_at=256)
    checkpoint = (tmp_path / "killed" / "checkpoint.pt").read_bytes()
    train(tmp_path / "killed", TINY_PLAN, stop_at=500)
    (tmp_path / "killed" / "checkpoint.pt").write_bytes(checkpoint)
    log = tmp_path / "killed" / "log.jsonl"
    log.write_text(log.read_text() + '{"turns": 5')  # cut off in the middle of a line
    again = train(tmp_path / "killed", TINY_PLAN)
    assert_equal(again.learner.state(), whole.learner.state())
    assert timeless(tmp_path / "whole") == timeless(tmp_path / "killed")


class Killed(Exception):
    """Stands for a kill."""


def test_a_run_that_was_killed_before_it_saved_anything_resumes_by_itself(tmp_path):
    whole = train(tmp_path / "whole", TINY_PLAN)
    killed = TrainingRun(tmp_path / "killed", TINY_PLAN)

    def kill(row):
        if row["turns"] > 500:  # after a validation
            raise Killed

    with pytest.raises(Killed):
        killed.train(on_progress=kill)
    assert read_journal(tmp_path / "killed") and (tmp_path / "killed" / "best.npz").exists()
    again = train(tmp_path / "killed", TINY_PLAN)
    assert_equal(again.learner.state(), whole.learner.state())
    assert timeless(tmp_path / "whole") == timeless(tmp_path / "killed")


def test_a_run_that_was_killed_before_it_began_begins(tmp_path):
    TrainingRun(tmp_path, TINY_PLAN)
    assert not (tmp_path / "checkpoint.pt").exists()
    assert TrainingRun(tmp_path, TINY_PLAN).learner.turns == 0


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}  # fmt: skip


@pytest.mark.parametrize("left", ["log.jsonl", "best.npz", "latest.npz"])
def test_results_without_a_checkpoint_are_not_overwritten(tmp_path, left):
    train(tmp_path, TINY_PLAN)
    checkpoints = {"checkpoint.pt", "compact.npz", "compact.json"}
    for name in (checkpoints | {"log.jsonl", "best.npz", "latest.npz"}) - {left}:
        (tmp_path / name).unlink()
    before = contents(tmp_path)
    with pytest.raises(RunError, match=rf"contains a run without its checkpoint \({left}.*--fresh"):
        TrainingRun(tmp_path, TINY_PLAN)
    assert contents(tmp_path) == before


def test_a_fresh_run_moves_the_old_one_aside(tmp_path):
    whole = train(tmp_path, TINY_PLAN)
    (tmp_path / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    run = TrainingRun(tmp_path, replace(TINY_PLAN, seed=2), fresh=True)
    assert run.aside == tmp_path / "before-1"
    del before["notes.txt"]
    assert contents(tmp_path / "before-1") == before
    assert run.learner.turns == 0 and (tmp_path / "notes.txt").exists()
    run.train()
    assert train(tmp_path / "before-1", TINY_PLAN).learner.turns == whole.learner.turns
    assert TrainingRun(tmp_path, TINY_PLAN, fresh=True).aside == tmp_path / "before-2"


def test_a_second_process_is_refused(tmp_path):
    run = TrainingRun(tmp_path, TINY_PLAN)
    run.train(hours=1e-9)
    before = contents(tmp_path)
    with as_another_process(), pytest.raises(RunError, match="in use by another"):
        TrainingRun(tmp_path, TINY_PLAN)
    assert contents(tmp_path) == before
    run.close()
    with as_another_process():
        assert TrainingRun(tmp_path, TINY_PLAN).learner.turns == 64


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finishes_the_batch_and_saves(tmp_path, number):
    run = TrainingRun(tmp_path, TINY_PLAN)
    before = signal.getsignal(number)
    run.train(on_progress=lambda row: os.kill(os.getpid(), number))
    assert run.learner.turns == 64
    assert read_checkpoint(tmp_path / "checkpoint.pt")["learner"]["turns"] == 64
    assert signal.getsignal(number) is before


def test_a_run_stops_after_its_hours(tmp_path):
    run = TrainingRun(tmp_path, TINY_PLAN)
    run.train(hours=1e-9)
    assert run.learner.turns == 64


def test_the_networks_of_a_run_are_agents(tmp_path):
    run = train(tmp_path, FULL_PLAN)
    metadata = json.loads((tmp_path / "best.json").read_text())
    assert metadata["algorithm"] == "ppo" and metadata["validation"]["games"] == 20
    assert metadata["settings"]["games"] == 16
    best = max(row["validation"]["mean"] for row in read_journal(tmp_path) if "validation" in row)
    assert metadata["validation"]["mean"] == best == run.best
    assert find_agent(str(tmp_path / "latest.npz")).players == (2, 2)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), 1e6])
def test_a_network_that_has_diverged_is_scored_but_not_kept(tmp_path, weight):
    """Half precision has no room for a million."""
    run = train(tmp_path, TINY_PLAN, stop_at=512)
    before = (tmp_path / "latest.npz").read_bytes()
    run.learner.network.first.weight.data[0, 0] = weight
    assert run._validate()["games"] == 20
    assert (tmp_path / "latest.npz").read_bytes() == before


# Checkpoints that do not fit.


def test_a_checkpoint_of_another_run_is_named(tmp_path):
    train(tmp_path / "small", TINY_PLAN, stop_at=64)
    other = replace(TINY_PLAN, settings=(*TINY_SETTINGS[:-1], ("width", 32)))
    path = tmp_path / "other" / "checkpoint.pt"
    path.parent.mkdir()
    path.write_bytes((tmp_path / "small" / "checkpoint.pt").read_bytes())
    with pytest.raises(FileError, match=r"checkpoint\.pt does not fit this run: RuntimeError"):
        TrainingRun(tmp_path / "other", other)
    assert not (tmp_path / "other" / "run.json").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.pop("learner"),
        lambda state: state.pop("best"),
        lambda state: state.update(seconds="long"),
        lambda state: state.update(gathered=3),
        lambda state: state.update(learner=[]),
        lambda state: state["learner"].pop("network"),
        lambda state: state["learner"].update(optimizer={}),
        lambda state: state["learner"].update(rollouts=None),
        lambda state: state["learner"]["rollouts"].pop("games"),
        lambda state: state["learner"]["rollouts"].update(generator=torch.zeros(3)),
        lambda state: state["learner"]["network"].update({"first.weight": torch.zeros(2, 2)}),
    ],
)
def test_a_state_that_does_not_fit_is_named(tmp_path, change):
    train(tmp_path, TINY_PLAN, stop_at=64)
    path = tmp_path / "checkpoint.pt"
    state = read_checkpoint(path)
    change(state)
    write_checkpoint(path, state)
    with pytest.raises(FileError, match=r"checkpoint\.pt does not fit this run"):
        TrainingRun(tmp_path, TINY_PLAN)


def test_a_damaged_checkpoint_is_named_and_nothing_is_changed(tmp_path):
    train(tmp_path, TINY_PLAN, stop_at=320)
    path = tmp_path / "checkpoint.pt"
    whole = path.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for data in (b"", b"nonsense", whole[:middle], flipped):
        path.write_bytes(data)
        before = contents(tmp_path)
        with pytest.raises(FileError, match=r"checkpoint\.pt"):
            TrainingRun(tmp_path, TINY_PLAN)
        assert contents(tmp_path) == before


def test_old_names_still_work():
    assert (Plan, Run) == (TrainingPlan, TrainingRun)
    assert np.isclose(Plan().full_settings().lam, 0.9)
