"""Trends and drift: decisions and scores over time, and a window of days against a reference, from counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from db.engine import Store
from db.repositories.counts import CountFilter, Counts, DayCount
from db.repositories.runs import Runs
from db.repositories.score_counts import LATENCY, SCORES, ScoreCell, ScoreCounts, SideCell, middle_of
from db.repositories.trends import Event, Trends
from db.tables import DECISIONS
from evalcore.errors import InputError
from evalcore.stats.drift import FEWEST, Shift, change_point, holm, share_change, share_p, shift
from evalcore.stats.proportions import wilson
from evalcore.stats.values import Estimate

__all__ = [
    "LATENCY",
    "SCORES",
    "DriftRow",
    "Event",
    "Every",
    "Period",
    "PeriodScore",
    "TrendView",
    "periods",
    "trends",
]

Sign: TypeAlias = Literal["moved", "none", "few"]
Every: TypeAlias = Literal["hour", "day", "week"]
LEVEL = 0.05
LONGEST_DAYS = 400
LONGEST_HOURS_DAYS = 31
MOST_ROWS = 20_000
"""Values of a side, at most, that a test is made with: its distribution to a 20,000th, and a larger p."""
NEAR_DAYS = 7
"""An event so many days from a change, at most, is named beside it."""


@dataclass(frozen=True, kw_only=True)
class Period:
    """An hour, a day or a week, from Monday, of a zone, with its results by decision.

    ``start`` is its first moment, in the zone; an hour that clocks show twice is there twice.
    """

    start: datetime
    n: int
    counts: dict[str, int]
    shares: dict[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class PeriodScore:
    """A day's results (UTC): how many, and quartiles of a score, to the width of its bins."""

    day: date
    n: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, kw_only=True)
class DriftRow:
    """One thing that may have moved: a score, or the share of a decision.

    ``p`` is corrected for all rows (Holm). ``sign`` is ``few`` where there are not enough rows.
    """

    name: str
    sign: Sign
    p: float | None
    change: Estimate | None
    shift: Shift | None


@dataclass(frozen=True, kw_only=True)
class TrendView:
    """Everything the page shows. ``changed_on`` is the day from which the share of ACCEPT was another."""

    first: date
    last: date
    reference: tuple[date, date]
    window: tuple[date, date]
    n_reference: int
    n_window: int
    score: str
    scores: tuple[str, ...]
    days: tuple[PeriodScore, ...]
    rows: tuple[DriftRow, ...]
    changed_on: date | None
    before: float | None
    after: float | None
    nearest: Event | None
    profile: str | None
    profiles: tuple[str, ...]
    systems: tuple[str, ...]


def trends(
    store: Store,
    *,
    profile: str | None = None,
    system: str | None = None,
    score: str = "risk",
    window: tuple[date, date] | None = None,
    reference: tuple[date, date] | None = None,
) -> TrendView | None:
    """Read the trends; None without results.

    Parameters
    ----------
    store : Store
    profile, system : str, optional
        Whose results; without a profile the latest run's, since two profiles judge the same answers.
    score : str
        Whose distribution by day, one of ``SCORES``.
    window, reference : pair of dates, optional
        Both ends included. Without them the last 14 days, and all days before, ``LONGEST_DAYS`` at most.

    Raises
    ------
    InputError
        When days run backwards or the two overlap.
    """
    with store.read() as session:
        read, known, counted = Trends(session), Runs(session), ScoreCounts(session)
        span = read.span()
        if span is None:
            return None
        first, last = max(span[0], span[1] - timedelta(days=LONGEST_DAYS)), span[1]
        shown = window or (max(first, last - timedelta(days=13)), last)
        against = reference or (first, shown[0] - timedelta(days=1))
        _check(shown, against, given=reference is not None)
        profile = profile or known.latest_profile()
        where = CountFilter(profile=profile, system=system)
        begin, end = min(first, against[0], shown[0]), max(last, against[1], shown[1])
        sides = counted.sides(against, shown, where)
        cells = counted.by_day(score, begin, end, where)
        by_day = Counts(session).by_day(since=begin, until=end, where=where)
        events = read.events(where)
        profiles, systems = known.profiles(), known.systems()
    changed_on, was, then = _change(by_day)
    before, inside = (_decided(by_day, days) for days in (against, shown))
    return TrendView(
        first=first,
        last=last,
        reference=against,
        window=shown,
        n_reference=sum(before.values()),
        n_window=sum(inside.values()),
        score=score,
        scores=tuple(name for name in SCORES if any(cell.score == name for cell in sides)),
        days=_days(score, cells),
        rows=_rows(sides, before, inside),
        changed_on=changed_on,
        before=was,
        after=then,
        nearest=None if changed_on is None else _nearest(events, changed_on),
        profile=profile,
        profiles=profiles,
        systems=systems,
    )


