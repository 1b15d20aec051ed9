"""Baselines and gate runs, as they were frozen and found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import exists, func, insert, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from evalcore.errors import StoreError

_BASELINES = table_of(tables.Baseline)
_CASES = table_of(tables.BaselineCase)
_REMOVALS = table_of(tables.BaselineRemoval)
_RUNS = table_of(tables.GateRun)


@dataclass(frozen=True, kw_only=True)
class BaselineRow:
    """A baseline without its cases. ``fingerprint`` is JSON."""

    id: int
    name: str
    version: int
    created_at: datetime
    reviewer_id: int | None
    fingerprint: str
    hash: str
    note: str
    n_cases: int
    is_removed: bool


@dataclass(frozen=True, kw_only=True)
class GateRunRow:
    """A gate run; ``report`` is JSON."""

    id: int
    created_at: datetime
    baseline_id: int
    answers: str
    outcome: str
    n_shared: int
    n_worse: int
    report: str


class Baselines:
    """Baselines in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(
        self,
        name: str,
        *,
        fingerprint: str,
        hash_: str,
        note: str,
        cases: list[tuple[str, str, str]],
        reviewer_id: int | None,
        created_at: datetime | None = None,
    ) -> BaselineRow:
        """Store the next version of a name; ``cases`` are (id, JSON, hash)."""
        latest = select(func.coalesce(func.max(_BASELINES.c.version), 0)).where(_BASELINES.c.name == name)
        version = int(self._session.execute(latest).scalar_one()) + 1
        row = {
            "name": name,
            "version": version,
            "created_at": created_at or datetime.now(UTC),
            "reviewer_id": reviewer_id,
            "fingerprint": fingerprint,
            "hash": hash_,
            "note": note,
        }
        number = self._session.execute(insert(_BASELINES).values(row).returning(_BASELINES.c.id)).scalar_one()
        self._session.execute(
            insert(_CASES),
            [
                {"baseline_id": number, "case_id": case_id, "document": document, "hash": case_hash}
                for case_id, document, case_hash in cases
            ],
        )
        return self.get(name, version)

    def all(self) -> tuple[BaselineRow, ...]:
        """Every version of every baseline, by name, the latest first."""
        return self._rows()

    def get(self, name: str, version: int | None = None) -> BaselineRow:
        """A version, removed ones too; without a number the latest that is in use.

        Raises
        ------
        StoreError
            When there is none.
        """
        where = [_BASELINES.c.name == name]
        if version is None:
            where.append(~exists().where(_REMOVALS.c.baseline_id == _BASELINES.c.id))
        else:
            where.append(_BASELINES.c.version == version)
        rows = self._rows(*where)
        if not rows:
            asked = name[:80] if version is None else f"{name[:80]}@{version}"
            raise StoreError(
                "there is no such baseline", got=asked, cure="list them: proofdesk baseline list"
            )
        return rows[0]

    def cases(self, baseline_id: int) -> Iterator[tuple[str, str]]:
        """(JSON, hash) of each case, by id."""
        query = (
            select(_CASES.c.document, _CASES.c.hash)
            .where(_CASES.c.baseline_id == baseline_id)
            .order_by(_CASES.c.case_id)
        )
        for row in self._session.execute(query):
            yield row.document, row.hash

    def remove(self, baseline_id: int, reviewer_id: int | None, *, now: datetime | None = None) -> None:
        """Take a version out of use; nothing is deleted."""
        self._session.execute(
            insert(_REMOVALS).values(
                baseline_id=baseline_id, removed_at=now or datetime.now(UTC), reviewer_id=reviewer_id
            )
        )

    def keep_run(self, values: dict[str, object]) -> int:
        """Store a gate run; returns its id."""
        query = insert(_RUNS).values(values).returning(_RUNS.c.id)
        return int(self._session.execute(query).scalar_one())

    def runs(self, baseline_id: int | None = None, *, limit: int = 50) -> tuple[GateRunRow, ...]:
        """Gate runs, the latest first; of every baseline if none is named."""
        query = select(_RUNS).order_by(_RUNS.c.id.desc()).limit(limit)
        if baseline_id is not None:
            query = query.where(_RUNS.c.baseline_id == baseline_id)
        return tuple(GateRunRow(**row) for row in self._session.execute(query).mappings())

    def _rows(self, *where: object) -> tuple[BaselineRow, ...]:
        counted = select(func.count()).where(_CASES.c.baseline_id == _BASELINES.c.id).scalar_subquery()
        removed = exists().where(_REMOVALS.c.baseline_id == _BASELINES.c.id)
        query = (
            select(_BASELINES, counted.label("n_cases"), removed.label("is_removed"))
            .where(*where)  # type: ignore[arg-type]
            .order_by(_BASELINES.c.name, _BASELINES.c.version.desc())
        )
        return tuple(BaselineRow(**row) for row in self._session.execute(query).mappings())
