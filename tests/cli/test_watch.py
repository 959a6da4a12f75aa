"""`tamaya watch`: a game turn by turn, its part, its reasons, its files, one line for mistakes."""

import json
from xml.etree import ElementTree

import pytest

from support import run_command
from tamaya.cli.board import LEGEND
from tamaya.game import Game
from tamaya.replays import agents_of, read_game
from tamaya.rules import Rules
from tamaya.table import play

TEAM = ["first-legal", "random"]


def watch(*arguments: str) -> str:
    finished = run_command("watch", *arguments)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def game() -> Game:
    return play(TEAM, Rules(), 1, seed=3, first=2, record=True).game(0)


ARGUMENTS = (*TEAM, "--seed", "3", "--game", "2")


def turns(shown: str) -> list[int]:
    return [int(line.split()[1]) for line in shown.splitlines() if line.startswith("turn ")]


def test_every_turn_is_shown(game):
    shown = watch(*ARGUMENTS)
    assert shown.startswith(LEGEND)
    assert turns(shown) == list(range(1, game.turn + 2))  # the last board too
    assert shown.count("  seat ") == game.turn
    assert f"score {game.score}, {game.status} after {game.turn} turns" in shown


def test_a_part_is_shown(game):
    shown = watch(*ARGUMENTS, "--from", "2", "--turns", "2")
    assert turns(shown) == [2, 3]
    assert f"… stopped after turn 3 of {game.turn}" in shown
    shown = watch(*ARGUMENTS, "--from", str(game.turn), "--turns", "9")
    assert turns(shown) == [game.turn, game.turn + 1]


def test_a_game_that_was_given_up_is_over(tmp_path):
    agent = tmp_path / "quitter.py"
    agent.write_text(
        "from tamaya.agent import agent\n"
        "from tamaya.moves import GIVE_UP, play\n\n"
        '@agent("quitter")\n'
        "def quitter(view, memory, params):\n"
        "    return play(view, 0) if view.deck_size > 38 else GIVE_UP\n"
    )
    shown = watch(str(agent), "--seed", "5")
    assert ", gave up after 2 turns" in shown
    assert "stopped" not in shown


def test_reasons_are_shown_on_demand():
    arguments = "certainty", "--turns", "1"
    assert watch(*arguments, "--explain") != watch(*arguments)
    assert "rule: " in watch("information", "--turns", "1", "--explain")


@pytest.mark.parametrize(("name", "what"), [
    ("game.txt", "tamaya's text form"), ("game", "tamaya's text form"),
    ("game.json", "hanab.live's JSON"), ("GAME.JSON", "hanab.live's JSON"),
])  # fmt: skip
def test_the_game_is_saved_in_the_format_of_its_name(game, tmp_path, name, what):
    path = tmp_path / name
    finished = run_command("watch", *ARGUMENTS, "--turns", "1", "--save", str(path))
    assert read_game(path) == game  # all of it, whatever is shown
    assert path.read_text().startswith("{" if "JSON" in what else "tamaya-game")
    assert finished.stderr == (
        f"saved {path}: the game in {what}; tamaya replay and tamaya analyse read it\n"
    )
    assert "saved" not in finished.stdout


def test_a_saved_game_names_its_agents(tmp_path):
    path = tmp_path / "game.json"
    watch("first-legal", "-p", "3", "--save", str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    assert agents_of(document) == ["first-legal"] * 3
    assert document["players"] == ["Alice", "Bob", "Cathy"]  # what hanab.live shows


def test_a_saved_game_is_not_replaced_unasked(game, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("my best game")
    finished = run_command("watch", *ARGUMENTS, "--save", str(path))
    assert finished.returncode == 1
    assert finished.stderr == f"tamaya: --save {path}: the file exists; --force replaces it\n"
    assert finished.stdout == ""
    assert path.read_text() == "my best game"
    watch(*ARGUMENTS, "--save", str(path), "--force")
    assert read_game(path) == game


def test_the_document_is_alone_on_standard_output(game, tmp_path):
    picture, path = tmp_path / "x.svg", tmp_path / "x.json"
    finished = run_command(
        "watch", *ARGUMENTS, "--json", "--svg", str(picture), "--save", str(path)
    )
    document = json.loads(finished.stdout)
    assert Game.parse(document["text"]) == read_game(path) == game
    assert (document["agents"], document["seed"], document["game"]) == (TEAM, 3, 2)
    assert len(document["moves"]) == game.turn
    drawn = "".join(ElementTree.parse(picture).getroot().itertext()).replace("\xa0", " ")
    assert f"{game.status} after {game.turn} turns" in drawn
    assert [line.split(":")[0] for line in finished.stderr.splitlines()] == [
        f"saved {path}", f"saved {picture}",
    ]  # fmt: skip


def test_pictures_fetch_nothing(tmp_path):
    watch(*ARGUMENTS, "--turns", "1", "--svg", str(tmp_path / "x.svg"))
    text = (tmp_path / "x.svg").read_text()
    assert "@font-face" not in text
    assert "url(http" not in text


def test_a_pipe_is_as_wide_as_the_hands():
    shown = watch("rules:PlaySafeCard,TellAnyoneAboutUsefulCard,OsawaDiscard", "--turns", "1")
    assert "OsawaDiscard" in shown
    assert "…" not in shown.replace("… stopped", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["certainti"], "unknown agent 'certainti', did you mean 'certainty'?"),
        ([], "Missing argument"),
        (["random", "--seed", "x"], "Invalid value for '--seed': "),
        (["random", "--game", "-1"], "Invalid value for '--game': "),
        (["random", "--from", "0"], "Invalid value for '--from': "),
        (["first-legal", "--from", "99"], "--from 99: the game has turns 1 to "),
        (["random", "--turns", "x"], "Invalid value for '--turns': "),
        (["random", "--delay", "-1"], "Invalid value for '--delay': "),
        (["random", "--players", "1"], "players must be a whole number from 2 to 5, not 1"),
        (["hatbot", "--players", "2"], "'hatbot' plays with 5 players, not 2"),
        (["random", "random", "random", "-p", "2"], "3 agents for 2 seats"),
        (["random", "--rules", "boom=1"], "'boom=1' is not a rule"),
        (["random", "--save", "."], "--save .: this is a folder"),
        (["random", "--save", "no/where.txt"], "--save no/where.txt: there is no folder no"),
        (["random", "--svg", "no/where.svg"], "--svg no/where.svg: there is no folder no"),
        (["nowhere.py"], "nowhere.py"),
    ],
)
def test_mistakes_get_one_line(arguments, message):
    finished = run_command("watch", *arguments)
    assert finished.returncode != 0
    assert finished.stderr.startswith("tamaya: ")
    assert message in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert finished.stdout == ""
