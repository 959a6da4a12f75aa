"""`tamaya train human` and `tamaya predict`."""

import json

import pytest
import typer

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from choosing import some_games, write_games, write_person
from tamaya.cli.main import app
from tamaya.lookup import find_agent
from tamaya.rules import Rules

TWO = Rules(players=2)
TINY = [word for text in ("members=1", "width=8", "hidden=8", "second=4", "epochs=2", "batch=64",
                          "advisers=piers") for word in ("--set", text)]  # fmt: skip


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    games = some_games(24, TWO, people=24)
    return write_games(tmp_path_factory.mktemp("games") / "games.jsonl.gz", games)


def test_a_network_learns_from_a_file_and_is_tested_on_it(tmp_path, data, capsys):
    given = "train", "human", tmp_path / "run", "--data", data, "--source", "made up"
    command(*given, *TINY, "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["done"] and document["epochs"] == 2 and document["games"] == 24
    assert document["people"] + document["held_out_people"] < 24
    agent = tmp_path / "run" / "best.npz"
    assert find_agent(str(agent)).source == "made up"
    command(*given, "--resume")
    assert "tamaya predict FILE --agent" in capsys.readouterr().out
    command("predict", data, "--agent", agent, "--agent", "piers", "--json")
    document = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in document["scores"]}
    assert list(rows) == ["uniform", str(agent), "piers"]
    assert document["split"] == 1 and rows["piers"]["accuracy"] > 0.7
    assert 0 < rows["piers"]["noise"] < 0.5 and rows["uniform"]["noise"] is None
    assert rows["uniform"]["people"] < 24


def test_tables_are_printed(tmp_path, data, capsys):
    path = write_person(tmp_path / "mine.npz", TWO)
    command("predict", data, "--agent", path, "--everybody", "-p", "2")
    out = capsys.readouterr().out
    assert "24 people, 2 players" in out and "mine.npz" in out


def test_games_that_were_seen_are_counted(tmp_path, capsys):
    data = write_games(tmp_path / "games.jsonl.gz", some_games(48, TWO, people=12))
    command("predict", data, "--seen", "0,2", "--json")
    rows = json.loads(capsys.readouterr().out)["seen"]
    assert [row["seen"] for row in rows] == [0, 2] and rows[0]["gain"] == 0
    command("predict", data, "--seen", "0,2")
    assert "better than what is common" in capsys.readouterr().out
    for options, words in ((["0,x"], "different numbers of games such as 0,1,3,10, not '0,x'"),
                           (["1,1"], "different numbers"),
                           (["0", "--everybody"], "--seen goes without")):  # fmt: skip
        with pytest.raises((ValueError, typer.BadParameter), match=words):
            command("predict", data, "--seen", *options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "learning from people needs their games: --data FILE"),
        (["--data", "nowhere.jsonl"], "nowhere.jsonl: no such file or directory"),
        (["--data", "DATA", "-p", "3"], "no games of people for 3 players"),
        (
            ["--data", "DATA", "--set", "speed=3"],
            "unknown setting 'speed': expected one of members",
        ),
        (["--data", "DATA", "--set", "epochs=x"], "setting epochs takes a value like 8, not 'x'"),
        (["--data", "DATA", "--set", "members=0"], "setting members must be at least 1, not 0"),
        (["--data", "DATA", "--turns", "5k"], "--turns is for learning by self-play"),
        (["--data", "DATA", "--resume"], "contains no run to resume"),
    ],
)
def test_mistakes_are_explained(tmp_path, data, arguments, message):
    given = [str(data) if word == "DATA" else word for word in arguments]
    with pytest.raises(ValueError, match=message):
        command("train", "human", tmp_path / "run", *given)
    assert not (tmp_path / "run").exists()


def test_data_are_for_people_only(tmp_path, data):
    with pytest.raises(ValueError, match="--data and --source are for learning from people"):
        command("train", "ppo", tmp_path, "--data", data)


def test_nobody_held_out_is_explained(tmp_path):
    file = write_games(tmp_path / "one.jsonl.gz", some_games(1, TWO))
    with pytest.raises(ValueError, match="nobody of 1 people is held out by split"):
        for split in range(10):
            command("predict", file, "--agent", "piers", "--split", split)
