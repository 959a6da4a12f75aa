"""The behaviour protocol: counted in chunks, of agents and of recorded games."""

import numpy as np
import pytest

from tamaya.arena.behaviour import behaviour_of
from tamaya.arena.executor import Threads
from tamaya.arena.match import Match
from tamaya.arena.protocols import behaviour
from tamaya.arena.protocols.behaviour import Config, run
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


def test_chunks_and_threads_change_nothing(monkeypatch):
    played = Match(("example",), Rules(players=3), 4).play(0, 50, record=True)
    whole = behaviour_of(played.records, played.rules)
    for threads, chunk in ((1, 50), (2, 7)):
        monkeypatch.setattr(behaviour, "CHUNK", chunk)
        runner = Runner(Threads(threads))
        result = run(Config("example", 3, 50, 4), runner)
        assert result.counted == whole
        assert runner.pace.played == 50
        assert result.seconds == pytest.approx(runner.pace.seconds)


def test_recorded_games_are_counted_as_they_are():
    played = Match(("certainty",), Rules(players=2), 1).play(0, 10, record=True)
    games = [played.game(k) for k in range(10)]
    result = run(Config("some/folder"), Runner(Threads(1)), games=games)
    assert result.counted == behaviour_of(played.records, played.rules)


def test_seats_of_people_are_counted_alone():
    played = Match(("certainty",), Rules(players=2), 1).play(0, 6, record=True)
    games = [played.game(k) for k in range(6)]
    config = Config("some/folder", people="new")
    result = run(config, Runner(Threads(1)), games=games, seats=[0, 1, 0, 1, 0, 1])
    expected = behaviour_of(played.records, played.rules, np.array([0, 1] * 3))
    assert result.counted == expected != behaviour_of(played.records, played.rules)
    assert config.title == "some/folder, people: new"
    assert config.arguments()[-2:] == ["--people", "new"]


def test_rows_for_rates_actions_and_pairs():
    result = run(Config("example", 2, 40), Runner(Threads(1)))
    counted, rows = result.counted, result.rows()
    assert [row["figure"] for row in rows] == ["behaviour"] + ["action"] * 20 + [
        "next action"
    ] * 400
    assert sum(rows[0][f"{kind}_rate"] for kind in counted.rates) == pytest.approx(1)
    assert rows[0]["play_success"] == counted.play_success
    assert (rows[0]["scored"], rows[0]["turns"]) == (counted.scored, counted.turns)
    assert sum(row["count"] for row in rows[1:21]) == counted.turns
    assert sum(row["share"] for row in rows[1:21]) == pytest.approx(1)
    shares = np.array([row["share"] for row in rows[21:]]).reshape(20, 20)
    assert np.array_equal(shares, counted.conditional(), equal_nan=True)
    assert (rows[21]["action"], rows[22]["next_action"]) == ("D1", "D2")


def test_a_path_of_games_is_no_agent(tmp_path):
    (tmp_path / "games").mkdir()
    assert Config(str(tmp_path / "games")).is_recorded
    assert Config(str(tmp_path / "games")).n_games() == 0
    assert not Config("example").is_recorded
    (tmp_path / "mine.rules").write_text("PlaySafeCard\n")
    assert not Config(str(tmp_path / "mine.rules")).is_recorded


def test_other_code_is_refused():
    task = behaviour.CountTask(Match(("random",), Rules(players=2), 0), 0, 1, "0000")
    with pytest.raises(ValueError, match="different code for the agents random"):
        task.carry_out()
