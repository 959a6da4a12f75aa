"""From a run to an agent: the network with its curve, scored on the test deals."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.checked_files import FileError
from tamaya.learn.exporting import export_agent
from tamaya.learn.validation import TEST
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.table import play
from training import TINY_PLAN, train


def test_an_agent_has_the_curve_of_its_run_and_a_test(tmp_path):
    train(tmp_path / "run", TINY_PLAN)
    out = tmp_path / "mine.npz"
    metadata = export_agent(tmp_path / "run", out, "latest", 50, "Mine.")
    assert json.loads(out.with_suffix(".json").read_text()) == json.loads(json.dumps(metadata))
    assert [turns for turns, _ in metadata["curve"]] == [320, 704] and metadata["others"] == []
    agent = find_agent(str(out))
    assert agent.description == "Mine." and agent.name == "mine"
    scores = play(agent, Rules.parse(TINY_PLAN.rules), 50, seed=TEST).results["score"]
    assert metadata["score"]["mean"] == scores.mean() and metadata["score"]["games"] == 50
    assert sum(metadata["score"]["histogram"]) == 50


def test_mistakes_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"has no best\.npz yet"):
        export_agent(tmp_path, tmp_path / "mine.npz", "best", 10, "")
    train(tmp_path / "run", TINY_PLAN)
    with pytest.raises(ValueError, match=r"mine\.txt: expected a name that ends in \.npz"):
        export_agent(tmp_path / "run", tmp_path / "mine.txt", "best", 10, "")
    (tmp_path / "run" / "log.jsonl").write_text("nonsense\n")
    with pytest.raises(FileError, match=r"log\.jsonl, line 1"):
        export_agent(tmp_path / "run", tmp_path / "mine.npz", "best", 10, "")
    assert not (tmp_path / "mine.npz").exists()
