"""The queue: results that wait for a person, read page by page from an index, never by OFFSET."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, exists, func, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.labels import LabelRow, Labels, stands
from db.repositories.queue_filter import Cursor, Order, QueueFilter, Scope
from db.repositories.queue_walk import Source
from db.repositories.results import PREVIEW_LENGTH

__all__ = ["Cursor", "Order", "Progress", "Queue", "QueueFilter", "QueueItem", "QueuePage", "Scope"]

_SAMPLES = table_of(tables.Sample)
_RESULTS = table_of(tables.Result)
_RUN_RESULTS = table_of(tables.RunResult)
_RUNS = table_of(tables.Run)
_COUNTS = table_of(tables.ResultCount)
_LABELS = table_of(tables.Label)
_SKIPS = table_of(tables.Skip)
_DECLINED = _SKIPS.alias("declined")

MOST_COUNTED = 50_000
"""What a search finds is counted so far and no further: a word in every text is in a million."""


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
    shuffle: str
    n_labels: int
    mine: LabelRow | None

    @property
    def cursor(self) -> Cursor:
        """This item's place."""
        return Cursor(self.created_day, self.risk, self.id, self.shuffle)


@dataclass(frozen=True)
class QueuePage:
    """A page of the queue; ``next_cursor`` opens the next one, None at the end."""

    items: tuple[QueueItem, ...]
    next_cursor: Cursor | None


@dataclass(frozen=True)
class Progress:
    """Of ``total`` results: how many anybody has labelled, and how many the reviewer has.

    ``is_more`` is whether a search found more than ``total``, which were all that was counted.
    """

    total: int
    labelled: int
    mine: int
    is_more: bool = False


class Queue:
    """The queue in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def page(
        self,
        where: QueueFilter,
        *,
        after: Cursor | None = None,
        limit: int = 25,
        now: datetime | None = None,
    ) -> QueuePage:
        """The first items, or those after a place; ``now`` is when claims are looked at."""
        few = Source.few(where, self._session)
        if few is not None:
            return self._sorted(few, after, limit, now)
        found: list[RowMapping] = []
        source = Source.of(where)
        base = self._items_of(source, now)
        for walk in source.walks(after):
            query = walk.ordered(base).limit(limit + 1)
            found += self._session.execute(query).mappings().all()
        found.sort(key=lambda row: where.sort_key(_place(row)))
        items = self._items(found[:limit], where.reviewer_id)
        return QueuePage(items, items[-1].cursor if len(found) > limit else None)

    def next_after(self, where: QueueFilter, after: Cursor | None) -> QueueItem | None:
        """The item that follows a place, the first one if there is no place yet; None at the end."""
        items = self.page(where, after=after, limit=1).items
        return items[0] if items else None

    def get(self, result_id: int, reviewer_id: int | None = None) -> QueueItem | None:
        """One item by its result's id, as the queue shows it."""
        query = _item_select().where(_RESULTS.c.id == result_id)
        items = self._items(self._session.execute(query).mappings().all(), reviewer_id)
        return items[0] if items else None

    def holds(self, where: QueueFilter, result_id: int) -> bool:
        """Whether a result is among those the filter leaves."""
        source = Source.of(where)
        query = select(source.id).where(source.id == result_id, *source.decided(), *source.conditions())
        query = query.where(*source.in_scope())
        return self._session.execute(query.limit(1)).first() is not None

    def count(self, where: QueueFilter) -> int:
        """How many items the filter leaves.

        All of them are counted from the roll-up or one index; those a scope leaves out, from the labels.
        What a search finds is counted up to one more than ``MOST_COUNTED``.
        """
        if where.scope == "open" or where.text is not None:
            return self._scan(where)
        if where.scope == "mine":
            return self._labelled(where, where.reviewer_id)
        if where.scope == "skipped":
            return self._skipped(where)
        total = self._total(where)
        if where.scope == "unlabelled":
            return total - self._labelled(where, None)
        if where.scope == "not_mine":
            return total - self._labelled(where, where.reviewer_id)
        return total

    def progress(self, where: QueueFilter, reviewer_id: int | None = None) -> Progress:
        """How far people have come with the filter's results, whatever its scope."""
        total = self._total(where) if where.text is None else self._scan(replace(where, scope="all"))
        is_more = where.text is not None and total > MOST_COUNTED
        return Progress(
            total=MOST_COUNTED if is_more else total,
            is_more=is_more,
            labelled=self._labelled(where, None),
            mine=0 if reviewer_id is None else self._labelled(where, reviewer_id),
        )

    def _total(self, where: QueueFilter) -> int:
        if where.run_id is None:
            query = select(func.coalesce(func.sum(_COUNTS.c.n), 0)).where(*_counted(where))
        else:
            source = Source.of(where)
            query = select(func.count()).select_from(_RUN_RESULTS)
            query = query.where(*source.decided(), *source.conditions())
        return int(self._session.execute(query).scalar_one())

    def _labelled(self, where: QueueFilter, reviewer_id: int | None) -> int:
        # EXISTS, not a join: it starts from the labels, which are few, instead of from every result.
        query = select(func.count(_LABELS.c.result_id.distinct())).where(
            stands(_LABELS), self._wanted(where, _LABELS.c.result_id)
        )
        if reviewer_id is not None:
            query = query.where(_LABELS.c.reviewer_id == reviewer_id)
        return int(self._session.execute(query).scalar_one())

    def _skipped(self, where: QueueFilter) -> int:
        mine = exists().where(
            _LABELS.c.result_id == _SKIPS.c.result_id,
            _LABELS.c.reviewer_id == where.reviewer_id,
            stands(_LABELS),
        )
        declined = exists().where(
            _DECLINED.c.reviewer_id == where.reviewer_id,
            _DECLINED.c.result_id == _SKIPS.c.result_id,
            _DECLINED.c.kind == "decline",
        )
        query = select(func.count(_SKIPS.c.result_id.distinct())).where(
            _SKIPS.c.reviewer_id == where.reviewer_id,
            ~mine,
            ~declined,
            self._wanted(where, _SKIPS.c.result_id),
        )
        return int(self._session.execute(query).scalar_one())

    def _scan(self, where: QueueFilter) -> int:
        """Count by looking at each, where neither the roll-up nor the labels can tell.

        What a search finds is counted up to one more than ``MOST_COUNTED``.
        """
        searched = Source.from_words(where, whole=False)
        source = searched or Source.of(where)
        found = select(source.id).select_from(source.table)
        found = found.where(*source.decided(), *source.conditions(), *source.in_scope())
        if searched is not None:
            found = found.limit(MOST_COUNTED + 1)
        query = select(func.count()).select_from(found.subquery())
        return int(self._session.execute(query).scalar_one())

    def _wanted(self, where: QueueFilter, result_id: ColumnElement[int]) -> ColumnElement[bool]:
        source = Source.of(where)
        return exists().where(source.id == result_id, *source.decided(), *source.conditions())

    def _sorted(self, few: Source, after: Cursor | None, limit: int, now: datetime | None) -> QueuePage:
        """A page of results that no index has in order, few enough to be sorted here."""
        columns = few.table.c
        query = select(columns.created_day, columns.risk, few.id, columns.shuffle)
        query = query.where(*few.decided(), *few.conditions(), *few.in_scope(now))
        places = [Cursor(*row) for row in self._session.execute(query)]
        if after is not None:
            passed = few.where.sort_key(after)
            places = [place for place in places if few.where.sort_key(place) > passed]
        places.sort(key=few.where.sort_key)
        ids = [place.id for place in places[:limit]]
        rows = self._session.execute(_item_select().where(_RESULTS.c.id.in_(ids))).mappings().all()
        items = self._items(sorted(rows, key=lambda row: ids.index(row["id"])), few.where.reviewer_id)
        return QueuePage(items, items[-1].cursor if len(places) > limit else None)

    def _items_of(self, source: Source, now: datetime | None) -> Select[Any]:
        query = _item_select()
        if source.table is not _RESULTS:
            query = query.join(source.table, source.id == _RESULTS.c.id)
        return query.where(*source.conditions(), *source.in_scope(now))

    def _items(self, rows: Any, reviewer_id: int | None) -> tuple[QueueItem, ...]:
        by_result: dict[int, list[LabelRow]] = {}
        for label in Labels(self._session).current_of([row["id"] for row in rows]):
            by_result.setdefault(label.result_id, []).append(label)
        return tuple(_item(row, by_result.get(row["id"], []), reviewer_id) for row in rows)


