"""The protocol of losses: games in their order, whatever the workers, and figures that add up."""

import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.match import Match
from tamaya.arena.protocols import losses, read_result
from tamaya.arena.protocols.losses import Config, LossTask, run
from tamaya.arena.runner import Runner
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play


def test_chunks_and_threads_change_nothing(monkeypatch):
    found = []
    for threads, chunk in ((1, 50), (2, 3)):
        monkeypatch.setattr(losses, "CHUNK", chunk)
        found.append(run(Config("example", "2", 8, seed=3), Runner(Threads(threads))).tables)
    assert found[0] == found[1]


def test_the_lost_games_are_the_first_ones_in_order():
    result = run(Config("certainty", "2,3", 10, seed=3), Runner(Threads(1)))
    for table in result.tables:
        scores = play("certainty", table.rules, table.games, seed=3).results["score"].tolist()
        lost = [k for k, score in enumerate(scores) if score < 25]
        assert [loss.game for loss in table.losses] == lost
        assert [loss.score for loss in table.losses] == [scores[k] for k in lost]
        assert len(lost) == 10
        assert table.games == lost[-1] + 1
        assert table.mean == pytest.approx(sum(scores) / len(scores))


def test_no_more_games_than_allowed():
    [table] = run(Config("information", "4", 1000, games=40, seed=5), Runner(Threads(1))).tables
    scores = play("information", Rules(players=4), 40, seed=5).results["score"]
    assert (table.games, len(table.losses)) == (40, (scores < 25).sum())


def test_causes_divide_the_lost_games():
    [table] = run(Config("information", "2", 40, seed=5), Runner(Threads(2))).tables
    causes = table.causes()
    assert len(causes) > 3
    assert sum(cause.lost for cause in causes) == 40
    assert sum(cause.share for cause in causes) == pytest.approx(1)
    assert sum(cause.points for cause in causes) == table.points
    assert 25 - sum(cause.per_game for cause in causes) == pytest.approx(table.mean)
    known = [loss for loss in table.losses if loss.move]
    assert sum(sum(cause.moves.values()) for cause in causes) == len(known)
    assert sum(row.lost for row in table.losing_moves()) == len(known)


def test_a_table_without_lost_games():
    result = run(Config("information", "4", 10, games=3, seed=5), Runner(Threads(1)))
    [table] = result.tables
    assert (table.losses, table.causes(), table.mean) == ((), [], 25)
    assert result.rows() == []


def test_documents_and_rows():
    config = Config("certainty", "2", 5, 100, 3, "lives=2", positions=1000)
    result = run(config, Runner(Threads(1)))
    stored = {"protocol": "losses", "config": config.to_document(),
              "document": result.to_document()}  # fmt: skip
    assert read_result(stored) == result
    assert result.command() == (
        "tamaya losses certainty -p 2 --lost 5 -n 100 --seed 3 --rules lives=2 --positions 1000"
    )
    rows = result.rows()
    assert {row["figure"] for row in rows} == {"losses"}
    assert sum(row["lost"] for row in rows) == 5
    kinds = sum(row[f"losing_{kind}s"] for row in rows for kind in ("play", "discard", "hint"))
    assert kinds <= 5


def test_games_are_handed_on():
    kept = []
    config = Config("certainty", "2", 5, seed=3)
    [table] = run(config, Runner(Threads(2)), keep=lambda *lost: kept.append(lost)).tables
    assert tuple(loss for _, loss, _ in kept) == table.losses
    for rules, loss, game in kept:
        assert game == Game.from_record(rules, play("certainty", rules, 1, seed=3, first=loss.game,
                                                    record=True).records[0])  # fmt: skip


def test_other_code_is_refused():
    task = LossTask(Match(("random",), Rules(players=2), 0), 0, 1, 10, "0000")
    with pytest.raises(ValueError, match="different code for the agents random"):
        task.carry_out()
