"""The store: keeps tallies, results and games, and gives them back.

Several processes may write at once: rows are inserted only if they are not there, and SQLite
waits for its lock. The schema is brought up to date when the store is opened.
"""

import json
import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
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
from tamaya.arena.executor import Done, Task
from tamaya.arena.match import Match
from tamaya.arena.tally import Tally
from tamaya.game import Game
from tamaya.store import schema

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x7A3A7A  # PostgreSQL's advisory lock for migrations


def _now() -> datetime:
    return datetime.now(UTC)


class StoreError(ValueError):
    """A database that cannot be opened or used; the message names it."""


def default_url() -> str:
    """``TAMAYA_STORE``, or a SQLite file in the user's data directory."""
    if chosen := os.environ.get("TAMAYA_STORE"):
        return chosen
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{base / 'tamaya' / 'results.db'}"


class Store:
    """An open database; a plain path means a SQLite file."""

    def __init__(self, url: str | None = None) -> None:
        url = url or default_url()
        self.url = url if "://" in url else f"sqlite:///{url}"
        self._match_ids: dict[Match, int] = {}
        try:
            self.engine = _engine(self.url)
            _migrate_patiently(self.engine)
        except (ArgumentError, SQLAlchemyError, OSError, ImportError) as error:
            raise StoreError(f"store {self.address}: {reason_of(error)}") from None

    @property
    def address(self) -> str:
        """The URL without its password, for people."""
        try:
            return make_url(self.url).render_as_string(hide_password=True)
        except ArgumentError:
            return self.url

    def _reading(self) -> Connection:
        return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def match_id(self, match: Match) -> int:
        """Number of a match, which is entered if it is new."""
        if match not in self._match_ids:
            with self.engine.begin() as connection:
                self._insert_new(connection, schema.matches, key=match.key,
                                 document=match.as_dict(), created=_now())  # fmt: skip
                query = select(schema.matches.c.id).where(schema.matches.c.key == match.key)
                self._match_ids[match] = connection.scalars(query).one()
        return self._match_ids[match]

    def chunks(self, match: Match) -> dict[tuple[int, int], Done]:
        """What has been played of a match, by first game and number of games."""
        query = select(schema.chunks).where(schema.chunks.c.match_id == self.match_id(match))
        with self._reading() as connection:
            return {
                (row.first, row.games): Done(
                    Task(match, row.first, row.games), Tally.from_dict(row.tally), row.seconds
                )
                for row in connection.execute(query)
            }

    def add_chunk(self, done: Done) -> None:
        """Keep the tally of a finished task."""
        number = self.match_id(done.task.match)
        with self.engine.begin() as connection:
            self._insert_new(
                connection,
                schema.chunks,
                match_id=number,
                first=done.task.first,
                games=done.task.games,
                tally=done.tally.to_dict(),
                seconds=done.seconds,
            )

    def add_result(
        self,
        protocol: str,
        name: str,
        config: dict[str, Any],
        document: dict[str, Any],
        seconds: float,
    ) -> int:
        """Keep the answer of a protocol; gives its number."""
        row = insert(schema.results).values(
            protocol=protocol,
            name=name,
            config=config,
            document=document,
            version=tamaya.__version__,
            seconds=seconds,
            created=_now(),
        )
        with self.engine.begin() as connection:
            key = connection.execute(row).inserted_primary_key
        assert key is not None
        return int(key[0])

    def results(self, protocol: str | None = None, name: str | None = None) -> list[dict[str, Any]]:
        """The kept answers, oldest first, of one protocol or name or of all."""
        table = schema.results
        query = select(table).order_by(table.c.id)
        if protocol is not None:
            query = query.where(table.c.protocol == protocol)
        if name is not None:
            query = query.where(table.c.name == name)
        with self._reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [{**row, "created": row["created"].isoformat(timespec="seconds")} for row in rows]

    def add_games(self, match: Match, first: int, games: list[Game]) -> None:
        """Keep recorded games of a match."""
        number = self.match_id(match)
        with self.engine.begin() as connection:
            for k, game in enumerate(games, first):
                self._insert_new(connection, schema.games, match_id=number, number=k,
                                 score=game.score, text=game.to_text())  # fmt: skip

    def games(self, match: Match) -> dict[int, Game]:
        """The recorded games of a match by their number."""
        table = schema.games
        query = select(table).where(table.c.match_id == self.match_id(match))
        with self._reading() as connection:
            rows = connection.execute(query.order_by(table.c.number)).all()
        return {row.number: Game.parse(row.text) for row in rows}

    def recorded_games(self) -> list[tuple[str, int, str]]:
        """All recorded games: name of the match, number within it, text."""
        query = (
            select(schema.matches.c.document, schema.games.c.number, schema.games.c.text)
            .join(schema.matches)
            .order_by(schema.games.c.id)
        )
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [
            (
                f"{'+'.join(document['agents'])} {document['rules']['players']}p "
                f"seed {document['seed']}",
                number,
                text,
            )
            for document, number, text in rows
        ]

    def _insert_new(self, connection: Connection, table: Table, **values: Any) -> None:
        """Insert a row unless one with the same key is there."""
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()


def _engine(url: str) -> Engine:
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    elif url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    engine = create_engine(url, json_serializer=partial(json.dumps, allow_nan=False))
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    elif engine.dialect.name != "postgresql":
        raise ArgumentError(f"{engine.dialect.name} is neither SQLite nor PostgreSQL")
    return engine


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Let readers and a writer work at once, and writers wait for each other."""
    connection.isolation_level = None  # transactions begin where we say, see _begin_sqlite
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout = 60000")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Take the lock for writing at once: a reader that turns writer would fail, not wait."""
    if connection.get_isolation_level() != "AUTOCOMMIT":
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def reason_of(error: BaseException) -> str:
    """What a database says is wrong, in one line."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


def _migrate_patiently(engine: Engine) -> None:
    """Bring the schema up to date; others may be making the same file at this moment."""
    for attempt in range(50):
        try:
            _migrate(engine)
            return
        except OperationalError as error:
            if "locked" not in str(error) or attempt == 49:
                raise
            sleep(0.1)


def _revision(engine: Engine) -> str | None:
    """The revision of the schema, None in a new database."""
    if not inspect(engine).has_table("alembic_version"):
        return None
    with engine.connect() as connection:
        return connection.scalar(text("SELECT version_num FROM alembic_version"))


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
            raise ArgumentError(f"its schema is of another version ({error})") from None
