"""Guarantees as they were earned, and what the audit has said since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, or_, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.gold import gold_labels
from db.repositories.labels import stands
from db.repositories.trust import HELD_BACK

_GUARANTEES = table_of(tables.Guarantee)
_FINGERPRINTS = table_of(tables.Fingerprint)
_LABELS = table_of(tables.Label)
_RESULTS = table_of(tables.Result)


@dataclass(frozen=True, kw_only=True)
class GuaranteeRow:
    """A guarantee as it was earned; see :class:`db.tables.Guarantee`."""

    id: int
    created_at: datetime
    reviewer_id: int | None
    fingerprint_id: str
    profile: str
    written_hash: str | None
    alpha: float
    delta: float
    method: str
    threshold: float
    coverage: float
    n_labels: int
    n_passed: int
    n_wrong: int
    n_answers: int
    n_unread: int
    last_label_id: int


@dataclass(frozen=True, kw_only=True)
class Audited:
    """An audited answer under a threshold: when it was labelled last, and its gold verdict if it has one."""

    result_id: int
    labelled_at: datetime
    verdict: str | None
    n_labels: int


class Guarantees:
    """Guarantees in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, values: dict[str, object]) -> GuaranteeRow:
        """Keep one; ``values`` are the columns but for the id."""
        query = insert(_GUARANTEES).values(values).returning(_GUARANTEES.c.id)
        return self._rows(_GUARANTEES.c.id == self._session.execute(query).scalar_one())[0]

    def all(self) -> tuple[GuaranteeRow, ...]:
        """Every guarantee there was, the latest first."""
        return self._rows()

    def of_gate(self, fingerprint_id: str) -> tuple[GuaranteeRow, ...]:
        """Those that hold for a gate: earned on it, or carried by its profile; the latest first."""
        profile = select(_FINGERPRINTS.c.profile_hash).where(_FINGERPRINTS.c.id == fingerprint_id)
        carried = _GUARANTEES.c.written_hash == profile.scalar_subquery()
        return self._rows(or_(_GUARANTEES.c.fingerprint_id == fingerprint_id, carried))

    def audited_since(self, fingerprint_id: str, threshold: float, label_id: int) -> tuple[Audited, ...]:
        """Audited answers of a gate up to a risk, first labelled after that label, in the order of labels."""
        gold = gold_labels()
        first = func.min(_LABELS.c.id)
        query = (
            select(
                _LABELS.c.result_id,
                func.max(_LABELS.c.created_at).label("labelled_at"),
                gold.c.verdict,
                func.count().label("n_labels"),
            )
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .outerjoin(gold, gold.c.result_id == _LABELS.c.result_id)
            .where(
                stands(_LABELS),
                _LABELS.c.picked == "audit",
                _RESULTS.c.fingerprint_id == fingerprint_id,
                _RESULTS.c.risk <= threshold,
                _RESULTS.c.failure_type.not_in(HELD_BACK),
            )
            .group_by(_LABELS.c.result_id, gold.c.verdict)
            .having(first > label_id)
            .order_by(first)
        )
        return tuple(Audited(**row) for row in self._session.execute(query).mappings())

    def last_label_id(self) -> int:
        """The id of the last label there is; 0 when there is none."""
        return int(self._session.execute(select(func.coalesce(func.max(_LABELS.c.id), 0))).scalar_one())

    def _rows(self, *where: object) -> tuple[GuaranteeRow, ...]:
        query = select(_GUARANTEES).where(*where).order_by(_GUARANTEES.c.id.desc())  # type: ignore[arg-type]
        return tuple(GuaranteeRow(**row) for row in self._session.execute(query).mappings())
