"""How scores are spread over each day, counted from the results there are."""

from __future__ import annotations

import math
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision: str | None = "0009"
branch_labels: str | None = None
depends_on: str | None = None

_CHUNK = 5_000
_SCORES = (
    "risk",
    "final",
    "attribution",
    "specificity",
    "faithfulness",
    "relevance",
    "context_quality",
    "consistency",
    "disagreement",
    "latency_ms",
)
_COLUMNS = ("created_day", "decision", "run_id")
_KEY = ("score", "created_day", "decision", "bin", "run_id")


def upgrade() -> None:
    op.create_table(
        "score_counts",
        sa.Column("score", sa.Text(), nullable=False),
        sa.Column("created_day", sa.String(length=10), nullable=False),
        sa.Column("decision", sa.String(length=6), nullable=False),
        sa.Column("bin", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "decision IN ('ACCEPT', 'REVIEW', 'REJECT')", name=op.f("ck_score_counts_decision")
        ),
        sa.CheckConstraint("n > 0", name=op.f("ck_score_counts_n_positive")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_score_counts_run_id")),
        sa.PrimaryKeyConstraint(*_KEY, name=op.f("pk_score_counts")),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    results = sa.table("results", *(sa.column(name) for name in ("id", *_COLUMNS, *_SCORES)))
    query = sa.select(results).order_by(results.c.id).limit(_CHUNK)
    counted: Counter[tuple[str, str, str, int, int]] = Counter()
    last = 0
    while rows := connection.execute(query.where(results.c.id > last)).all():
        for _, day, decision, run_id, *values in rows:
            for score, value in zip(_SCORES, values, strict=True):
                if value is not None:
                    counted[score, day, decision, _bin_of(score, value), run_id] += 1
        last = rows[-1][0]
    write = sa.text(
        'INSERT INTO score_counts (score, created_day, decision, "bin", run_id, n) '
        "VALUES (:score, :created_day, :decision, :bin, :run_id, :n)"
    )
    if counted:
        connection.execute(
            write, [{**dict(zip(_KEY, key, strict=True)), "n": n} for key, n in counted.items()]
        )


def _bin_of(score: str, value: float) -> int:
    if score == "latency_ms":
        return int(5 * math.log2(1 + max(value, 0.0)))
    return min(int(value * 50), 49)
