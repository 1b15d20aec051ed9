"""All labels: searched, paged and read through for export; and figures about each reviewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, case, func, or_, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.gold import gold_labels
from db.repositories.labels import LabelRow, stands

_LABELS = table_of(tables.Label)
_REVIEWERS = table_of(tables.Reviewer)
_RESULTS = table_of(tables.Result)
_SAMPLES = table_of(tables.Sample)
_RUN_RESULTS = table_of(tables.RunResult)

_CHUNK = 500


@dataclass(frozen=True, kw_only=True)
class LabelFilter:
    """Which labels; None leaves a field open.

    ``text`` stands anywhere in the note, the corrected answer or the sample's id, in any case of ASCII
    letters. ``since`` is included, ``until`` is not. ``current`` leaves out what was superseded or withdrawn.
    """

    reviewer_id: int | None = None
    verdict: str | None = None
    failure_type: str | None = None
    run_id: int | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    current: bool = True


@dataclass(frozen=True, kw_only=True)
class ListedLabel:
    """A label beside what it is about. ``stands`` is whether it is what its reviewer says now."""

    label: LabelRow
    external_id: str
    content_hash: str
    query: str
    decision: str
    gate_failure_type: str
    risk: float
    run_id: int
    fingerprint_id: str
    stands: bool


@dataclass(frozen=True)
class LabelPage:
    """Labels, latest first; ``next_after`` opens the next page, None at the end."""

    items: tuple[ListedLabel, ...]
    next_after: int | None


@dataclass(frozen=True, kw_only=True)
class ReviewerCounts:
    """What a reviewer did.

    ``current`` labels stand, of which ``unsure``; ``rows`` were ever written, ``undone`` taken back, and
    ``changed_after_reveal`` are changes of mind made once the gate's word was in view. Of ``compared``
    labels that stand on results with a gold label others had a part in, ``agreed`` say the same.
    """

    reviewer_id: int
    reviewer: str
    role: str
    rows: int
    current: int
    unsure: int
    undone: int
    changed_after_reveal: int
    compared: int
    agreed: int


class LabelList:
    """All labels, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def page(self, where: LabelFilter, *, after: int | None = None, limit: int = 50) -> LabelPage:
        """The latest labels, or those before the label of this id."""
        query = _narrow(_select(), where).order_by(_LABELS.c.id.desc()).limit(limit + 1)
        if after is not None:
            query = query.where(_LABELS.c.id < after)
        items = tuple(_listed(row) for row in self._session.execute(query).mappings())
        return LabelPage(items[:limit], items[limit - 1].label.id if len(items) > limit else None)

    def count(self, where: LabelFilter) -> int:
        """How many labels the filter leaves."""
        query = select(func.count()).select_from(_LABELS).join(_RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
        query = _narrow(query.join(_SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id), where)
        return int(self._session.execute(query).scalar_one())

    def iterate(self, where: LabelFilter) -> Iterator[ListedLabel]:
        """Labels in the order they were made, read in pieces: memory does not grow with them."""
        base = _narrow(_select(), where).order_by(_LABELS.c.id).limit(_CHUNK)
        last = 0
        while rows := self._session.execute(base.where(_LABELS.c.id > last)).mappings().all():
            for row in rows:
                yield _listed(row)
            last = rows[-1]["id"]

    def by_reviewer(self) -> tuple[ReviewerCounts, ...]:
        """What each reviewer did, by name; also those who have done nothing."""
        gold = gold_labels()
        sided = _LABELS.c.verdict.in_(("accept", "reject"))
        # Against a truth that is one's own single label anybody would be right.
        shared = or_(gold.c.source == "adjudication", gold.c.n_labels > 1)
        comparable = and_(stands(_LABELS), sided, shared)
        query = (
            select(
                _REVIEWERS.c.id.label("reviewer_id"),
                _REVIEWERS.c.name.label("reviewer"),
                _REVIEWERS.c.role,
                func.count(_LABELS.c.id).label("rows"),
                _n(stands(_LABELS)).label("current"),
                _n(and_(stands(_LABELS), _LABELS.c.verdict == "unsure")).label("unsure"),
                _n(_LABELS.c.undoes.is_not(None)).label("undone"),
                _n(
                    and_(
                        _LABELS.c.after_reveal,
                        _LABELS.c.supersedes.is_not(None),
                        _LABELS.c.undoes.is_(None),
                    )
                ).label("changed_after_reveal"),
                _n(comparable).label("compared"),
                _n(and_(comparable, gold.c.verdict == _LABELS.c.verdict)).label("agreed"),
            )
            .join_from(_REVIEWERS, _LABELS, _LABELS.c.reviewer_id == _REVIEWERS.c.id, isouter=True)
            .join(gold, gold.c.result_id == _LABELS.c.result_id, isouter=True)
            .group_by(_REVIEWERS.c.id)
            .order_by(_REVIEWERS.c.name_key)
        )
        return tuple(ReviewerCounts(**row) for row in self._session.execute(query).mappings())

    def times(self, reviewer_id: int) -> tuple[datetime, ...]:
        """When a reviewer labelled, in order; what took something back aside."""
        query = select(_LABELS.c.created_at).where(
            _LABELS.c.reviewer_id == reviewer_id, _LABELS.c.undoes.is_(None)
        )
        return tuple(self._session.execute(query.order_by(_LABELS.c.created_at)).scalars())


def _n(condition: Any) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _select() -> Select[Any]:
    return (
        select(
            _LABELS,
            _REVIEWERS.c.name.label("reviewer"),
            _SAMPLES.c.external_id,
            _SAMPLES.c.content_hash,
            func.substr(_SAMPLES.c.query, 1, 200).label("query"),
            _RESULTS.c.decision,
            _RESULTS.c.failure_type.label("gate_failure_type"),
            _RESULTS.c.risk,
            _RESULTS.c.run_id,
            _RESULTS.c.fingerprint_id,
            stands(_LABELS).label("stands"),
        )
        .join_from(_LABELS, _REVIEWERS, _REVIEWERS.c.id == _LABELS.c.reviewer_id)
        .join(_RESULTS, _RESULTS.c.id == _LABELS.c.result_id)
        .join(_SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
    )


def _narrow(query: Select[Any], where: LabelFilter) -> Select[Any]:
    for name in ("reviewer_id", "verdict", "failure_type"):
        wanted = getattr(where, name)
        if wanted is not None:
            query = query.where(_LABELS.c[name] == wanted)
    if where.run_id is not None:
        covered = (_RUN_RESULTS.c.result_id == _LABELS.c.result_id) & (_RUN_RESULTS.c.run_id == where.run_id)
        query = query.join(_RUN_RESULTS, covered)
    if where.text:
        places = (_LABELS.c.note, _LABELS.c.corrected_answer, _SAMPLES.c.external_id)
        query = query.where(or_(*(place.icontains(where.text, autoescape=True) for place in places)))
    if where.since is not None:
        query = query.where(_LABELS.c.created_at >= where.since)
    if where.until is not None:
        query = query.where(_LABELS.c.created_at < where.until)
    return query.where(stands(_LABELS)) if where.current else query


def _listed(row: Any) -> ListedLabel:
    label = LabelRow(**{name: row[name] for name in LabelRow.__dataclass_fields__})
    shown = {name: row[name] for name in ListedLabel.__dataclass_fields__ if name not in ("label", "stands")}
    return ListedLabel(label=label, stands=bool(row["stands"]), **shown)
