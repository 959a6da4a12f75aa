"""`tamaya evolve`: runs that go on, specialists, and what is refused."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from support import as_another_process, run_command
from tamaya.cli.evolve import Result
from tamaya.cli.main import app
from tamaya.evolve.leaders import leaders
from tamaya.evolve.outcome import finalists_in
from tamaya.run_folder import RunError, locked

SMALL = ["--population", "8", "--generations", "2", "--elite", "2", "-n", "2",
         "--final-games", "5", "--threads", "1", "-p", "2"]  # fmt: skip
RUNS = Path(__file__).parents[2] / "runs"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_evolve_and_go_on(tmp_path):
    folder = str(tmp_path / "run")
    shown = run("evolve", folder, *SMALL)
    assert "Finalists of run" in shown
    assert shown.endswith(f"The best is an agent: tamaya selfplay {folder}/best.rules -p 2\n")
    again = json.loads(run("evolve", folder, "--threads", "1", "--json"))  # finished: same answer
    [result] = again["runs"]
    assert result["finalists"][0]["mean"] == max(one["mean"] for one in result["finalists"])
    assert result["games"] == 8 * 2 * 2
    assert (tmp_path / "run" / "curves.svg").read_text().startswith("<svg")
    assert "mean" in run("selfplay", again["agent"], "-p", "2", "-n", "10")
    with pytest.raises(ValueError, match="contains another run: its games is 2, not 3"):
        run("evolve", folder, "-n", "3", "--threads", "1")


def test_evolve_specialists(tmp_path):
    options = [*SMALL[:-2], "-p", "2-3", "--split", "each", "--start", "piers"]
    document = json.loads(run("evolve", str(tmp_path), *options, "--json"))
    assert [result["name"] for result in document["runs"]] == ["2", "3"]
    assert "[2]" in (tmp_path / "best.rules").read_text()
    again = json.loads(run("evolve", str(tmp_path), "--threads", "1", "--json"))
    assert again["runs"][0]["finalists"] == document["runs"][0]["finalists"]


def test_specialists_that_were_stopped_go_on_with_what_they_started_with(tmp_path):
    options = [*SMALL[:-2], "-p", "2-3", "--split", "each", "--start", "piers"]
    whole = json.loads(run("evolve", str(tmp_path), *options, "--json"))
    shutil.rmtree(tmp_path / "3")  # as if stopped after the first specialist
    again = json.loads(run("evolve", str(tmp_path), "--threads", "1", "--json"))
    assert again["runs"][1]["finalists"] == whole["runs"][1]["finalists"]
    assert "mean" in run("selfplay", again["agent"], "-p", "5", "-n", "2")  # by the nearest list
    for other in (["--split", "2-3"], ["-p", "2-4"], ["--split", "no"]):
        with pytest.raises(ValueError, match="contains another run: it is split into 2, 3"):
            run("evolve", str(tmp_path), *other, "--threads", "1")


def test_a_folder_of_one_run_is_not_split(tmp_path):
    run("evolve", str(tmp_path), *SMALL)
    with pytest.raises(ValueError, match="contains another run: it is not split"):
        run("evolve", str(tmp_path), "--split", "each", "--threads", "1")
    with pytest.raises(ValueError, match=r"its players is \[2\], not \[3\]"):
        run("evolve", str(tmp_path), "-p", "3", "--threads", "1")
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(ValueError, match=r"run\.json: not JSON"):
        run("evolve", str(tmp_path))


def test_a_mistake_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="unknown agent 'nosuch'"):
        run("evolve", str(tmp_path / "run"), *SMALL, "--split", "each", "--start", "nosuch")
    assert not (tmp_path / "run").exists()
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file is a file, not a folder"):
        run("evolve", str(tmp_path / "file"), *SMALL)


def test_evolution_starts_with_rule_agents_only(tmp_path):
    with pytest.raises(ValueError, match="'certainty' is not a rule agent"):
        run("evolve", str(tmp_path), *SMALL, "--start", "certainty")


def test_a_folder_in_use_is_refused(tmp_path):
    with (
        locked(tmp_path),
        as_another_process(),
        pytest.raises(RunError, match="in use by another process"),
    ):
        run("evolve", str(tmp_path), *SMALL)
    assert list(tmp_path.iterdir()) == []


def test_results_that_were_kept_are_printed_and_not_overwritten(tmp_path):
    """As in a clone of the repository, which has runs without their populations."""
    folder = tmp_path / "kept"
    shutil.copytree(RUNS / "tamaya-mirror" / "2", folder)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    document = json.loads(run("evolve", str(folder), "--json"))
    assert len(document["runs"][0]["finalists"]) == 10
    refused = run_command("evolve", str(folder), "--seed", "41")
    assert refused.returncode == 1 and "choose another folder" in refused.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_damaged_results_make_one_line(tmp_path):
    run("evolve", str(tmp_path), *SMALL)
    for name in ("top.json", "generations.jsonl", "run.json"):
        whole = (tmp_path / name).read_text()
        (tmp_path / name).write_text("3\n" + whole)
        refused = run_command("evolve", str(tmp_path))
        assert refused.returncode == 1 and refused.stderr.count("\n") == 1
        assert str(tmp_path / name) in refused.stderr
        (tmp_path / name).write_text(whole)
    found = Result("mine", finalists_in(tmp_path), leaders(tmp_path, "mine"), 32, 1.0).as_dict()
    assert json.loads(run("evolve", str(tmp_path), "--json"))["runs"][0].keys() == found.keys()


def test_a_pool_without_mixed_play_is_refused(tmp_path):
    refused = run_command("evolve", str(tmp_path / "run"), *SMALL, "--pool", "nope")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--pool goes with --protocol mixed" in refused.stderr
    assert not (tmp_path / "run").exists()
