"""`tamaya deal`: a table for people, a document for programs, decks from games."""

import json

from support import run_command
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play


def deal(*arguments: str) -> dict:
    finished = run_command("deal", *arguments, "--json")
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_a_deal_by_seed():
    printed = deal("5", "--game", "2", "-p", "3", "--agents", "iggi,certainty", "-n", "0")
    scores = {row["name"]: row["score"] for row in printed["agents"]}
    for name, score in scores.items():
        assert play(name, Rules(players=3), 1, seed=5, first=2).results["score"][0] == score
    assert printed["deal"]["seed"] == 5
    assert printed["difficulty"]["points"] is None
    assert len(printed["deck"]) == 50


def test_all_quick_agents_play_it_by_default():
    names = {row["name"] for row in deal("1", "-p", "2", "-n", "0")["agents"]}
    assert {"smartbot", "information", "tamaya-mixed", "iggi"} <= names
    assert not names & {"search", "ris-mcts", "hatbot"}


def test_the_deck_of_a_file_and_what_its_players_made_of_it(tmp_path):
    game = play("piers", Rules(players=3), 1, seed=8, record=True).game(0)
    game.save(tmp_path / "game.txt")
    options = str(tmp_path / "game.txt"), "--agents", "certainty,piers", "-n", "0"
    printed = deal(*options, "--team", "certainty", "--seat", "1")
    rows = {row["name"]: row for row in printed["agents"]}
    assert rows["its players"]["score"] == game.score
    assert rows["its players"]["is_given"] and not rows["piers"]["is_given"]
    alone = Game(game.rules, deck=game.deck)
    assert printed["deck"] and alone.deck == game.deck
    shown = run_command("deal", *options).stdout
    assert "its players (this game)" in shown and "Deal" in shown


def test_tables_and_difficulty_for_people():
    options = "deal", "7", "--agents", "iggi,certainty", "--team", "iggi", "-n", "4"
    shown = run_command(*options).stdout
    assert "Deal 7 game 0, 2 players" in shown
    assert " points) with seat 0 replaced" in shown
    assert "difficulty" in shown and "%" in shown


def test_mistakes_are_one_line():
    for arguments, message in (
        (("1", "--agents", "nobody"), "unknown agent 'nobody'"),
        (("no-such-file",), "no-such-file"),
        (("1", "--agents", "iggi", "--team", "iggi", "--seat", "3"), "seat 3 is not a seat"),
    ):
        finished = run_command("deal", *arguments)
        assert finished.returncode == 1
        assert message in finished.stderr and finished.stderr.count("\n") == 1
