"""Cross-play: crosstables of the agents at hand."""

import numpy as np
import pytest

from tamaya.agent import AgentError
from tamaya.arena.executor import Threads
from tamaya.arena.match import ONE, Match
from tamaya.arena.protocols.crossplay import Config, crossplay, n_cells, run
from tamaya.arena.runner import Runner
from tamaya.rules import Rules

RUNNER = Runner(Threads(2), chunk=100)
NAMES = ("certainty", "example", "random")


def test_crosstable_of_two_players_is_symmetric():
    table = crossplay(NAMES, Rules(players=2), 200, 3, RUNNER)
    assert n_cells(3, players=2) == 6
    assert (table.means == table.means.T).all()
    cell = Match(("certainty", "example"), Rules(players=2), 3, ONE).tally(0, 200)
    assert table.means[0, 1] == cell.mean
    assert table.errors[1, 0] == cell.se


def test_crosstable_of_more_players_is_not():
    table = crossplay(NAMES, Rules(players=3), 200, 3, RUNNER)
    assert n_cells(3, players=3) == 9
    assert (table.means != table.means.T).any()
    row = Match(("example", "certainty"), Rules(players=3), 3, ONE).tally(0, 200)
    assert table.means[1, 0] == row.mean


def test_statistics_of_a_crosstable():
    table = crossplay(NAMES, Rules(players=2), 100, 0, RUNNER)
    statistics = table.statistics()
    off = [table.means[i, j] for i in range(3) for j in range(3) if i != j]
    assert statistics["diagonal"] == pytest.approx(np.trace(table.means) / 3)
    assert statistics["off_diagonal"] == pytest.approx(np.mean(off))
    assert statistics["best_partner"]["certainty"]["partner"] == "example"


def test_a_row_for_each_cell():
    result = run(Config(("example", "random"), "players=4 bomb=keep", games=40, seed=2), RUNNER)
    rows = result.rows()
    pairs = [(row["row"], row["partner"]) for row in rows]
    assert pairs == [("example", "example"), ("example", "random"),
                     ("random", "example"), ("random", "random")]  # fmt: skip
    assert [row["mean"] for row in rows] == result.means.flatten().tolist()
    assert {(row["players"], row["hand_size"], row["games"]) for row in rows} == {(4, 4, 40)}
    assert result.config.rules_text == "bomb=keep"


def test_games_are_counted_before_they_are_played():
    assert Config(NAMES, "players=2", games=10).n_games() == 60
    assert Config(NAMES, "players=3", games=10).n_games() == 90
    with pytest.raises(AgentError, match="'hatbot' plays with 5 players, not 2"):
        Config(("hatbot", "random"), "players=2").n_games()


def test_one_game_has_no_error_and_its_document_says_so():
    result = run(Config(("random",), "players=2", games=1), RUNNER)
    document = result.to_document()
    assert document["errors"] == [[None]]
    assert np.isnan(type(result).from_document(document, {}).errors).all()
