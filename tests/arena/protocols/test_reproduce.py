"""Published tables played again: what is compared, and what is said about it."""

import numpy as np
import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.protocols.reproduce import (
    MISSING,
    ROUNDING,
    Config,
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
