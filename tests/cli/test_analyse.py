"""`tamaya analyse`: a table, a chart, one document, and one line for mistakes."""

import json
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from support import permuted
from tamaya.cli.main import app
from tamaya.game import Game
from tamaya.replays import to_json
from tamaya.replays.analysis import analyse, analyst
from tamaya.rules import Rules
from tamaya.table import play


@pytest.fixture(scope="module")
def game() -> Game:
    """A short game: the last moves were mistakes."""
    played = play("iggi", Rules(players=2, colours=3), 1, seed=4, record=True).game(0)
    game = played.at(6)
    while not game.is_over:
        game.apply(game.legal_moves[len(game.legal_moves) // 2])
    return game.at(10)


@pytest.fixture(scope="module")
def file(game, tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("games") / "game.txt"
    game.save(path)
    return str(path)


def run(*arguments: str) -> str:
    finished = CliRunner().invoke(app, ["analyse", *arguments, "--samples", "20"])
    assert finished.exit_code == 0, finished.output
    return finished.stdout


def test_the_document_has_every_legal_move_of_every_turn(game, file):
    document = json.loads(run(file, "--json"))
    assert document["samples"] == 20
    assert document["score"] == game.score
    assert [row["turn"] for row in document["turns"]] == list(range(1, 11))
    for row in document["turns"]:
        before = game.at(row["turn"] - 1)
        assert row["seat"] == before.mover
        assert len(row["moves"]) == len(before.legal_moves)
        values = {value["move"]: value for value in row["moves"]}
        assert all(value["samples"] == 20 for value in row["moves"])
        best, played = values[row["best"]], values[row["played"]]
        assert row["loss"] == best["gain"] >= 0
        assert played["gain"] == 0
        assert best["mean"] - played["mean"] == pytest.approx(row["loss"])
        assert row["expected"] == played["mean"]


def test_any_format_is_read_and_turns_are_chosen(game, file, tmp_path):
    other = tmp_path / "game.json"
    other.write_text(json.dumps(to_json(game)))
    rows = [json.loads(run(str(path), "--json", "--turn", "3-4"))["turns"]
            for path in (file, other)]  # fmt: skip
    assert rows[0] == rows[1]
    assert [row["turn"] for row in rows[0]] == [3, 4]


def test_people_get_a_table_and_a_chart(file, tmp_path):
    picture = tmp_path / "game.svg"
    shown = run(file, "--svg", str(picture))
    assert "clear losses" in shown
    assert shown.count("±") == 20
    texts = "".join(ElementTree.fromstring(picture.read_text()).itertext())
    assert "expected score" in texts and "loss" in texts
    assert "gain over played" in run(file, "--turn", "5")


def test_threads_and_hidden_cards_change_nothing(game):
    agent = analyst("confidence", 5)
    rng = Random(1)
    for turn in (2, 8):
        stopped = game.at(turn - 1)
        other = permuted(stopped, stopped.mover, rng)
        other.apply(game.moves[turn - 1])
        rows = [analyse(g, agent, [turn], seed=1, threads=n) for g, n in ((game, 1), (other, 2))]
        assert rows[0] == rows[1]


def test_what_is_clear_is_said(game):
    rows = analyse(game, analyst("iggi", 200), range(1, game.turn + 1))
    assert np.mean([row.is_clear for row in rows[6:]]) >= np.mean(
        [row.is_clear for row in rows[:6]]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["FILE", "--turn", "0"], "the game has turns 1 to 10"),
        (["FILE", "--turn", "8-12"], "the game has turns 1 to 10"),
        (["FILE", "--turn", "ten"], "12 or 10-20"),
        (["FILE", "--blueprint", "igi"], "unknown agent 'igi'"),
        (["FILE", "--blueprint", "hatbot"], "plays with 5 players, not 2"),
    ],
)
def test_mistakes_are_named(file, arguments, message):
    arguments = [file if word == "FILE" else word for word in arguments]
    finished = CliRunner().invoke(app, ["analyse", *arguments])
    assert finished.exit_code != 0
    assert message in finished.output + str(finished.exception)
