"""`tamaya train`."""

import json
import os
import shutil
import signal
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from evolution import SMALL
from support import as_another_process, run_command
from tamaya.cli import train as train_command
from tamaya.cli.main import app
from tamaya.cli.train import parse_count
from tamaya.evolve.run import EvolutionRun
from tamaya.learn.run import TrainingRun
from training import TINY_OPTIONS, TINY_PLAN, TINY_RAINBOW, train

RULES = "colours=2 hand_size=2 tokens=3 lives=1"
RUNS = Path(__file__).parents[2] / "runs"


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


def test_the_command_trains_and_goes_on(tmp_path, capsys):
    given = "train", "ppo", tmp_path / "run"
    command(*given, "--rules", RULES, "--turns", "200", *TINY_OPTIONS, "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["turns"] == 256 and len(document["curve"]) == 1
    command(*given, "--turns", "0.3k", "--resume")
    assert "384 of 300 turns" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pqr"], "unknown algorithm 'pqr': expected one of ppo"),
        (["ppo", "--preset", "x"], "unknown preset 'x': expected one of self-play, cross-play"),
        (["ppo", "--set", "speed=3"], "unknown setting 'speed': expected one of width, games"),
        (["ppo", "--set", "epochs=x"], "setting epochs takes a value like 3, not 'x'"),
        (["ppo", "--set", "games=0"], "setting games must be at least 1, not 0"),
        (["ppo", "--set", "width=30"], "the width must be a multiple of 4, not 30"),
        (["ppo", "--turns", "many"], "'many' is not a number of turns"),
        (["ppo", "--resume"], "contains no run to resume"),
        (["ppo", "--resume", "--fresh"], "--resume continues a run and --fresh begins again"),
    ],
)
def test_mistakes_are_explained(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        command("train", arguments[0], tmp_path / "run", *arguments[1:])
    assert not (tmp_path / "run").exists()


def test_a_run_keeps_its_plan(tmp_path):
    TrainingRun(tmp_path, TINY_PLAN).save()
    with pytest.raises(ValueError, match=f"the run in {tmp_path} has seed 1, not 2"):
        command("train", "ppo", tmp_path, "--seed", "2")
    with pytest.raises(ValueError, match="settings of a run that has begun, as in"):
        command("train", "ppo", tmp_path, "--set", "epochs=5")


def test_a_log_that_was_kept_is_not_overwritten(tmp_path):
    """As in a clone of the repository, which has logs of runs without their checkpoints."""
    folder = tmp_path / "rainbow-faithful"
    shutil.copytree(RUNS / "rainbow-faithful", folder)
    log = (folder / "log.jsonl").read_bytes()
    refused = run_command("train", "rainbow", str(folder))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"tamaya: {folder} contains a run without its checkpoint (log")
    assert "--fresh" in refused.stderr and refused.stderr.count("\n") == 1
    assert (folder / "log.jsonl").read_bytes() == log


def test_fresh_moves_a_run_aside(tmp_path, capsys):
    train(tmp_path, TINY_PLAN, stop_at=64)
    log = (tmp_path / "log.jsonl").read_bytes()
    with pytest.raises(ValueError, match="BAD is for 2 players, not 4"):
        command("train", "bad", tmp_path, "-p", 4, "--fresh")
    assert not (tmp_path / "before-1").exists()  # what cannot begin moves nothing
    command("train", "ppo", tmp_path, "--fresh", "--rules", RULES, "--turns", 100, "--seed", 5,
            *TINY_OPTIONS)  # fmt: skip
    captured = capsys.readouterr()
    assert f"the run that was in {tmp_path} is now in {tmp_path / 'before-1'}" in captured.err
    assert (tmp_path / "before-1" / "log.jsonl").read_bytes() == log
    assert json.loads((tmp_path / "run.json").read_text())["seed"] == 5


def test_a_folder_in_use_is_refused(tmp_path):
    run = TrainingRun(tmp_path, TINY_PLAN)
    with as_another_process():
        refused = run_command("train", "ppo", str(tmp_path))
    assert refused.returncode == 1 and "is in use by another process" in refused.stderr
    run.close()


