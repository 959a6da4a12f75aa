"""`tamaya elites`: the map is drawn, printed and kept."""

import json

import pytest
from typer.testing import CliRunner

from support import as_another_process
from tamaya.cli import elites
from tamaya.cli.main import app
from tamaya.run_folder import RunError, locked

OPTIONS = ["--random", "20", "--variants", "20", "-n", "2", "-p", "2", "--threads", "1"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_styles_of_play(tmp_path):
    shown = run("elites", str(tmp_path), *OPTIONS)
    assert "styles found with 40 lists" in shown
    document = json.loads(run("elites", str(tmp_path), *OPTIONS, "--json"))
    assert document["evaluated"] == 40
    assert (tmp_path / "map.svg").read_text().startswith("<svg")


def test_a_folder_in_use_is_refused(tmp_path):
    with (
        locked(tmp_path),
        as_another_process(),
        pytest.raises(RunError, match="in use by another process"),
    ):
        run("elites", str(tmp_path), *OPTIONS)
    assert list(tmp_path.iterdir()) == []


def test_the_map_has_a_number_for_each_cell_that_was_found(capsys):
    elites._print_map([{"cell": [1, 0], "mean": 12.4}], 2)
    title, upper, lower, _ = capsys.readouterr().out.split("\n")
    assert "risk aversion upwards" in title
    assert upper == " 0.75   .  ." and lower == " 0.25   . 12"
