"""Self-play: statistics against NumPy on known scores, results of one agent and of many."""

from dataclasses import replace

import numpy as np
import pytest

from tamaya.agent import AgentError
from tamaya.arena.executor import Threads
from tamaya.arena.protocols.selfplay import (
    Config,
    compare,
    run,
    run_many,
    selfplay,
    summarise,
)
from tamaya.arena.runner import Runner
from tamaya.records import OUT_OF_CARDS, OUT_OF_LIVES
from tamaya.rules import Rules
from tamaya.table import RESULT, Played, play

RUNNER = Runner(Threads(2), chunk=100)


def played_with(scores: list[int], rules: Rules | None = None) -> Played:
    results = np.zeros(len(scores), RESULT)
    results["score"] = scores
    results["points"] = [score or 7 for score in scores]
    results["status"] = [OUT_OF_CARDS if score else OUT_OF_LIVES for score in scores]
    results["n_moves"] = 60
    return Played(rules or Rules(), (), 0, 0, results, 2.0)


def test_known_scores():
    scores = [25, 20, 0, 25, 18]
    summary = summarise(played_with(scores))
    assert summary.mean == pytest.approx(np.mean(scores))
    assert summary.sd == pytest.approx(np.std(scores, ddof=1))
    assert summary.se == pytest.approx(np.std(scores, ddof=1) / 5**0.5)
    assert summary.perfect == 0.4
    assert summary.bombed == 0.2
    assert summary.mean_points_kept == pytest.approx((25 + 20 + 7 + 25 + 18) / 5)
    assert summary.moves == 300
    assert sum(summary.histogram) == 5
    assert summary.histogram[25] == 2
    assert len(summary.histogram) == 26


def test_perfect_means_the_best_score_of_the_rules():
    assert summarise(played_with([5, 4], Rules.preset("very-small"))).perfect == 0.5


def test_a_single_game_has_no_spread():
    summary = summarise(played_with([12]))
    assert np.isnan([summary.sd, summary.se]).all()
    assert summary.as_dict()["se"] is None


def test_no_games_are_an_error():
    with pytest.raises(ValueError, match="no games were played"):
        summarise(played_with([]))


def test_histogram_and_mean_agree_on_real_games():
    summary = summarise(play("example", Rules(players=3), 500))
    total = sum(score * n for score, n in enumerate(summary.histogram))
    assert summary.mean == pytest.approx(total / 500)


def test_selfplay_and_comparison_agree():
    alone = selfplay("certainty", Rules(players=2), 300, 2, RUNNER)
    pair = compare("certainty", "example", Rules(players=2), 300, 2, RUNNER)
    assert pair.mean == alone.mean
    other = selfplay("example", Rules(players=2), 300, 2, RUNNER)
    assert pair.other == pytest.approx(other.mean)
    assert pair.difference == pytest.approx(alone.mean - other.mean)


def test_many_agents_get_what_each_gets_alone():
    configs = [
        Config("certainty", "2,3", 60, 5),
        Config("example", "2", 1000, 5, until_se=0.5),
        Config("random", "4", 40, 5, "bomb=keep", against="example"),
    ]
    together = run_many(configs, RUNNER)
    for config, result in zip(configs, together, strict=True):
        alone = run(config, RUNNER)
        for one, other in zip(result.summaries, alone.summaries, strict=True):
            assert replace(one, seconds=0) == replace(other, seconds=0)
        assert result.comparisons == alone.comparisons
        assert (result.config, result.tables) == (config, alone.tables)
    assert [rules.players for rules in together[0].tables] == [2, 3]
    assert together[1].summaries[0].games < 1000
    assert together[2].comparisons[0].games == 40


def test_rows_for_sizes_and_comparisons():
    result = run(Config("certainty", "2,3", 60, against="random"), RUNNER)
    rows = result.rows()
    assert [row["figure"] for row in rows] == ["selfplay"] * 2 + ["comparison"] * 2
    first, summary = rows[0], result.summaries[0]
    assert (first["mean"], first["sd"], first["games"]) == (summary.mean, summary.sd, 60)
    assert (first["perfect_low"], first["perfect_high"]) == summary.perfect_interval
    assert [int(n) for n in first["histogram"].split()] == summary.histogram
    assert (rows[2]["partner"], rows[2]["difference"]) == (
        "random", result.comparisons[0].difference,
    )  # fmt: skip


def test_games_are_counted_and_sizes_checked_before_anything_is_played():
    assert Config("random", "2-5", 10).n_games() == 40
    assert Config("random", "2-5", 10, against="example").n_games() == 80
    with pytest.raises(AgentError, match="'hatbot' plays with 5 players, not 2"):
        Config("random", "2", against="hatbot").n_games()


def test_a_run_that_stopped_early_is_repeated_by_one_command():
    result = run(Config("certainty", "2,3", 1000, until_se=0.5, rules="bomb=keep"), RUNNER)
    assert result.command() == (
        "tamaya selfplay certainty -p 2,3 -n 1000 --seed 0 --rules bomb=keep --until-se 0.5"
    )


def test_without_the_standard_error_every_size_has_a_command_of_its_own():
    result = run(Config("path/to my.py:bot", "2,3"), _Nothing())
    assert result.command() == (
        "tamaya selfplay 'path/to my.py:bot' -p 2 -n 40 --seed 0 && "
        "tamaya selfplay 'path/to my.py:bot' -p 3 -n 40 --seed 0"
    )


class _Nothing(Runner):
    """Pretends that 40 games were played of every match."""

    def play_ranges(self, plan):
        from tamaya.arena.runner import Outcome
        from tamaya.arena.tally import Tally

        tally = Tally((0,) * 25 + (40,), (0,) * 25 + (40,))
        return [Outcome(match, tally, 1.0) for match, _ in plan]
