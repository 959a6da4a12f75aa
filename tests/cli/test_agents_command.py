"""`tamaya agents`: the list, and what it says of one agent."""

import json
from pathlib import Path

import pytest

import tamaya
from support import run_command
from tamaya.lookup import all_agents, find_agent

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


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("sparta-lead", "sparta:samples=3000,margin=0.01,errors=2.0"),
        ("sparta-lead:samples=5", "sparta:samples=3000,margin=0.01,errors=2.0"),
        ("sparta-code", "sparta:samples=1000,tolerance=0.1,seats=code"),
        ("ris-mcts-best-40ms", "ris-mcts-best:ms=40.0"),
        ("smartbot-refined", "smartbot:risk=5,refined=True"),
        ("sparta", ""),
        ("tamaya-mirror", ""),
    ],
)
def test_a_preset_says_what_it_stands_for(name, same):
    assert row_of(name)["preset_of"] == same
    shown = run_command("agents", name).stdout
    lines = [line.split() for line in shown.splitlines() if line.startswith("  preset ")]
    assert lines == ([["preset", name.partition(":")[0], "is", same]] if same else [])


def test_a_preset_is_the_agent_that_it_stands_for():
    presets = [player for player in all_agents() if getattr(player, "preset_of", "")]
    assert {"sparta-1s", "flat-mc-40ms", "fireflower-careful"} <= {each.name for each in presets}
    for player in presets:
        assert find_agent(player.preset_of).settings == player.settings


def test_agents_that_learned_say_how_long():
    assert row_of("rainbow")["training_turns"]["2"] > 10**6
    assert "turns for 2 players" in run_command("agents", "rainbow").stdout


def test_the_version_is_printed():
    assert run_command("--version").stdout == f"tamaya {tamaya.__version__}\n"
