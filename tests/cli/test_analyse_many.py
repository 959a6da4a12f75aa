"""`tamaya analyse FOLDER`: a row per game, bad files named, and nothing worked out twice."""

import json

import pytest

from tamaya.game import Game
from tamaya.replays import to_json
from tamaya.rules import Rules
from tamaya.table import play

QUICK = ("--samples", "10", "--blueprint", "certainty")


@pytest.fixture(scope="module")
def games() -> list[Game]:
    played = play("iggi", Rules(players=2, colours=2), 2, seed=4, record=True)
    return [played.game(0), played.game(1)]


@pytest.fixture
def folder(games, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    games[0].save(folder / "a.txt")
    (folder / "b.json").write_text(json.dumps(to_json(games[1])))
    (folder / "c.txt").write_text("nonsense")
    Game().save(folder / "d.txt")
    return folder


def test_every_game_has_a_row_and_is_worked_out_once(document, games, folder):
    found = document("analyse", str(folder), *QUICK, "--agree", "iggi")
    assert [row["name"] for row in found["games"]] == [str(folder / n) for n in ("a.txt", "b.json")]
    assert [row["score"] for row in found["games"]] == [game.score for game in games]
    assert [row["turns"] for row in found["games"]] == [game.turn for game in games]
    totals = found["totals"]
    assert totals["agreed"] == totals["choices"] > 0
    assert totals["turns"] == sum(game.turn for game in games)
    assert [each["name"] for each in found["skipped"]] == [
        str(folder / n) for n in ("c.txt", "d.txt")
    ]
    assert found["skipped"][0]["reason"].startswith("not a game: expected")
    assert found["weighed"] > 0
    again = document("analyse", str(folder), *QUICK, "--agree", "iggi")
    assert again["weighed"] == 0
    assert again["games"] == found["games"]


def test_one_game_has_the_same_values(document, folder):
    many = document("analyse", str(folder), *QUICK)
    one = document("analyse", str(folder / "a.txt"), *QUICK)
    assert many["games"][0]["seats"] == one["seats"]
    assert many["games"][0]["sure_loss"] == pytest.approx(one["clear_loss"])


def test_people_get_a_table(tamaya, folder):
    finished = tamaya("analyse", str(folder / "a.txt"), str(folder / "b.json"), "gone.txt", *QUICK)
    assert finished.returncode == 0, finished.stderr
    for words in ("a.txt", "b.json", "all 2", "as the blueprint", "surely lost per move",
                  "skipped gone.txt: no such file", "as if certainty played on"):  # fmt: skip
        assert words in finished.stdout


def test_a_data_file_is_many_games(document, tamaya, games, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(to_json(game)) + "\n" for game in games))
    found = document("analyse", str(path), *QUICK)
    assert [row["name"] for row in found["games"]] == [f"{path}#1", f"{path}#2"]
    assert document("analyse", f"{path}#2", *QUICK)["score"] == games[1].score
    assert games[1].to_text() in tamaya("replay", f"{path}#2", "--to", "text").stdout
    counted = document("behaviour", str(path))
    assert counted["counts"]["games"] == 2


def test_people_are_compared(document, tamaya, games, tmp_path):
    path = tmp_path / "games.jsonl"
    lines = [
        {**to_json(game), "participant": f"p{k}", "human_seats": [1], "survey": {"exp": "new"}}
        for k, game in enumerate(games)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = document("analyse", str(path), *QUICK, "--by", "exp")
    [group] = found["groups"]
    moves = sum(game.turn // 2 for game in games)  # of the second seat
    assert (group["answer"], group["participants"], group["moves"]) == ("new", 2, moves)
    assert [[seat["seat"] for seat in row["seats"]] for row in found["games"]] == [[1], [1]]
    again = tamaya("analyse", str(path), *QUICK, "--by", "exp", "--sample", "1")
    assert again.returncode == 0, again.stderr
    for words in ("moves of people, as if certainty played on", "at most 1 game a row", "new"):
        assert words in again.stdout


def test_mistakes_are_named(tamaya, folder):
    for arguments, message in (
        ([str(folder), "--turn", "3"], "--turn and --svg are for one game"),
        ([str(folder), "--agree", "igi"], "unknown agent 'igi'"),
        ([str(folder), "--blueprint", "igi"], "unknown agent 'igi'"),
        ([str(folder), "--by", "exp"], "--by exp: no game answers it"),
        ([str(folder), "--sample", "3"], "--sample goes with --by"),
        ([str(folder / "a.txt"), "--by", "exp"], "--by and --sample are for many games"),
    ):
        finished = tamaya("analyse", *arguments)
        assert finished.returncode != 0
        assert message in finished.stderr


def test_codes_warn(tamaya, folder):
    finished = tamaya("analyse", str(folder / "a.txt"), "--turn", "1", "--samples", "2",
                      "--blueprint", "hat-information")  # fmt: skip
    assert "hat-information speaks a code:" in finished.stdout
