"""`tamaya agents`: the list, and what it says of one agent."""

import json
from pathlib import Path

import pytest

import tamaya
from support import run_command

PACKAGE = Path(tamaya.__file__).parent


def row_of(name: str) -> dict:
    """What the command says of one agent, as JSON."""
    [row] = json.loads(run_command("agents", name, "--json").stdout)["agents"]
    return row


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("certainty", "agents/certainty.py"),
        ("information", "agents/wtfwthat/information.py"),
        ("piers", "agents/rules/pool.py"),
        ("tamaya-mixed", "agents/rules/evolved/tamaya-mixed.rules"),
        ("rainbow", "agents/learned/shipped/rainbow-2.npz"),
    ],
)
def test_the_file_that_defines_an_agent_is_named(name, file):
    assert row_of(name)["files"][0] == str(PACKAGE / file)
    assert str(PACKAGE / file) in run_command("agents", name).stdout


def test_everything_about_one_agent(tmp_path):
    file = tmp_path / "layered.py"
    file.write_text(
        "from tamaya.agent import agent\n\n"
        "@agent('layered', params={'depth': 3, 'bold': False}, least={'depth': 1},\n"
        "       most={'depth': 9}, aliases={'layers': 'depth'}, players='2-3',\n"
        "       source='a paper', slow=True, made_for={'colours': 2, 'hand_size': 2})\n"
        "def layered(view, memory, params):\n"
        '    """Thinks in layers."""\n'
        "    return view.hand_size\n"
    )
    row = row_of(f"{file}:layered:layers=5")
    assert (row["name"], row["spec"], row["sizes"]) == ("layered", "layered:depth=5", [2, 3])
    assert row["params"] == {"depth": 5, "bold": False}
    assert row["defaults"] == {"depth": 3, "bold": False}
    assert (row["least"], row["most"]) == ({"depth": 1}, {"depth": 9})
    assert row["aliases"] == {"layers": "depth"}
    assert row["made_for"] == {"colours": 2, "hand_size": 2}
    shown = run_command("agents", f"{file}:layered:layers=5").stdout
    lines = {
        line.split("  ")[1].strip(): line.strip() for line in shown.splitlines() if "  " in line
    }
    assert lines["depth="].endswith("5, default 3, at least 1, at most 9, formerly layers=")
    assert lines["bold="].endswith("false")
    assert lines["made for"].endswith("colours=2 hand_size=2")
    assert lines["players"].endswith("2, 3") and lines["plays"].endswith("Thinks in layers.")
    assert lines["file"].endswith(str(file)) and lines["speed"].endswith("seconds per game")


def test_agents_that_learned_say_how_long():
    assert row_of("rainbow")["training_turns"]["2"] > 10**6
    assert "turns for 2 players" in run_command("agents", "rainbow").stdout


def test_the_version_is_printed():
    assert run_command("--version").stdout == f"tamaya {tamaya.__version__}\n"
