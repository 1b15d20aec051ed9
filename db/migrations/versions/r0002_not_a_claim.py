"""Sentences that claim nothing: a fourth status, so the table is made again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None

_COLUMNS = 'result_id, idx, start, "end", text, support, status, n_evidence'


def upgrade() -> None:
    op.rename_table("sentences", "sentences_0001")
    op.create_table(
        "sentences",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("support", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("n_evidence", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "status IN ('supported', 'low_confidence', 'unmeasured', 'not_a_claim')",
            name=op.f("ck_sentences_status"),
        ),
        sa.CheckConstraint("n_evidence >= 0", name=op.f("ck_sentences_n_evidence_not_negative")),
        sa.CheckConstraint('start >= 0 AND "end" >= start', name=op.f("ck_sentences_span")),
        sa.CheckConstraint("support BETWEEN 0 AND 1", name=op.f("ck_sentences_support_in_unit_interval")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_sentences_result_id")),
        sa.PrimaryKeyConstraint("result_id", "idx", name=op.f("pk_sentences")),
        sqlite_with_rowid=False,
    )
    op.execute(f"INSERT INTO sentences ({_COLUMNS}) SELECT {_COLUMNS} FROM sentences_0001")  # noqa: S608  # a constant
    op.drop_table("sentences_0001")
