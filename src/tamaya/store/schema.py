"""The tables of the store.

A *match* is who plays whom under which rules and seed; its *chunks* hold the tallies of ranges of
its games, so that an interrupted run can resume anywhere. A *result* is what came of a
protocol (a crosstable, a reproduced table) as a document; *games* are recorded games as text.
``migrations/`` creates these tables and changes them from version to version.
"""

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),  # identity, see tamaya.arena.match
    Column("document", JSON, nullable=False),  # agents, rules, seed, seating, version, code
    Column("created", DateTime(timezone=True), nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("first", Integer, primary_key=True),  # number of the first game
    Column("games", Integer, primary_key=True),
    Column("tally", JSON, nullable=False),
    Column("seconds", Float, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("protocol", String(40), nullable=False),
    Column("name", String(400), nullable=False),
    Column("config", JSON, nullable=False),
    Column("document", JSON, nullable=False),
    Column("version", String(40), nullable=False),
    Column("seconds", Float, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Index("results_protocol_name", "protocol", "name"),
)

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("match_id", "number"),
)
