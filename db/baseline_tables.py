"""The tables of baselines and of gate runs against them. Columns as in :mod:`db.tables`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.columns import Base, UtcDateTime, one_of

OUTCOMES = ("pass", "regression", "incomplete", "not_comparable")


class Baseline(Base):
    """A named version of cases. Append-only: freezing again makes the next version.

    ``fingerprint`` is the whole one as JSON, so that a baseline from elsewhere has it too.
    """

    __tablename__ = "baselines"
    __table_args__ = (
        UniqueConstraint("name", "version"),
        CheckConstraint("version >= 1", name="version"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    version: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reviewer_id: Mapped[int | None] = mapped_column(ForeignKey("reviewers.id"))
    fingerprint: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(64))
    note: Mapped[str] = mapped_column(Text, server_default=text("''"))


class BaselineCase(Base):
    """A case as JSON, with its hash."""

    __tablename__ = "baseline_cases"
    __table_args__ = ({"sqlite_with_rowid": False},)

    baseline_id: Mapped[int] = mapped_column(ForeignKey("baselines.id"), primary_key=True)
    case_id: Mapped[str] = mapped_column(Text, primary_key=True)
    document: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(64))


class BaselineRemoval(Base):
    """A baseline taken out of use: it is no longer gated against, and its old runs can still be read."""

    __tablename__ = "baseline_removals"

    baseline_id: Mapped[int] = mapped_column(ForeignKey("baselines.id"), primary_key=True)
    removed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reviewer_id: Mapped[int | None] = mapped_column(ForeignKey("reviewers.id"))


class GateRun(Base):
    """A gate run with its whole report as JSON. Append-only."""

    __tablename__ = "gate_runs"
    __table_args__ = (
        one_of("outcome", OUTCOMES),
        Index("ix_gate_runs_baseline_id", "baseline_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    baseline_id: Mapped[int] = mapped_column(ForeignKey("baselines.id"))
    answers: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text)
    n_shared: Mapped[int] = mapped_column(Integer)
    n_worse: Mapped[int] = mapped_column(Integer)
    report: Mapped[str] = mapped_column(Text)
