"""What alert rules measure, the states they were in, and what was sent of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, exists, func, insert, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.counts import bucket_of
from db.repositories.labels import stands
from db.repositories.score_counts import SCORES
from db.tables import DECISIONS
from evalcore.errors import StoreError

_CHANGES = table_of(tables.AlertChange)
_DELIVERIES = table_of(tables.AlertDelivery)
_COUNTS = table_of(tables.ResultCount)
_LABELS = table_of(tables.Label)
_RESULTS = table_of(tables.Result)
_RUNS = table_of(tables.Run)


@dataclass(frozen=True, kw_only=True)
class Span:
    """From ``since`` to before ``until``, of a profile and a system if they are named."""

    since: datetime
    until: datetime
    profile: str | None = None
    system: str | None = None


@dataclass(frozen=True, kw_only=True)
class AlertRow:
    """A change of state; see :class:`db.tables.AlertChange`."""

    id: int
    created_at: datetime
    rule: str
    metric: str
    state: str
    was: str | None
    value: float | None
    n: int
    told: str
    notify: bool


class Measured:
    """Numbers of a span, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def counts(self, span: Span) -> Counter[tuple[str, str]]:
        """Results by decision and failure type, from the quarter of an hour ``since`` is in."""
        query = (
            select(_COUNTS.c.decision, _COUNTS.c.failure_type, func.sum(_COUNTS.c.n))
            .where(_COUNTS.c.bucket >= bucket_of(span.since), _COUNTS.c.bucket <= bucket_of(span.until))
            .group_by(_COUNTS.c.decision, _COUNTS.c.failure_type)
        )
        if span.profile is not None or span.system is not None:
            query = query.where(_COUNTS.c.run_id.in_(_runs(span)))
        return Counter({(row[0], row[1]): int(row[2]) for row in self._session.execute(query)})

    def values(self, score: str, span: Span, limit: int) -> list[float]:
        """A score of the span's results, where it is measured; of more than ``limit`` a fair sample."""
        if score not in SCORES:
            raise StoreError("no such score is kept", got=score[:80], expected=", ".join(SCORES))
        found: list[float] = []
        for decision in DECISIONS:
            query = (
                select(_RESULTS.c[score])
                .where(
                    _RESULTS.c.decision == decision,
                    _RESULTS.c.created_day >= span.since.date().isoformat(),
                    _RESULTS.c.created_day <= span.until.date().isoformat(),
                    _RESULTS.c.created_at >= span.since,
                    _RESULTS.c.created_at < span.until,
                    _RESULTS.c[score].is_not(None),
                )
                # By content hash: which are taken has nothing to do with when they came.
                .order_by(_RESULTS.c.shuffle)
                .limit(limit)
            )
            if span.profile is not None or span.system is not None:
                query = query.where(_RESULTS.c.run_id.in_(_runs(span)))
            found.extend(self._session.execute(query).scalars())
        return found

    def labels(self, span: Span, *, audit_only: bool = False) -> Counter[tuple[str, str]]:
        """Labels given in the span that stand, by decision of the gate and verdict; unsure ones aside."""
        query = (
            select(_RESULTS.c.decision, _LABELS.c.verdict, func.count())
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .where(
                stands(_LABELS),
                _LABELS.c.verdict != "unsure",
                _LABELS.c.created_at >= span.since,
                _LABELS.c.created_at < span.until,
            )
            .group_by(_RESULTS.c.decision, _LABELS.c.verdict)
        )
        if audit_only:
            query = query.where(_LABELS.c.picked == "audit")
        if span.profile is not None or span.system is not None:
            query = query.where(_RESULTS.c.run_id.in_(_runs(span)))
        return Counter({(row[0], row[1]): int(row[2]) for row in self._session.execute(query)})


class Alerts:
    """States of rules in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def states(self) -> dict[str, AlertRow]:
        """The last change of every rule there ever was."""
        last = select(func.max(_CHANGES.c.id)).group_by(_CHANGES.c.rule)
        rows = self._rows(select(_CHANGES).where(_CHANGES.c.id.in_(last)))
        return {row.rule: row for row in rows}

    def history(self, limit: int = 100) -> tuple[AlertRow, ...]:
        """The latest changes, the last first."""
        return self._rows(select(_CHANGES).order_by(_CHANGES.c.id.desc()).limit(limit))

    def add(self, values: dict[str, object]) -> None:
        """Keep a change; ``values`` are the columns but for the id."""
        self._session.execute(insert(_CHANGES).values(values))

    def unsent(self, limit: int = 200) -> tuple[AlertRow, ...]:
        """Changes that a webhook was asked for and none has taken yet, the first first."""
        sent = exists().where(_DELIVERIES.c.change_id == _CHANGES.c.id, _DELIVERIES.c.ok)
        query = select(_CHANGES).where(_CHANGES.c.notify, ~sent).order_by(_CHANGES.c.id).limit(limit)
        return self._rows(query)

    def tried(self, change_id: int, at: datetime, *, ok: bool, told: str) -> None:
        """Keep what became of a try to send a change."""
        row = {"change_id": change_id, "created_at": at, "ok": ok, "told": told}
        self._session.execute(insert(_DELIVERIES).values(row))

    def _rows(self, query: Select[Any]) -> tuple[AlertRow, ...]:
        return tuple(AlertRow(**row) for row in self._session.execute(query).mappings())


def _runs(span: Span) -> Select[Any]:
    query = select(_RUNS.c.id)
    if span.profile is not None:
        query = query.where(_RUNS.c.profile == span.profile)
    if span.system is not None:
        query = query.where(_RUNS.c.system == span.system)
    return query
