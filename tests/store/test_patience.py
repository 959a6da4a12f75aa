"""A locked database: said at once and again, and given up with the reason."""

import sqlite3
import threading

import pytest
from sqlalchemy.exc import OperationalError

from tamaya.store import patience
from tamaya.store.database import Store, StoreError
from tamaya.store.patience import StillLocked, patiently


class Clock:
    """Time that passes only while somebody sleeps or a database is busy."""

    def __init__(self, monkeypatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(patience, "monotonic", lambda: self.now)
        monkeypatch.setattr(patience, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def locked() -> OperationalError:
    return OperationalError("INSERT", {}, sqlite3.OperationalError("database is locked"))


def test_it_says_so_at_once_and_every_few_seconds_and_gives_up_after_a_minute(clock, capsys):
    def action() -> None:
        clock.now += patience.BUSY_SECONDS  # SQLite waits by itself
        raise locked()

    with pytest.raises(StillLocked, match="database is locked by another process, gave up after 6"):
        patiently(action, "the store x.db")
    said = capsys.readouterr().err.splitlines()
    assert (
        said[0] == "tamaya: the store x.db is locked by another process; waiting, 1 of 60 seconds"
    )
    assert len(said) == 11
    assert 160 <= clock.now < 163


def test_a_lock_that_is_released_is_no_error(clock, capsys):
    left = [locked(), locked()]

    def action() -> str:
        if left:
            raise left.pop()
        return "done"

    assert patiently(action, "the store x.db") == "done"
    assert capsys.readouterr().err.count("\n") == 1


def test_other_errors_are_not_waited_for(clock):
    def action() -> None:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("disk I/O error"))

    with pytest.raises(OperationalError, match="disk I/O error"):
        patiently(action, "x")
    assert clock.now == 100.0


@pytest.fixture
def quick(monkeypatch):
    """Seconds in place of a minute."""
    monkeypatch.setattr("tamaya.store.database.BUSY_SECONDS", 0.05)
    monkeypatch.setattr(patience, "SAY_SECONDS", 0.2)
    monkeypatch.setattr(patience, "GIVE_UP_SECONDS", 0.6)


def test_a_store_that_stays_locked_is_named(tmp_path, quick, capsys):
    file = tmp_path / "r.db"
    store = Store(str(file))
    other = sqlite3.connect(file)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"store sqlite:///.*r\.db: database is locked"):
        store.add_result("selfplay", "x", {}, {}, 0.0)
    assert store.results() == []  # readers do not wait for a writer
    assert Store(str(file)).results() == []
    said = capsys.readouterr().err
    assert "r.db is locked by another process; waiting" in said
    assert said.count("\n") > 1
    other.rollback()
    assert store.add_result("selfplay", "x", {}, {}, 0.0) == 1


def test_a_store_that_is_released_is_written_to(tmp_path, quick):
    file = tmp_path / "r.db"
    store = Store(str(file))
    other = sqlite3.connect(file, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.rollback)
    release.start()
    assert store.add_result("selfplay", "x", {}, {}, 0.0) == 1
    release.join()
