"""Baselines, and gate runs against them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.dialect import append_only_triggers

revision = "0007"
down_revision: str | None = "0006"
branch_labels: str | None = None
depends_on: str | None = None

_APPEND_ONLY = ("baselines", "baseline_cases", "baseline_removals", "gate_runs")


def upgrade() -> None:
    op.create_table(
        "baselines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("version >= 1", name=op.f("ck_baselines_version")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_baselines_reviewer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_baselines")),
        sa.UniqueConstraint("name", "version", name=op.f("uq_baselines_name_version")),
    )
    op.create_table(
        "baseline_cases",
        sa.Column("baseline_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["baseline_id"], ["baselines.id"], name=op.f("fk_baseline_cases_baseline_id")
        ),
        sa.PrimaryKeyConstraint("baseline_id", "case_id", name=op.f("pk_baseline_cases")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "baseline_removals",
        sa.Column("baseline_id", sa.Integer(), nullable=False),
        sa.Column("removed_at", sa.String(length=26), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["baseline_id"], ["baselines.id"], name=op.f("fk_baseline_removals_baseline_id")
        ),
        sa.ForeignKeyConstraint(
            ["reviewer_id"], ["reviewers.id"], name=op.f("fk_baseline_removals_reviewer_id")
        ),
        sa.PrimaryKeyConstraint("baseline_id", name=op.f("pk_baseline_removals")),
    )
    op.create_table(
        "gate_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("baseline_id", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("n_shared", sa.Integer(), nullable=False),
        sa.Column("n_worse", sa.Integer(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('pass', 'regression', 'incomplete', 'not_comparable')",
            name=op.f("ck_gate_runs_outcome"),
        ),
        sa.ForeignKeyConstraint(["baseline_id"], ["baselines.id"], name=op.f("fk_gate_runs_baseline_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gate_runs")),
    )
    op.create_index("ix_gate_runs_baseline_id", "gate_runs", ["baseline_id", "id"], unique=False)
    for table in _APPEND_ONLY:
        for statement in append_only_triggers(table, op.get_bind().dialect.name):
            op.execute(statement)
