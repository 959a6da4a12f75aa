"""Published tables played again: what is compared, and what is said about it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.human_play import EVERYBODY, FIRST, HumanPlay, HumanScore
from tamaya.arena.protocols.reproduce import (
    MISSING,
    NO_LOGS,
    ROUNDING,
    TOO_FEW,
    Config,
    Result,
    check_logs,
    matches_of,
    n_games,
    reproduce,
    run,
)
from tamaya.arena.published import PublishedRow, PublishedTable, load_table
from tamaya.arena.runner import Runner

RUNNER = Runner(Threads(2), chunk=100)


def test_reproducing_marks_what_is_missing():
    table = load_table("bouzy-1")
    rows = reproduce(table, 1, RUNNER, games=100)
    assert len(rows) == 48
    assert n_games(table, 1, 100) == 100 * sum(bool(matches_of(row, 1)) for row in table.rows)
    for row, published in zip(rows, table.rows, strict=True):
        if matches_of(published, 1):
            assert row.games == 100
            derived = row.se * (100 / published.games) ** 0.5  # where no error is printed
            error = max(published.published_se or derived, ROUNDING)
            combined = (row.se**2 + error**2) ** 0.5
            assert row.z == pytest.approx((row.measured - row.published) / combined)
        else:
            assert (row.status, row.measured, row.z) == (MISSING, None, None)


def test_a_histogram_compares_the_share_of_games_scoring_at_least_k():
    table = load_table("bouzy-2")
    rows = reproduce(table, 1, RUNNER, games=400)
    shares = [row.measured for row in rows]
    assert sum(shares) == pytest.approx(1, abs=0.01)  # lower scores have no row
    for k, row in enumerate(rows):
        difference = sum(shares[k:]) - sum(other.published for other in table.rows[k:])
        assert np.sign(row.z) == np.sign(round(difference, 9))
    top = rows[-1]
    errors = [((p * (1 - p) + 1 / n) / n) ** 0.5 for p, n in ((top.measured, 400), (0.813, 10_000))]
    assert top.z == pytest.approx((top.measured - 0.813) / np.hypot(*errors))


def test_a_published_share_of_perfect_games_is_compared():
    row = PublishedRow("HatBot", "hatbot", 5, 0, 22.56, "selfplay", 0, "",
                       published_se=0.06, perfect=0.9)  # fmt: skip
    table = PublishedTable("made-up", "", "", "selfplay", 0, "", "", (row,))
    (found,) = reproduce(table, 1, RUNNER, games=400)
    assert abs(found.z) < 4
    assert found.perfect < 0.5
    assert found.perfect_z < -4
    assert found.status == "below"


def test_one_game_has_no_error_and_no_verdict():
    row = reproduce(load_table("bouzy-1"), 1, RUNNER, games=1)[0]
    assert (row.se, row.z, row.status) == (None, None, "too few games")


def test_learned_agents_have_rows_at_the_tables_they_were_trained_for():
    rows = [row for row in load_table("challenge-1").rows if row.agent == "acha"]
    assert [row.players for row in rows] == [2, 3, 4, 5]
    assert [bool(matches_of(row, 0)) for row in rows] == [True, False, False, False]


def test_a_row_for_each_published_figure():
    result = run(Config("bouzy-1", games=20, seed=3), RUNNER)
    rows = result.rows()
    assert len(rows) == 48
    for row, figure in zip(rows, result.figures, strict=True):
        assert (row["row"], row["published"], row["mean"]) == (figure.row, figure.published,
                                                               figure.measured)  # fmt: skip
        assert row["rules"] == "bomb=keep empty_hints=true"
    outcomes = RUNNER.play([match for row in load_table("bouzy-1").rows
                            for match in matches_of(row, 3)], 1)  # fmt: skip
    assert len({outcome.match for outcome in outcomes}) * 20 == Config("bouzy-1", 20, 3).n_games()


def test_a_table_of_another_version_still_has_a_configuration():
    config = Config("no-such-table")
    assert (config.rules_text, config.games_text) == ("of the table", "as in the paper")
    with pytest.raises(ValueError, match="unknown table 'no-such-table'"):
        config.n_games()


# Rows of human play.


HUMAN_ROW = PublishedRow("people", "", 2, 0, 14.99, "human", 73, "", partner="intentional",
                         published_se=0.488)  # fmt: skip
PLAYED_ROW = PublishedRow("example", "example", 2, 0, 10.0, "selfplay", 100, "")
TABLE = PublishedTable("made-up", "", "", "selfplay", 0, "", "", (HUMAN_ROW, PLAYED_ROW))


def human_play(*scores: tuple[str, float, float, int]) -> HumanPlay:
    """Logged first games, from (program, mean, standard error, games)."""
    rows = [
        HumanScore(program, EVERYBODY, FIRST, n, n, mean, se) for program, mean, se, n in scores
    ]
    return HumanPlay("games.csv", "abc", tuple(rows))


@pytest.fixture
def made_up(monkeypatch):
    monkeypatch.setattr("tamaya.arena.protocols.reproduce.load_table", lambda name: TABLE)


def test_people_are_not_played_but_compared_with_logged_games(made_up):
    config = Config("made-up", 100, 1, "games.csv", "abc")
    assert config.n_games() == 100
    result = run(config, RUNNER, human_play(("full", 9.0, 0.5, 50), ("intentional", 12.0, 0.6, 60)))
    people, example = result.figures
    assert (people.measured, people.se, people.games, people.agent) == (12.0, 0.6, 60, "")
    assert people.z == pytest.approx((12.0 - 14.99) / np.hypot(0.6, 0.488))
    assert people.status == "reproduced"
    assert example.measured == run(Config("made-up", 100, 1), RUNNER).figures[1].measured
    far = run(config, RUNNER, human_play(("intentional", 8.0, 0.6, 60))).figures[0]
    assert far.status == "below"


def test_an_error_of_people_that_is_not_published_comes_from_the_spread_of_logged_ones(monkeypatch):
    row = replace(HUMAN_ROW, published_se=None, games=15)
    table = replace(TABLE, rows=(row,))
    monkeypatch.setattr("tamaya.arena.protocols.reproduce.load_table", lambda name: table)
    result = run(Config("made-up"), RUNNER, human_play(("intentional", 12.0, 0.6, 60)))
    assert result.figures[0].z == pytest.approx((12.0 - 14.99) / np.hypot(0.6, 1.2))


def test_without_logged_games_the_row_says_so(made_up):
    people, example = run(Config("made-up", 20), RUNNER).figures
    assert (people.status, people.measured, people.z) == (NO_LOGS, None, None)
    assert example.measured is not None
    alone = run(Config("made-up", 20), RUNNER, human_play(("intentional", 12.0, float("nan"), 1)))
    assert (alone.figures[0].status, alone.figures[0].measured) == (TOO_FEW, 12.0)


def test_only_the_rows_that_are_named_are_played(made_up):
    config = Config("made-up", 20, 1, row="EXAM")
    assert config.n_games() == 20
    found = run(config, RUNNER)
    [example] = found.figures
    whole = run(Config("made-up", 20, 1), RUNNER).figures[1]
    assert (example.row, example.measured) == ("example", whole.measured)
    assert found.command() == "tamaya reproduce made-up -n 20 --seed 1 --row EXAM"
    assert config.title == "made-up: EXAM"
    people = Config("made-up", 20, 1, row="people")
    assert (people.n_games(), run(people, RUNNER).figures[0].status) == (0, NO_LOGS)
    with pytest.raises(ValueError, match="named like 'nobody': rows are 'people', 'example'"):
        run(Config("made-up", 20, 1, row="nobody"), RUNNER)


def test_results_with_and_without_logged_games_are_distinct_and_read_back(made_up):
    scores = human_play(("intentional", 12.0, 0.6, 60), ("outer", 9.0, float("nan"), 1))
    config = Config("made-up", 20, 1, "games.csv", "abc")
    found, without = run(config, RUNNER, scores), run(Config("made-up", 20, 1), RUNNER)
    assert found.config.to_document() != without.config.to_document()
    assert (found.config.title, without.config.title) == ("made-up, people: games.csv", "made-up")
    assert found.command() == "tamaya reproduce made-up -n 20 --seed 1 --data games.csv"
    assert without.command() == "tamaya reproduce made-up -n 20 --seed 1"
    assert "human" not in without.to_document()
    text = json.dumps(found.to_document(), allow_nan=False)
    again = Result.from_document(json.loads(text), found.config.to_document())
    assert json.dumps(again.to_document()) == text
    assert (again.config, again.figures, again.human[0]) == (
        config,
        found.figures,
        scores.scores[0],
    )
    rows = [row for row in again.rows() if row["figure"] == "human play"]
    assert [(row["row"], row["mean"], row["se"]) for row in rows] == [
        ("intentional", 12.0, 0.6), ("outer", 9.0, None),
    ]  # fmt: skip


def test_logged_games_must_be_of_use():
    human = human_play(("full", 12.0, 0.6, 60))
    with pytest.raises(ValueError, match=r"games\.csv: no first game of a person with "
                                         "'intentional'; people played with 'full'"):  # fmt: skip
        check_logs(TABLE, human)
    with pytest.raises(ValueError, match=r"games\.csv: table 'bouzy-1' has no row of human play"):
        run(Config("bouzy-1"), RUNNER, human)
