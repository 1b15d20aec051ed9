"""The tables of alerts: each change of a rule's state, and the tries to tell it. As in :mod:`db.tables`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from db.columns import Base, UtcDateTime, one_of

ALERT_STATES = ("OK", "WARN", "ALERT", "NO DATA")


class AlertChange(Base):
    """A rule's state from ``created_at`` until its next row. Append-only.

    ``was`` is the state before it, none for a new rule. ``notify`` is whether a webhook was asked for then:
    only such a row is ever sent.
    """

    __tablename__ = "alert_changes"
    __table_args__ = (
        one_of("state", ALERT_STATES),
        Index("ix_alert_changes_rule", "rule", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    rule: Mapped[str] = mapped_column(Text)
    metric: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    was: Mapped[str | None] = mapped_column(Text)
    value: Mapped[float | None] = mapped_column(Float)
    n: Mapped[int] = mapped_column(Integer)
    told: Mapped[str] = mapped_column(Text)
    notify: Mapped[bool] = mapped_column(server_default=text("0"))


class AlertDelivery(Base):
    """One try to send a change. Append-only; a change is sent once a row of it is ok."""

    __tablename__ = "alert_deliveries"
    __table_args__ = (Index("ix_alert_deliveries_change_id", "change_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    change_id: Mapped[int] = mapped_column(ForeignKey("alert_changes.id"))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ok: Mapped[bool]
    told: Mapped[str] = mapped_column(Text)
