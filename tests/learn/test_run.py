"""Runs: resumed ones equal those that were not stopped, and nothing is lost or half written."""

import json
import os
import signal
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.cli.main import app
from tamaya.cli.train import parse_count
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.journal import Journal, read_journal
from tamaya.learn.run import Plan, Run, read_plan
from tamaya.registry import find_agent
from training import timeless, train, train_twice

SETTINGS = (("games", 16), ("turns", 4), ("minibatch", 32), ("width", 16))
PLAN = Plan(rules="players=2", turns=640, settings=SETTINGS, log_every=200, validate_every=300,
            validation_games=20)  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"preset": "other-play"}, {"rules": "players=3"}])
def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path, changes):
    plan = replace(PLAN, **changes)
    _, log = train_twice(tmp_path, plan, 64, 256, 300, 500)
    assert sum("validation" in row for row in log) == 2


def test_what_a_killed_run_did_after_its_checkpoint_is_done_again(tmp_path):
    whole = train(tmp_path / "whole", PLAN)
    train(tmp_path / "killed", PLAN, stop_at=256)
    checkpoint = (tmp_path / "killed" / "checkpoint.pt").read_bytes()
    train(tmp_path / "killed", PLAN, stop_at=500)
    (tmp_path / "killed" / "checkpoint.pt").write_bytes(checkpoint)
    log = tmp_path / "killed" / "log.jsonl"
    log.write_text(log.read_text() + '{"turns": 5')  # cut off in the middle of a line
    again = train(tmp_path / "killed", PLAN)
    assert np.array_equal(again.learner.parts()["first"], whole.learner.parts()["first"])
    assert timeless(tmp_path / "whole") == timeless(tmp_path / "killed")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finishes_the_batch_and_saves(tmp_path, number):
    run = Run(tmp_path, PLAN)
    before = signal.getsignal(number)
    run.train(on_progress=lambda row: os.kill(os.getpid(), number))
    assert run.learner.turns == 64
    assert read_checkpoint(tmp_path / "checkpoint.pt")["learner"]["turns"] == 64
    assert signal.getsignal(number) is before


def test_a_run_stops_after_its_hours(tmp_path):
    run = Run(tmp_path, PLAN)
    run.train(hours=1e-9)
    assert run.learner.turns == 64


def test_the_networks_of_a_run_are_agents(tmp_path):
    run = train(tmp_path, PLAN)
    card = json.loads((tmp_path / "best.json").read_text())
    assert card["algorithm"] == "ppo" and card["validation"]["games"] == 20
    assert card["settings"]["games"] == 16
    best = max(row["validation"]["mean"] for row in read_journal(tmp_path) if "validation" in row)
    assert card["validation"]["mean"] == best == run.best
    assert find_agent(str(tmp_path / "latest.npz")).players == (2, 2)


def test_plans_are_read_back(tmp_path):
    plan = replace(PLAN, settings=(*SETTINGS, ("entropy", (0.1, 0.05))), preset="cross-play")
    Run(tmp_path, plan)
    assert read_plan(tmp_path) == plan
    assert plan.full_settings().entropy == (0.1, 0.05)
    assert read_plan(tmp_path / "nowhere") is None


@pytest.mark.parametrize(("turns", "every"), [(500, 50_000), (4_000_000, 200_000),
                                              (100_000_000, 1_000_000)])  # fmt: skip
def test_short_runs_are_validated_more_often(turns, every):
    plan = Plan(turns=turns).paced()
    assert plan.validate_every == every
    assert plan.log_every == min(every, 250_000)


def test_a_checkpoint_is_replaced_at_once(tmp_path):
    path = tmp_path / "checkpoint.pt"
    write_checkpoint(path, {"turns": 1})
    path.with_suffix(".partial").write_bytes(b"half of anoth")
    assert read_checkpoint(path) == {"turns": 1}
    write_checkpoint(path, {"turns": 2})
    assert read_checkpoint(path) == {"turns": 2}
    path.write_bytes(b"nonsense")
    with pytest.raises(Exception, match=r"checkpoint\.pt|pickle|invalid"):
        read_checkpoint(path)


def test_lines_of_the_log_are_means_of_batches(tmp_path):
    journal = Journal(tmp_path, 0)
    for score in (1.0, float("nan"), 2.0):
        journal.gather({"score": score, "nothing": float("nan")})
    journal.write(10, seconds=1)
    assert read_journal(tmp_path) == [{"turns": 10, "score": 1.5, "nothing": None, "seconds": 1}]


# The commands.


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


def options(*more: str) -> list[str]:
    return [
        word for pair in (*(f"{k}={v}" for k, v in SETTINGS), *more) for word in ("--set", pair)
    ]


OPTIONS = [word for name, value in SETTINGS for word in ("--set", f"{name}={value}")]


def test_the_command_trains_goes_on_and_ships(tmp_path, capsys):
    command("train", "ppo", tmp_path / "run", "-p", "2", "--turns", "200", *OPTIONS, "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["turns"] == 256 and len(document["curve"]) == 1
    command("train", "ppo", tmp_path / "run", "--turns", "0.3k", "--resume")
    assert "384 of 300 turns" in capsys.readouterr().out
    command("ship", tmp_path / "run", tmp_path / "mine.npz", "-n", "50", "--json",
            "--description", "Mine.")  # fmt: skip
    card = json.loads(capsys.readouterr().out)
    assert sum(card["score"]["histogram"]) == card["score"]["games"] == 50
    agent = find_agent(str(tmp_path / "mine.npz"))
    assert agent.description == "Mine." and agent.name == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pqr"], "unknown algorithm 'pqr': expected one of ppo"),
        (["ppo", "--preset", "x"], "unknown preset 'x': expected one of self-play, cross-play"),
        (["ppo", "--set", "speed=3"], "unknown setting 'speed': expected one of width, games"),
        (["ppo", "--set", "epochs=x"], "setting epochs is such as 3, not 'x'"),
        (["ppo", "--turns", "many"], "'many' is not a number of turns"),
        (["ppo", "--resume"], "holds no run to go on with"),
    ],
)
def test_mistakes_are_explained(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        command("train", arguments[0], tmp_path / "run", *arguments[1:])
    assert not (tmp_path / "run").exists()


def test_a_run_keeps_its_plan(tmp_path):
    Run(tmp_path, PLAN).save()
    with pytest.raises(ValueError, match="the run in this folder has seed 1, not 2"):
        command("train", "ppo", tmp_path, "--seed", "2")
    with pytest.raises(ValueError, match="settings of a run that has begun cannot be changed"):
        command("train", "ppo", tmp_path, "--set", "epochs=5")


def test_nothing_is_shipped_before_the_first_validation(tmp_path):
    with pytest.raises(ValueError, match=r"has no best\.npz yet"):
        command("ship", tmp_path, tmp_path / "mine.npz")


@pytest.mark.parametrize(("text", "count"), [("25000", 25_000), ("1.5k", 1500), ("2M", 2 * 10**6)])
def test_counts_have_units(text, count):
    assert parse_count(text) == count
