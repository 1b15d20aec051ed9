"""Changes of an alert rule's state, and the tries to send them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.dialect import append_only_triggers

revision = "0008"
down_revision: str | None = "0007"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "alert_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("was", sa.Text(), nullable=True),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("notify", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "state IN ('OK', 'WARN', 'ALERT', 'NO DATA')", name=op.f("ck_alert_changes_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_changes")),
    )
    op.create_index("ix_alert_changes_rule", "alert_changes", ["rule", "id"], unique=False)
    op.create_table(
        "alert_deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_id"], ["alert_changes.id"], name=op.f("fk_alert_deliveries_change_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_deliveries")),
    )
    op.create_index("ix_alert_deliveries_change_id", "alert_deliveries", ["change_id"], unique=False)
    for table in ("alert_changes", "alert_deliveries"):
        for statement in append_only_triggers(table, op.get_bind().dialect.name):
            op.execute(statement)
