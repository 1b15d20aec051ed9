"""Trends and drift: a window of days against a reference, from counts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

import numpy as np

from db.engine import Store
from db.repositories.trends import RISK_BINS, Event, RiskCell, Trends
from db.tables import DECISIONS
from evalcore.errors import InputError
from evalcore.stats.drift import FEWEST, Shift, change_point, holm, share_change, share_p, shift
from evalcore.stats.values import Estimate

__all__ = ["DayRisk", "DriftRow", "Event", "TrendView", "trends"]

Sign: TypeAlias = Literal["moved", "none", "few"]
LEVEL = 0.05
LONGEST_DAYS = 400
NEAR_DAYS = 7
"""An event so many days from a change, at most, is named beside it."""


@dataclass(frozen=True, kw_only=True)
class DayRisk:
    """A day's results (UTC): how many, and the quartiles of their risk, to a fiftieth."""

    day: date
    n: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, kw_only=True)
class DriftRow:
    """One thing that may have moved: the risk, or the share of a decision.

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
    days: tuple[DayRisk, ...]
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
    window: tuple[date, date] | None = None,
    reference: tuple[date, date] | None = None,
) -> TrendView | None:
    """Read the trends; None without results.

    Parameters
    ----------
    store : Store
    profile, system : str, optional
        Whose results; without a profile the latest run's, since two profiles judge the same answers.
    window, reference : pair of dates, optional
        Both ends included. Without them the last 14 days, and all days before, ``LONGEST_DAYS`` at most.

    Raises
    ------
    InputError
        When days run backwards or the two overlap.
    """
    from db.repositories.runs import Runs

    with store.read() as session:
        read = Trends(session)
        span = read.span()
        if span is None:
            return None
        first, last = max(span[0], span[1] - timedelta(days=LONGEST_DAYS)), span[1]
        shown = window or (max(first, last - timedelta(days=13)), last)
        against = reference or (first, shown[0] - timedelta(days=1))
        for name, days in (("window", shown), ("reference", against)):
            if days[0] > days[1] and not (name == "reference" and reference is None):
                raise InputError("days that run backwards", where=name, got=f"{days[0]} to {days[1]}")
        if shown[0] <= against[1] and against[0] <= shown[1] and against[0] <= against[1]:
            raise InputError(
                "window and reference overlap", got=f"{against[0]} to {against[1]}", cure="move one"
            )
        known = Runs(session)
        latest = known.latest(1)
        profile = profile or (latest[0].profile if latest else None)
        runs = read.runs(profile=profile, system=system)
        begin, end = min(first, against[0], shown[0]), max(last, against[1], shown[1])
        cells = read.risks(begin, end, runs if profile or system else None)
        events = read.events(runs)
        profiles, systems = known.profiles(), known.systems()
    inside = [cell for cell in cells if shown[0] <= cell.day <= shown[1]]
    before = [cell for cell in cells if against[0] <= cell.day <= against[1]]
    changed_on, was, then = _change(cells)
    return TrendView(
        first=first,
        last=last,
        reference=against,
        window=shown,
        n_reference=sum(cell.n for cell in before),
        n_window=sum(cell.n for cell in inside),
        days=_days(cells),
        rows=_rows(before, inside),
        changed_on=changed_on,
        before=was,
        after=then,
        nearest=None if changed_on is None else _nearest(events, changed_on),
        profile=profile,
        profiles=tuple(profiles),
        systems=tuple(systems),
    )


def _days(cells: list[RiskCell]) -> tuple[DayRisk, ...]:
    by_day: dict[date, np.ndarray] = defaultdict(lambda: np.zeros(RISK_BINS))
    for cell in cells:
        by_day[cell.day][cell.bin] += cell.n
    found = []
    for day, counts in sorted(by_day.items()):
        reached = np.cumsum(counts) / counts.sum()
        low, median, high = ((int(np.searchsorted(reached, q)) + 0.5) / RISK_BINS for q in (0.25, 0.5, 0.75))
        found.append(DayRisk(day=day, n=int(counts.sum()), low=low, median=median, high=high))
    return tuple(found)


def _rows(before: list[RiskCell], inside: list[RiskCell]) -> tuple[DriftRow, ...]:
    moved = shift(_values(before), _values(inside))
    n, m = sum(cell.n for cell in before), sum(cell.n for cell in inside)
    p_values: dict[str, float | None] = {"risk": moved.p}
    changes: dict[str, Estimate] = {}
    for decision in DECISIONS:
        a = sum(cell.n for cell in before if cell.decision == decision)
        b = sum(cell.n for cell in inside if cell.decision == decision)
        p_values[decision] = share_p((a, n), (b, m))
        changes[decision] = share_change((a, n), (b, m))
    corrected = holm(p_values)
    return tuple(
        DriftRow(
            name=name,
            sign="few" if p is None else "moved" if p < LEVEL else "none",
            p=p,
            change=changes.get(name),
            shift=moved if name == "risk" else None,
        )
        for name, p in corrected.items()
    )


def _values(cells: list[RiskCell]) -> list[float]:
    bins = np.repeat([cell.bin for cell in cells], [cell.n for cell in cells]) if cells else np.array([])
    return [float(value) for value in (bins + 0.5) / RISK_BINS]


def _change(cells: list[RiskCell]) -> tuple[date | None, float | None, float | None]:
    totals: dict[date, int] = defaultdict(int)
    accepted: dict[date, int] = defaultdict(int)
    for cell in cells:
        totals[cell.day] += cell.n
        accepted[cell.day] += cell.n if cell.decision == "ACCEPT" else 0
    days = sorted(totals)
    if sum(totals.values()) < 2 * FEWEST:
        return None, None, None
    found = change_point([accepted[day] / totals[day] for day in days], [totals[day] for day in days])
    return (None, None, None) if found is None else (days[found.at], found.before, found.after)


def _nearest(events: list[Event], day: date) -> Event | None:
    near = [(abs((event.at.date() - day).days), event) for event in events]
    near = [pair for pair in near if pair[0] <= NEAR_DAYS]
    return min(near, key=lambda pair: (pair[0], pair[1].at))[1] if near else None
