"""The queue: results that wait for a person, read page by page from an index, never by OFFSET."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import Column, ColumnElement, RowMapping, Select, Table, exists, func, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.labels import LabelRow, Labels
from db.repositories.results import PREVIEW_LENGTH
from evalcore.errors import StoreError

_SAMPLES = table_of(tables.Sample)
_RESULTS = table_of(tables.Result)
_RUN_RESULTS = table_of(tables.RunResult)
_COUNTS = table_of(tables.ResultCount)
_LABELS = table_of(tables.Label)

Scope: TypeAlias = Literal["unlabelled", "not_mine", "all"]
Order: TypeAlias = Literal["newest", "riskiest"]


@dataclass(frozen=True, kw_only=True)
class QueueFilter:
    """What a reviewer wants to see.

    Parameters
    ----------
    decision : str
        The decision that waits, ``REVIEW`` unless somebody checks another.
    run_id : int, optional
        Only what this run covers.
    failure_type : str, optional
        Only this failure type.
    scope : str
        ``unlabelled``: nobody has labelled it; ``not_mine``: ``reviewer_id`` has not; ``all``.
    reviewer_id : int, optional
        Who is looking; needed for ``not_mine``.
    order : str
        ``newest``: by day (UTC), latest first, the riskiest of a day first; ``riskiest``: by risk alone.
    """

    decision: str = "REVIEW"
    run_id: int | None = None
    failure_type: str | None = None
    scope: Scope = "unlabelled"
    reviewer_id: int | None = None
    order: Order = "newest"

    def __post_init__(self) -> None:
        if self.scope == "not_mine" and self.reviewer_id is None:
            raise StoreError("whose labels?", where="reviewer_id", got="none", cure="name the reviewer")


@dataclass(frozen=True)
class Cursor:
    """A place in the queue: what comes after it is further down, whatever was added or labelled since."""

    created_day: str
    risk: float
    id: int


@dataclass(frozen=True, kw_only=True)
class QueueItem:
    """A result as the queue shows it; ``query`` and ``response`` are cut to 200 characters.

    ``n_labels`` counts current labels; ``mine`` is the current label of the filter's reviewer.
    """

    id: int
    external_id: str
    query: str
    response: str
    decision: str
    rule_id: str
    failure_type: str
    hallucination_status: str
    next_action: str
    reason: str
    final: float | None
    risk: float
    n_sentences: int
    n_low: int
    language: str | None
    run_id: int
    created_at: datetime
    created_day: str
    n_labels: int
    mine: LabelRow | None

    @property
    def cursor(self) -> Cursor:
        """This item's place."""
        return Cursor(self.created_day, self.risk, self.id)


@dataclass(frozen=True)
class QueuePage:
    """A page of the queue; ``next_cursor`` opens the next one, None at the end."""

    items: tuple[QueueItem, ...]
    next_cursor: Cursor | None


@dataclass(frozen=True)
class Progress:
    """Of ``total`` results: how many anybody has labelled, and how many the reviewer has."""

    total: int
    labelled: int
    mine: int


