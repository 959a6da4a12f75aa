"""The store: returns what it was given, upgrades itself, and tolerates several writers."""

import json
import multiprocessing
import signal
import subprocess
import sys
import time

import pytest
from sqlalchemy import inspect

from postgres import postgres_server
from support import run_command
from tamaya.arena.executor import Task, Threads, carry_out
from tamaya.arena.match import Match
from tamaya.arena.runner import Runner
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.store.database import MissingStore, Store, StoreError
from tamaya.store.schema import metadata

MATCH = Match(("example",), Rules(players=2), 7)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """URL of a real server, started for these tests."""
    with postgres_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'results.db'}"
    return request.getfixturevalue("postgres")


def test_chunks_come_back(url):
    store = Store(url)
    done = carry_out(Task(MATCH, 100, 50))
    store.add_chunk(done)
    store.add_chunk(done)
    assert Store(url).chunks(MATCH)[100, 50] == done
    assert (0, 50) not in store.chunks(MATCH)
    store.close()


def test_parts_come_back(url):
    store = Store(url)
    store.add_part(MATCH, "gains", 3, {"score": 17, "gain": [0.1, -2.5]})
    store.add_part(MATCH, "gains", 3, {"score": 18})  # the first one stays
    store.add_part(MATCH, "gains", 5, None)
    store.add_part(MATCH, "others", 4, {})
    again = Store(url)
    assert again.parts(MATCH, "gains") == {3: {"score": 17, "gain": [0.1, -2.5]}, 5: None}
    assert again.parts(Match(("example",), Rules(players=2), 8), "gains") == {}
    again.close()
    store.close()


def test_results_come_back_with_their_circumstances(url):
    store = Store(url)
    number = store.add_result("selfplay", "someone", {"seed": 3}, {"mean": 1.5}, 2.25)
    [row] = [row for row in store.results("selfplay", "someone") if row["id"] == number]
    assert row["config"] == {"seed": 3}
    assert row["document"] == {"mean": 1.5}
    assert row["seconds"] == 2.25
    assert row["version"]
    assert row["created"].startswith("20")
    assert store.results("nothing") == []
    store.close()


def test_games_come_back(url):
    store = Store(url)
    played = MATCH.play(20, 5, record=True)
    games = [played.game(k) for k in range(5)]
    store.add_games(MATCH, 20, games)
    store.add_games(MATCH, 20, games)
    kept = store.games(MATCH)
    assert list(kept) == [20, 21, 22, 23, 24]
    assert list(kept.values()) == games
    assert all(isinstance(game, Game) for game in kept.values())
    store.close()


def _play_into(url: str, seed: int) -> None:
    for number in range(3):
        match = Match(("random",), Rules(players=2 + number), seed)
        Runner(Threads(1), Store(url), chunk=10).play([match], 200)


def test_two_processes_write_at_once(url):
    context = multiprocessing.get_context("spawn")
    shared = [context.Process(target=_play_into, args=(url, 11)) for _ in range(2)]
    apart = context.Process(target=_play_into, args=(url, 12))
    for process in (*shared, apart):
        process.start()
    for process in (*shared, apart):
        process.join()
        assert process.exitcode == 0
    store = Store(url)
    for seed in (11, 12):
        for players in (2, 3, 4):
            assert len(store.chunks(Match(("random",), Rules(players=players), seed))) == 20
    store.close()


REPRODUCE = "reproduce", "bouzy-1", "-n", "1000", "--json", "--store"


