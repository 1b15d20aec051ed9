"""Counts of results by time, decision and failure type, read from a roll-up instead of a million rows.

A result counts once, under the run that made it first; :meth:`Counts.of_run` counts all that a run covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import ColumnElement, Select, String, case, column, func, select, values
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_adding
from db.mapping import table_of
from db.tables import DECISIONS, utc_text
from evalcore.errors import StoreError

_COUNTS = table_of(tables.ResultCount)
_RUNS = table_of(tables.Run)
_RESULTS = table_of(tables.Result)
_RUN_RESULTS = table_of(tables.RunResult)

_KEY = ("bucket", "run_id", "decision", "failure_type")
_LONGEST_DAYS = 40_000
# Three variables a day stay under the 999 of older SQLite builds.
_DAYS_PER_QUERY = 300

CountKey: TypeAlias = tuple[str, int, str, str]


@dataclass(frozen=True, kw_only=True)
class CountFilter:
    """Which results count; None leaves a field open."""

    run_id: int | None = None
    profile: str | None = None
    fingerprint_id: str | None = None
    system: str | None = None


@dataclass(frozen=True)
class DayCount:
    """How many results of a decision a calendar day of the asked zone brought."""

    day: date
    decision: str
    n: int


@dataclass(frozen=True)
class DecisionCount:
    """How many results have this decision and failure type."""

    decision: str
    failure_type: str
    n: int


@dataclass(frozen=True)
class Miscount:
    """A quarter of an hour where the roll-up and the results differ."""

    bucket: str
    run_id: int
    decision: str
    failure_type: str
    recorded: int
    counted: int


def bucket_of(moment: datetime) -> str:
    """The quarter of an hour, in UTC, that a time falls in.

    Examples
    --------
    >>> bucket_of(datetime(2025, 3, 30, 0, 44, 59, tzinfo=UTC))
    '2025-03-30 00:30'
    """
    stamp = utc_text(moment)
    return f"{stamp[:14]}{int(stamp[14:16]) // 15 * 15:02d}"


class Counts:
    """The roll-up in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def record(self, added: Mapping[CountKey, int]) -> None:
        """Add newly stored results; in the transaction that stores them, or the two part ways."""
        if added:
            rows = [{**dict(zip(_KEY, key, strict=True)), "n": n} for key, n in added.items()]
            self._session.execute(insert_adding(self._session, _COUNTS, key=_KEY, amount="n"), rows)

    def by_run(self, run_ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Results by decision of each of these runs; only those the run itself stored."""
        found: dict[int, dict[str, int]] = {}
        asked = (
            select(_COUNTS.c.run_id, _COUNTS.c.decision, func.sum(_COUNTS.c.n))
            .where(_COUNTS.c.run_id.in_(run_ids))
            .group_by(_COUNTS.c.run_id, _COUNTS.c.decision)
        )
        for run_id, decision, n in self._session.execute(asked):
            found.setdefault(run_id, {})[decision] = int(n)
        return found

    def by_day(
        self,
        zone: str = "UTC",
        *,
        since: date | None = None,
        until: date | None = None,
        where: CountFilter | None = None,
    ) -> tuple[DayCount, ...]:
        """Results by calendar day of a zone and by decision, every day and decision there, zeros too.

        Parameters
        ----------
        zone : str
            An IANA name, such as ``Europe/Berlin``. Each day is as long as it was there: 23 hours when
            clocks go forward.
        since, until : date, optional
            First and last day, both included; without them from the first to the last day with a result.
        where : CountFilter, optional
            Which results count.

        Raises
        ------
        StoreError
            When the zone is unknown or the days run backwards.
        """
        place = _zone(zone)
        first, last = self._ends(where)
        if first is None and (since is None or until is None):
            return ()
        since = since if since is not None else _day_of(first, place)
        until = until if until is not None else _day_of(last, place)
        n_days = (until - since).days + 1
        if not 0 < n_days <= _LONGEST_DAYS:
            raise _no_span(since, until)
        days = [since + timedelta(days=offset) for offset in range(n_days)]
        found: Counter[tuple[str, str]] = Counter()
        if first is not None:
            # Only days that can hold something are asked for; the rest are zero.
            held = [day for day in days if _day_of(first, place) <= day <= _day_of(last, place)]
            for chunk in (held[at : at + _DAYS_PER_QUERY] for at in range(0, len(held), _DAYS_PER_QUERY)):
                for day, *sums in self._session.execute(_by_day(chunk, place, where)):
                    found.update({(day, name): n or 0 for name, n in zip(DECISIONS, sums, strict=True)})
        return tuple(DayCount(day, name, found[day.isoformat(), name]) for day in days for name in DECISIONS)

    def by_hour(
        self,
        zone: str = "UTC",
        *,
        since: date | None = None,
        until: date | None = None,
        where: CountFilter | None = None,
        days: int = 31,
    ) -> tuple[tuple[datetime, dict[str, int]], ...]:
        """Results by hour of a zone and decision: every hour from its first moment, in order, zeros too.

        An hour that clocks show twice is there twice, one they leave out is not. ``days`` bounds the span:
        of a longer one its end is read.

        Raises
        ------
        StoreError
            When the zone is unknown or the days run backwards.
        """
        place = _zone(zone)
        first, last = self._ends(where)
        if first is None and (since is None or until is None):
            return ()
        until = until if until is not None else _day_of(last, place)
        earliest = until - timedelta(days=days - 1)
        since = max(earliest, since if since is not None else _day_of(first, place))
        if since > until:
            raise _no_span(since, until)
        start, end = _day_starts([since, until + timedelta(days=1)], place)
        found: dict[datetime, dict[str, int]] = {}
        moment, stop = _moment(start), _moment(end)
        while moment < stop:
            found.setdefault(_hour_of(moment, place), dict.fromkeys(DECISIONS, 0))
            moment += timedelta(minutes=15)
        summed = (
            select(_COUNTS.c.bucket, _COUNTS.c.decision, func.sum(_COUNTS.c.n))
            .where(_COUNTS.c.bucket >= start, _COUNTS.c.bucket < end)
            .group_by(_COUNTS.c.bucket, _COUNTS.c.decision)
        )
        for bucket, decision, n in self._session.execute(_narrow(summed, where)):
            found[_hour_of(_moment(bucket), place)][decision] += int(n)
        return tuple((hour.astimezone(place), counts) for hour, counts in found.items())

    def totals(self, where: CountFilter | None = None) -> tuple[DecisionCount, ...]:
        """Results by decision and failure type, the most frequent first."""
        n = func.sum(_COUNTS.c.n)
        query = _narrow(select(_COUNTS.c.decision, _COUNTS.c.failure_type, n), where)
        query = query.group_by(_COUNTS.c.decision, _COUNTS.c.failure_type)
        return _decision_counts(self._session.execute(query.order_by(n.desc(), _COUNTS.c.decision)))

    def of_run(self, run_id: int) -> tuple[DecisionCount, ...]:
        """All results a run covers, also those an earlier run had stored, by decision and failure type."""
        n = func.count()
        query = (
            select(_RUN_RESULTS.c.decision, _RUN_RESULTS.c.failure_type, n)
            .where(_RUN_RESULTS.c.run_id == run_id)
            .group_by(_RUN_RESULTS.c.decision, _RUN_RESULTS.c.failure_type)
            .order_by(n.desc(), _RUN_RESULTS.c.decision)
        )
        return _decision_counts(self._session.execute(query))

    def recount(self) -> tuple[Miscount, ...]:
        """Where the roll-up differs from the results, counted one by one: empty when all is well."""
        minute = func.substr(_RESULTS.c.created_at, 15, 2, type_=String)
        quarter = case((minute < "15", "00"), (minute < "30", "15"), (minute < "45", "30"), else_="45")
        bucket: ColumnElement[str] = func.substr(_RESULTS.c.created_at, 1, 14, type_=String) + quarter
        query = select(
            bucket, _RESULTS.c.run_id, _RESULTS.c.decision, _RESULTS.c.failure_type, func.count()
        ).group_by(bucket, _RESULTS.c.run_id, _RESULTS.c.decision, _RESULTS.c.failure_type)
        counted = self._by_key(query)
        recorded: dict[CountKey, int] = {
            (b, r, d, f): n for b, r, d, f, n in self._session.execute(select(_COUNTS))
        }
        return tuple(
            Miscount(*key, recorded=recorded.get(key, 0), counted=counted.get(key, 0))
            for key in sorted(counted.keys() | recorded.keys())
            if recorded.get(key) != counted.get(key)
        )

    def _ends(self, where: CountFilter | None) -> tuple[Any, Any]:
        """The first and the last quarter of an hour with a result; None twice without one."""
        query = _narrow(select(func.min(_COUNTS.c.bucket), func.max(_COUNTS.c.bucket)), where)
        first, last = self._session.execute(query).one()
        return first, last

    def _by_key(self, query: Select[Any]) -> dict[CountKey, int]:
        return {(row[0], row[1], row[2], row[3]): row[4] for row in self._session.execute(query)}


def _by_day(days: Sequence[date], zone: ZoneInfo, where: CountFilter | None) -> Select[Any]:
    starts = list(_day_starts([*days, days[-1] + timedelta(days=1)], zone))
    spans = [(day.isoformat(), starts[i], starts[i + 1]) for i, day in enumerate(days)]
    table = (
        values(column("day", String), column("first", String), column("next", String), name="days")
        .data(spans)
        .cte("days")
    )
    inside = (_COUNTS.c.bucket >= table.c.first) & (_COUNTS.c.bucket < table.c.next)
    # A sum for each decision, read from one index: six times faster than grouping the join.
    sums = [
        _narrow(select(func.sum(_COUNTS.c.n)), where)
        .where(inside, _COUNTS.c.decision == decision)
        .correlate(table)
        .scalar_subquery()
        for decision in DECISIONS
    ]
    return select(table.c.day, *sums)


def _day_starts(days: Sequence[date], zone: ZoneInfo) -> Iterator[str]:
    for day in days:
        yield bucket_of(datetime.combine(day, time(), tzinfo=zone).astimezone(UTC))


def _day_of(bucket: str, zone: ZoneInfo) -> date:
    return _moment(bucket).astimezone(zone).date()


def _no_span(since: date, until: date) -> StoreError:
    return StoreError(
        "not a span of days",
        where="since, until",
        got=f"{since} to {until}",
        expected="first day, last day",
    )


def _moment(bucket: str) -> datetime:
    return datetime.fromisoformat(bucket).replace(tzinfo=UTC)


def _hour_of(moment: datetime, zone: ZoneInfo) -> datetime:
    """The first moment of an hour as the zone's clocks show it, in UTC."""
    local = moment.astimezone(zone)
    return moment - timedelta(minutes=local.minute, seconds=local.second)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise StoreError(
            "no such time zone", where="zone", got=name[:80], expected="an IANA name such as Europe/Berlin"
        ) from error


def runs_of(where: CountFilter) -> Select[Any] | None:
    """Ids of the runs that the filter leaves; None where it leaves all."""
    wanted = [
        column == value
        for column, value in (
            (_RUNS.c.id, where.run_id),
            (_RUNS.c.profile, where.profile),
            (_RUNS.c.fingerprint_id, where.fingerprint_id),
            (_RUNS.c.system, where.system),
        )
        if value is not None
    ]
    return select(_RUNS.c.id).where(*wanted) if wanted else None


def _narrow(query: Select[Any], where: CountFilter | None) -> Select[Any]:
    runs = None if where is None else runs_of(where)
    return query if runs is None else query.where(_COUNTS.c.run_id.in_(runs))


def _decision_counts(rows: Any) -> tuple[DecisionCount, ...]:
    return tuple(DecisionCount(decision, failure_type, n) for decision, failure_type, n in rows)
