"""The tables of what people do with results: claim, skip, label, settle. Columns as in :mod:`db.tables`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.columns import Base, UtcDateTime, one_of, unit

LABEL_VERDICTS = ("accept", "reject", "unsure")
SENTENCE_VERDICTS = ("supported", "unsupported", "not_a_claim")
WITHDRAWN = "withdrawn"
"""The verdict of a row that takes a label back: whoever counts labels counts it as none."""

SEEN = ("blind", "marks", "gate", "all")
"""What a reviewer could see while deciding, least first: question, contexts and answer alone; the marked
sentences and findings too, but no verdict and no score; the whole of the gate's word; others' labels too."""

PICKED = ("priority", "random", "audit")
ROLES = ("reviewer", "lead")


class Reviewer(Base):
    """A person who labels. ``name_key`` is the name as compared: case and spacing do not count."""

    __tablename__ = "reviewers"
    __table_args__ = (
        one_of("role", ROLES),
        CheckConstraint("name <> '' AND name_key <> ''", name="name_not_blank"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    name_key: Mapped[str] = mapped_column(Text, unique=True)
    role: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ReviewQueue(Base):
    """How a queue is worked: labels an item needs, what a reviewer sees, how long a claim holds."""

    __tablename__ = "queues"
    __table_args__ = (
        CheckConstraint("name <> ''", name="name_not_blank"),
        CheckConstraint("labels_required BETWEEN 1 AND 5", name="labels_required"),
        CheckConstraint("claim_minutes BETWEEN 1 AND 1440", name="claim_minutes"),
        unit("audit_share"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text, unique=True)
    labels_required: Mapped[int] = mapped_column(Integer, server_default=text("1"))
    blind: Mapped[bool] = mapped_column(Boolean, server_default=true())
    show_marks: Mapped[bool] = mapped_column(Boolean, server_default=true())
    claim_minutes: Mapped[int] = mapped_column(Integer, server_default=text("15"))
    audit_share: Mapped[float] = mapped_column(Float, server_default=text("0"))


class Claim(Base):
    """Who has an item open. As many slots an item as it needs labels; a lapsed claim is taken over in place.

    ``token`` is that of the form the claim gives out: the label it leads to carries it, so that one claim
    makes one label.
    """

    __tablename__ = "claims"
    __table_args__ = (
        UniqueConstraint("result_id", "reviewer_id"),
        one_of("picked", PICKED),
        CheckConstraint("slot BETWEEN 1 AND 5", name="slot"),
        CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1", name="inclusion_probability"
        ),
        Index("ix_claims_reviewer_id", "reviewer_id", "expires_at"),
        {"sqlite_with_rowid": False},
    )

    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"), primary_key=True)
    slot: Mapped[int] = mapped_column(primary_key=True)
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"))
    token: Mapped[str] = mapped_column(Text, unique=True)
    picked: Mapped[str] = mapped_column(Text)
    inclusion_probability: Mapped[float | None] = mapped_column(Float)
    claimed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Draft(Base):
    """What a form holds before it is sent, as JSON; outlives the claim, and goes when the label is stored."""

    __tablename__ = "drafts"

    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"), primary_key=True)
    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"), primary_key=True)
    fields: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Skip(Base):
    """An item a reviewer passed over: ``skip`` for now, ``decline`` for good. Append-only."""

    __tablename__ = "skips"
    __table_args__ = (
        one_of("kind", ("skip", "decline")),
        Index("ix_skips_reviewer_id", "reviewer_id", "result_id", "kind"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"))
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"))
    kind: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    client_token: Mapped[str | None] = mapped_column(Text, unique=True)


class Label(Base):
    """What a person said about a result. Append-only: a change of mind is a new row that supersedes.

    Triggers refuse UPDATE and DELETE. A row supersedes one of the same reviewer and result, and each row is
    superseded at most once, so the labels of a reviewer on a result are one chain. A row that takes another
    back names it in ``undoes`` and holds what was said before it: ``withdrawn`` if nothing was.
    """

    __tablename__ = "labels"
    __table_args__ = (
        one_of("verdict", (*LABEL_VERDICTS, WITHDRAWN)),
        one_of("picked", PICKED),
        CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1", name="inclusion_probability"
        ),
        CheckConstraint(
            "verdict <> 'withdrawn' OR (undoes IS NOT NULL AND supersedes IS NOT NULL)",
            name="withdrawn_undoes",
        ),
        UniqueConstraint("id", "result_id", "reviewer_id"),
        ForeignKeyConstraint(
            ["supersedes", "result_id", "reviewer_id"],
            ["labels.id", "labels.result_id", "labels.reviewer_id"],
            name="fk_labels_supersedes",
        ),
        ForeignKeyConstraint(
            ["undoes", "result_id", "reviewer_id"],
            ["labels.id", "labels.result_id", "labels.reviewer_id"],
            name="fk_labels_undoes",
        ),
        Index(
            "uq_labels_first",
            "result_id",
            "reviewer_id",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
        Index("ix_labels_result_id", "result_id", "reviewer_id"),
        Index("ix_labels_reviewer_id", "reviewer_id", "result_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"))
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"))
    verdict: Mapped[str] = mapped_column(Text)
    failure_type: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text, server_default=text("''"))
    corrected_answer: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    supersedes: Mapped[int | None] = mapped_column(Integer, unique=True)
    undoes: Mapped[int | None] = mapped_column(Integer, unique=True)
    client_token: Mapped[str | None] = mapped_column(Text, unique=True)
    seen: Mapped[str] = mapped_column(Text, server_default=text("'all'"))
    after_reveal: Mapped[bool] = mapped_column(Boolean, server_default=false())
    picked: Mapped[str] = mapped_column(Text, server_default=text("'priority'"))
    inclusion_probability: Mapped[float | None] = mapped_column(Float)


class SentenceLabel(Base):
    """What a person said about one sentence of an answer. Append-only chains, as labels are."""

    __tablename__ = "sentence_labels"
    __table_args__ = (
        one_of("verdict", (*SENTENCE_VERDICTS, WITHDRAWN)),
        ForeignKeyConstraint(
            ["result_id", "idx"], ["sentences.result_id", "sentences.idx"], name="fk_sentence_labels_sentence"
        ),
        UniqueConstraint("id", "result_id", "idx", "reviewer_id"),
        ForeignKeyConstraint(
            ["supersedes", "result_id", "idx", "reviewer_id"],
            [
                "sentence_labels.id",
                "sentence_labels.result_id",
                "sentence_labels.idx",
                "sentence_labels.reviewer_id",
            ],
            name="fk_sentence_labels_supersedes",
        ),
        Index(
            "uq_sentence_labels_first",
            "result_id",
            "idx",
            "reviewer_id",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
        Index("ix_sentence_labels_sentence", "result_id", "idx", "reviewer_id"),
        Index("ix_sentence_labels_label_id", "label_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    result_id: Mapped[int] = mapped_column(Integer)
    idx: Mapped[int] = mapped_column(Integer)
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"))
    verdict: Mapped[str] = mapped_column(Text)
    label_id: Mapped[int | None] = mapped_column(ForeignKey("labels.id"))
    seen: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    supersedes: Mapped[int | None] = mapped_column(Integer, unique=True)
    client_token: Mapped[str | None] = mapped_column(Text, unique=True)


class Adjudication(Base):
    """How a lead settled labels that disagree: the gold label. Append-only, one chain a result."""

    __tablename__ = "adjudications"
    __table_args__ = (
        one_of("verdict", ("accept", "reject")),
        UniqueConstraint("id", "result_id"),
        ForeignKeyConstraint(
            ["supersedes", "result_id"],
            ["adjudications.id", "adjudications.result_id"],
            name="fk_adjudications_supersedes",
        ),
        Index(
            "uq_adjudications_first",
            "result_id",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
        Index("ix_adjudications_result_id", "result_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    result_id: Mapped[int] = mapped_column(ForeignKey("results.id"))
    reviewer_id: Mapped[int] = mapped_column(ForeignKey("reviewers.id"))
    verdict: Mapped[str] = mapped_column(Text)
    failure_type: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text, server_default=text("''"))
    corrected_answer: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    supersedes: Mapped[int | None] = mapped_column(Integer, unique=True)
    client_token: Mapped[str | None] = mapped_column(Text, unique=True)
