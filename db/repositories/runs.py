"""Runs: one file, or one call, taken through the gate with one fingerprint."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping, Select, insert, select, update
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_new
from db.mapping import fingerprint_of, fingerprint_row, table_of
from evalcore.errors import StoreError
from evalcore.result import Fingerprint

_RUNS = table_of(tables.Run)
_FINGERPRINTS = table_of(tables.Fingerprint)
_PREFIX = "fingerprint_field_"


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """A run that is about to start.

    ``key`` is its identity: the same key finds the same run again, so it should cover whatever makes two
    runs the same (file content, fingerprint, name). ``source`` is the file's name, ``-`` for standard input.
    """

    key: str
    name: str
    source: str
    fingerprint: Fingerprint
    source_hash: str | None = None
    system: str = ""
    prompt_version: str = ""
    model: str | None = None
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, kw_only=True)
class RunCounts:
    """What became of a source's rows: ``n_rows`` read, of which stored, there already, and failed."""

    n_rows: int = 0
    n_stored: int = 0
    n_existing: int = 0
    n_failed: int = 0


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A stored run. ``finished_at`` is None while it is under way or after it was killed."""

    id: int
    key: str
    name: str
    source: str
    source_hash: str | None
    system: str
    prompt_version: str
    model: str | None
    fingerprint: Fingerprint
    fingerprint_id: str
    started_at: datetime
    finished_at: datetime | None
    counts: RunCounts

    @property
    def profile(self) -> str:
        """The name of the profile it was made with."""
        return self.fingerprint.profile


class Runs:
    """Runs in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def start(self, spec: RunSpec) -> RunRow:
        """The run of this key, made if it is new, opened again if it is not.

        An open run has no finishing time; its counts stay what they were until :meth:`finish`.

        Raises
        ------
        StoreError
            When a run of this key was made with another fingerprint.
        """
        self._session.execute(insert_new(self._session, _FINGERPRINTS), [fingerprint_row(spec.fingerprint)])
        found = self.find(spec.key)
        if found is None:
            self._session.execute(
                insert(_RUNS),
                [
                    {
                        "key": spec.key,
                        "name": spec.name,
                        "source": spec.source,
                        "source_hash": spec.source_hash,
                        "system": spec.system,
                        "prompt_version": spec.prompt_version,
                        "model": spec.model,
                        "profile": spec.fingerprint.profile,
                        "fingerprint_id": spec.fingerprint.id,
                        "started_at": spec.started_at,
                    }
                ],
            )
        elif found.fingerprint_id != spec.fingerprint.id:
            raise StoreError(
                "a run of this key was made with another fingerprint",
                where=f"run {found.id}, {found.name}",
                got=spec.fingerprint.id,
                expected=found.fingerprint_id,
                cure="let the key cover the fingerprint",
            )
        else:
            self._session.execute(update(_RUNS).where(_RUNS.c.id == found.id).values(finished_at=None))
        return self._one(_select().where(_RUNS.c.key == spec.key), spec.key)

    def finish(self, run_id: int, counts: RunCounts, when: datetime | None = None) -> RunRow:
        """Close a run with its counts.

        Raises
        ------
        StoreError
            When there is no such run.
        """
        self.get(run_id)
        self._session.execute(
            update(_RUNS)
            .where(_RUNS.c.id == run_id)
            .values(
                finished_at=when or datetime.now(UTC),
                n_rows=counts.n_rows,
                n_stored=counts.n_stored,
                n_existing=counts.n_existing,
                n_failed=counts.n_failed,
            )
        )
        return self.get(run_id)

    def get(self, run_id: int) -> RunRow:
        """The run of this id.

        Raises
        ------
        StoreError
            When there is none.
        """
        return self._one(_select().where(_RUNS.c.id == run_id), str(run_id))

    def find(self, key: str) -> RunRow | None:
        """The run of this key, if there is one."""
        row = self._session.execute(_select().where(_RUNS.c.key == key)).mappings().first()
        return None if row is None else _run(row)

    def latest(self, limit: int = 20) -> tuple[RunRow, ...]:
        """The runs that started last, latest first."""
        query = _select().order_by(_RUNS.c.started_at.desc(), _RUNS.c.id.desc()).limit(limit)
        return tuple(_run(row) for row in self._session.execute(query).mappings())

    def latest_profile(self) -> str | None:
        """The profile of the run that started last; None without runs."""
        query = select(_RUNS.c.profile).order_by(_RUNS.c.started_at.desc(), _RUNS.c.id.desc()).limit(1)
        return self._session.execute(query).scalar_one_or_none()

    def profiles(self) -> tuple[str, ...]:
        """Names of the profiles that have runs, in order."""
        query = select(_RUNS.c.profile).distinct().order_by(_RUNS.c.profile)
        return tuple(self._session.execute(query).scalars())

    def systems(self) -> tuple[str, ...]:
        """Names of the systems that have runs, in order; those without a name aside."""
        query = select(_RUNS.c.system).where(_RUNS.c.system != "").distinct().order_by(_RUNS.c.system)
        return tuple(self._session.execute(query).scalars())

    def _one(self, query: Select[Any], got: str) -> RunRow:
        row = self._session.execute(query).mappings().first()
        if row is None:
            raise StoreError("there is no such run", got=got, cure="list the runs")
        return _run(row)


def _select() -> Select[Any]:
    fields = [_FINGERPRINTS.c[name].label(_PREFIX + name) for name in Fingerprint.__dataclass_fields__]
    return select(_RUNS, *fields).join_from(_RUNS, _FINGERPRINTS)


def _run(row: RowMapping) -> RunRow:
    return RunRow(
        id=row["id"],
        key=row["key"],
        name=row["name"],
        source=row["source"],
        source_hash=row["source_hash"],
        system=row["system"],
        prompt_version=row["prompt_version"],
        model=row["model"],
        fingerprint=fingerprint_of({name: row[_PREFIX + name] for name in Fingerprint.__dataclass_fields__}),
        fingerprint_id=row["fingerprint_id"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        counts=RunCounts(
            n_rows=row["n_rows"],
            n_stored=row["n_stored"],
            n_existing=row["n_existing"],
            n_failed=row["n_failed"],
        ),
    )
