"""Populations: killed ones resume with identical results, and refuse what they cannot resume."""

import json
import shutil
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from damage import damaged_bytes, wrong_documents
from support import as_another_process
from tamaya.checked_files import FileError
from tamaya.learn.acha import PRIORS
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.pbt import PopulationGeneration, read_history, write_history
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.population import (
    Population,
    PopulationConfig,
    open_member,
    read_config,
    write_config,
)
from tamaya.run_folder import RunError
from training import population_outcome

torch.set_num_threads(1)
SETTINGS = (("games", 4), ("unroll", 4), ("batch", 4), ("width", 8))
# Points are kept, so that members who know nothing yet score differently.
PLAN = TrainingPlan("acha", "players=2 hand_size=5 bomb=keep", turns=4 * 240, settings=SETTINGS,
                    log_every=40, validate_every=80, validation_games=10, seed=3)  # fmt: skip
CONFIG = PopulationConfig(4, 96)


class Stopped(Exception):
    """Stands for a kill."""


def test_a_killed_population_resumes_with_identical_results(tmp_path):
    whole = Population(tmp_path / "whole", CONFIG, PLAN)
    whole.train()
    n_rows = 0

    def kill_now_and_then(member, row):
        nonlocal n_rows
        n_rows += 1
        if n_rows % 23 == 0:
            raise Stopped

    for _ in range(100):
        try:
            Population(tmp_path / "killed", CONFIG, PLAN).train(show=kill_now_and_then)
            break
        except Stopped:
            continue
    assert n_rows > 69
    assert population_outcome(tmp_path / "whole") == population_outcome(tmp_path / "killed")
    history = whole.history
    assert [each.turns for each in history] == [0, 96, 192, 240]
    assert any(each.takeovers for each in history) and not history[-1].takeovers
    assert [whole.n_turns(member) for member in range(4)] == [240] * 4


def test_a_takeover_is_carried_out_once(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 192))
    population.train()
    generation = next(each for each in population.history if each.takeovers)
    takeover = generation.takeovers[0]
    home = population.home(takeover.member)
    # As if killed before it was carried out, while the source stands where it was taken from.
    state = read_checkpoint(home / "checkpoint.pt")
    state["learner"]["generation"] = 0
    write_checkpoint(home / "checkpoint.pt", state)
    population._carry_out(generation)
    heir = read_checkpoint(home / "checkpoint.pt")["learner"]
    source = read_checkpoint(population.home(takeover.source) / "checkpoint.pt")["learner"]
    assert torch.equal(heir["network"]["first.weight"], source["network"]["first.weight"])
    assert {name: heir[name] for name in PRIORS} == takeover.values
    before = (home / "checkpoint.pt").stat().st_mtime_ns
    population._carry_out(generation)
    assert (home / "checkpoint.pt").stat().st_mtime_ns == before


def test_the_metadata_of_an_heir_say_what_it_learned_with(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 192))
    population.train()
    takeover = next(each for each in population.history if each.takeovers).takeovers[0]
    path = population.home(takeover.member) / "best.json"
    metadata = json.loads(path.read_text())
    metadata |= {"turns": 192, "validation": {**metadata["validation"], "mean": 26.0}}
    path.write_text(json.dumps(metadata))
    population.keep_best()
    settings = json.loads((tmp_path / "best.json").read_text())["settings"]
    assert {name: settings[name] for name in PRIORS} == takeover.values


# What is refused.


def test_a_population_without_its_checkpoints_is_not_overwritten(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 96))
    population.train()
    population.close()
    for member in range(4):
        (population.home(member) / "checkpoint.pt").unlink()
    log = (population.home(0) / "log.jsonl").read_text()
    with pytest.raises(RunError, match=r"member-1 contains a run without its checkpoint"):
        Population(tmp_path, CONFIG, PLAN)
    for member in range(4):
        shutil.rmtree(population.home(member))
    with pytest.raises(RunError, match=r"member-1 has no checkpoint\.pt any more"):
        Population(tmp_path, CONFIG, PLAN)
    fresh = Population(tmp_path, CONFIG, PLAN, fresh=True)
    assert fresh.aside == tmp_path / "before-1" and len(fresh.history) == 1
    assert len(read_history(tmp_path / "before-1")) == 2
    assert log and not (fresh.home(0) / "log.jsonl").exists()


def test_a_second_process_is_refused(tmp_path):
    population = Population(tmp_path, CONFIG, PLAN)
    with as_another_process(), pytest.raises(RunError, match="in use by another process"):
        Population(tmp_path, CONFIG, PLAN)
    member = open_member(population.home(0))
    with as_another_process(), pytest.raises(RunError, match="member-1 is in use by another"):
        open_member(population.home(0))
    member.close()


def test_a_history_of_others_is_refused(tmp_path):
    write_config(tmp_path, CONFIG, PLAN)
    for values in ([{"learning_rate": 0.1}] * 4, [{"learning_rate": 0.1, "entropy": 0.1}] * 3):
        write_history(tmp_path, [PopulationGeneration(0, 0, [], [], values)])
        with pytest.raises(RunError, match=r"population\.jsonl is not the history of 4 members"):
            Population(tmp_path, CONFIG, PLAN)


def test_damaged_configs_are_named(tmp_path):
    write_config(tmp_path, CONFIG, PLAN)
    path = tmp_path / "population.json"
    data = path.read_bytes()
    documents = (json.dumps(wrong).encode() for _, wrong in wrong_documents(json.loads(data)))
    n_refused = 0
    for damaged in (*documents, *damaged_bytes(data, 100)):
        path.write_bytes(damaged)
        try:
            read_config(tmp_path)
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
    assert n_refused > 150


def test_damaged_metadata_of_a_member_are_named(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 96))
    population.train()
    path = population.home(2) / "best.json"
    metadata = json.loads(path.read_text())
    for name in ("validation", "turns", "cpu_seconds", "provenance", "settings"):
        path.write_text(json.dumps({**metadata, name: None}))
        with pytest.raises(FileError, match=rf"best\.json: '{name}' should be"):
            population.keep_best()
