"""What stands on the Overview page: counts, decisions by day, last runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from db.engine import Store
from db.repositories.counts import CountFilter, Counts, DayCount, DecisionCount
from db.repositories.labels import LabelCounts, Labels
from db.repositories.queue import Progress, Queue, QueueFilter
from db.repositories.runs import RunRow, Runs

__all__ = ["DayCount", "DecisionCount", "LabelCounts", "Overview", "RunRow", "overview"]


@dataclass(frozen=True, kw_only=True)
class Overview:
    """Everything the page shows, read in one snapshot.

    ``by_day`` holds every day of the zone from the first result to the last, zeros too. ``profiles`` are the
    profiles that have results; counts are of one of them, since two profiles judge the same answers.
    """

    profile: str | None
    profiles: tuple[str, ...]
    zone: str
    totals: tuple[DecisionCount, ...]
    by_day: tuple[DayCount, ...]
    queue: Progress
    labels: LabelCounts
    runs: tuple[RunRow, ...]

    @property
    def n_results(self) -> int:
        """All results of the profile."""
        return sum(row.n for row in self.totals)

    def n(self, decision: str) -> int:
        """Results of the profile with this decision."""
        return sum(row.n for row in self.totals if row.decision == decision)


def overview(
    store: Store,
    *,
    profile: str | None = None,
    zone: str = "UTC",
    since: date | None = None,
    until: date | None = None,
    n_runs: int = 10,
) -> Overview:
    """Read the overview.

    Parameters
    ----------
    store : Store
    profile : str, optional
        Whose results count; the latest run's if not given.
    zone : str
        IANA name; days begin at its midnight.
    since, until : date, optional
        First and last day of ``by_day``.
    n_runs : int
        How many of the latest runs.

    Raises
    ------
    StoreError
        For an unknown zone.
    """
    with store.read() as session:
        counts = Counts(session)
        runs = Runs(session)
        latest = runs.latest(n_runs)
        profiles = runs.profiles()
        chosen = profile or (latest[0].profile if latest else None)
        where = CountFilter(profile=chosen)
        return Overview(
            profile=chosen,
            profiles=profiles,
            zone=zone,
            totals=counts.totals(where),
            by_day=counts.by_day(zone, since=since, until=until, where=where),
            queue=Queue(session).progress(QueueFilter()),
            labels=Labels(session).counts(),
            runs=latest,
        )
