"""Notes on games have the name of their author, who need not have a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("web_notes", sa.Column("name", sa.Text, nullable=False, server_default=""))
