"""An order of the queue as walks along an index.

A walk is one range of one index, read in one direction. Newest, oldest and riskiest are one walk a decision;
uncertain goes up and down from the centre, random from a point to the end and from the beginning to it. The
first items of the queue are among the first of every walk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    Table,
    exists,
    false,
    func,
    literal,
    select,
    tuple_,
)
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.labels import stands
from db.repositories.queue_filter import HALF_STEP, Cursor, QueueFilter
from db.repositories.settings import DEFAULT_QUEUE
from db.search import TEXTS, asked, expression, is_common, matches
from db.tables import DECISIONS

_RESULTS = table_of(tables.Result)
_OF_RUN = _RESULTS.alias("of_run")
_RUN_RESULTS = table_of(tables.RunResult)
_RUNS = table_of(tables.Run)
_LABELS = table_of(tables.Label)
_SKIPS = table_of(tables.Skip)
_CLAIMS = table_of(tables.Claim)
_QUEUES = table_of(tables.ReviewQueue)


@dataclass(frozen=True)
class Walk:
    """One range of one index: what it holds, and the columns it is read in order of."""

    within: tuple[ColumnElement[bool], ...]
    keys: tuple[ColumnElement[Any], ...]
    descending: bool

    def ordered(self, query: Select[Any]) -> Select[Any]:
        """The query over this range, in its order."""
        return query.where(*self.within).order_by(*(k.desc() if self.descending else k for k in self.keys))

    def after(self, *values: object) -> ColumnElement[bool]:
        """What comes after these values of the keys."""
        here = tuple_(*self.keys)
        return here < tuple_(*values) if self.descending else here > tuple_(*values)


@dataclass(frozen=True)
class Source:
    """The table whose indexes give the order, one run's own or that of all results, and its conditions."""

    where: QueueFilter
    table: FromClause
    id: ColumnElement[int]
    extra: tuple[ColumnElement[bool], ...] = ()

    @classmethod
    def of(cls, where: QueueFilter) -> Source:
        """Results in order of an index, each looked at for the words asked for."""
        table, key = cls._plain(where)
        if where.text is None:
            return cls(where, table, key)
        wanted = expression(where.text)
        if wanted is None:
            return cls(where, table, key, (false(),))
        sample: ColumnElement[int] = _RESULTS.c.sample_id
        if table is _RUN_RESULTS:
            sample = select(_OF_RUN.c.sample_id).where(_OF_RUN.c.id == key).scalar_subquery()
        return cls(where, table, key, (matches(wanted, sample),))

    @classmethod
    def from_words(cls, where: QueueFilter, *, whole: bool = True) -> Source | None:
        """Results found from the words asked for, in no order; None when there are no words.

        ``whole`` finds all of them once; without it they are found as they are read.
        """
        wanted = None if where.text is None else expression(where.text)
        if wanted is None:
            return None
        table, key = cls._plain(where)
        names = ("decision", "failure_type", "created_day", "risk", "shuffle", "run_id")
        found = select(key.label("id"), *(table.c[name] for name in names)).select_from(TEXTS)
        # The sum keeps SQLite from asking the word index for one text after the other.
        found = found.join(_RESULTS, _RESULTS.c.sample_id == TEXTS.c.rowid + 0)
        if table is _RUN_RESULTS:
            covered = (_RUN_RESULTS.c.run_id == where.run_id) & (_RUN_RESULTS.c.result_id == _RESULTS.c.id)
            found = found.join(_RUN_RESULTS, covered)
        found = found.where(asked(wanted))
        read = found.cte("found").prefix_with("MATERIALIZED") if whole else found.subquery("found")
        return cls(where, read, read.c.id)

    @classmethod
    def few(cls, where: QueueFilter, session: Session) -> Source | None:
        """The same where they are few enough to be sorted on the spot; else None."""
        wanted = None if where.text is None else expression(where.text)
        if wanted is None or is_common(session, wanted):
            return None
        return cls.from_words(where)

    @staticmethod
    def _plain(where: QueueFilter) -> tuple[Table, Column[Any]]:
        if where.run_id is None:
            return _RESULTS, _RESULTS.c.id
        return _RUN_RESULTS, _RUN_RESULTS.c.result_id

    def walks(self, after: Cursor | None) -> Iterator[Walk]:
        """The ranges that hold what comes after a place; all of them without one."""
        decision = self.where.decision
        for name in DECISIONS if decision is None else (decision,):
            yield from self._walks(self.table.c.decision == name, after)

    def _walks(self, decision: ColumnElement[bool], after: Cursor | None) -> Iterator[Walk]:
        where, columns = self.where, self.table.c
        if where.order == "uncertain":
            yield from self._outwards(decision, after)
            return
        if where.order == "random":
            yield from self._around(decision, after)
            return
        by_risk = (columns.risk, self.id)
        keys = by_risk if where.order == "riskiest" else (columns.created_day, *by_risk)
        walk = Walk((decision,), keys, descending=where.order != "oldest")
        if after is not None:
            values = (after.created_day, after.risk, after.id)
            walk = Walk((decision, walk.after(*values[-len(keys) :])), keys, walk.descending)
        yield walk

    def _outwards(self, decision: ColumnElement[bool], after: Cursor | None) -> Iterator[Walk]:
        risk, centre = self.table.c.risk, self.where.centre
        up = Walk((decision, risk >= centre - HALF_STEP), (risk, self.id), descending=False)
        down = Walk((decision, risk < centre - HALF_STEP), (risk, self.id), descending=True)
        if after is not None:
            # At equal distance all of the upper side comes before any of the lower.
            if after.risk >= centre - HALF_STEP:
                up = Walk((*up.within, up.after(after.risk, after.id)), up.keys, up.descending)
                edge = 2 * centre - after.risk + HALF_STEP
                down = Walk((*down.within, risk < edge), down.keys, down.descending)
            else:
                down = Walk((*down.within, down.after(after.risk, after.id)), down.keys, down.descending)
                edge = 2 * centre - after.risk + HALF_STEP
                up = Walk((*up.within, risk > edge), up.keys, up.descending)
        yield up
        yield down

    def _around(self, decision: ColumnElement[bool], after: Cursor | None) -> Iterator[Walk]:
        shuffle, start = self.table.c.shuffle, self.where.start
        keys = (shuffle, self.id)
        to_end = Walk((decision, shuffle >= start), keys, descending=False)
        from_beginning = Walk((decision, shuffle < start), keys, descending=False)
        if after is None:
            yield to_end
            yield from_beginning
        elif after.shuffle >= start:
            yield Walk((*to_end.within, to_end.after(after.shuffle, after.id)), keys, descending=False)
            yield from_beginning
        else:
            passed = from_beginning.after(after.shuffle, after.id)
            yield Walk((*from_beginning.within, passed), keys, descending=False)

    def conditions(self) -> list[ColumnElement[bool]]:
        """What the filter asks of a result apart from its decision and the scope."""
        where, columns = self.where, self.table.c
        wanted: list[ColumnElement[bool]] = list(self.extra)
        if where.run_id is not None:
            wanted.append(columns.run_id == where.run_id)
        if where.failure_type is not None:
            wanted.append(columns.failure_type == where.failure_type)
        if where.system is not None:
            wanted.append(columns.run_id.in_(select(_RUNS.c.id).where(_RUNS.c.system == where.system)))
        if where.since is not None:
            wanted.append(columns.created_day >= where.since.isoformat())
        if where.until is not None:
            wanted.append(columns.created_day <= where.until.isoformat())
        return wanted

    def decided(self) -> list[ColumnElement[bool]]:
        """The condition on the decision."""
        decision = self.where.decision
        return [] if decision is None else [self.table.c.decision == decision]

    def in_scope(self, now: datetime | None = None) -> list[ColumnElement[bool]]:
        """The condition of the scope."""
        where = self.where
        labelled = exists().where(_LABELS.c.result_id == self.id, stands(_LABELS))
        mine = labelled.where(_LABELS.c.reviewer_id == where.reviewer_id)
        if where.scope == "unlabelled":
            return [~labelled]
        if where.scope == "not_mine":
            return [~mine]
        if where.scope == "mine":
            return [mine]
        passed = exists().where(_SKIPS.c.reviewer_id == where.reviewer_id, _SKIPS.c.result_id == self.id)
        if where.scope == "skipped":
            return [passed, ~passed.where(_SKIPS.c.kind == "decline"), ~mine]
        if where.scope == "open":
            return [~mine, ~passed, self.has_room(now or datetime.now(UTC))]
        return []

    def has_room(self, now: datetime) -> ColumnElement[bool]:
        """Whether the item still needs a label that nobody is about to give, the reviewer aside."""
        reviewer = self.where.reviewer_id
        labelled = (
            select(func.count())
            .select_from(_LABELS)
            .where(_LABELS.c.result_id == self.id, stands(_LABELS), _LABELS.c.reviewer_id != reviewer)
            .scalar_subquery()
        )
        has_labelled = exists().where(
            _LABELS.c.result_id == _CLAIMS.c.result_id,
            _LABELS.c.reviewer_id == _CLAIMS.c.reviewer_id,
            stands(_LABELS),
        )
        under_way = (
            select(func.count())
            .select_from(_CLAIMS)
            .where(
                _CLAIMS.c.result_id == self.id,
                _CLAIMS.c.reviewer_id != reviewer,
                _CLAIMS.c.expires_at > now,
                ~has_labelled,
            )
            .scalar_subquery()
        )
        required = (
            select(_QUEUES.c.labels_required).where(_QUEUES.c.id == literal(DEFAULT_QUEUE)).scalar_subquery()
        )
        return labelled + under_way < required
