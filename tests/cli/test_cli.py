"""The command line: documents for programs, one line for mistakes, a game for people."""

import json

import pytest

from support import run_command
from tamaya.game import Game


def document(*arguments: str) -> dict:
    finished = run_command(*arguments, "--json")
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_selfplay_prints_the_documented_json():
    printed = document("selfplay", "certainty", "-p", "2,4", "-n", "60", "--seed", "5")
    assert {"agent", "seed", "rules", "results"} <= set(printed)
    assert (printed["agent"], printed["seed"]) == ("certainty", 5)
    assert printed["rules"]["bomb"] == "zero"
    keys = {"players", "games", "mean", "se", "sd", "perfect", "bombed", "mean_points_kept",
            "histogram", "moves", "seconds"}  # fmt: skip
    for row, players in zip(printed["results"], (2, 4), strict=True):
        assert keys <= set(row)
        assert row["players"] == players
        assert row["games"] == sum(row["histogram"]) == 60
        assert len(row["histogram"]) == 26


@pytest.mark.parametrize(("agent", "sizes"), [("hatbot", [5]), ("random", [2, 3, 4, 5])])
def test_selfplay_is_at_all_tables_of_an_agent(agent, sizes):
    rows = document("selfplay", agent, "-n", "10")["results"]
    assert [row["players"] for row in rows] == sizes


def test_selfplay_is_decided_by_the_seed_whatever_the_threads():
    def scores(*options: str) -> list:
        rows = document("selfplay", "random", "-n", "2000", "-p", "3", *options)["results"]
        return [{key: row[key] for key in row if key != "seconds"} for row in rows]

    assert scores("--threads", "1") == scores("--threads", "2")
    assert scores("--seed", "1") != scores("--seed", "2")


def test_rules_reach_the_game():
    options = "selfplay", "random", "-n", "200", "-p", "2", "--rules", "bomb=keep hand_size=3"
    row = document(*options)["results"][0]
    assert row["hand_size"] == 3
    assert row["mean"] == row["mean_points_kept"] > 0


def test_selfplay_shows_a_table():
    finished = run_command("selfplay", "example", "-n", "50", "-p", "2")
    assert finished.returncode == 0
    assert "example: 50 games per number of players, seed 0" in finished.stdout
    assert "perfect" in finished.stdout
    assert finished.stderr == ""


def test_selfplay_says_that_no_rule_applied():
    finished = run_command("selfplay", "rules:PlaySafeCard", "-n", "20", "-p", "2,3")
    assert "100.0 %, 100.0 % of the games (with 2, 3 players) ended early because no rule" in (
        finished.stdout
    )
    assert "DiscardRandomly always has a move" in finished.stdout
    assert "ended early" not in run_command("selfplay", "iggi", "-n", "20", "-p", "2").stdout


def test_agents_lists_all():
    names = [row["name"] for row in document("agents")["agents"]]
    assert {"certainty", "example", "first-legal", "random"} <= set(names)
    assert "Bouzy 2017" in run_command("agents").stdout


def test_watch_tells_the_whole_game():
    printed = document("watch", "example", "certainty", "--seed", "3", "--game", "2")
    game = Game.parse(printed["text"])
    assert game.is_over
    assert game.score == printed["score"]
    shown = run_command("watch", "example", "certainty", "--seed", "3", "--game", "2").stdout
    assert shown.count("turn ") >= game.turn
    assert f"score {game.score}, {game.status} after {game.turn} turns" in shown


def test_watch_can_stop_early():
    shown = run_command("watch", "certainty", "--players", "4", "--turns", "2").stdout
    assert "stopped after turn 2" in shown
    assert "knows" in shown


def test_a_file_of_the_user_plays(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from tamaya.agent import agent\n"
        "from tamaya.moves import play\n\n"
        '@agent("eager", params={"slot": 0})\n'
        "def eager(view, memory, params):\n"
        "    return play(view, params.slot)\n"
    )
    for text in (str(file), f"{file}:eager", f"{file}:eager:slot=1"):
        row = document("selfplay", text, "-n", "20", "-p", "2")["results"][0]
        assert row["games"] == 20


BROKEN = "from tamaya.agent import agent\n@agent('b')\ndef b(view, memory, params):\n    {body}\n"


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["selfplay", "certainti"], "unknown agent 'certainti', did you mean 'certainty'?"),
        (["selfplay", "certainty:usless=1"], "no parameter 'usless'"),
        (["selfplay", "certainty:useless=much"], "'useless' must be a number, not 'much'"),
        (["selfplay", "random", "--colour", "5"], "No such option: --colour"),
        (["selfplay", "random", "-p", "1"], "'1' is not a number of players"),
        (["selfplay", "random", "-p", "6"], "'6' is not a number of players"),
        (["selfplay", "random", "-n", "0"], "'--games' / '-n': expected 1 or more, not '0'"),
        (["selfplay", "random", "-n", "1e6"], "'-n': expected a whole number, not '1e6'"),
        (["selfplay", "random", "-n", "9" * 23], "'-n': expected at most 1000000000000, not '99"),
        (["selfplay", "random", "--seed", "abc"], "'--seed': expected a whole number, not 'abc'"),
        (["selfplay", "random", "--until-se", "x"], "expected a number, not 'x'"),
        (["selfplay", "random", "--threads", "99999"], "expected at most 1024, not '99999'"),
        (["selfplay", "rules:"], "no rules at all"),
        (["selfplay", "/"], "'/' is a folder, not an agent"),
        (["selfplay", "no/such"], "unknown agent 'no/such': there is no such file or folder"),
        (["selfplay", "random", "--rules", "bomb=half"], "bomb must be one of zero, keep"),
        (["selfplay", "random", "--rules", "boom=1"], "'boom=1' is not a rule"),
        (["selfplay", "random", "--rules", "hand_size=30"], "hand_size must be"),
        (["selfplay", "nowhere.py:x"], "nowhere.py does not exist"),
        (["watch", "random", "random", "random", "-p", "2"], "3 agents for 2 seats"),
        (["watch", "random", "-p", "7"], "players must be a whole number from 2 to 5, not 7"),
        (["selfplay"], "Missing argument"),
        (["report", "--out", "/dev/null/r.html"], "tamaya: /dev/null: "),
        (["dance"], "dance"),
    ],
)
def test_mistakes_get_one_line_that_names_the_culprit(arguments, culprit):
    finished = run_command(*arguments)
    assert finished.returncode != 0
    assert culprit in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert finished.stdout == ""


@pytest.mark.parametrize(
    ("body", "culprit"),
    [
        ("return 99", "agent 'b' in seat 0, seed 0, game 0, turn 1"),
        ("return view.nothing", "agent 'b' does not compile"),
        ("raise ValueError('x')", "its act function raised ValueError: x"),
        ("return (", "mine.py, line 4: SyntaxError"),
        ("return undefined_name", "agent 'b' does not compile"),
    ],
)
def test_broken_agents_get_one_line(tmp_path, body, culprit):
    file = tmp_path / "mine.py"
    file.write_text(BROKEN.format(body=body))
    finished = run_command("selfplay", str(file), "-p", "2", "-n", "10")
    assert finished.returncode == 1
    assert culprit in finished.stderr
    assert finished.stderr.count("\n") == 1
