"""The table of what was promised: guarantees, each with what it stands on. As in :mod:`db.tables`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.columns import Base, UtcDateTime, one_of, unit

METHODS = ("learn_then_test", "conformal")


class Guarantee(Base):
    """A guarantee as it was earned, with the labels, thresholds and gate it holds for. Append-only.

    ``last_label_id`` is the last label there was: what is audited later tests the guarantee.
    ``written_hash`` is the profile hash of the file that carries the threshold, where one was written.
    """

    __tablename__ = "guarantees"
    __table_args__ = (
        one_of("method", METHODS),
        unit("alpha"),
        unit("delta"),
        unit("threshold"),
        unit("coverage"),
        Index("ix_guarantees_fingerprint_id", "fingerprint_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reviewer_id: Mapped[int | None] = mapped_column(ForeignKey("reviewers.id"))
    fingerprint_id: Mapped[str] = mapped_column(ForeignKey("fingerprints.id"))
    profile: Mapped[str] = mapped_column(Text)
    written_hash: Mapped[str | None] = mapped_column(Text)
    alpha: Mapped[float] = mapped_column(Float)
    delta: Mapped[float] = mapped_column(Float)
    method: Mapped[str] = mapped_column(Text)
    threshold: Mapped[float] = mapped_column(Float)
    coverage: Mapped[float] = mapped_column(Float)
    n_labels: Mapped[int] = mapped_column(Integer)
    n_passed: Mapped[int] = mapped_column(Integer)
    n_wrong: Mapped[int] = mapped_column(Integer)
    n_answers: Mapped[int] = mapped_column(Integer)
    n_unread: Mapped[int] = mapped_column(Integer)
    last_label_id: Mapped[int] = mapped_column(Integer)
