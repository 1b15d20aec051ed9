"""Two runs beside each other, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, case, func, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of

_RUN_RESULTS = table_of(tables.RunResult)
_RESULTS = table_of(tables.Result)
_SAMPLES = table_of(tables.Sample)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One item under two runs. ``same_content`` is whether question, contexts and answer are the same too."""

    external_id: str
    query: str
    before_id: int
    before_decision: str
    before_failure_type: str
    before_risk: float
    after_id: int
    after_decision: str
    after_failure_type: str
    after_risk: float
    flipped: bool
    gap: float
    same_content: bool

    @property
    def place(self) -> PairPlace:
        """Where the pair stands in the order."""
        return PairPlace(self.flipped, self.gap, self.after_id, self.before_id)


@dataclass(frozen=True)
class PairPlace:
    """A place in the order of pairs."""

    flipped: bool
    gap: float
    after_id: int
    before_id: int


@dataclass(frozen=True)
class PairPage:
    """Pairs whose decision flipped, then the others, the largest change of risk first."""

    items: tuple[Pair, ...]
    next_after: PairPlace | None


@dataclass(frozen=True)
class Flip:
    """How many items went from one decision to another, or stayed."""

    before: str
    after: str
    n: int


class Comparison:
    """Two runs, in a session. An item is in both when its own id is."""

    def __init__(self, session: Session, before: int, after: int) -> None:
        self._session = session
        self._before = before
        self._after = after

    def page(self, *, after: PairPlace | None = None, limit: int = 25) -> PairPage:
        """The first pairs, or those after a place."""
        pairs = self._pairs().subquery("pairs")
        order = (pairs.c.flipped, pairs.c.gap, pairs.c.after_id, pairs.c.before_id)
        query = select(pairs, func.substr(_SAMPLES.c.query, 1, 200).label("query")).join_from(
            pairs, _SAMPLES, _SAMPLES.c.id == pairs.c.sample_id
        )
        if after is not None:
            here = (int(after.flipped), after.gap, after.after_id, after.before_id)
            query = query.where(tuple_(*order) < tuple_(*here))
        query = query.order_by(*(key.desc() for key in order)).limit(limit + 1)
        items = tuple(_pair(row) for row in self._session.execute(query).mappings())
        return PairPage(items[:limit], items[limit - 1].place if len(items) > limit else None)

    def flips(self) -> tuple[Flip, ...]:
        """How many items are in both runs, by what each decided."""
        pairs = self._pairs().subquery("pairs")
        query = select(pairs.c.before_decision, pairs.c.after_decision, func.count())
        query = query.group_by(pairs.c.before_decision, pairs.c.after_decision)
        query = query.order_by(pairs.c.before_decision, pairs.c.after_decision)
        return tuple(Flip(before, after, n) for before, after, n in self._session.execute(query))

    def _pairs(self) -> Select[Any]:
        # From the one run's items to the other's by indexes all the way. The sum keeps SQLite, which takes
        # every run for a short one, from listing both and going through one list for each item of the other.
        covered, result, sample = _RUN_RESULTS.alias("c"), _RESULTS.alias("r"), _SAMPLES.alias("s")
        flipped = case((_RUN_RESULTS.c.decision != covered.c.decision, 1), else_=0)
        return (
            select(
                sample.c.external_id,
                sample.c.id.label("sample_id"),
                _RUN_RESULTS.c.result_id.label("before_id"),
                _RUN_RESULTS.c.decision.label("before_decision"),
                _RUN_RESULTS.c.failure_type.label("before_failure_type"),
                _RUN_RESULTS.c.risk.label("before_risk"),
                covered.c.result_id.label("after_id"),
                covered.c.decision.label("after_decision"),
                covered.c.failure_type.label("after_failure_type"),
                covered.c.risk.label("after_risk"),
                flipped.label("flipped"),
                func.round(func.abs(covered.c.risk - _RUN_RESULTS.c.risk), 4).label("gap"),
                (_SAMPLES.c.content_hash == sample.c.content_hash).label("same_content"),
            )
            .join_from(covered, result, result.c.id == covered.c.result_id)
            .join(sample, sample.c.id == result.c.sample_id)
            .join(_SAMPLES, _SAMPLES.c.external_id == sample.c.external_id)
            .join(_RESULTS, _RESULTS.c.sample_id == _SAMPLES.c.id)
            .join(_RUN_RESULTS, _RUN_RESULTS.c.result_id == _RESULTS.c.id)
            .where(covered.c.run_id == self._after, _RUN_RESULTS.c.run_id + 0 == self._before)
        )


def _pair(row: Any) -> Pair:
    shown = {name: row[name] for name in Pair.__dataclass_fields__}
    return Pair(**shown | {"flipped": bool(row["flipped"]), "same_content": bool(row["same_content"])})
