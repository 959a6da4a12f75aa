"""`tamaya analyse`: a table, a chart, one document, and one line for mistakes."""

import json
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from support import run_command
from tamaya.cli import analyse as command
from tamaya.game import Game
from tamaya.moves import move_phrase, parse_move
from tamaya.replays import to_json
from tamaya.replays.lost import loss_document, loss_in, loss_words
from tamaya.replays.marks import Mark
from tamaya.rules import Rules
from tamaya.table import play


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TAMAYA_STORE", str(tmp_path / "results.db"))


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
    finished = run_command("analyse", *arguments, "--samples", "20")
    assert finished.returncode == 0, finished.stderr
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


def test_the_agent_that_played_is_the_blueprint(game, tmp_path):
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(to_json(game, agents=["iggi", "iggi"])))
    shown = run(str(saved), "--turn", "3-4")
    assert "as if iggi played on in all seats" in shown
    assert "convention" not in shown
    shown = run(str(saved), "--turn", "3-4", "-b", "piers")
    assert "a move by a convention that the blueprint does not know counts as a loss" in shown


def test_sums_agree_with_the_turns(file):
    document = json.loads(run(file, "--json"))
    marked = [
        row for row in document["turns"] if row["mark"] in ("blunder", "mistake", "inaccuracy")
    ]
    assert marked == [row for row in document["turns"] if row["is_clear"]] != []
    assert document["clear_loss"] == pytest.approx(sum(row["sure"] for row in marked))
    assert document["clear_loss"] == pytest.approx(sum(s["sure_loss"] for s in document["seats"]))
    assert [seat["turns"] for seat in document["seats"]] == [5, 5]


def test_open_turns_go_on_if_asked_to(file):
    rows = json.loads(run(file, "--json"))["turns"]
    document = json.loads(run(file, "--json", "--open-samples", "50"))
    assert (document["samples"], document["open_samples"]) == (20, 60)
    was_open = [row["mark"] == "open" for row in rows]
    assert any(was_open) and not all(was_open)
    for row, more in zip(rows, document["turns"], strict=True):
        if row["mark"] == "open":
            assert more["moves"][0]["samples"] in (40, 60)
        else:
            assert more == row


def test_people_get_a_line_per_turn_and_per_seat(game, file):
    shown = run(file)
    rows = json.loads(run(file, "--json"))["turns"]
    lines = [line.split() for line in shown.splitlines()]
    for row in rows:
        (line,) = [line for line in lines if line[:2] == [str(row["turn"]), str(row["seat"])]
                   and "±" in line]  # fmt: skip
        words = move_phrase(game.rules, parse_move(game.rules, row["played"])).split()
        assert line[2 : 2 + len(words)] == words
        sign = Mark(row["mark"]).sign
        assert (sign in line) or not sign
        assert line.count("±") == 1 + row["is_clear"]  # a loss is shown where it is sure
    assert "surely lost" in shown and "as the blueprint" in shown
    assert "?? ? ?!  surely lost 0.6, 0.3, 0.12 points or more" in shown  # of 15 points
    assert f"score {game.score}, {game.status}; 20 deals per turn; " in shown


def test_a_lost_game_says_up_to_which_turn_it_could_be_won(game, file, tmp_path):
    loss = loss_in(game)
    assert loss is not None
    assert f"\n  {loss_words(loss)}\n" in run(file)
    assert json.loads(run(file, "--json"))["lost"] == loss_document(loss)
    assert "lost" not in json.loads(run(file, "--json", "--turn", "3-4"))
    unfinished = tmp_path / "unfinished.txt"
    game.at(2).save(unfinished)
    assert json.loads(run(str(unfinished), "--json"))["lost"] is None


def test_a_turn_is_shown_with_all_its_moves(game, file):
    (row,) = json.loads(run(file, "--json", "--turn", "5"))["turns"]
    shown = run(file, "--turn", "5")
    assert shown.count("±") == 2 * len(row["moves"]) - 1  # no gain of the move played
    assert "gain over played" in shown and "played" in shown
    assert "; 20 deals\n" in shown


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        (Mark.BLUNDER, "?? blunder: play slot 1 is surely 1.2 points better"),
        (Mark.INACCURACY, "?! inaccuracy: play slot 1 is surely 1.2 points better"),
        (Mark.NONE, "no mark: no other move is surely better"),
        (Mark.OPEN, "… open: more deals could tell (--open-samples)"),
        (Mark.FORCED, "□ forced: the only legal move"),
    ],
)
def test_marks_are_said_in_words(mark, said):
    assert command._said_of(Game(), SimpleNamespace(mark=mark, best="p1", sure=1.23)) == said


def test_the_chart_is_saved(file, tmp_path):
    picture = tmp_path / "game.svg"
    finished = run_command("analyse", file, "--samples", "20", "--svg", str(picture))
    assert finished.stderr == f"saved {picture}: a chart\n"
    texts = "".join(ElementTree.fromstring(picture.read_text()).itertext())
    assert "expected score" in texts and "loss" in texts
    assert "surely lost" in texts and "not sure" in texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt"),
        (["FILE", "--turn", "0"], "the game has turns 1 to 10"),
        (["FILE", "--turn", "8-12"], "the game has turns 1 to 10"),
        (["FILE", "--turn", "ten"], "12 or 10-20"),
        (["FILE", "--blueprint", "igi"], "unknown agent 'igi'"),
        (["FILE", "--blueprint", "hatbot"], "plays with 5 players, not 2"),
        (["FILE", "--turn", "5-3"], "--turn 5-3: the game has turns 1 to 10"),
        (["FILE", "--turn", "-1"], "--turn must be like 12 or 10-20, not '-1'"),
        (["FILE", "--samples", "1"], "Invalid value for '--samples': "),
        (["FILE", "--open-samples", "-1"], "Invalid value for '--open-samples': "),
        (["FILE", "--seed", "x"], "Invalid value for '--seed': "),
        (["FILE", "--svg", "no/where.svg"], "--svg no/where.svg: there is no folder no"),
        (["DEALT"], "DEALT: the game has no moves to analyse"),
        ([], "Missing argument"),
    ],
)
def test_mistakes_are_named(file, tmp_path, arguments, message):
    dealt = tmp_path / "dealt.txt"
    Game().save(dealt)
    files = {"FILE": file, "DEALT": str(dealt)}
    finished = run_command("analyse", *(files.get(word, word) for word in arguments))
    assert finished.returncode != 0
    assert message.replace("DEALT", str(dealt)) in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert finished.stdout == ""
