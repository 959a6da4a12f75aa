"""Deals that several people play, found by their content, and what agents scored on them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("web_deals", sa.Column("kind", sa.String(10), nullable=False, server_default=""))
    op.add_column("web_deals", sa.Column("key", sa.String(64), nullable=False, server_default=""))
    op.create_index("web_deals_key", "web_deals", ["key"])
    op.create_index("web_tables_parent", "web_tables", ["parent"])
    op.create_table(
        "web_deal_results",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
