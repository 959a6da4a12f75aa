"""`tamaya export-agent`, and its old name `ship`."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from support import run_command
from tamaya.cli import export_agent
from tamaya.lookup import find_agent
from training import TINY_PLAN, train


@pytest.mark.parametrize("command", ["export-agent", "ship"])
def test_an_agent_is_made_of_a_run(tmp_path, command):
    train(tmp_path / "run", TINY_PLAN)
    given = command, str(tmp_path / "run"), str(tmp_path / "mine.npz"), "-n", "50"
    document = json.loads(run_command(*given, "--json", "--description", "Mine.").stdout)
    assert document["score"]["games"] == 50
    agent = find_agent(str(tmp_path / "mine.npz"))
    assert agent.description == "Mine." and agent.name == "mine"
    assert "mine.npz: ppo, players=2" in run_command(*given).stdout


def test_mistakes_are_named(tmp_path):
    with pytest.raises(ValueError, match="--which must be best or latest, not 'first'"):
        export_agent.export_agent(tmp_path, tmp_path / "mine.npz", which="first")
    refused = run_command("export-agent", str(tmp_path), str(tmp_path / "mine.npz"))
    assert "has no best.npz yet" in refused.stderr


def test_help_lists_the_new_name_alone():
    shown = run_command("--help").stdout
    assert "export-agent" in shown and " ship " not in shown
