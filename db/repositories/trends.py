"""What was decided and how risky it was, day by day, counted in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.tables import DECISIONS

_RESULTS = table_of(tables.Result)
_RUNS = table_of(tables.Run)
_FINGERPRINTS = table_of(tables.Fingerprint)
RISK_BINS = 50
"""Equal parts of [0, 1] in which risks are counted."""


class RiskCell(NamedTuple):
    """So many results of a day (UTC) with this decision whose risk lies in this bin."""

    day: date
    decision: str
    bin: int
    n: int


class Event(NamedTuple):
    """A run that began with something new."""

    at: datetime
    what: str
    name: str


class Trends:
    """Counts over time in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def runs(self, *, profile: str | None = None, system: str | None = None) -> list[int]:
        """The runs of a profile and a system."""
        query = select(_RUNS.c.id).join(_FINGERPRINTS, _FINGERPRINTS.c.id == _RUNS.c.fingerprint_id)
        if profile is not None:
            query = query.where(_FINGERPRINTS.c.profile == profile)
        if system is not None:
            query = query.where(_RUNS.c.system == system)
        return [int(number) for number in self._session.execute(query).scalars()]

    def risks(self, since: date, until: date, run_ids: Sequence[int] | None = None) -> list[RiskCell]:
        """Results from ``since`` to ``until``, both included, by day, decision and risk, in order."""
        place = cast(_RESULTS.c.risk * RISK_BINS, Integer)
        found = []
        # Of one decision at a time: each is a range of one index that holds all that is asked.
        for decision in DECISIONS:
            query = (
                select(_RESULTS.c.created_day, place.label("bin"), func.count().label("n"))
                .where(
                    _RESULTS.c.decision == decision,
                    _RESULTS.c.created_day >= since.isoformat(),
                    _RESULTS.c.created_day <= until.isoformat(),
                )
                .group_by(_RESULTS.c.created_day, place)
            )
            if run_ids is not None:
                query = query.where(_RESULTS.c.run_id.in_(run_ids))
            for day, at, n in self._session.execute(query):
                found.append(RiskCell(date.fromisoformat(day), decision, min(int(at), RISK_BINS - 1), int(n)))
        return sorted(found)

    def span(self) -> tuple[date, date] | None:
        """The first and the last day with a result; None without results."""
        ends = [
            self._session.execute(
                select(func.min(_RESULTS.c.created_day), func.max(_RESULTS.c.created_day)).where(
                    _RESULTS.c.decision == decision
                )
            ).one()
            for decision in DECISIONS
        ]
        known = [(first, last) for first, last in ends if first is not None]
        if not known:
            return None
        return (
            date.fromisoformat(min(first for first, _ in known)),
            date.fromisoformat(max(last for _, last in known)),
        )

    def events(self, run_ids: Sequence[int]) -> list[Event]:
        """Runs that were the first with a prompt version, a model, a system or a fingerprint, in order."""
        query = (
            select(
                _RUNS.c.started_at,
                _RUNS.c.prompt_version,
                _RUNS.c.model,
                _RUNS.c.system,
                _RUNS.c.fingerprint_id,
            )
            .where(_RUNS.c.id.in_(run_ids))
            .order_by(_RUNS.c.started_at, _RUNS.c.id)
        )
        seen: set[tuple[str, str]] = set()
        found = []
        for row in self._session.execute(query):
            for what in ("prompt_version", "model", "system", "fingerprint_id"):
                name = getattr(row, what)
                if name and (what, name) not in seen:
                    seen.add((what, name))
                    found.append(Event(row.started_at, what, name))
        return found
