"""Learning curves: read from folders of runs and from cards, no torch needed."""

import json

import pytest

from support import write_run
from tamaya.cli.main import app
from tamaya.learn.curves import Curve, curves_of
from tamaya.report.learning import learning_chart, published_scores


def test_a_run_has_one_curve(tmp_path):
    write_run(tmp_path / "mine", 3, 10.0, 14.5, 14.0)
    (curve,) = curves_of(str(tmp_path / "mine"))
    assert (curve.name, curve.seed, curve.turns, curve.best) == ("mine", 3, 3_000_005, 14.5)
    assert curve.points == ((10**6, 10.0), (2 * 10**6, 14.5), (3 * 10**6, 14.0))
    assert curve.cpu_seconds == 151 and curve.test is None


def test_a_folder_of_runs_has_the_curves_of_all_that_were_validated(tmp_path):
    for seed, means in ((1, [5.0]), (2, [6.0, 7.0]), (3, [])):
        write_run(tmp_path / f"seed-{seed}", seed, *means)
    assert [curve.seed for curve in curves_of(str(tmp_path))] == [1, 2]
    with pytest.raises(ValueError, match="contains no training run"):
        curves_of(str(tmp_path / "seed-3"))


def test_cards_hold_curves_and_tests_of_others_too(tmp_path):
    score = {"games": 10, "mean": 12.0, "se": 0.5, "perfect": 0.1, "histogram": [10]}
    card = {"algorithm": "acha", "preset": "self-play", "rules": "players=2", "seed": 1,
            "turns": 9, "cpu_seconds": 2, "curve": [[4, 1.5], [9, 3.0]],
            "score": score}  # fmt: skip
    other = {**card, "name": "member-2", "seed": 2, "curve": [[9, 2.0]], "score": None}
    (tmp_path / "mine.json").write_text(json.dumps({**card, "others": [other]}))
    first, second = curves_of(str(tmp_path / "mine.npz"))
    assert (first.name, first.best, first.test) == ("mine", 3.0, score)
    assert (second.name, second.seed, second.best, second.test) == ("member-2", 2, 2.0, None)


def test_agents_that_were_not_trained_are_named():
    with pytest.raises(ValueError, match="certainty was not trained"):
        curves_of("certainty")


def test_the_command_prints_draws_and_keeps(tmp_path, capsys):
    write_run(tmp_path / "mine", 3, 10.0, 14.5)
    chart = tmp_path / "curves.svg"
    options = ["--store", str(tmp_path / "s.db"), "--chart", str(chart)]
    app(["curves", str(tmp_path / "mine"), *options], standalone_mode=False)
    printed = capsys.readouterr().out
    assert "14.50" in printed and "perfect" in printed and "…" not in printed  # wider than 80
    assert "million turns" in chart.read_text()
    app(["results", "--store", str(tmp_path / "s.db")], standalone_mode=False)
    assert "training" in capsys.readouterr().out
    with pytest.raises(ValueError, match="expected a name that ends in"):
        app(["curves", str(tmp_path / "mine"), "--chart", "x.pdf"], standalone_mode=False)


def test_the_best_of_each_algorithm_is_strong_and_published_scores_are_dashed():
    rows = [
        Curve(name, name, "self-play", "players=2", 1, 2, 1.0, ((1, 2.0), (2, best)))
        for name, best in (("ppo", 20.0), ("ppo", 22.0), ("rainbow", 15.0))
    ]
    faint, strong, dashed = (layer.data.values for layer in learning_chart(rows, 2).layer)
    assert {value["run"] for value in faint} == {0}
    assert {value["run"] for value in strong} == {1, 2}
    assert dashed == [{"score": 20.64, "algorithm": "rainbow"}]
    assert published_scores(3) == {"rainbow": 18.71, "acha": 20.24}
    assert len(learning_chart(rows).layer) == 2


def test_a_folder_that_is_not_there_is_no_unknown_agent():
    with pytest.raises(ValueError, match="runs/nope: there is no such folder"):
        curves_of("runs/nope")


def test_agents_that_learned_from_people_have_no_curve():
    with pytest.raises(ValueError, match="human did not learn by playing and has no curve"):
        curves_of("human")
