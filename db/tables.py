"""The tables, as SQLAlchemy sees them. Rows leave this room only as the repositories' dataclasses.

Names of constraints and indexes are fixed here, so that migrations can find them. Columns that hold JSON are
text written and read whole, never searched: what a filter or a chart needs has a column of its own. What
people do with results is in :mod:`db.review_tables`, and can be had from here too.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    CheckConstraint,
    Connection,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    event,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.alert_tables import ALERT_STATES, AlertChange, AlertDelivery
from db.baseline_tables import Baseline, BaselineCase, BaselineRemoval, GateRun
from db.columns import Base, UtcDateTime, one_of, unit, utc_text
from db.review_tables import (
    LABEL_VERDICTS,
    PICKED,
    ROLES,
    SEEN,
    SENTENCE_VERDICTS,
    WITHDRAWN,
    Adjudication,
    Claim,
    Draft,
    Label,
    Reviewer,
    ReviewQueue,
    SentenceLabel,
    Skip,
)
from db.search import WORD_INDEX
from db.trust_tables import Guarantee

__all__ = [
    "ALERT_STATES",
    "DECISIONS",
    "LABEL_VERDICTS",
    "PICKED",
    "ROLES",
    "SEEN",
    "SENTENCE_VERDICTS",
    "WITHDRAWN",
    "Adjudication",
    "AlertChange",
    "AlertDelivery",
    "Base",
    "Baseline",
    "BaselineCase",
    "BaselineRemoval",
    "Claim",
    "Draft",
    "Fingerprint",
    "GateRun",
    "Guarantee",
    "Label",
    "Result",
    "ResultCount",
    "ResultDocument",
    "ReviewQueue",
    "Reviewer",
    "Run",
    "RunResult",
    "Sample",
    "ScoreCount",
    "Sentence",
    "SentenceDoubt",
    "SentenceLabel",
    "Skip",
    "utc_text",
]

DECISIONS = ("ACCEPT", "REVIEW", "REJECT")


class Fingerprint(Base):
    """What made a result: the fields of evalcore's Fingerprint under its id."""

    __tablename__ = "fingerprints"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    profile: Mapped[str] = mapped_column(Text)
    profile_hash: Mapped[str] = mapped_column(Text)
    encoder: Mapped[str] = mapped_column(Text)
    weights_hash: Mapped[str] = mapped_column(Text)
    backend: Mapped[str] = mapped_column(Text)
    precision: Mapped[str] = mapped_column(Text)
    runtime_version: Mapped[str] = mapped_column(Text)
    package_version: Mapped[str] = mapped_column(Text)


