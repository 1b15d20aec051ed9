"""Samples: each question, passages and answer once, found again by its own id and its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Table, func, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.dialect import KEYS_PER_QUERY, insert_rows
from db.mapping import SampleKey, sample_of, sample_row, table_of
from db.search import add_texts
from db.tables import utc_text
from evalcore.errors import StoreError
from evalcore.sample import Sample

_SAMPLES = table_of(tables.Sample)

T = TypeVar("T")


def in_chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Slices short enough for the variables of one IN list."""
    for start in range(0, len(items), KEYS_PER_QUERY):
        yield items[start : start + KEYS_PER_QUERY]


@dataclass(frozen=True)
class AddedSamples:
    """Row ids by (own id, content hash): of the samples just stored, and of those that were there."""

    new: dict[SampleKey, int]
    existing: dict[SampleKey, int]


def highest_id(session: Session, table: Table) -> int:
    """The id of the last row, 0 for an empty table: what this transaction adds next comes after it."""
    return session.execute(select(func.max(table.c.id))).scalar_one() or 0


class Samples:
    """Samples in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_many(self, samples: Mapping[SampleKey, Sample], created_at: datetime) -> AddedSamples:
        """Store those that are not there yet, and find the row id of every one."""
        moment = utc_text(created_at)
        last = highest_id(self._session, _SAMPLES)
        insert_rows(self._session, _SAMPLES, [sample_row(sample, moment) for sample in samples.values()])
        # Read back by id, not by key: looking up every key would cost as much as storing the rows.
        query = select(_SAMPLES.c.external_id, _SAMPLES.c.content_hash, _SAMPLES.c.id)
        rows = self._session.execute(query.where(_SAMPLES.c.id > last)).all()
        found = {(external_id, content_hash): row_id for external_id, content_hash, row_id in rows}
        new = {key: row_id for key, row_id in found.items() if key in samples}
        add_texts(self._session, ((row_id, samples[key]) for key, row_id in new.items()))
        return AddedSamples(new, self.ids([key for key in samples if key not in new]))

    def ids(self, keys: Sequence[SampleKey]) -> dict[SampleKey, int]:
        """The row ids of those that are stored."""
        found: dict[SampleKey, int] = {}
        key = tuple_(_SAMPLES.c.external_id, _SAMPLES.c.content_hash)
        for chunk in in_chunks(keys):
            query = select(_SAMPLES.c.external_id, _SAMPLES.c.content_hash, _SAMPLES.c.id).where(
                key.in_(chunk)
            )
            for external_id, content_hash, row_id in self._session.execute(query):
                found[external_id, content_hash] = row_id
        return found

    def get(self, sample_id: int) -> Sample:
        """The sample of this row id.

        Raises
        ------
        StoreError
            When there is none.
        """
        row = self._session.execute(select(_SAMPLES).where(_SAMPLES.c.id == sample_id)).mappings().first()
        if row is None:
            raise StoreError("there is no such sample", got=str(sample_id))
        return sample_of(row)
