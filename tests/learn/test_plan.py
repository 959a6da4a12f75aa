"""Plans: written and read back, and what makes no sense is named."""

import json
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from damage import damaged_bytes, wrong_documents
from tamaya.checked_files import FileError
from tamaya.learn.algorithms import ALGORITHMS
from tamaya.learn.plan import TrainingPlan, plan_document, plan_of, read_plan, write_plan
from tamaya.run_folder import RunError
from training import TINY_PLAN, TINY_SETTINGS


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_plans_are_read_back(tmp_path, algorithm):
    plan = TrainingPlan(algorithm, preset="small")
    write_plan(tmp_path / "run", plan)
    assert read_plan(tmp_path / "run") == plan
    document = json.loads((tmp_path / "run" / "run.json").read_text())
    assert document["all_settings"]["width"] == plan.full_settings().width
    assert read_plan(tmp_path / "nowhere") is None


def test_pairs_stay_pairs(tmp_path):
    settings = (*TINY_SETTINGS, ("entropy", (0.1, 0.05)))
    plan = replace(TINY_PLAN, settings=settings, preset="cross-play")
    write_plan(tmp_path, plan)
    assert read_plan(tmp_path) == plan
    assert plan.full_settings().entropy == (0.1, 0.05)


@pytest.mark.parametrize(("turns", "every"), [(500, 50_000), (4_000_000, 200_000),
                                              (100_000_000, 1_000_000)])  # fmt: skip
def test_short_runs_are_validated_more_often(turns, every):
    plan = TrainingPlan(turns=turns).paced()
    assert plan.validate_every == every
    assert plan.log_every == min(every, 250_000)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (("games", 0), "setting games must be at least 1, not 0"),
        (("width", 2), "setting width must be at least 4, not 2"),
        (("lam", -0.5), "setting lam must be at least 0, not -0.5"),
        (("clip", (0.1, float("nan"))), "setting clip must be at least 0, not nan"),
    ],
)
def test_settings_that_make_no_sense_are_named(setting, message):
    with pytest.raises(ValueError, match=message):
        TrainingPlan(settings=(setting,)).full_settings()


PLAN = replace(TINY_PLAN, settings=(*TINY_SETTINGS, ("entropy", (0.1, 0.05)), ("other_play", True)))


def test_documents_of_wrong_types_are_named():
    """Whatever is not refused is a plan that can be read back."""
    n_refused = 0
    for what, document in wrong_documents(plan_document(PLAN)):
        document = json.loads(json.dumps(document))
        try:
            plan = plan_of(document)
        except (KeyError, ValueError):
            n_refused += 1
        else:
            assert json.loads(json.dumps(plan_document(plan))) == document, what
    assert n_refused > 150


def test_damaged_files_are_named(tmp_path):
    write_plan(tmp_path, PLAN)
    path = tmp_path / "run.json"
    for data in damaged_bytes(path.read_bytes(), 200):
        path.write_bytes(data)
        try:
            read_plan(tmp_path)
        except FileError as error:
            assert str(path) in str(error)


def test_the_plan_of_evolution_is_none_of_training(tmp_path):
    (tmp_path / "run.json").write_text('{"genes": [], "protocol": {}, "code": ""}')
    with pytest.raises(RunError, match="contains a run of evolution, not of training"):
        read_plan(tmp_path)