class Run(Base):
    """One file, or one call, taken through the gate with one fingerprint."""

    __tablename__ = "runs"
    __table_args__ = (
        CheckConstraint(
            "n_rows >= 0 AND n_stored >= 0 AND n_existing >= 0 AND n_failed >= 0", name="counts_not_negative"
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    source_hash: Mapped[str | None] = mapped_column(Text)
    system: Mapped[str] = mapped_column(Text)
    prompt_version: Mapped[str] = mapped_column(Text)
    model: Mapped[str | None] = mapped_column(Text)
    profile: Mapped[str] = mapped_column(Text)
    fingerprint_id: Mapped[str] = mapped_column(ForeignKey("fingerprints.id"))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    n_rows: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    n_stored: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    n_existing: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    n_failed: Mapped[int] = mapped_column(Integer, server_default=text("0"))


class Sample(Base):
    """A question, its passages and an answer, once per id and content."""

    __tablename__ = "samples"
    __table_args__ = (UniqueConstraint("external_id", "content_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    external_id: Mapped[str] = mapped_column(Text)
    content_hash: Mapped[str] = mapped_column(String(64))
    query: Mapped[str] = mapped_column(Text)
    contexts: Mapped[str] = mapped_column(Text)
    response: Mapped[str] = mapped_column(Text)
    reference: Mapped[str | None] = mapped_column(Text)
    # Not "metadata": the ORM keeps that name for itself.
    sample_metadata: Mapped[str] = mapped_column("metadata", Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Result(Base):
    """The gate's word on one sample under one fingerprint: what lists, filters and charts read.

    ``run_id`` is the run that made it first. ``risk`` is what the queue sorts by.
    """

    __tablename__ = "results"
    __table_args__ = (
        UniqueConstraint("sample_id", "fingerprint_id"),
        one_of("decision", DECISIONS),
        one_of("hallucination_status", ("none", "suspected", "confirmed")),
        unit("risk"),
        CheckConstraint("confidence_pct BETWEEN 0 AND 100", name="confidence_pct_is_a_percentage"),
        CheckConstraint("n_low BETWEEN 0 AND n_sentences", name="n_low_within_n_sentences"),
        CheckConstraint("substr(created_at, 1, 10) = created_day", name="created_day_is_of_created_at"),
        # Ascending, read backwards: the queue's order is descending in every column.
        # What follows the id lets the other filters be settled inside the index.
        Index("ix_results_newest", "decision", "created_day", "risk", "id", "run_id"),
        Index("ix_results_failure_newest", "decision", "failure_type", "created_day", "risk", "id", "run_id"),
        Index("ix_results_riskiest", "decision", "risk", "id", "failure_type", "created_day", "run_id"),
        Index("ix_results_shuffled", "decision", "shuffle", "id", "failure_type", "created_day", "run_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"))
    fingerprint_id: Mapped[str] = mapped_column(ForeignKey("fingerprints.id"))
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"))
    decision: Mapped[str] = mapped_column(String(6))
    rule_id: Mapped[str] = mapped_column(Text)
    failure_type: Mapped[str] = mapped_column(Text)
    hallucination_status: Mapped[str] = mapped_column(Text)
    next_action: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    confidence_pct: Mapped[int | None] = mapped_column(Integer)
    final: Mapped[float | None] = mapped_column(Float)
    attribution: Mapped[float | None] = mapped_column(Float)
    specificity: Mapped[float | None] = mapped_column(Float)
    faithfulness: Mapped[float | None] = mapped_column(Float)
    relevance: Mapped[float | None] = mapped_column(Float)
    context_quality: Mapped[float | None] = mapped_column(Float)
    consistency: Mapped[float | None] = mapped_column(Float)
    disagreement: Mapped[float | None] = mapped_column(Float)
    risk: Mapped[float] = mapped_column(Float)
    passed: Mapped[bool | None]
    states: Mapped[str] = mapped_column(Text)
    language: Mapped[str | None] = mapped_column(Text)
    n_sentences: Mapped[int] = mapped_column(Integer)
    n_low: Mapped[int] = mapped_column(Integer)
    latency_ms: Mapped[float] = mapped_column(Float)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    created_day: Mapped[str] = mapped_column(String(10))
    # The head of the sample's content hash: an order that has nothing to do with anything else.
    shuffle: Mapped[str] = mapped_column(String(8), server_default=text("''"))


class ResultDocument(Base):
    """The whole of ``EvalResult.to_dict()``, apart, so that a scan of results does not page over it."""

    __tablename__ = "result_documents"

    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"), primary_key=True)
    document: Mapped[str] = mapped_column(Text)


class RunResult(Base):
    """Every result a run covers, also those an earlier run had stored.

    The sort keys are copied from the result, which never changes, so that the queue of one run is read in
    order from one index.
    """

    __tablename__ = "run_results"
    __table_args__ = (
        one_of("decision", DECISIONS),
        unit("risk"),
        Index(
            "ix_run_results_newest", "run_id", "decision", "created_day", "risk", "result_id", "failure_type"
        ),
        Index(
            "ix_run_results_riskiest",
            "run_id",
            "decision",
            "risk",
            "result_id",
            "failure_type",
            "created_day",
        ),
        Index(
            "ix_run_results_shuffled",
            "run_id",
            "decision",
            "shuffle",
            "result_id",
            "failure_type",
            "created_day",
        ),
        Index("ix_run_results_result_id", "result_id"),
        {"sqlite_with_rowid": False},
    )

    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"), primary_key=True)
    decision: Mapped[str] = mapped_column(String(6))
    failure_type: Mapped[str] = mapped_column(Text)
    created_day: Mapped[str] = mapped_column(String(10))
    risk: Mapped[float] = mapped_column(Float)
    shuffle: Mapped[str] = mapped_column(String(8), server_default=text("''"))


class Sentence(Base):
    """One sentence of an answer and how the contexts hold it; offsets are code points, half-open."""

    __tablename__ = "sentences"
    __table_args__ = (
        CheckConstraint('start >= 0 AND "end" >= start', name="span"),
        unit("support"),
        one_of("status", ("supported", "low_confidence", "unmeasured", "not_a_claim")),
        CheckConstraint("n_evidence >= 0", name="n_evidence_not_negative"),
        {"sqlite_with_rowid": False},
    )

    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"), primary_key=True)
    idx: Mapped[int] = mapped_column(primary_key=True)
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    support: Mapped[float | None] = mapped_column(Float)
    status: Mapped[str] = mapped_column(Text)
    n_evidence: Mapped[int]


class SentenceDoubt(Base):
    """Why a sentence is worth a look: the gate's low confidence, or a kind of finding in it.

    One row for each sentence and kind, with what lists of them are grouped by; the findings themselves, and
    the evidence, are in the result's document. ``text_key`` finds the same text in other answers.
    """

    __tablename__ = "sentence_doubts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["result_id", "idx"], ["sentences.result_id", "sentences.idx"], name="fk_sentence_doubts_sentence"
        ),
        Index("ix_sentence_doubts_failure", "kind", "failure_type", "result_id", "idx"),
        Index("ix_sentence_doubts_sentence", "result_id", "idx"),
        Index("ix_sentence_doubts_text", "text_key", "result_id", "idx"),
        {"sqlite_with_rowid": False},
    )

    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    result_id: Mapped[int] = mapped_column(primary_key=True)
    idx: Mapped[int] = mapped_column(primary_key=True)
    failure_type: Mapped[str] = mapped_column(Text)
    text_key: Mapped[str] = mapped_column(String(16))


class ResultCount(Base):
    """How many results each quarter of an hour brought, kept up with every insert.

    Every zone's days can be built from quarters of an hour; none in use today is offset by less.
    """

    __tablename__ = "result_counts"
    __table_args__ = (
        one_of("decision", DECISIONS),
        CheckConstraint("n > 0", name="n_positive"),
        Index("ix_result_counts_run_id", "run_id", "bucket"),
        # Both hold all that their sums read: by day and decision, and by decision and failure type.
        Index("ix_result_counts_day", "decision", "bucket", "run_id", "n"),
        Index("ix_result_counts_total", "decision", "failure_type", "run_id", "n"),
        {"sqlite_with_rowid": False},
    )

    bucket: Mapped[str] = mapped_column(String(16), primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    decision: Mapped[str] = mapped_column(String(6), primary_key=True)
    failure_type: Mapped[str] = mapped_column(Text, primary_key=True)
    n: Mapped[int]


class ScoreCount(Base):
    """How many results of a day (UTC) have a score in a bin, kept up with every insert.

    Bins are those of :func:`db.repositories.score_counts.bin_of`.
    """

    __tablename__ = "score_counts"
    __table_args__ = (
        one_of("decision", DECISIONS),
        CheckConstraint("n > 0", name="n_positive"),
        {"sqlite_with_rowid": False},
    )

    score: Mapped[str] = mapped_column(Text, primary_key=True)
    created_day: Mapped[str] = mapped_column(String(10), primary_key=True)
    decision: Mapped[str] = mapped_column(String(6), primary_key=True)
    bin: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id"), primary_key=True)
    n: Mapped[int]


@event.listens_for(Base.metadata, "after_create")
def _make_word_index(_metadata: MetaData, connection: Connection, **_: object) -> None:
    connection.exec_driver_sql(WORD_INDEX)
