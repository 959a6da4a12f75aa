"""Protocols run into the store: every result with what decided it."""

import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.protocols import crossplay, read_result, selfplay, training
from tamaya.arena.runner import Runner
from tamaya.store.database import Store
from tamaya.store.results import run_and_store


@pytest.fixture
def store(tmp_path):
    opened = Store(str(tmp_path / "r.db"))
    yield opened
    opened.close()


def test_results_come_back_as_they_were(store):
    configs = [crossplay.Config(("example", "random"), f"players={n}", 20, 3) for n in (2, 3)]
    results = run_and_store(crossplay.PROTOCOL, configs, Runner(Threads(1)), store)
    rows = store.results()
    assert [row["name"] for row in rows] == ["2 players", "3 players"]
    for row, config, result in zip(rows, configs, results, strict=True):
        again = read_result(row)
        assert again.config == config == result.config
        assert again.to_document() == result.to_document()
        assert row["seconds"] == result.seconds


def test_what_is_finished_is_stored_though_the_next_fails(store):
    configs = [
        crossplay.Config(("example",), "players=2", 5),
        crossplay.Config(("nobody",), "players=2", 5),
    ]
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        run_and_store(crossplay.PROTOCOL, configs, Runner(Threads(1)), store)
    assert len(store.results("crossplay")) == 1


def test_many_agents_are_stored_one_by_one(store):
    configs = [selfplay.Config(name, "2", 20) for name in ("example", "random")]
    run_and_store(selfplay.PROTOCOL, configs, Runner(Threads(1), store), store)
    assert [row["name"] for row in store.results("selfplay")] == ["example", "random"]
    assert store.results()[0]["config"] == {
        "agent": "example", "players": "2", "games": 20, "seed": 0, "rules": "", "until_se": 0.0,
        "against": "",
    }  # fmt: skip


def test_protocols_take_what_commands_have_read(store):
    curve = training.Curve("a", "ppo", "small", "players=2", 1, 10, 2.0, ((10, 5.0),))
    config = training.Config(("a",))
    run_and_store(training.PROTOCOL, [config], Runner(), store, curves=[curve])
    assert read_result(store.results()[0]).curves == (curve,)
