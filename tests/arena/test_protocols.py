"""Cross-play, mirror and mixed, ad-hoc teams and reproduction, on the agents at hand."""

from dataclasses import replace

import numpy as np
import pytest

from tamaya.agent import AgentError
from tamaya.arena.adhoc import SAMPLES, adhoc, sample_games
from tamaya.arena.crossplay import crossplay, n_cells
from tamaya.arena.executor import Threads
from tamaya.arena.match import ONE, Match
from tamaya.arena.mixed import mirror, mixed
from tamaya.arena.pools import pool_of
from tamaya.arena.published import load_table
from tamaya.arena.reproduce import MISSING, ROUNDING, matches_of, n_games, reproduce
from tamaya.arena.runner import Runner
from tamaya.arena.selfplay import compare, selfplay
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


def test_mirror_averages_over_sizes():
    tables = [Rules(players=players, bomb="keep") for players in (2, 3)]
    evaluation = mirror("example", tables, 150, 1, RUNNER)
    means = [tally.mean for tally in evaluation.by_players().values()]
    assert evaluation.total.games == 300
    assert evaluation.total.mean == pytest.approx(np.mean(means))


def test_mixed_has_a_cell_per_size_and_partner():
    tables = [Rules(players=players, bomb="keep") for players in (2, 4)]
    document = mixed("certainty", ("example", "random"), tables, 100, 1, RUNNER).as_dict()
    places = [(cell["players"], cell["partner"]) for cell in document["cells"]]
    assert places == [(2, "example"), (2, "random"), (4, "example"), (4, "random")]
    assert document["mean"] == pytest.approx(np.mean([c["mean"] for c in document["cells"]]))


def test_pools():
    assert pool_of("random,example") == ("random", "example")
    assert set(NAMES) <= set(pool_of("all"))
    assert pool_of("C")[:3] == ("iggi-c", "sample", "internal")
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        pool_of("random,nobody")


def test_adhoc_reports_both():
    team = adhoc("example", "certainty", Rules(players=2), 200, 5, RUNNER)
    assert team.trials.games == team.selfplay.games == 200
    assert not team.prepared
    assert team.trials == Match(("example", "certainty"), Rules(players=2), 5, ONE).tally(0, 200)


def test_samples_are_finished_selfplay_games_of_the_partner():
    first, second = (sample_games("certainty", Rules(players=3), 1, k) for k in (0, 1))
    assert len(first) == len(second) == SAMPLES
    assert all(game.is_over and game.record.lives == 3 for game in first)
    assert first[0].deck != second[0].deck


def test_an_agent_learns_from_the_samples(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(
        "from tamaya.agent import agent\n"
        "from tamaya.moves import play\n\n"
        "@agent('student', params={'slot': 0})\n"
        "def student(view, memory, params):\n"
        "    return play(view, params.slot)\n\n"
        "@student.prepare\n"
        "def study(samples):\n"
        "    assert len(samples) == 10\n"
        "    return {'slot': int(samples[0].score) % 3}\n"
    )
    team = adhoc(f"{file}:student", "certainty", Rules(players=2), 100, 5, RUNNER)
    assert team.prepared
    slots = [sample_games("certainty", Rules(players=2), 5, k)[0].score % 3 for k in range(100)]
    assert len(set(slots)) == 3
    total = 0.0
    for k, slot in enumerate(slots):
        text = f"{file}:student:slot={slot}" if slot else f"{file}:student"
        match = Match((text, "certainty"), Rules(players=2), 5, ONE)
        total += match.tally(k, 1).mean_points
    assert team.trials.mean_points == pytest.approx(total / 100)


def test_trials_must_fit_the_sets():
    with pytest.raises(ValueError, match=r"trials \(150\) must be a multiple"):
        adhoc("example", "random", Rules(players=2), 150, 0, RUNNER)


def test_selfplay_and_comparison_agree():
    alone = selfplay("certainty", Rules(players=2), 300, 2, RUNNER)
    pair = compare("certainty", "example", Rules(players=2), 300, 2, RUNNER)
    assert pair.mean == alone.mean
    other = selfplay("example", Rules(players=2), 300, 2, RUNNER)
    assert pair.other == pytest.approx(other.mean)
    assert pair.difference == pytest.approx(alone.mean - other.mean)


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


def test_an_error_too_small_for_its_games_is_not_believed():
    table = load_table("bouzy-1")
    row = replace(table.rows[0], agent="example", games=100, published_se=0.001)
    found = reproduce(replace(table, rows=(row,)), 1, RUNNER, games=200)[0]
    combined = found.se * (1 + 200 / 100) ** 0.5
    assert found.z == pytest.approx((found.measured - found.published) / combined)


def test_one_game_has_no_error_and_no_verdict():
    row = reproduce(load_table("bouzy-1"), 1, RUNNER, games=1)[0]
    assert (row.se, row.z, row.status) == (None, None, "too few games")


def test_what_is_asked_for_twice_is_played_once():
    match = Match(("random",), Rules(players=2), 3)
    first, second = Runner(Threads(4), chunk=10).play([match, match], 100)
    assert first == second
    assert first.tally.games == 100
    with pytest.raises(AgentError, match="agent 'random' is named twice"):
        pool_of("random,random")


def test_the_error_of_prepared_agents_is_that_of_sets(tmp_path):
    file = tmp_path / "fixed.py"
    file.write_text(
        "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
        "@agent('fixed', params={'slot': 0})\ndef fixed(view, memory, params):\n"
        "    return play(view, params.slot)\n\n"
        "@fixed.prepare\ndef study(samples):\n    return {}\n"
    )
    rules = Rules(players=2, bomb="keep")
    team = adhoc(f"{file}:fixed", "certainty", rules, 200, 5, RUNNER)
    match = Match((f"{file}:fixed", "certainty"), rules, 5, ONE)
    means = [match.tally(2 * k, 2).mean for k in range(100)]
    assert team.se == pytest.approx(np.std(means, ddof=1) / 10)
