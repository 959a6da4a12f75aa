"""Games from files and texts of any format, and the command that shows and converts them."""

import json
from random import Random

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from support import examples, play_randomly
from tamaya.cli.replay import replay
from tamaya.game import Game
from tamaya.replays import FORMATS, ReplayError, parse_replay, read_game, to_link, write_game
from tamaya.rules import Rules

GAME = play_randomly(Game(Rules(players=3), seed=6), Random(6))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_recognised_as_path_and_as_text(name, tmp_path):
    text = write_game(GAME, name)
    assert text.endswith("\n")
    path = tmp_path / f"game.{name}"
    path.write_text(text, encoding="utf-8")
    for source in (path, str(path), text, f"\n {text}"):
        assert read_game(source) == GAME
    path.write_text("\ufeff" + text.lstrip(), encoding="utf-8")
    if name != "link":
        assert read_game(path) == GAME


def test_a_bare_link_and_json_on_one_line_are_recognised():
    assert read_game(to_link(GAME)) == GAME
    assert read_game(json.dumps(json.loads(write_game(GAME, "json")))) == GAME


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="unknown format 'png': expected one of text, json, link"):
        write_game(GAME, "png")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\xff\xfe", "not a text file"),
        (b"", "not a game: expected 'tamaya-game 1', a JSON object or a link"),
        (b"hello", "not a game: "),
        (b"{]", "line 1, column 2: not JSON"),
        (b"{}", "players: missing"),
        (b"215ab,03,0", "character 5: 2 cards, expected 50"),
        (b"tamaya-game 1\nrules players=2\n", "line 2: the check line is missing"),
    ],
)
def test_an_error_names_the_file(content, message, tmp_path):
    path = tmp_path / "game.any"
    path.write_bytes(content)
    with pytest.raises(ReplayError) as caught:
        read_game(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_what_is_neither_text_nor_path_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_game(tmp_path / "nowhere.json")
    with pytest.raises(FileNotFoundError):
        read_game("nowhere.json")
    with pytest.raises(ReplayError, match="not a game"):
        read_game("two lines\nof prose")
    with pytest.raises(ReplayError, match="not a game and not a path"):
        read_game("null \0 character")


@examples(120)
@given(st.sampled_from(FORMATS), st.data())
def test_a_damaged_text_is_read_or_refused(name, data):
    text = write_game(GAME, name)
    place = data.draw(st.integers(0, len(text)))
    new = data.draw(st.text(max_size=3))
    damaged = text[:place] + new + text[place + data.draw(st.integers(0, 3)) :]
    try:
        parse_replay(damaged)
    except ReplayError as error:
        assert str(error)


# The command.


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
    assert f"score {GAME.score}" in printed
    assert printed.count("seat") >= 3
    assert str(GAME.turn) in printed


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
