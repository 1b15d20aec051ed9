"""What agreement and guarantees are worked out from: labels that stand, beside the gate's word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from db.mapping import table_of
from db.repositories.gold import gold_labels
from db.repositories.labels import stands
from db.tables import Adjudication, Label, Result, Reviewer, Run, Sample

_LABELS, _RESULTS, _SAMPLES, _REVIEWERS, _RUNS = (table_of(t) for t in (Label, Result, Sample, Reviewer, Run))
_ADJUDICATIONS = table_of(Adjudication)
HELD_BACK = ("empty_query", "unknown_language")
"""Failure types of answers that no guarantee passes unread: their risk is measured on too little."""
_PASSING = case((_RESULTS.c.failure_type.in_(HELD_BACK), 1.0), else_=_RESULTS.c.risk)
_DOCUMENT_LETTERS = 200
"""Letters of the passages that name a document: answers from one document are not independent."""


class Judged(NamedTuple):
    """A labelled result of a gate: its risk, its gold verdict if there is one, and its place in random order.

    ``risk`` is 1 for an answer that never passes unread.

    ``n_labels`` are those that stand; ``in_audit`` is 1 where one of them was given in the audit, with
    ``inclusion_probability`` where the audit was not drawn evenly.
    """

    result_id: int
    risk: float
    shuffle: str
    verdict: str | None
    n_labels: int
    in_audit: int
    inclusion_probability: float | None


@dataclass(frozen=True, kw_only=True)
class WeekCell:
    """So many labels of a week, which begins on a Monday, with this verdict beside this other word."""

    week: date
    verdict: str
    decision: str
    n: int


@dataclass(frozen=True, kw_only=True)
class GroupCell:
    """So many labels of a group with this verdict beside this decision of the gate."""

    name: str
    verdict: str
    decision: str
    n: int


class Trust:
    """Labels and risks for statistics, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def said(self) -> list[tuple[int, str, str]]:
        """Every label that stands, by result: the result, who gave it and the verdict."""
        names: dict[int, str] = dict(self._session.execute(select(_REVIEWERS.c.id, _REVIEWERS.c.name)).all())
        query = (
            select(_LABELS.c.result_id, _LABELS.c.reviewer_id, _LABELS.c.verdict)
            .where(stands(_LABELS))
            .order_by(_LABELS.c.result_id, _LABELS.c.id)
        )
        return [(result, names[who], verdict) for result, who, verdict in self._session.execute(query)]

    def decided(self) -> Sequence[tuple[int, str, str]]:
        """Every result that has a label, in order: the gate's decision and what it was answered from."""
        query = (
            select(
                _RESULTS.c.id,
                _RESULTS.c.decision,
                func.substr(_SAMPLES.c.contexts, 1, _DOCUMENT_LETTERS),
            )
            .join_from(_RESULTS, _SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
            .where(_RESULTS.c.id.in_(select(_LABELS.c.result_id)))
            .order_by(_RESULTS.c.id)
        )
        return self._session.execute(query).all()

    def mark(self) -> tuple[int, int]:
        """The last label and the last settlement there are, by id."""
        last = [
            self._session.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one()
            for table in (_LABELS, _ADJUDICATIONS)
        ]
        return int(last[0]), int(last[1])

    def weekly(self) -> tuple[WeekCell, ...]:
        """Labels that stand beside the gate's decision, counted by their week, from Monday, UTC."""
        week = func.date(_LABELS.c.created_at, "weekday 0", "-6 days").label("week")
        query = (
            select(week, _LABELS.c.verdict, _RESULTS.c.decision, func.count().label("n"))
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .where(stands(_LABELS), _LABELS.c.verdict != "unsure")
            .group_by(week, _LABELS.c.verdict, _RESULTS.c.decision)
            .order_by(week)
        )
        rows = self._session.execute(query).mappings()
        return tuple(WeekCell(**{**row, "week": date.fromisoformat(row["week"])}) for row in rows)

    def weekly_pairs(self) -> tuple[WeekCell, ...]:
        """Two reviewers' labels of one answer by the later one's week; ``decision`` is the second's."""
        one, two = _LABELS.alias("one"), _LABELS.alias("two")
        week = func.date(func.max(one.c.created_at, two.c.created_at), "weekday 0", "-6 days").label("week")
        query = (
            select(week, one.c.verdict, two.c.verdict.label("decision"), func.count().label("n"))
            .join_from(
                one, two, (one.c.result_id == two.c.result_id) & (one.c.reviewer_id < two.c.reviewer_id)
            )
            .where(stands(one), stands(two), one.c.verdict != "unsure", two.c.verdict != "unsure")
            .group_by(week, one.c.verdict, two.c.verdict)
            .order_by(week)
        )
        rows = self._session.execute(query).mappings()
        return tuple(WeekCell(**{**row, "week": date.fromisoformat(row["week"])}) for row in rows)

    def grouped(self, by: Literal["failure_type", "system"]) -> tuple[GroupCell, ...]:
        """Labels that stand beside the gate's decision, counted by the gate's failure type or the system."""
        name = (_RESULTS.c.failure_type if by == "failure_type" else _RUNS.c.system).label("name")
        query = (
            select(name, _LABELS.c.verdict, _RESULTS.c.decision, func.count().label("n"))
            .join_from(_LABELS, _RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
            .join(_RUNS, _RUNS.c.id == _RESULTS.c.run_id)
            .where(stands(_LABELS), _LABELS.c.verdict != "unsure")
            .group_by(name, _LABELS.c.verdict, _RESULTS.c.decision)
            .order_by(name)
        )
        return tuple(GroupCell(**row) for row in self._session.execute(query).mappings())

    def named(self, result_ids: Sequence[int]) -> dict[int, tuple[str, str]]:
        """External id and question of results."""
        query = (
            select(_RESULTS.c.id, _SAMPLES.c.external_id, _SAMPLES.c.query)
            .join_from(_RESULTS, _SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
            .where(_RESULTS.c.id.in_(result_ids))
        )
        return {row.id: (row.external_id, row.query) for row in self._session.execute(query)}

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
        rows = self._session.execute(query).all()
        return tuple(map(Judged._make, rows))

    def risks(self, fingerprint_id: str) -> list[float]:
        """The risk of every result of a gate; 1 for those that never pass unread."""
        query = select(_PASSING).where(_RESULTS.c.fingerprint_id == fingerprint_id)
        return [float(risk) for risk in self._session.execute(query).scalars()]
