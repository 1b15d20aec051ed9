"""A random order of results, and sentences worth a look found without reading documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None

_CHUNK = 500


def upgrade() -> None:
    _shuffle()
    _doubts()


def _shuffle() -> None:
    op.add_column(
        "results", sa.Column("shuffle", sa.String(length=8), server_default=sa.text("''"), nullable=False)
    )
    op.add_column(
        "run_results", sa.Column("shuffle", sa.String(length=8), server_default=sa.text("''"), nullable=False)
    )
    op.execute(
        "UPDATE results SET shuffle = "
        "(SELECT substr(content_hash, 1, 8) FROM samples WHERE samples.id = results.sample_id)"
    )
    op.execute(
        "UPDATE run_results SET shuffle = "
        "(SELECT shuffle FROM results WHERE results.id = run_results.result_id)"
    )
    op.drop_index(op.f("ix_results_failure_newest"), table_name="results")
    op.create_index(
        "ix_results_failure_newest",
        "results",
        ["decision", "failure_type", "created_day", "risk", "id", "run_id"],
        unique=False,
    )
    op.drop_index(op.f("ix_results_newest"), table_name="results")
    op.create_index(
        "ix_results_newest", "results", ["decision", "created_day", "risk", "id", "run_id"], unique=False
    )
    op.drop_index(op.f("ix_results_riskiest"), table_name="results")
    op.create_index(
        "ix_results_riskiest",
        "results",
        ["decision", "risk", "id", "failure_type", "created_day", "run_id"],
        unique=False,
    )
    op.create_index(
        "ix_results_shuffled",
        "results",
        ["decision", "shuffle", "id", "failure_type", "created_day", "run_id"],
        unique=False,
    )
    op.drop_index(op.f("ix_run_results_riskiest"), table_name="run_results")
    op.create_index(
        "ix_run_results_riskiest",
        "run_results",
        ["run_id", "decision", "risk", "result_id", "failure_type", "created_day"],
        unique=False,
    )
    op.create_index(
        "ix_run_results_shuffled",
        "run_results",
        ["run_id", "decision", "shuffle", "result_id", "failure_type", "created_day"],
        unique=False,
    )


def _doubts() -> None:
    op.create_table(
        "sentence_doubts",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("result_id", sa.Integer(), nullable=False),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("failure_type", sa.Text(), nullable=False),
        sa.Column("text_key", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["result_id", "idx"], ["sentences.result_id", "sentences.idx"], name="fk_sentence_doubts_sentence"
        ),
        sa.PrimaryKeyConstraint("kind", "result_id", "idx", name=op.f("pk_sentence_doubts")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_sentence_doubts_failure",
        "sentence_doubts",
        ["kind", "failure_type", "result_id", "idx"],
        unique=False,
    )
    op.create_index("ix_sentence_doubts_sentence", "sentence_doubts", ["result_id", "idx"], unique=False)
    op.create_index(
        "ix_sentence_doubts_text", "sentence_doubts", ["text_key", "result_id", "idx"], unique=False
    )
    connection = op.get_bind()
    last = 0
    read = sa.text(
        "SELECT d.result_id, d.document, r.failure_type FROM result_documents d "
        "JOIN results r ON r.id = d.result_id WHERE d.result_id > :last ORDER BY d.result_id LIMIT :n"
    )
    write = sa.text(
        "INSERT INTO sentence_doubts (kind, result_id, idx, failure_type, text_key) "
        "VALUES (:kind, :result_id, :idx, :failure_type, :text_key)"
    )
    while rows := connection.execute(read, {"last": last, "n": _CHUNK}).all():
        doubts = [doubt for row in rows for doubt in _doubts_of(row[0], json.loads(row[1]), row[2])]
        if doubts:
            connection.execute(write, doubts)
        last = rows[-1][0]


def _doubts_of(result_id: int, document: dict[str, Any], failure_type: str) -> Iterator[dict[str, object]]:
    for sentence in document["sentences"]:
        # Results stored before there were findings have none.
        kinds = {finding["kind"] for finding in sentence.get("findings", ())}
        if sentence["status"] == "low_confidence":
            kinds.add("low_confidence")
        for kind in sorted(kinds):
            yield {
                "kind": kind,
                "result_id": result_id,
                "idx": sentence["index"],
                "failure_type": failure_type,
                "text_key": hashlib.sha256(sentence["text"].encode("utf-8")).hexdigest()[:16],
            }
