"""Statistics of self-play against NumPy on known scores."""

import numpy as np
import pytest

from tamaya.arena.selfplay import summarise
from tamaya.records import OUT_OF_CARDS, OUT_OF_LIVES
from tamaya.rules import Rules
from tamaya.table import RESULT, Played, play


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
