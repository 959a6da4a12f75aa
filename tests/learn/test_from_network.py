"""Runs that begin with a network: its weights and turns, and a note of where they come from."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned import shipped
from tamaya.checked_files import FileError, read_arrays
from tamaya.learn.from_network import begin_from, read_source
from tamaya.learn.journal import read_journal
from tamaya.learn.plan import TrainingPlan, read_plan
from tamaya.learn.run import TrainingRun
from tamaya.run_folder import RunError
from training import TINY_BAD, TINY_PLAN, TINY_PLANS, TINY_RAINBOW, train

SHIPPED = Path(shipped.__file__).parent / "rainbow-2.npz"


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Path:
    """The network of another run, with a curve, as an export has it."""
    folder = tmp_path_factory.mktemp("other")
    train(folder, TINY_RAINBOW)
    about = folder / "latest.json"
    metadata = json.loads(about.read_text())
    metadata |= {"curve": [[400, 0.5], [800, 0.75]], "cpu_seconds": 100}
    about.write_text(json.dumps(metadata))
    return folder / "latest.npz"


def begun(folder: Path, path: Path, **changes: object) -> TrainingRun:
    source = read_source(path)
    plan = replace(TINY_RAINBOW, turns=1200, begun_from=str(source), **changes)
    return TrainingRun(folder, plan, source=source)


def test_a_run_begins_with_the_weights_and_turns_of_a_network(tmp_path, network):
    run = begun(tmp_path, network)
    assert run.learner.turns == 800 and run.learner.update.adam.n_steps == 0
    for name, part in read_arrays(network).items():
        assert np.array_equal(run.learner.weights()[name], part.astype(np.float32)), name
    assert np.array_equal(run.learner.target.network.out, run.learner.network.out)
    run.train()
    assert run.learner.turns == 1200 and run.learner.update.adam.n_steps == 100


def test_plan_log_and_metadata_say_where_it_comes_from(tmp_path, network):
    begun(tmp_path, network).train()
    name = "latest.npz after 800 turns"
    assert json.loads((tmp_path / "run.json").read_text())["begun_from"] == name
    plan = read_plan(tmp_path)
    assert plan is not None and plan.begun_from == name
    first, second, note, *rest = read_journal(tmp_path)
    assert first == {"turns": 400, "validation": {"mean": 0.5}, "begun_from": name}
    assert second["validation"] == {"mean": 0.75}
    assert note["turns"] == 800 and note["begun_from"] == name and 300 <= note["refilled"] < 400
    assert note["cpu_seconds"] >= 100
    assert [row["turns"] for row in rest] == [1000, 1200] and "begun_from" not in rest[0]
    metadata = json.loads((tmp_path / "best.json").read_text())
    assert metadata["provenance"] == f"learned in self-play, beginning from {name}"


def test_plans_of_other_runs_say_nothing(tmp_path):
    TrainingRun(tmp_path, TINY_PLAN)
    assert "begun_from" not in json.loads((tmp_path / "run.json").read_text())
    plan = read_plan(tmp_path)
    assert plan is not None and plan.begun_from == ""


def test_it_resumes_without_the_network(tmp_path, network):
    run = begun(tmp_path, network)
    run.goal = 1000
    run.train(until=1000)
    run.close()
    plan = read_plan(tmp_path)
    assert plan is not None
    again = TrainingRun(tmp_path, plan)
    assert again.learner.turns == 1000 and not again.origin


def test_one_that_was_killed_before_it_began_needs_the_network_again(tmp_path, network):
    run = begun(tmp_path, network)
    plan = run.plan
    run.close()
    with pytest.raises(RunError, match=r"begins from latest\.npz after 800 turns: name it with"):
        TrainingRun(tmp_path, plan)
    assert begun(tmp_path, network).learner.turns == 800


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": "players=2"}, "rules is 'players=2 hand_size=2 .*', but 'players=2 hand"),
        ({"settings": (("width", 32),)}, "width is 16, but 32 in this run"),
        ({"settings": (("encoder", "derived"), ("width", 16))}, "encoder is 'hle', but 'derived'"),
        ({"settings": (("atoms", 21), ("width", 16))}, "atoms is 51, but 21 in this run"),
        ({"settings": (("highest", 5.0), ("width", 16))}, "its atoms go from -25 to 25, not"),
    ],
)  # fmt: skip
def test_a_network_of_another_shape_is_named(tmp_path, network, changes, message):
    with pytest.raises(FileError, match=rf"latest\.npz: {message}"):
        begun(tmp_path, network, **changes)
    assert not (tmp_path / "run.json").exists()


@pytest.mark.parametrize("plan", TINY_PLANS[1:], ids=lambda plan: plan.algorithm)
def test_every_algorithm_begins_with_a_network_of_its_own_kind(tmp_path, plan):
    train(tmp_path / "one", plan)
    path = tmp_path / "one" / "latest.npz"
    source = read_source(path)
    with pytest.raises(
        FileError, match=rf"latest\.npz: it has learned from {source.turns:,} turns"
    ):
        begin_from(source, plan, plan.learner())
    plan = replace(plan, turns=10_000)
    learner = plan.learner()
    begin_from(source, plan, learner)
    assert learner.turns == source.turns > 0
    for name, part in read_arrays(path).items():
        assert np.array_equal(learner.weights()[name], part.astype(np.float32)), name
    learner.step()
    assert learner.turns > source.turns
    with pytest.raises(FileError, match=r"latest\.npz: kind is '\w+', but 'c51' in this"):
        begin_from(source, TINY_RAINBOW, TINY_RAINBOW.learner())


@pytest.mark.parametrize("plan", [TINY_PLAN, TINY_BAD], ids=lambda plan: plan.algorithm)
def test_ppo_and_bad_begin_with_narrower_networks_too(tmp_path, plan):
    train(tmp_path / "one", plan)
    source = read_source(tmp_path / "one" / "latest.npz")
    base = replace(plan, turns=10_000)
    for width in (8, 24, 32):
        plan = replace(base, settings=(*base.settings, ("width", width)))
        learner = plan.learner()
        if width != 32:
            with pytest.raises(FileError, match=f"width is 16, but {width} in this run"):
                begin_from(source, plan, learner)
            continue
        begin_from(source, plan, learner)
        assert learner.weights()["second"].shape == (32, 32)
        learner.step()


def test_metadata_without_turns_are_named(tmp_path, network):
    metadata = json.loads(network.with_suffix(".json").read_text())
    for turns, message in ((None, "lacks 'turns'"), (-1, "'turns' should be at least 0, not -1")):
        changed = {**metadata, "turns": turns}
        if turns is None:
            del changed["turns"]
        (tmp_path / "n.npz").write_bytes(network.read_bytes())
        (tmp_path / "n.json").write_text(json.dumps(changed))
        with pytest.raises(FileError, match=rf"n\.json:? {message}"):
            read_source(tmp_path / "n.npz")


def test_a_dueling_network_begins_with_the_same_expectations(network):
    settings = (*TINY_RAINBOW.settings, ("dueling", True))
    learner = replace(TINY_RAINBOW, settings=settings).learner()
    begin_from(read_source(network), replace(TINY_RAINBOW, turns=1200), learner)
    for name, part in read_arrays(network).items():
        assert np.allclose(learner.weights()[name], part.astype(np.float32), atol=1e-6), name


def test_the_shipped_network_can_be_continued():
    """As the published number of turns is reached by continuing it."""
    learner = TrainingPlan("rainbow", settings=(("capacity", 100),)).learner()
    begin_from(read_source(SHIPPED), TrainingPlan("rainbow"), learner)
    assert learner.turns == 10_000_368 and learner.epsilon == 0
    assert np.array_equal(learner.weights()["out"], read_arrays(SHIPPED)["out"].astype(np.float32))
