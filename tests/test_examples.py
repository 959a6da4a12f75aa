"""The examples run, say something, and stay short; the notebook draws."""

import ast
import json
from pathlib import Path

import pytest

from tamaya import registry
from tamaya.registry import all_agents

FOLDER = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


@pytest.fixture(autouse=True)
def own_agents(monkeypatch):
    """Agents of the examples are gone afterwards."""
    known = {player.name: player for player in all_agents()}
    monkeypatch.setattr(registry, "_agents", known)


def test_there_are_six():
    assert len(SCRIPTS) == 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_runs(script, capsys):
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    text = text.replace("ROUNDS, STEPS = 512, 120, 16", "ROUNDS, STEPS = 128, 20, 16")
    exec(compile(text, str(script), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_says_how_to_run_it(script):
    docstring = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    assert f"python examples/{script.name}" in docstring


def test_the_tour_runs_and_draws(tmp_path):
    cells = json.loads((FOLDER / "tour.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict = {"__name__": "tour"}
    drawings = []
    for number, cell in enumerate(cell for cell in cells if cell["cell_type"] == "code"):
        assert not cell["outputs"] and cell["execution_count"] is None, "commit it without outputs"
        tree = ast.parse("".join(cell["source"]))
        shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"tour cell {number}", "exec"), names)
        if shown is not None:
            value = eval(compile(ast.Expression(shown.value), f"tour cell {number}", "eval"), names)
            drawings.append(getattr(value, "_repr_html_", lambda: None)())
    assert sum(drawing is not None and drawing.startswith("<svg") for drawing in drawings) >= 5
