"""The commands of rule agents: the library, evolution, styles of play."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from tamaya.cli.main import app

SMALL = ["--population", "8", "--generations", "2", "--elite", "2", "-n", "2",
         "--final-games", "5", "--threads", "1", "-p", "2"]  # fmt: skip


@pytest.fixture(autouse=True)
def own_store(monkeypatch, tmp_path):
    monkeypatch.setenv("TAMAYA_STORE", str(tmp_path / "results.db"))


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_the_library_is_listed():
    rules = {row["name"]: row for row in json.loads(run("rules", "--json"))["rules"]}
    assert len(rules) > 45
    assert rules["PlayProbablySafe"]["parameters"] == {"p": 0.6}
    assert "ends the game" in rules["PlayFinesse"]["original"]
    assert all(row["description"].endswith((".", "yet")) for row in rules.values())
    assert "PlayJustHinted(single=no" in run("rules")


def test_the_profile_of_an_agent():
    document = json.loads(run("rules", "iggi", "-p", "2", "-n", "50", "--json"))
    [profile] = document["profiles"]
    assert [line["rule"] for line in profile["rules"]][:2] == ["PlayIfCertain", "PlaySafeCard"]
    assert sum(line["share"] for line in profile["rules"]) == pytest.approx(1)
    assert "DiscardOldestFirst" in run("rules", "iggi", "-p", "2", "-n", "20")


def test_only_rule_agents_have_a_profile():
    with pytest.raises(ValueError, match="'certainty' is no rule agent"):
        run("rules", "certainty")


def test_evolve_and_go_on(tmp_path):
    folder = str(tmp_path / "run")
    shown = run("evolve", folder, *SMALL)
    assert "Finalists of run" in shown
    assert "The best is an agent" in shown
    again = json.loads(run("evolve", folder, "--threads", "1", "--json"))  # finished: same answer
    [result] = again["runs"]
    assert result["finalists"][0]["mean"] == max(one["mean"] for one in result["finalists"])
    assert result["games"] == 8 * 2 * 2
    assert (tmp_path / "run" / "curves.svg").read_text().startswith("<svg")
    assert "mean" in run("selfplay", again["agent"], "-p", "2", "-n", "10")
    with pytest.raises(ValueError, match="holds another run: its games is 2, not 3"):
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
        with pytest.raises(ValueError, match="holds another run: it is split into 2, 3"):
            run("evolve", str(tmp_path), *other, "--threads", "1")


def test_a_folder_of_one_run_is_not_split(tmp_path):
    run("evolve", str(tmp_path), *SMALL)
    with pytest.raises(ValueError, match="holds another run: it is not split"):
        run("evolve", str(tmp_path), "--split", "each", "--threads", "1")
    with pytest.raises(ValueError, match=r"its players is \[2\], not \[3\]"):
        run("evolve", str(tmp_path), "-p", "3", "--threads", "1")
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(ValueError, match=r"run\.json does not describe a run"):
        run("evolve", str(tmp_path))


def test_a_mistake_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="unknown agent 'nosuch'"):
        run("evolve", str(tmp_path / "run"), *SMALL, "--split", "each", "--start", "nosuch")
    assert not (tmp_path / "run").exists()
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file is a file, not a folder"):
        run("evolve", str(tmp_path / "file"), *SMALL)


def test_evolution_starts_with_rule_agents_only(tmp_path):
    with pytest.raises(ValueError, match="'certainty' is no rule agent"):
        run("evolve", str(tmp_path), *SMALL, "--start", "certainty")


def test_styles_of_play(tmp_path):
    options = ["--random", "20", "--variants", "20", "-n", "2", "-p", "2", "--threads", "1"]
    shown = run("elites", str(tmp_path), *options)
    assert "styles found with 40 lists" in shown
    document = json.loads(run("elites", str(tmp_path), *options, "--json"))
    assert document["evaluated"] == 40
    assert (tmp_path / "map.svg").read_text().startswith("<svg")