class Queue:
    """The queue in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def page(self, where: QueueFilter, *, after: Cursor | None = None, limit: int = 25) -> QueuePage:
        """The first items, or those after a place."""
        source = _Source(where)
        query = source.narrow(_item_select(source), where).limit(limit + 1)
        if after is not None:
            query = query.where(source.is_after(after))
        rows = self._session.execute(query.order_by(*source.order)).mappings().all()
        items = self._items(rows[:limit], where.reviewer_id)
        return QueuePage(items, items[-1].cursor if len(rows) > limit else None)

    def next_after(self, where: QueueFilter, after: Cursor | None) -> QueueItem | None:
        """The item that follows a place, the first one if there is no place yet; None at the end."""
        items = self.page(where, after=after, limit=1).items
        return items[0] if items else None

    def count(self, where: QueueFilter) -> int:
        """How many items the filter leaves.

        All of them are counted from the roll-up or one index; those a scope leaves out, from the labels.
        """
        total = self._total(where)
        if where.scope == "unlabelled":
            return total - self._labelled(where, None)
        if where.scope == "not_mine":
            return total - self._labelled(where, where.reviewer_id)
        return total

    def progress(self, where: QueueFilter, reviewer_id: int | None = None) -> Progress:
        """How far people have come with the filter's results, whatever its scope."""
        return Progress(
            total=self._total(where),
            labelled=self._labelled(where, None),
            mine=0 if reviewer_id is None else self._labelled(where, reviewer_id),
        )

    def _total(self, where: QueueFilter) -> int:
        if where.run_id is None:
            table, query = _COUNTS, select(func.coalesce(func.sum(_COUNTS.c.n), 0))
        else:
            table, query = _RUN_RESULTS, select(func.count()).where(_RUN_RESULTS.c.run_id == where.run_id)
        query = query.select_from(table).where(table.c.decision == where.decision)
        if where.failure_type is not None:
            query = query.where(table.c.failure_type == where.failure_type)
        return int(self._session.execute(query).scalar_one())

    def _labelled(self, where: QueueFilter, reviewer_id: int | None) -> int:
        source = _Source(where)
        # EXISTS, not a join: it starts from the labels, which are few, instead of from every result.
        wanted = exists().where(source.id == _LABELS.c.result_id, *source.conditions(where))
        query = select(func.count(_LABELS.c.result_id.distinct())).where(wanted)
        if reviewer_id is not None:
            query = query.where(_LABELS.c.reviewer_id == reviewer_id)
        return int(self._session.execute(query).scalar_one())

    def _items(self, rows: Any, reviewer_id: int | None) -> tuple[QueueItem, ...]:
        by_result: dict[int, list[LabelRow]] = {}
        for label in Labels(self._session).current_of([row["id"] for row in rows]):
            by_result.setdefault(label.result_id, []).append(label)
        return tuple(_item(row, by_result.get(row["id"], []), reviewer_id) for row in rows)


class _Source:
    """The table whose index gives the order: one run's own, or that of all results."""

    def __init__(self, where: QueueFilter) -> None:
        self.table: Table = _RESULTS if where.run_id is None else _RUN_RESULTS
        self.id: Column[Any] = self.table.c.id if where.run_id is None else self.table.c.result_id
        by_risk = (self.table.c.risk, self.id)
        self._keys = by_risk if where.order == "riskiest" else (self.table.c.created_day, *by_risk)

    @property
    def order(self) -> list[ColumnElement[Any]]:
        return [key.desc() for key in self._keys]

    def is_after(self, place: Cursor) -> ColumnElement[bool]:
        values = (place.created_day, place.risk, place.id)
        return tuple_(*self._keys) < tuple_(*values[-len(self._keys) :])

    def conditions(self, where: QueueFilter) -> list[ColumnElement[bool]]:
        wanted = [self.table.c.decision == where.decision]
        if where.run_id is not None:
            wanted.append(self.table.c.run_id == where.run_id)
        if where.failure_type is not None:
            wanted.append(self.table.c.failure_type == where.failure_type)
        return wanted

    def narrow(self, query: Select[Any], where: QueueFilter) -> Select[Any]:
        query = query.where(*self.conditions(where))
        # A label is never taken away, only superseded, so any row stands for "has been labelled".
        labelled = exists().where(_LABELS.c.result_id == self.id)
        if where.scope == "unlabelled":
            return query.where(~labelled)
        if where.scope == "not_mine":
            return query.where(~labelled.where(_LABELS.c.reviewer_id == where.reviewer_id))
        return query


def _item_select(source: _Source) -> Select[Any]:
    shown = set(QueueItem.__dataclass_fields__) & set(_RESULTS.c.keys())
    query = select(
        _SAMPLES.c.external_id,
        func.substr(_SAMPLES.c.query, 1, PREVIEW_LENGTH).label("query"),
        func.substr(_SAMPLES.c.response, 1, PREVIEW_LENGTH).label("response"),
        *(_RESULTS.c[name] for name in sorted(shown)),
    )
    query = query.join_from(_RESULTS, _SAMPLES)
    if source.table is _RESULTS:
        return query
    return query.join(_RUN_RESULTS, _RUN_RESULTS.c.result_id == _RESULTS.c.id)


def _item(row: RowMapping, labels: list[LabelRow], reviewer_id: int | None) -> QueueItem:
    mine = next((label for label in labels if label.reviewer_id == reviewer_id), None)
    return QueueItem(**row, n_labels=len(labels), mine=mine)
