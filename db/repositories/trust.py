"""What agreement and guarantees are worked out from: labels that stand, beside the gate's word."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from db.repositories.gold import gold_labels
from db.repositories.labels import stands
from db.tables import Label, Result, Reviewer, Sample

_LABELS, _RESULTS, _SAMPLES, _REVIEWERS = (t.__table__ for t in (Label, Result, Sample, Reviewer))
HELD_BACK = ("empty_query", "unknown_language")
"""Failure types of answers that no guarantee passes unread: their risk is measured on too little."""
_PASSING = case((_RESULTS.c.failure_type.in_(HELD_BACK), 1.0), else_=_RESULTS.c.risk)
_DOCUMENT_LETTERS = 200
"""Letters of the passages that name a document: answers from one document are not independent."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A label that stands, with the gate's decision and what it was answered from."""

    result_id: int
    document: str
    reviewer: str
    verdict: str
    decision: str


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A labelled result of a gate: its risk, its gold verdict if there is one, and its place in random order.

    ``risk`` is 1 for an answer that never passes unread.

    ``n_labels`` are those that stand; ``in_audit`` is whether one of them was given in the audit, with
    ``inclusion_probability`` where the audit was not drawn evenly.
    """

    result_id: int
    risk: float
    shuffle: str
    verdict: str | None
    n_labels: int
    in_audit: bool
    inclusion_probability: float | None


class Trust:
    """Labels and risks for statistics, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def said(self) -> tuple[Said, ...]:
        """Every label that stands, by result."""
        query = (
            select(
                _LABELS.c.result_id,
                func.substr(_SAMPLES.c.contexts, 1, _DOCUMENT_LETTERS).label("document"),
                _REVIEWERS.c.name.label("reviewer"),
                _LABELS.c.verdict,
                _RESULTS.c.decision,
            )
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .join(_SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
            .join(_REVIEWERS, _REVIEWERS.c.id == _LABELS.c.reviewer_id)
            .where(stands(_LABELS))
            .order_by(_LABELS.c.result_id, _LABELS.c.id)
        )
        return tuple(Said(**row) for row in self._session.execute(query).mappings())

    def judged(self, fingerprint_id: str) -> tuple[Judged, ...]:
        """Every labelled result of a gate, however it was picked."""
        gold = gold_labels()
        audit = case((_LABELS.c.picked == "audit", 1), else_=0)
        query = (
            select(
                _LABELS.c.result_id,
                _PASSING.label("risk"),
                _RESULTS.c.shuffle,
                gold.c.verdict,
                func.count().label("n_labels"),
                func.max(audit).label("in_audit"),
                func.min(case((audit == 1, _LABELS.c.inclusion_probability))).label("inclusion_probability"),
            )
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .outerjoin(gold, gold.c.result_id == _LABELS.c.result_id)
            .where(stands(_LABELS), _RESULTS.c.fingerprint_id == fingerprint_id)
            .group_by(_LABELS.c.result_id, _PASSING, _RESULTS.c.shuffle, gold.c.verdict)
            .order_by(_LABELS.c.result_id)
        )
        rows = self._session.execute(query).mappings()
        return tuple(Judged(**{**row, "in_audit": bool(row["in_audit"])}) for row in rows)

    def risks(self, fingerprint_id: str) -> list[float]:
        """The risk of every result of a gate; 1 for those that never pass unread."""
        query = select(_PASSING).where(_RESULTS.c.fingerprint_id == fingerprint_id)
        return [float(risk) for risk in self._session.execute(query).scalars()]
