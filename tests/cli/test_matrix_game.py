"""`tamaya matrix-game`."""

import json

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.cli.main import app
from tamaya.cli.matrix_game import matrix_game
from tamaya.learn.matrix_game import AGENTS


def test_the_command_prints_what_each_agent_reaches(capsys):
    app(["matrix-game", "--seeds", "3", "--batches", "5"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert "optimum 10" in shown and all(agent in shown for agent in AGENTS)


def test_it_prints_one_document(capsys):
    matrix_game(seeds=2, batches=3, seed=1, json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["optimum"] == 10 and len(document["agents"]) == 2
