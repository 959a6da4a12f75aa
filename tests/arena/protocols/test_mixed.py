"""Mirror and mixed play: averages over table sizes and partners."""

import numpy as np
import pytest

from tamaya.agent import AgentError
from tamaya.arena.executor import Threads
from tamaya.arena.match import ONE, Match
from tamaya.arena.protocols.mixed import Config, mirror, mixed, run
from tamaya.arena.runner import Runner
from tamaya.rules import Rules

RUNNER = Runner(Threads(2), chunk=100)


def test_mirror_averages_over_sizes():
    tables = [Rules(players=players, bomb="keep") for players in (2, 3)]
    evaluation = mirror("example", tables, 150, 1, RUNNER)
    assert [size.games for size in evaluation.by_players] == [150, 150]
    assert evaluation.mean == pytest.approx(np.mean([size.mean for size in evaluation.by_players]))
    assert [cell.partner for cell in evaluation.cells] == ["example", "example"]


def test_mixed_has_a_cell_per_size_and_partner():
    tables = [Rules(players=players, bomb="keep") for players in (2, 4)]
    evaluation = mixed("certainty", ("example", "random"), tables, 100, 1, RUNNER)
    places = [(cell.players, cell.partner) for cell in evaluation.cells]
    assert places == [(2, "example"), (2, "random"), (4, "example"), (4, "random")]
    assert evaluation.mean == pytest.approx(np.mean([cell.mean for cell in evaluation.cells]))
    tally = Match(("certainty", "random"), tables[1], 1, ONE).tally(0, 100)
    last = evaluation.cells[-1]
    assert (last.mean, last.se, last.bombed) == (tally.mean, tally.se, tally.bombed / 100)


def test_rows_for_cells_sizes_and_averages():
    config = Config("certainty", ("example", "random"), "2,3", games=30, pool_name="mine")
    result = run(config, RUNNER)
    rows = result.rows()
    figures = [row["figure"] for row in rows]
    assert figures == ["mirror"] * 2 + ["mirror by size"] * 2 + ["mirror average"] + [
        "mixed"] * 4 + ["mixed by size"] * 2 + ["mixed average"]  # fmt: skip
    assert {row["row"] for row in rows} == {"certainty"}
    assert rows[-1]["mean"] == result.mixed.mean and rows[-1]["games"] == 120
    assert rows[5]["partner"] == "example" and rows[5]["mean"] == result.mixed.cells[0].mean
    assert result.to_document()["pool"] == "mine"
    assert config.n_games() == 30 * 2 * 3


def test_partners_that_cannot_sit_at_a_table_are_named_before_anything_is_played():
    with pytest.raises(AgentError, match="'hatbot' plays with 5 players, not 2"):
        Config("random", ("hatbot",), "2-5").n_games()
