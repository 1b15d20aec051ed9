"""Claims, skips, queue settings, labels of sentences, settled labels; labels can be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.dialect import append_only_triggers

revision = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None

_COLUMNS = (
    "id, result_id, reviewer_id, verdict, failure_type, note, created_at, supersedes, client_token, seen"
)
_APPEND_ONLY = ("adjudications", "labels", "sentence_labels", "skips")


def upgrade() -> None:
    op.create_table(
        "queues",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("labels_required", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("blind", sa.Boolean(), server_default=sa.text("1"), nullable=False),
        sa.Column("show_marks", sa.Boolean(), server_default=sa.text("1"), nullable=False),
        sa.Column("claim_minutes", sa.Integer(), server_default=sa.text("15"), nullable=False),
        sa.CheckConstraint("name <> ''", name=op.f("ck_queues_name_not_blank")),
        sa.CheckConstraint("claim_minutes BETWEEN 1 AND 1440", name=op.f("ck_queues_claim_minutes")),
        sa.CheckConstraint("labels_required BETWEEN 1 AND 5", name=op.f("ck_queues_labels_required")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_queues")),
        sa.UniqueConstraint("name", name=op.f("uq_queues_name")),
    )
    op.execute("INSERT INTO queues (id, name) VALUES (1, 'Queue')")
    op.create_table(
        "claims",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("picked", sa.Text(), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=True),
        sa.Column("claimed_at", sa.String(length=26), nullable=False),
        sa.Column("expires_at", sa.String(length=26), nullable=False),
        sa.CheckConstraint("picked IN ('priority', 'random', 'audit')", name=op.f("ck_claims_picked")),
        sa.CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1",
            name=op.f("ck_claims_inclusion_probability"),
        ),
        sa.CheckConstraint("slot BETWEEN 1 AND 5", name=op.f("ck_claims_slot")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_claims_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_claims_reviewer_id")),
        sa.PrimaryKeyConstraint("result_id", "slot", name=op.f("pk_claims")),
        sa.UniqueConstraint("result_id", "reviewer_id", name=op.f("uq_claims_result_id_reviewer_id")),
        sa.UniqueConstraint("token", name=op.f("uq_claims_token")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_claims_reviewer_id", "claims", ["reviewer_id", "expires_at"], unique=False)
    op.create_table(
        "drafts",
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.String(length=26), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_drafts_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_drafts_reviewer_id")),
        sa.PrimaryKeyConstraint("reviewer_id", "result_id", name=op.f("pk_drafts")),
    )
    op.create_table(
        "skips",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("client_token", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('skip', 'decline')", name=op.f("ck_skips_kind")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_skips_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_skips_reviewer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_skips")),
        sa.UniqueConstraint("client_token", name=op.f("uq_skips_client_token")),
    )
    op.create_index("ix_skips_reviewer_id", "skips", ["reviewer_id", "result_id", "kind"], unique=False)
    # The check on verdicts grows, so the table is made again; its triggers go with the old one.
    for name in ("ix_labels_result_id", "ix_labels_reviewer_id", "uq_labels_first"):
        op.drop_index(name, table_name="labels")
    op.rename_table("labels", "labels_0002")
    op.create_table(
        "labels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("corrected_answer", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("client_token", sa.Text(), nullable=True),
        sa.Column("seen", sa.Text(), server_default=sa.text("'all'"), nullable=False),
        sa.Column("after_reveal", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.Column("picked", sa.Text(), server_default=sa.text("'priority'"), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "verdict IN ('accept', 'reject', 'unsure', 'withdrawn')", name=op.f("ck_labels_verdict")
        ),
        sa.CheckConstraint("picked IN ('priority', 'random', 'audit')", name=op.f("ck_labels_picked")),
        sa.CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1",
            name=op.f("ck_labels_inclusion_probability"),
        ),
        sa.CheckConstraint(
            "verdict <> 'withdrawn' OR (undoes IS NOT NULL AND supersedes IS NOT NULL)",
            name=op.f("ck_labels_withdrawn_undoes"),
        ),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_labels_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_labels_reviewer_id")),
        sa.ForeignKeyConstraint(
            ["supersedes", "result_id", "reviewer_id"],
            ["labels.id", "labels.result_id", "labels.reviewer_id"],
            name="fk_labels_supersedes",
        ),
        sa.ForeignKeyConstraint(
            ["undoes", "result_id", "reviewer_id"],
            ["labels.id", "labels.result_id", "labels.reviewer_id"],
            name="fk_labels_undoes",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_labels")),
        sa.UniqueConstraint("client_token", name=op.f("uq_labels_client_token")),
        sa.UniqueConstraint(
            "id", "result_id", "reviewer_id", name=op.f("uq_labels_id_result_id_reviewer_id")
        ),
        sa.UniqueConstraint("supersedes", name=op.f("uq_labels_supersedes")),
        sa.UniqueConstraint("undoes", name=op.f("uq_labels_undoes")),
    )
    # Until now a change was made with the gate's word and the others' labels in view.
    op.execute(
        f"INSERT INTO labels ({_COLUMNS}, after_reveal) "  # noqa: S608  # a constant
        f"SELECT {_COLUMNS}, supersedes IS NOT NULL FROM labels_0002"
    )
    op.drop_table("labels_0002")
    op.create_index("ix_labels_result_id", "labels", ["result_id", "reviewer_id"], unique=False)
    op.create_index("ix_labels_reviewer_id", "labels", ["reviewer_id", "result_id"], unique=False)
    op.create_index(
        "uq_labels_first",
        "labels",
        ["result_id", "reviewer_id"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    op.create_table(
        "sentence_labels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("label_id", sa.Integer(), nullable=True),
        sa.Column("seen", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.Column("client_token", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "verdict IN ('supported', 'unsupported', 'not_a_claim', 'withdrawn')",
            name=op.f("ck_sentence_labels_verdict"),
        ),
        sa.ForeignKeyConstraint(["label_id"], ["labels.id"], name=op.f("fk_sentence_labels_label_id")),
        sa.ForeignKeyConstraint(
            ["result_id", "idx"], ["sentences.result_id", "sentences.idx"], name="fk_sentence_labels_sentence"
        ),
        sa.ForeignKeyConstraint(
            ["reviewer_id"], ["reviewers.id"], name=op.f("fk_sentence_labels_reviewer_id")
        ),
        sa.ForeignKeyConstraint(
            ["supersedes", "result_id", "idx", "reviewer_id"],
            [
                "sentence_labels.id",
                "sentence_labels.result_id",
                "sentence_labels.idx",
                "sentence_labels.reviewer_id",
            ],
            name="fk_sentence_labels_supersedes",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sentence_labels")),
        sa.UniqueConstraint("client_token", name=op.f("uq_sentence_labels_client_token")),
        sa.UniqueConstraint(
            "id",
            "result_id",
            "idx",
            "reviewer_id",
            name=op.f("uq_sentence_labels_id_result_id_idx_reviewer_id"),
        ),
        sa.UniqueConstraint("supersedes", name=op.f("uq_sentence_labels_supersedes")),
    )
    op.create_index("ix_sentence_labels_label_id", "sentence_labels", ["label_id"], unique=False)
    op.create_index(
        "ix_sentence_labels_sentence", "sentence_labels", ["result_id", "idx", "reviewer_id"], unique=False
    )
    op.create_index(
        "uq_sentence_labels_first",
        "sentence_labels",
        ["result_id", "idx", "reviewer_id"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    op.create_table(
        "adjudications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("corrected_answer", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.Column("client_token", sa.Text(), nullable=True),
        sa.CheckConstraint("verdict IN ('accept', 'reject')", name=op.f("ck_adjudications_verdict")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_adjudications_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_adjudications_reviewer_id")),
        sa.ForeignKeyConstraint(
            ["supersedes", "result_id"],
            ["adjudications.id", "adjudications.result_id"],
            name="fk_adjudications_supersedes",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudications")),
        sa.UniqueConstraint("client_token", name=op.f("uq_adjudications_client_token")),
        sa.UniqueConstraint("id", "result_id", name=op.f("uq_adjudications_id_result_id")),
        sa.UniqueConstraint("supersedes", name=op.f("uq_adjudications_supersedes")),
    )
    op.create_index("ix_adjudications_result_id", "adjudications", ["result_id"], unique=False)
    op.create_index(
        "uq_adjudications_first",
        "adjudications",
        ["result_id"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    for table in _APPEND_ONLY:
        for statement in append_only_triggers(table, op.get_bind().dialect.name):
            op.execute(statement)