def reproduced(url: str) -> list[dict]:
    """The rows that the command prints, without the time they took."""
    rows = json.loads(run_command(*REPRODUCE, url).stdout)["rows"]
    for row in rows:
        del row["seconds"]
    return rows


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The rows of a run that was not killed."""
    return reproduced(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'whole.db'}")


def test_a_killed_run_goes_on_and_ends_like_one_that_was_not(url, whole):
    process = subprocess.Popen(
        [sys.executable, "-m", "tamaya", *REPRODUCE, url], stdout=subprocess.DEVNULL
    )
    store = Store(url)
    tables = [
        Rules(players=players, hand_size=cards, bomb="keep", empty_hints=True)
        for players in range(2, 6)
        for cards in (3, 4, 5)
    ]

    def n_kept() -> int:
        """Games kept so far."""
        matches = [Match(("certainty:spare=true",), rules, 0) for rules in tables]
        return sum(games for match in matches for _, games in store.chunks(match))

    while n_kept() < 1000 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 1000 <= n_kept() < 12_000
    finished = reproduced(url)
    assert n_kept() == 12_000
    assert finished == whole
    store.close()


def test_a_plain_path_is_a_sqlite_file(tmp_path):
    store = Store(str(tmp_path / "deep" / "results.db"))
    assert store.url.startswith("sqlite:///")
    assert (tmp_path / "deep" / "results.db").exists()


@pytest.mark.parametrize(
    ("url", "culprit"),
    [
        ("oracle://somewhere", "oracle"),
        ("sqlite:////proc/nothing/results.db", "proc/nothing"),
        ("postgresql://nobody@127.0.0.1:1/none", "127.0.0.1"),
    ],
)
def test_stores_that_cannot_be_opened_are_named(url, culprit):
    with pytest.raises(StoreError, match=culprit):
        Store(url)


def test_a_store_that_must_exist_is_not_made(tmp_path):
    file = tmp_path / "deep" / "nofile.db"
    with pytest.raises(MissingStore, match=r"nofile\.db: there is no such file"):
        Store(str(file), must_exist=True)
    assert not file.parent.exists()
    Store(str(file)).close()
    Store(str(file), must_exist=True).close()


def test_unknown_databases_say_what_is_possible():
    with pytest.raises(StoreError, match=r"unknown kind of database 'mysql'.*tamaya\[postgres\]"):
        Store("mysql://lab@host/name")


def test_a_missing_driver_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr("tamaya.store.database.find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r"needs psycopg: pip install 'tamaya\[postgres\]'"):
        Store("postgresql://lab@host/name")


def test_a_full_disk_is_an_error_that_names_the_store(tmp_path):
    store = Store(str(tmp_path / "r.db"))
    pages = "PRAGMA max_page_count = 1"
    with store.engine.connect() as connection:
        connection.exec_driver_sql(pages)
    with pytest.raises(StoreError, match=r"r\.db: database or disk is full"):
        store.add_result("selfplay", "x", {}, {"text": "x" * 10**6}, 0.0)


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_was_deleted_is_missed_and_not_made_again(tmp_path, is_replaced):
    file = tmp_path / "r.db"
    store = Store(str(file))
    store.add_result("selfplay", "x", {}, {}, 0.0)
    file.rename(tmp_path / "elsewhere.db")
    if is_replaced:
        file.write_bytes(b"")
    for use in (store.results, lambda: store.add_result("selfplay", "x", {}, {}, 0.0)):
        with pytest.raises(StoreError, match=r"r\.db: its file was deleted or replaced"):
            use()
    assert file.exists() == is_replaced
    (tmp_path / "elsewhere.db").replace(file)
    assert len(store.results()) == 1


def test_a_file_that_is_no_database_is_named(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but long enough to be taken for a header of one")
    with pytest.raises(StoreError, match=r"notes\.txt"):
        Store(str(file))


def test_an_old_store_gets_the_tables_of_the_web_and_keeps_its_results(url, tmp_path):
    if url.startswith("sqlite"):  # as version 0.1 left it
        old = Store(url)
        old.add_result("selfplay", "someone", {"seed": 3}, {"mean": 1.5}, 2.25)
        with old.engine.begin() as connection:
            for name in ("acquaintances", "analyses", "notes", "events", "seats", "tables",
                         "deal_results", "deals"):  # fmt: skip
                connection.exec_driver_sql(f"DROP TABLE web_{name}")
            connection.exec_driver_sql("DROP TABLE parts")
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
        old.close()
    store = Store(url)
    names = set(inspect(store.engine).get_table_names())
    assert {table.name for table in metadata.sorted_tables} <= names
    if url.startswith("sqlite"):
        assert [row["name"] for row in store.results()] == ["someone"]
    store.close()


def test_migrations_and_schema_say_the_same(url):
    """What migrations create, column by column, is what the schema describes."""
    store = Store(url)
    found = inspect(store.engine)
    for table in metadata.sorted_tables:
        columns = {column["name"]: column for column in found.get_columns(table.name)}
        assert set(columns) == {column.name for column in table.columns}
        for column in table.columns:
            assert columns[column.name]["nullable"] == column.nullable, (table.name, column.name)
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key]
        indexes = {index["name"] for index in found.get_indexes(table.name)}
        assert {index.name for index in table.indexes} <= indexes
    store.close()
