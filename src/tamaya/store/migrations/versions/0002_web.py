"""Tables of the web: deals, tables, seats, events, notes and analyses."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _deal_columns() -> list[sa.Column]:
    """The columns of a deal; a column object belongs to one table, so each table gets its own."""
    return [
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("deck", sa.JSON, nullable=False),
        sa.Column("seed", sa.String(20), nullable=False),
        sa.Column("game_index", sa.Integer, nullable=False),
    ]


def upgrade() -> None:
    op.create_table(
        "web_deals",
        sa.Column("id", sa.String(16), primary_key=True),
        *_deal_columns(),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "web_tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        *_deal_columns(),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("parent", sa.String(16), sa.ForeignKey("web_tables.id")),
        sa.Column("parent_turn", sa.Integer),
        sa.Column("deal", sa.String(16), sa.ForeignKey("web_deals.id")),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("host_hash", sa.String(64), nullable=False),
        sa.Column("invite_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("web_tables_created", "web_tables", ["created"])
    op.create_table(
        "web_seats",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("web_tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("since", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "web_events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("web_tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("move", sa.String(8)),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ms", sa.Integer),
        sa.Column("memory", sa.LargeBinary),
        sa.Column("data", sa.JSON),
    )
    op.create_table(
        "web_notes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(16), sa.ForeignKey("web_tables.id"), nullable=False),
        sa.Column("author", sa.Integer, nullable=False),
        sa.Column("card_order", sa.Integer),
        sa.Column("turn", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("web_notes_table", "web_notes", ["table_id"])
    op.create_table(
        "web_analyses",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("slice", sa.Integer, primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("sums", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    for table in ("analyses", "notes", "events", "seats", "tables", "deals"):
        op.drop_table(f"web_{table}")
