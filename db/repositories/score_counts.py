"""How scores were spread over each day, counted in bins with every insert."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_adding
from db.mapping import SCORE_COLUMNS, table_of
from db.repositories.counts import CountFilter, runs_of
from evalcore.errors import StoreError

_COUNTS = table_of(tables.ScoreCount)
_KEY = ("score", "created_day", "decision", "bin", "run_id")
BINS: Final = 50
"""Equal parts of [0, 1] in which scores are counted."""
_PER_DOUBLING = 5
LATENCY: Final = "latency_ms"
SCORES: Final = ("risk", *SCORE_COLUMNS, LATENCY)
"""Numbers of a result that are kept in columns of their own."""


class ScoreCell(NamedTuple):
    """So many results of a day (UTC) have this score in this bin."""

    day: date
    bin: int
    n: int


class SideCell(NamedTuple):
    """So many results of the reference, or of the window, have this score in this bin."""

    score: str
    inside: bool
    bin: int
    n: int


def bin_of(score: str, value: float) -> int:
    """The bin of a value: a fiftieth of [0, 1]; of milliseconds a fifth of a doubling.

    Examples
    --------
    >>> bin_of("risk", 0.03), bin_of("risk", 1.0), bin_of("latency_ms", 0), bin_of("latency_ms", 63)
    (1, 49, 0, 30)
    """
    if score == LATENCY:
        return int(_PER_DOUBLING * math.log2(1 + max(value, 0.0)))
    return min(int(value * BINS), BINS - 1)


def middle_of(score: str, bin_number: int) -> float:
    """The value in the middle of a bin.

    Examples
    --------
    >>> middle_of("risk", 1), round(middle_of("latency_ms", 30), 1)
    (0.03, 67.6)
    """
    if score == LATENCY:
        return float(2 ** ((bin_number + 0.5) / _PER_DOUBLING)) - 1
    return (bin_number + 0.5) / BINS


class ScoreCounts:
    """The spread of scores in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def record(self, run_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add newly stored rows of results; in the transaction that stores them."""
        added = Counter(
            (score, str(row["created_day"]), str(row["decision"]), bin_of(score, row[score]), run_id)
            for row in rows
            for score in SCORES
            if row.get(score) is not None
        )
        if added:
            counted = [{**dict(zip(_KEY, key, strict=True)), "n": n} for key, n in added.items()]
            self._session.execute(insert_adding(self._session, _COUNTS, key=_KEY, amount="n"), counted)

    def by_day(
        self, score: str, since: date, until: date, where: CountFilter | None = None
    ) -> list[ScoreCell]:
        """A score from ``since`` to ``until``, both included, by day (UTC) and bin, in order."""
        query = (
            select(_COUNTS.c.created_day, _COUNTS.c.bin, func.sum(_COUNTS.c.n))
            .where(
                _COUNTS.c.score == _known(score),
                _COUNTS.c.created_day >= since.isoformat(),
                _COUNTS.c.created_day <= until.isoformat(),
            )
            .group_by(_COUNTS.c.created_day, _COUNTS.c.bin)
            .order_by(_COUNTS.c.created_day, _COUNTS.c.bin)
        )
        rows = self._session.execute(_narrow(query, where))
        return [ScoreCell(date.fromisoformat(day), int(at), int(n)) for day, at, n in rows]

    def sides(
        self,
        reference: tuple[date, date],
        window: tuple[date, date],
        where: CountFilter | None = None,
    ) -> list[SideCell]:
        """Every score in the days of a reference and of a window after or before it, both ends included."""
        days = _COUNTS.c.created_day
        inside = days.between(window[0].isoformat(), window[1].isoformat())
        before = days.between(reference[0].isoformat(), reference[1].isoformat())
        side = case((inside, 1), else_=0).label("side")
        found = []
        for score in SCORES:
            query = (
                select(side, _COUNTS.c.bin, func.sum(_COUNTS.c.n))
                .where(_COUNTS.c.score == score, inside | before)
                .group_by(side, _COUNTS.c.bin)
                .order_by(side, _COUNTS.c.bin)
            )
            for is_inside, at, n in self._session.execute(_narrow(query, where)):
                found.append(SideCell(score, bool(is_inside), int(at), int(n)))
        return found


def _known(score: str) -> str:
    if score not in SCORES:
        raise StoreError("no such score is kept", got=score[:80], expected=", ".join(SCORES))
    return score


def _narrow(query: Select[Any], where: CountFilter | None) -> Select[Any]:
    runs = None if where is None else runs_of(where)
    return query if runs is None else query.where(_COUNTS.c.run_id.in_(runs))
