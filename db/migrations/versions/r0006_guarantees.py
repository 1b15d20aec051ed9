"""Guarantees as they were earned, and the share of audit items in the queue."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.dialect import append_only_triggers

revision = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None

_UNIT = ("alpha", "delta", "threshold", "coverage")


def upgrade() -> None:
    op.create_table(
        "guarantees",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=True),
        sa.Column("fingerprint_id", sa.String(length=16), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("written_hash", sa.Text(), nullable=True),
        sa.Column("alpha", sa.Float(), nullable=False),
        sa.Column("delta", sa.Float(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("coverage", sa.Float(), nullable=False),
        sa.Column("n_labels", sa.Integer(), nullable=False),
        sa.Column("n_passed", sa.Integer(), nullable=False),
        sa.Column("n_wrong", sa.Integer(), nullable=False),
        sa.Column("n_answers", sa.Integer(), nullable=False),
        sa.Column("n_unread", sa.Integer(), nullable=False),
        sa.Column("last_label_id", sa.Integer(), nullable=False),
        sa.CheckConstraint("method IN ('learn_then_test', 'conformal')", name=op.f("ck_guarantees_method")),
        *(
            sa.CheckConstraint(
                f"{column} BETWEEN 0 AND 1", name=op.f(f"ck_guarantees_{column}_in_unit_interval")
            )
            for column in _UNIT
        ),
        sa.ForeignKeyConstraint(
            ["fingerprint_id"], ["fingerprints.id"], name=op.f("fk_guarantees_fingerprint_id")
        ),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_guarantees_reviewer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guarantees")),
    )
    op.create_index("ix_guarantees_fingerprint_id", "guarantees", ["fingerprint_id"], unique=False)
    for statement in append_only_triggers("guarantees", op.get_bind().dialect.name):
        op.execute(statement)
    # As read from the file, this default would come back in brackets.
    minutes = sa.Column("claim_minutes", sa.Integer(), server_default=sa.text("15"), nullable=False)
    with op.batch_alter_table("queues", reflect_args=(minutes,)) as batch:
        batch.add_column(sa.Column("audit_share", sa.Float(), server_default=sa.text("0"), nullable=False))
        batch.create_check_constraint(
            op.f("ck_queues_audit_share_in_unit_interval"), "audit_share BETWEEN 0 AND 1"
        )
