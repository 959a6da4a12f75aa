"""People whom agents of the web tables may remember."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "web_acquaintances",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("web_tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
    )
    op.create_index("web_acquaintances_person", "web_acquaintances", ["person"])