def _counted(where: QueueFilter) -> list[ColumnElement[bool]]:
    """The filter as a condition on the roll-up, whose quarters of an hour start with their day."""
    wanted: list[ColumnElement[bool]] = []
    if where.decision is not None:
        wanted.append(_COUNTS.c.decision == where.decision)
    if where.failure_type is not None:
        wanted.append(_COUNTS.c.failure_type == where.failure_type)
    if where.system is not None:
        wanted.append(_COUNTS.c.run_id.in_(select(_RUNS.c.id).where(_RUNS.c.system == where.system)))
    if where.since is not None:
        wanted.append(_COUNTS.c.bucket >= where.since.isoformat())
    if where.until is not None:
        wanted.append(_COUNTS.c.bucket < (where.until + timedelta(days=1)).isoformat())
    return wanted


def _item_select() -> Select[Any]:
    shown = set(QueueItem.__dataclass_fields__) & set(_RESULTS.c.keys())
    return select(
        _SAMPLES.c.external_id,
        func.substr(_SAMPLES.c.query, 1, PREVIEW_LENGTH).label("query"),
        func.substr(_SAMPLES.c.response, 1, PREVIEW_LENGTH).label("response"),
        *(_RESULTS.c[name] for name in sorted(shown)),
    ).join_from(_RESULTS, _SAMPLES)


def _place(row: RowMapping) -> Cursor:
    return Cursor(row["created_day"], row["risk"], row["id"], row["shuffle"])


def _item(row: RowMapping, labels: list[LabelRow], reviewer_id: int | None) -> QueueItem:
    mine = next((label for label in labels if label.reviewer_id == reviewer_id), None)
    return QueueItem(**row, n_labels=len(labels), mine=mine)