def test_damaged_files_make_one_line(tmp_path):
    train(tmp_path, TINY_PLAN, stop_at=64)
    for name in ("log.jsonl", "checkpoint.pt", "run.json"):
        (tmp_path / name).write_text("[3]\n")
        refused = run_command("train", "ppo", str(tmp_path))
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1
        assert f"{tmp_path / name}" in refused.stderr


@pytest.mark.parametrize(("text", "count"), [("25000", 25_000), ("1.5k", 1500), ("2M", 2 * 10**6)])
def test_counts_have_units(text, count):
    assert parse_count(text) == count


# Runs that lost their checkpoint, and that begin with a network.

RAINBOW = "train", "rainbow"
RAINBOW_OPTIONS = [word for name, value in TINY_RAINBOW.settings
                   for word in ("--set", f"{name}={value}")]  # fmt: skip


def test_a_run_without_its_checkpoint_goes_on_from_the_compact_one(tmp_path, capsys):
    train(tmp_path, TINY_RAINBOW).close()
    (tmp_path / "checkpoint.pt").unlink()
    command(*RAINBOW, tmp_path, "--turns", "1k")
    captured = capsys.readouterr()
    assert f"continuing from {tmp_path / 'compact.npz'} after 800 turns" in captured.err
    assert "1,000 of 1,000 turns" in captured.out
    command(*RAINBOW, tmp_path, "--turns", "1.2k")
    assert "continuing from" not in capsys.readouterr().err


def test_a_damaged_compact_checkpoint_makes_one_line(tmp_path):
    train(tmp_path, TINY_RAINBOW).close()
    (tmp_path / "checkpoint.pt").unlink()
    for name in ("compact.npz", "compact.json"):
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).write_text("[3]\n")
        refused = run_command(*RAINBOW, str(tmp_path))
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1
        assert f"{tmp_path / name}" in refused.stderr
        (tmp_path / name).write_bytes(data)


def test_a_run_begins_from_a_network(tmp_path, capsys):
    train(tmp_path / "one", TINY_RAINBOW).close()
    network = tmp_path / "one" / "best.npz"
    turns = json.loads(network.with_suffix(".json").read_text())["turns"]
    given = (*RAINBOW, tmp_path / "two", "--rules", RULES, *RAINBOW_OPTIONS, "--from", network)
    command(*given, "--turns", "1.2k")
    captured = capsys.readouterr()
    assert f"continuing from best.npz after {turns} turns" in captured.err
    assert "1,200 of 1,200 turns" in captured.out
    command(*given, "--turns", "1.3k")  # the same command resumes
    assert "1,320 of 1,300 turns" in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"has begun_from 'best\.npz after .*', not 'latest\.npz"):
        command(*RAINBOW, tmp_path / "two", "--from", tmp_path / "one" / "latest.npz")
    with pytest.raises(ValueError, match="--from is for a single run, not for a population"):
        command("train", "rainbow", tmp_path / "p", "--population", 2, "--from", network)
    refused = run_command(*RAINBOW, str(tmp_path / "three"), "--from", str(tmp_path / "none.npz"))
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1
    assert "there is no file" in refused.stderr and not (tmp_path / "three").exists()


def test_a_stopped_run_says_how_to_resume(tmp_path, monkeypatch):
    monkeypatch.setattr(
        train_command._Bar, "show", lambda bar, row: os.kill(os.getpid(), signal.SIGINT)
    )
    folder = tmp_path / "run"
    given = "train", "ppo", str(folder), "--rules", RULES, "--turns", "300", *TINY_OPTIONS
    finished = run_command(*given)
    assert finished.returncode == 130
    assert "64 of 300 turns" in finished.stdout
    assert finished.stderr.splitlines() == [
        "stopping after this batch, then saving; a second Ctrl-C ends at once, and the run resumes "
        "from its last checkpoint",
        f"to resume: tamaya train ppo {folder}",
        "tamaya: stopped; finished work is kept",
    ]
    monkeypatch.undo()
    resumed = run_command("train", "ppo", str(folder))
    assert (resumed.returncode, "stopped" in resumed.stderr) == (0, False)


def test_a_run_of_evolution_is_not_trained_over(tmp_path):
    EvolutionRun(tmp_path / "evo", SMALL)
    with pytest.raises(ValueError, match=f"{tmp_path / 'evo'} contains a run of evolution"):
        command("train", "ppo", tmp_path / "evo")