def periods(
    store: Store,
    every: Every = "day",
    zone: str = "UTC",
    *,
    profile: str | None = None,
    system: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> tuple[Period, ...]:
    """Results by decision over time, in a zone's hours, days or weeks, empty ones too.

    Hours are those of the last ``LONGEST_HOURS_DAYS`` days at most.

    Raises
    ------
    StoreError
        For an unknown zone, or days that run backwards.
    """
    with store.read() as session:
        counts = Counts(session)
        where = CountFilter(profile=profile or Runs(session).latest_profile(), system=system)
        if every == "hour":
            hours = counts.by_hour(zone, since=since, until=until, where=where, days=LONGEST_HOURS_DAYS)
            return tuple(_period(start, found) for start, found in hours)
        days = counts.by_day(zone, since=since, until=until, where=where)
    tables: dict[date, dict[str, int]] = defaultdict(lambda: dict.fromkeys(DECISIONS, 0))
    for row in days:
        start = row.day - timedelta(days=row.day.weekday()) if every == "week" else row.day
        tables[start][row.decision] += row.n
    return tuple(_period(datetime.combine(day, time()), found) for day, found in tables.items())


def _period(start: datetime, counts: dict[str, int]) -> Period:
    n = sum(counts.values())
    return Period(
        start=start, n=n, counts=counts, shares={name: wilson(counts[name], n) for name in DECISIONS}
    )


def _check(shown: tuple[date, date], against: tuple[date, date], *, given: bool) -> None:
    for name, days in (("window", shown), ("reference", against)):
        if days[0] > days[1] and (given or name == "window"):
            raise InputError("days that run backwards", where=name, got=f"{days[0]} to {days[1]}")
    if shown[0] <= against[1] and against[0] <= shown[1] and against[0] <= against[1]:
        raise InputError("window and reference overlap", got=f"{against[0]} to {against[1]}", cure="move one")


def _decided(by_day: Sequence[DayCount], days: tuple[date, date]) -> dict[str, int]:
    found = dict.fromkeys(DECISIONS, 0)
    for row in by_day:
        if days[0] <= row.day <= days[1]:
            found[row.decision] += row.n
    return found


def _days(score: str, cells: Sequence[ScoreCell]) -> tuple[PeriodScore, ...]:
    by_day: dict[date, list[ScoreCell]] = defaultdict(list)
    for cell in cells:
        by_day[cell.day].append(cell)
    found = []
    for day, of_day in by_day.items():
        reached = np.cumsum([cell.n for cell in of_day])
        n = int(reached[-1])
        low, median, high = (
            middle_of(score, of_day[int(np.searchsorted(reached, share * n))].bin)
            for share in (0.25, 0.5, 0.75)
        )
        found.append(PeriodScore(day=day, n=n, low=low, median=median, high=high))
    return tuple(found)


def _rows(sides: Sequence[SideCell], before: dict[str, int], inside: dict[str, int]) -> tuple[DriftRow, ...]:
    p_values: dict[str, float | None] = {}
    shifts: dict[str, Shift] = {}
    changes: dict[str, Estimate] = {}
    for score in SCORES:
        if any(cell.score == score for cell in sides):
            shifts[score] = shift(_values(sides, score, False), _values(sides, score, True))
            p_values[score] = shifts[score].p
    n, m = sum(before.values()), sum(inside.values())
    for decision in DECISIONS:
        p_values[decision] = share_p((before[decision], n), (inside[decision], m))
        changes[decision] = share_change((before[decision], n), (inside[decision], m))
    return tuple(
        DriftRow(
            name=name,
            sign="few" if p is None else "moved" if p < LEVEL else "none",
            p=p,
            change=changes.get(name),
            shift=shifts.get(name),
        )
        for name, p in holm(p_values).items()
    )


def _values(sides: Sequence[SideCell], score: str, inside: bool) -> NDArray[np.float64]:
    """The values of a side, each the middle of its bin; of more than ``MOST_ROWS`` as many evenly spaced."""
    cells = [cell for cell in sides if cell.score == score and cell.inside == inside]
    middles = np.array([middle_of(score, cell.bin) for cell in cells])
    reached = np.cumsum([cell.n for cell in cells])
    n = int(reached[-1]) if len(reached) else 0
    places = np.arange(n) if n <= MOST_ROWS else (np.arange(MOST_ROWS) + 0.5) * n / MOST_ROWS
    return np.asarray(middles[np.searchsorted(reached, places, side="right")] if n else middles)


def _change(by_day: Sequence[DayCount]) -> tuple[date | None, float | None, float | None]:
    totals: dict[date, int] = defaultdict(int)
    accepted: dict[date, int] = defaultdict(int)
    for row in by_day:
        totals[row.day] += row.n
        accepted[row.day] += row.n if row.decision == "ACCEPT" else 0
    days = sorted(day for day, n in totals.items() if n)
    if sum(totals.values()) < 2 * FEWEST:
        return None, None, None
    found = change_point([accepted[day] / totals[day] for day in days], [totals[day] for day in days])
    return (None, None, None) if found is None else (days[found.at], found.before, found.after)


def _nearest(events: Sequence[Event], day: date) -> Event | None:
    near = [(abs((event.at.date() - day).days), event) for event in events]
    near = [pair for pair in near if pair[0] <= NEAR_DAYS]
    return min(near, key=lambda pair: (pair[0], pair[1].at))[1] if near else None
