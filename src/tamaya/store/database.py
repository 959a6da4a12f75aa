"""The store: a database of tallies, results and games.

Several processes may write at once: rows are inserted only if they do not exist, and all processes
wait for the lock of a SQLite file, see ``tamaya.store.patience``. The schema is brought up to date
when the store is opened.
"""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    Table,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

import tamaya
from tamaya.arena.executor import Task, TaskResult
from tamaya.arena.match import Match
from tamaya.arena.tally import Tally
from tamaya.game import Game
from tamaya.store import schema
from tamaya.store.patience import BUSY_SECONDS, StillLocked, patiently

Value = TypeVar("Value")
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x7A3A7A  # PostgreSQL's advisory lock for migrations


def _now() -> datetime:
    return datetime.now(UTC)


class StoreError(ValueError):
    """A database that cannot be opened or used; the message names it."""


class MissingStore(StoreError):
    """A database file that should exist but does not."""


def default_url() -> str:
    """``TAMAYA_STORE``, or a SQLite file in the user's data directory."""
    if chosen := os.environ.get("TAMAYA_STORE"):
        return chosen
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'tamaya' / 'results.db'}"


def full_url(url: str | None) -> str:
    """The URL of a database, from a URL, a path to a SQLite file, or None for the user's own."""
    url = url or default_url()
    return url if "://" in url else f"sqlite:///{url}"


