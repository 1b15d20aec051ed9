"""When results came, and what was new about the runs they came with."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.counts import CountFilter, runs_of

_COUNTS = table_of(tables.ResultCount)
_RUNS = table_of(tables.Run)


class Event(NamedTuple):
    """A run that began with something new."""

    at: datetime
    what: str
    name: str


class Trends:
    """What Trends asks beside counts, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def span(self) -> tuple[date, date] | None:
        """The first and the last day (UTC) with a result; None without results."""
        query = select(func.min(_COUNTS.c.bucket), func.max(_COUNTS.c.bucket))
        first, last = self._session.execute(query).one()
        return None if first is None else (date.fromisoformat(first[:10]), date.fromisoformat(last[:10]))

    def events(self, where: CountFilter) -> list[Event]:
        """Runs that were the first with a prompt version, a model, a system or a fingerprint, in order."""
        query = select(
            _RUNS.c.started_at,
            _RUNS.c.prompt_version,
            _RUNS.c.model,
            _RUNS.c.system,
            _RUNS.c.fingerprint_id,
        ).order_by(_RUNS.c.started_at, _RUNS.c.id)
        runs = runs_of(where)
        if runs is not None:
            query = query.where(_RUNS.c.id.in_(runs))
        seen: set[tuple[str, str]] = set()
        found = []
        for row in self._session.execute(query):
            for what in ("prompt_version", "model", "system", "fingerprint_id"):
                name = getattr(row, what)
                if name and (what, name) not in seen:
                    seen.add((what, name))
                    found.append(Event(row.started_at, what, name))
        return found
