"""The first schema.

A migration is a record of what was done to other people's files: it spells everything out and imports no
table of today's.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.dialect import append_only_triggers

revision = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_table(
        "fingerprints",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("profile_hash", sa.Text(), nullable=False),
        sa.Column("encoder", sa.Text(), nullable=False),
        sa.Column("weights_hash", sa.Text(), nullable=False),
        sa.Column("backend", sa.Text(), nullable=False),
        sa.Column("precision", sa.Text(), nullable=False),
        sa.Column("runtime_version", sa.Text(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fingerprints")),
    )
    op.create_table(
        "reviewers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.CheckConstraint("name <> '' AND name_key <> ''", name=op.f("ck_reviewers_name_not_blank")),
        sa.CheckConstraint("role IN ('reviewer', 'lead')", name=op.f("ck_reviewers_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviewers")),
        sa.UniqueConstraint("name_key", name=op.f("uq_reviewers_name_key")),
    )
    op.create_table(
        "samples",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("contexts", sa.Text(), nullable=False),
        sa.Column("response", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_samples")),
        sa.UniqueConstraint("external_id", "content_hash", name=op.f("uq_samples_external_id_content_hash")),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_hash", sa.Text(), nullable=True),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("fingerprint_id", sa.String(length=16), nullable=False),
        sa.Column("started_at", sa.String(length=26), nullable=False),
        sa.Column("finished_at", sa.String(length=26), nullable=True),
        sa.Column("n_rows", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("n_stored", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("n_existing", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("n_failed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "n_rows >= 0 AND n_stored >= 0 AND n_existing >= 0 AND n_failed >= 0",
            name=op.f("ck_runs_counts_not_negative"),
        ),
        sa.ForeignKeyConstraint(["fingerprint_id"], ["fingerprints.id"], name=op.f("fk_runs_fingerprint_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("key", name=op.f("uq_runs_key")),
    )
    op.create_index(op.f("ix_runs_started_at"), "runs", ["started_at"], unique=False)
    op.create_table(
        "result_counts",
        sa.Column("bucket", sa.String(length=16), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=6), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "decision IN ('ACCEPT', 'REVIEW', 'REJECT')", name=op.f("ck_result_counts_decision")
        ),
        sa.CheckConstraint("n > 0", name=op.f("ck_result_counts_n_positive")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_result_counts_run_id")),
        sa.PrimaryKeyConstraint(
            "bucket", "run_id", "decision", "failure_type", name=op.f("pk_result_counts")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_result_counts_run_id", "result_counts", ["run_id", "bucket"], unique=False)
    op.create_index(
        "ix_result_counts_day", "result_counts", ["decision", "bucket", "run_id", "n"], unique=False
    )
    op.create_index(
        "ix_result_counts_total", "result_counts", ["decision", "failure_type", "run_id", "n"], unique=False
    )
    op.create_table(
        "results",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint_id", sa.String(length=16), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=6), nullable=False),
        sa.Column("rule_id", sa.Text(), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=False),
        sa.Column("hallucination_status", sa.Text(), nullable=False),
        sa.Column("next_action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("confidence_pct", sa.Integer(), nullable=True),
        sa.Column("final", sa.Float(), nullable=True),
        sa.Column("attribution", sa.Float(), nullable=True),
        sa.Column("specificity", sa.Float(), nullable=True),
        sa.Column("faithfulness", sa.Float(), nullable=True),
        sa.Column("relevance", sa.Float(), nullable=True),
        sa.Column("context_quality", sa.Float(), nullable=True),
        sa.Column("consistency", sa.Float(), nullable=True),
        sa.Column("disagreement", sa.Float(), nullable=True),
        sa.Column("risk", sa.Float(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=True),
        sa.Column("states", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("n_sentences", sa.Integer(), nullable=False),
        sa.Column("n_low", sa.Integer(), nullable=False),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("created_day", sa.String(length=10), nullable=False),
        sa.CheckConstraint("decision IN ('ACCEPT', 'REVIEW', 'REJECT')", name=op.f("ck_results_decision")),
        sa.CheckConstraint(
            "hallucination_status IN ('none', 'suspected', 'confirmed')",
            name=op.f("ck_results_hallucination_status"),
        ),
        sa.CheckConstraint(
            "confidence_pct BETWEEN 0 AND 100", name=op.f("ck_results_confidence_pct_is_a_percentage")
        ),
        sa.CheckConstraint(
            "n_low BETWEEN 0 AND n_sentences", name=op.f("ck_results_n_low_within_n_sentences")
        ),
        sa.CheckConstraint("risk BETWEEN 0 AND 1", name=op.f("ck_results_risk_in_unit_interval")),
        sa.CheckConstraint(
            "substr(created_at, 1, 10) = created_day", name=op.f("ck_results_created_day_is_of_created_at")
        ),
        sa.ForeignKeyConstraint(
            ["fingerprint_id"], ["fingerprints.id"], name=op.f("fk_results_fingerprint_id")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_results_run_id")),
        sa.ForeignKeyConstraint(["sample_id"], ["samples.id"], name=op.f("fk_results_sample_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
        sa.UniqueConstraint("sample_id", "fingerprint_id", name=op.f("uq_results_sample_id_fingerprint_id")),
    )
    op.create_index(
        "ix_results_failure_newest",
        "results",
        ["decision", "failure_type", "created_day", "risk", "id"],
        unique=False,
    )
    op.create_index("ix_results_newest", "results", ["decision", "created_day", "risk", "id"], unique=False)
    op.create_index(
        "ix_results_riskiest", "results", ["decision", "risk", "id", "failure_type"], unique=False
    )
    op.create_table(
        "labels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", sa.String(length=26), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.Column("client_token", sa.Text(), nullable=True),
        sa.Column("seen", sa.Text(), server_default=sa.text("'all'"), nullable=False),
        sa.CheckConstraint("verdict IN ('accept', 'reject', 'unsure')", name=op.f("ck_labels_verdict")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_labels_result_id")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["reviewers.id"], name=op.f("fk_labels_reviewer_id")),
        sa.ForeignKeyConstraint(
            ["supersedes", "result_id", "reviewer_id"],
            ["labels.id", "labels.result_id", "labels.reviewer_id"],
            name="fk_labels_supersedes",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_labels")),
        sa.UniqueConstraint("client_token", name=op.f("uq_labels_client_token")),
        sa.UniqueConstraint(
            "id", "result_id", "reviewer_id", name=op.f("uq_labels_id_result_id_reviewer_id")
        ),
        sa.UniqueConstraint("supersedes", name=op.f("uq_labels_supersedes")),
    )
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
        "result_documents",
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_result_documents_result_id")),
        sa.PrimaryKeyConstraint("result_id", name=op.f("pk_result_documents")),
    )
    op.create_table(
        "run_results",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(length=6), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=False),
        sa.Column("created_day", sa.String(length=10), nullable=False),
        sa.Column("risk", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "decision IN ('ACCEPT', 'REVIEW', 'REJECT')", name=op.f("ck_run_results_decision")
        ),
        sa.CheckConstraint("risk BETWEEN 0 AND 1", name=op.f("ck_run_results_risk_in_unit_interval")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_run_results_result_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_results_run_id")),
        sa.PrimaryKeyConstraint("run_id", "result_id", name=op.f("pk_run_results")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_run_results_newest",
        "run_results",
        ["run_id", "decision", "created_day", "risk", "result_id", "failure_type"],
        unique=False,
    )
    op.create_index("ix_run_results_result_id", "run_results", ["result_id"], unique=False)
    op.create_index(
        "ix_run_results_riskiest",
        "run_results",
        ["run_id", "decision", "risk", "result_id", "failure_type"],
        unique=False,
    )
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
            "status IN ('supported', 'low_confidence', 'unmeasured')", name=op.f("ck_sentences_status")
        ),
        sa.CheckConstraint("n_evidence >= 0", name=op.f("ck_sentences_n_evidence_not_negative")),
        sa.CheckConstraint('start >= 0 AND "end" >= start', name=op.f("ck_sentences_span")),
        sa.CheckConstraint("support BETWEEN 0 AND 1", name=op.f("ck_sentences_support_in_unit_interval")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_sentences_result_id")),
        sa.PrimaryKeyConstraint("result_id", "idx", name=op.f("pk_sentences")),
        sqlite_with_rowid=False,
    )
    for statement in append_only_triggers("labels", op.get_bind().dialect.name):
        op.execute(statement)
