"""The tables of the store.

A *match* is who plays whom under which rules and seed; its *chunks* contain the tallies of ranges
of its games, so that an interrupted run can resume anywhere. Its *parts* are documents about single
games, for protocols that record more than scores. A *result* is the outcome of a protocol (a
crosstable, a reproduced table) as a document; *games* are recorded games as text.

The tables of the web (``web_``) are append only: a *table* with its deal, who took which *seat*
since which event, the *events* of its game, *notes* of people, sums of *analyses*, and *deals*
that several tables share, with what agents scored on them. Only *acquaintances* are deleted: who
let agents remember how they play. Seeds are unsigned 64-bit integers,
which do not fit into a database's integers, so they are stored as text.

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
    LargeBinary,
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

parts = Table(
    "parts",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("kind", String(64), primary_key=True),  # what was recorded, by which code
    Column("number", Integer, primary_key=True),  # of the game
    Column("document", JSON, nullable=False),
)

web_deals = Table(
    "web_deals",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("rules", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("deck", JSON, nullable=False),
    Column("seed", String(20), nullable=False),
    Column("game_index", Integer, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("kind", String(10), nullable=False),  # day, game, chosen, open
    Column("key", String(64), nullable=False),  # of rules, start and deck
    Index("web_deals_key", "key"),
)

web_deal_results = Table(
    "web_deal_results",
    metadata,
    Column("key", String(64), primary_key=True),  # of the deal, who plays it, their code
    Column("document", JSON, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)

web_tables = Table(
    "web_tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("kind", String(10), nullable=False),  # play, watch, import
    Column("rules", Text, nullable=False),
    Column("start", Integer, nullable=False),  # seat that moves first
    Column("deck", JSON, nullable=False),  # cards by order
    Column("seed", String(20), nullable=False),  # with the index, what agents draw from
    Column("game_index", Integer, nullable=False),  # which game of the seed
    Column("options", JSON, nullable=False),
    Column("parent", ForeignKey("web_tables.id")),  # the table it branches off
    Column("parent_turn", Integer),
    Column("deal", ForeignKey("web_deals.id")),
    Column("code", String(40), nullable=False),  # version of the package
    Column("host_hash", String(64), nullable=False),
    Column("invite_hash", String(64), nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Index("web_tables_created", "created"),
    Index("web_tables_parent", "parent"),
)

web_seats = Table(
    "web_seats",
    metadata,
    Column("table_id", ForeignKey("web_tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("since", Integer, primary_key=True),  # number of the event, 0 from the beginning
    Column("kind", String(10), nullable=False),  # person, agent, open
    Column("name", Text, nullable=False),
    Column("agent", Text, nullable=False),  # text of the agent, empty for persons
    Column("identity", Text, nullable=False),
    Column("code", String(40), nullable=False),  # fingerprint of the agent's code
    Column("token_hash", String(64), nullable=False),
)

web_events = Table(
    "web_events",
    metadata,
    Column("table_id", ForeignKey("web_tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("kind", String(10), nullable=False),  # move, undo, seat, start, ask, ..., end
    Column("seat", Integer),
    Column("turn", Integer, nullable=False),  # moves made when it was over
    Column("move", String(8)),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("ms", Integer),  # time to think
    Column("memory", LargeBinary),  # of an agent after its own move, packed
    Column("data", JSON),  # further data
)

web_notes = Table(
    "web_notes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("web_tables.id"), nullable=False),
    Column("author", Integer, nullable=False),  # seat, -1 for somebody who had none
    Column("name", Text, nullable=False),  # of the author
    Column("card_order", Integer),  # of a card,
    Column("turn", Integer),  # or of a turn
    Column("text", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Index("web_notes_table", "table_id"),
)

web_acquaintances = Table(
    "web_acquaintances",
    metadata,
    Column("table_id", ForeignKey("web_tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(64), nullable=False),  # hash of a key that their browser keeps
    Index("web_acquaintances_person", "person"),
)

web_analyses = Table(
    "web_analyses",
    metadata,
    Column("key", String(64), primary_key=True),  # view, move, blueprint, its code, seed
    Column("slice", Integer, primary_key=True),  # number of its first deal
    Column("deals", Integer, nullable=False),
    Column("sums", LargeBinary, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)
