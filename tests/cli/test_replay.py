"""`tamaya replay`: games shown and converted, and one line for what is no game."""

import json
from random import Random

import pytest
import typer
from typer.testing import CliRunner

from support import play_randomly, run_command
from tamaya.cli.board import happening
from tamaya.cli.replay import replay
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays import FORMATS, ReplayError, read_game, to_link, write_game
from tamaya.rules import Rules

GAME = play_randomly(Game(Rules(players=3), seed=6), Random(6))


def run(*arguments: str, text: str | None = None) -> str:
    app = typer.Typer()
    app.command()(replay)
    result = CliRunner().invoke(app, list(arguments), input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_converts(name, tmp_path):
    path = tmp_path / "game"
    path.write_text(write_game(GAME, name), encoding="utf-8")
    for to in FORMATS:
        assert run(str(path), "--to", to) == write_game(GAME, to)
    assert run("-", "--to", "text", text=path.read_text(encoding="utf-8")) == GAME.to_text()


def test_the_command_shows_board_and_moves():
    printed = run(to_link(GAME))
    rows = [line.split() for line in printed.splitlines()]
    for turn, event in enumerate(GAME.events, start=1):
        words = happening(GAME.rules, event).plain
        assert [
            str(turn),
            str(event.seat),
            move_text(GAME.rules, event.move),
            *words.split(),
        ] in rows
    assert printed.endswith(f"{GAME}\n")


@pytest.mark.parametrize(("to", "key"), [("show", "text"), ("text", "text"), ("json", "json"),
                                         ("link", "link")])  # fmt: skip
def test_the_command_prints_one_document(to, key):
    document = json.loads(run("-", "--to", to, "--json", text=write_game(GAME, "json")))
    assert set(document) == {"rules", "score", "status", "moves", key}
    content = document[key] if key != "json" else json.dumps(document[key])
    assert read_game(content) == GAME


def test_the_command_names_standard_input():
    with pytest.raises(ReplayError, match=r"^standard input: players: missing"):
        run("-", text="{}")


def test_the_command_refuses_an_unknown_format():
    finished = run_command("replay", "-", "--to", "png")
    assert finished.returncode == 2
    assert finished.stderr == (
        "tamaya: Invalid value: --to must be one of show, text, json, link, not 'png'\n"
    )


@pytest.mark.parametrize("command", ["replay", "analyse"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "FILE: no such file or directory"),
        ("folder", "FILE: is a directory"),
        (b"\x89PNG\xff", "FILE: not a text file"),
        (b'{"players": [', "FILE: line 1, column 14: not JSON: Expecting value"),
        (b"[]", "FILE: not a game: expected 'tamaya-game 1', a JSON object or a hanab.live link"),
        (b"{}", "FILE: players: missing"),
        (b"tamaya-game 1\n", "FILE: line 1: the check line is missing, the file is cut off"),
        (b"77", "FILE: game 77 of hanab.live is not downloaded: save "),
    ],
)
def test_bad_files_get_one_line(command, content, message, tmp_path):
    path = tmp_path / "game"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    if content == "folder" and command == "analyse":
        message = "FILE: no games found"  # a folder of games would be fine
    finished = run_command(command, str(path))
    assert finished.returncode == 1
    assert finished.stderr.startswith(f"tamaya: {message.replace('FILE', str(path))}")
    assert finished.stderr.count("\n") == 1
    assert finished.stdout == ""


def test_a_very_long_text_is_not_repeated():
    finished = run_command("replay", "x" * 5000)
    assert finished.returncode == 1
    assert len(finished.stderr) < 300