def without_password(url: str) -> str:
    """A URL for display, without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url


class Store:
    """An open database; a plain path means a SQLite file, which is created if it does not exist.

    With ``must_exist`` a missing file is an error instead.
    """

    def __init__(self, url: str | None = None, must_exist: bool = False) -> None:
        self.url = full_url(url)
        self._match_ids: dict[Match, int] = {}
        self._file: tuple[Path, int] | None = None  # and its inode, once it is open
        try:
            file = sqlite_file(self.url)
            if must_exist and file is not None and not file.exists():
                raise MissingStore(f"store {self.address}: there is no such file")
            self.engine = _engine(self.url)
            self._patiently(lambda: _migrate(self.engine))
            if file is not None and file.exists():  # a URL may contain more than a path
                self._file = file.resolve(), file.stat().st_ino
        except (ArgumentError, SQLAlchemyError, OSError, ImportError) as error:
            raise StoreError(f"store {self.address}: {reason_of(error)}") from None

    @property
    def address(self) -> str:
        """The URL for display, without its password."""
        return without_password(self.url)

    def _patiently(self, action: Callable[[], Value]) -> Value:
        """Run an action, waiting for the lock of the database for a reasonable time."""
        self._check_file()
        try:
            return patiently(action, f"the store {self.address}")
        except (StillLocked, OperationalError) as error:
            raise StoreError(f"store {self.address}: {reason_of(error)}") from None

    def _check_file(self) -> None:
        """Refuse to continue with a deleted file: SQLite would, and all writes would be lost."""
        if self._file is None:
            return
        path, inode = self._file
        try:
            is_there = path.stat().st_ino == inode
        except OSError:
            is_there = False
        if not is_there:
            raise StoreError(f"store {self.address}: its file was deleted or replaced while in use")

    def read(self, query: Executable) -> list[Any]:
        """All rows of a query."""

        def read() -> list[Any]:
            with self.engine.connect() as connection:
                reader = connection.execution_options(isolation_level="AUTOCOMMIT")
                return list(reader.execute(query).all())

        return self._patiently(read)

    def write(self, action: Callable[[Connection], Value]) -> Value:
        """Run an action in one transaction."""

        def write() -> Value:
            with self.engine.begin() as connection:
                return action(connection)

        return self._patiently(write)

    def match_id(self, match: Match) -> int:
        """Number of a match, which is inserted if it is new."""
        if match not in self._match_ids:
            self._match_ids[match] = self.write(lambda connection: self._enter(connection, match))
        return self._match_ids[match]

    def _enter(self, connection: Connection, match: Match) -> int:
        self._insert_new(connection, schema.matches, key=match.key, document=match.as_dict(),
                         created=_now())  # fmt: skip
        query = select(schema.matches.c.id).where(schema.matches.c.key == match.key)
        return connection.scalars(query).one()

    def chunks(self, match: Match) -> dict[tuple[int, int], TaskResult]:
        """What has been played of a match, by first game and number of games."""
        query = select(schema.chunks).where(schema.chunks.c.match_id == self.match_id(match))
        return {
            (row.first, row.games): TaskResult(
                Task(match, row.first, row.games), Tally.from_dict(row.tally), row.seconds
            )
            for row in self.read(query)
        }

    def add_chunk(self, result: TaskResult) -> None:
        """Store the tally of a finished task."""
        values = {
            "match_id": self.match_id(result.task.match),
            "first": result.task.first,
            "games": result.task.games,
            "tally": result.tally.to_dict(),
            "seconds": result.seconds,
        }
        self.write(lambda connection: self._insert_new(connection, schema.chunks, **values))

    def parts(self, match: Match, kind: str) -> dict[int, Any]:
        """What was recorded about the games of a match, by their numbers."""
        table = schema.parts
        is_wanted = (table.c.match_id == self.match_id(match)) & (table.c.kind == kind)
        return {row.number: row.document for row in self.read(select(table).where(is_wanted))}

    def add_part(self, match: Match, kind: str, number: int, document: Any) -> None:
        """Store what was recorded about a game."""
        values = {"match_id": self.match_id(match), "kind": kind, "number": number,
                  "document": document}  # fmt: skip
        self.write(lambda connection: self._insert_new(connection, schema.parts, **values))

    def add_result(
        self,
        protocol: str,
        name: str,
        config: dict[str, Any],
        document: dict[str, Any],
        seconds: float,
    ) -> int:
        """Store the document of a protocol's result; returns its number."""
        row = insert(schema.results).values(
            protocol=protocol,
            name=name,
            config=config,
            document=document,
            version=tamaya.__version__,
            seconds=seconds,
            created=_now(),
        )
        key = self.write(lambda connection: connection.execute(row).inserted_primary_key)
        assert key is not None
        return int(key[0])

    def results(self, protocol: str | None = None, name: str | None = None) -> list[dict[str, Any]]:
        """The stored results, oldest first, of one protocol or name or of all."""
        table = schema.results
        query = select(table).order_by(table.c.id)
        if protocol is not None:
            query = query.where(table.c.protocol == protocol)
        if name is not None:
            query = query.where(table.c.name == name)
        rows = [row._mapping for row in self.read(query)]
        return [{**row, "created": row["created"].isoformat(timespec="seconds")} for row in rows]

    def add_games(self, match: Match, first: int, games: list[Game]) -> None:
        """Store recorded games of a match."""
        number = self.match_id(match)

        def enter(connection: Connection) -> None:
            for k, game in enumerate(games, first):
                self._insert_new(connection, schema.games, match_id=number, number=k,
                                 score=game.score, text=game.to_text())  # fmt: skip

        self.write(enter)

    def games(self, match: Match) -> dict[int, Game]:
        """The recorded games of a match by their number."""
        table = schema.games
        query = select(table).where(table.c.match_id == self.match_id(match))
        rows = self.read(query.order_by(table.c.number))
        return {row.number: Game.parse(row.text) for row in rows}

    def recorded_games(self) -> list[tuple[str, int, str]]:
        """All recorded games: name of the match, number within it, text."""
        query = (
            select(schema.matches.c.document, schema.games.c.number, schema.games.c.text)
            .join(schema.matches)
            .order_by(schema.games.c.id)
        )
        return [
            (
                f"{'+'.join(document['agents'])} {document['rules']['players']}p "
                f"seed {document['seed']}",
                number,
                text,
            )
            for document, number, text in self.read(query)
        ]

    def _insert_new(self, connection: Connection, table: Table, **values: Any) -> None:
        """Insert a row unless one with the same key exists."""
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for other databases and one in memory."""
    path = url.removeprefix("sqlite:///")
    return Path(path) if path != url and path not in ("", ":memory:") else None


def _engine(url: str) -> Engine:
    kind, _, rest = url.partition("://")
    if kind in ("postgresql", "postgres"):
        if find_spec("psycopg") is None:
            raise ImportError("PostgreSQL needs psycopg: pip install 'tamaya[postgres]'")
        url = f"postgresql+psycopg://{rest}"
    elif kind.partition("+")[0] not in ("sqlite", "postgresql"):
        expected = "a SQLite file or postgresql://user@host/name (pip install 'tamaya[postgres]')"
        raise ArgumentError(f"unknown kind of database {kind!r}: expected {expected}")
    file = sqlite_file(url)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, json_serializer=partial(json.dumps, allow_nan=False))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work at once, and writers wait for each other."""
    connection.isolation_level = None  # transactions are begun explicitly, see _begin_sqlite
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_SECONDS)}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a reader that becomes a writer would fail instead of waiting.

    Read-only connections are marked by an option, because the level that SQLite reports does not
    tell.
    """
    if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def reason_of(error: BaseException) -> str:
    """The error message of a database, in one line."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


def _revision(engine: Engine) -> str | None:
    """The revision of the schema, None in a new database; read without a lock."""
    with engine.connect() as connection:
        reader = connection.execution_options(isolation_level="AUTOCOMMIT")
        if not inspect(reader).has_table("alembic_version"):
            return None
        return reader.scalar(text("SELECT version_num FROM alembic_version"))


def _migrate(engine: Engine) -> None:
    """Bring the schema up to date, one process at a time."""
    newest = max(path.name for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))
    if _revision(engine) == newest.partition("_")[0]:
        return  # without importing Alembic, which takes as long as a short command
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise ArgumentError(
                f"another version of tamaya has changed it, probably a newer one ({error}); "
                "upgrade, or use another store (--store or TAMAYA_STORE)"
            ) from None
