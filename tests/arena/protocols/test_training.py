"""The training protocol: curves side by side."""

from tamaya.arena.protocols.training import Config, Curve, run

TEST = {"games": 10, "mean": 12.0, "se": 0.5, "perfect": 0.1, "seed": 9, "histogram": [9, 1]}
CURVES = (
    Curve("a", "ppo", "self-play", "players=3 bomb=keep", 1, 200, 5.5, ((100, 3.5), (200, 3.0)),
          TEST),
    Curve("b", "acha", "small", "players=2", 2, 300, 1.0, ((300, 7.25),)),
)  # fmt: skip


def test_a_row_for_each_run_and_for_each_point():
    result = run(Config(("runs/a", "b")), None, CURVES)
    rows = result.rows()
    assert [row["figure"] for row in rows] == ["run", "validation", "validation", "run",
                                               "validation"]  # fmt: skip
    first = rows[0]
    assert (first["mean"], first["se"], first["games"], first["perfect"]) == (12.0, 0.5, 10, 0.1)
    assert (first["seed"], first["test_seed"], first["histogram"]) == (1, 9, "9 1")
    assert (first["best_validation"], first["turns"], first["cpu_seconds"]) == (3.5, 200, 5.5)
    assert (first["players"], first["rules"], first["algorithm"]) == (3, "bomb=keep", "ppo")
    assert [(row["turns"], row["mean"]) for row in rows[1:3]] == [(100, 3.5), (200, 3.0)]
    assert "mean" not in rows[3]  # it was not tested
    assert TEST["seed"] == 9


def test_its_name_command_and_time():
    result = run(Config(("runs/a", "b")), None, CURVES)
    assert (result.config.title, result.seconds) == ("a b", 6.5)
    assert result.command() == "tamaya curves runs/a b"
    assert result.config.n_games() == 0
