"""`tamaya train --population`."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.cli.main import app
from tamaya.cli.population import Workers, agreed_config
from tamaya.learn.plan import TrainingPlan, read_plan
from tamaya.learn.population import PopulationConfig
from tamaya.lookup import find_agent
from training import population_outcome

SETTINGS = (("games", 4), ("unroll", 4), ("batch", 4), ("width", 8))


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


OPTIONS = [word for name, value in SETTINGS for word in ("--set", f"{name}={value}")]


@pytest.mark.slow
def test_the_command_trains_a_population_in_processes_and_exports(tmp_path, capfd):
    folder = tmp_path / "run"
    given = "train", "acha", folder, "--population", 2, "--interval", 64
    command(*given, "--turns", 128, "--workers", 2, *OPTIONS, "--seed", 3, "--json")
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert document["turns"] == 128 and document["generations"] == 1
    assert "member 1: score" in captured.err and "member 2: score" in captured.err
    one = population_outcome(folder)
    command("train", "acha", tmp_path / "alone", *given[3:], "--turns", 128, *OPTIONS, "--seed", 3)
    assert population_outcome(tmp_path / "alone") == one
    metadata = json.loads((folder / "best.json").read_text())
    assert metadata["population"]["members"] == 2 and metadata["turns"] == 128
    assert metadata["population"]["member_turns"] == 64
    assert metadata["provenance"] == "learned from scratch in self-play, in a population of 2"
    command("export-agent", folder, tmp_path / "mine.npz", "-n", 20, "--json")
    capfd.readouterr()
    exported = json.loads((tmp_path / "mine.json").read_text())
    assert exported["curve"] == [[64, max(one[0][1].scores)]]
    (other,) = exported["others"]
    assert other["curve"] == [[64, min(one[0][1].scores)]] and other["name"].startswith("member-")
    assert find_agent(str(tmp_path / "mine.npz")).players == (2, 2)
    command("train", "acha", folder, "--resume", "--turns", 256)
    assert "256 of 256 turns, 2 generations" in capfd.readouterr().out
    plan = read_plan(folder / "member-1")
    assert plan is not None and plan.turns == 128
    with pytest.raises(ValueError, match=f"the population in {folder} has size 2, not 3"):
        command("train", "acha", folder, "--population", 3)


def test_mistakes_are_explained(tmp_path):
    with pytest.raises(ValueError, match="ppo has nothing that a population could evolve"):
        command("train", "ppo", tmp_path / "run", "--population", 2)
    with pytest.raises(ValueError, match="--on must be processes or ray, not 'moon'"):
        command("train", "acha", tmp_path / "run", "--population", 2, "--on", "moon")
    with pytest.raises(ValueError, match="--threads is for a single run"):
        command("train", "acha", tmp_path / "run", "--population", 2, "--threads", 2)
    assert not (tmp_path / "run").exists()


def test_a_population_keeps_its_config(tmp_path):
    here = tmp_path
    config = PopulationConfig(4, 96)
    before = config, TrainingPlan()
    assert agreed_config(before, None, 96, here) == config == agreed_config(before, 4, None, here)
    assert agreed_config(None, 6, None, here) == PopulationConfig(6)
    with pytest.raises(ValueError, match="has interval 96, not 97"):
        agreed_config(before, None, 97, here)
    with pytest.raises(ValueError, match="--on must be processes or ray, not 'moon'"):
        Workers("moon", 1, None)
