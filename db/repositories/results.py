"""Results: stored in bulk with everything that hangs on them, found by sample, read whole or as lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, RowMapping, Select, func, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_rows
from db.mapping import (
    SampleKey,
    document_of,
    document_row,
    doubt_rows,
    result_of,
    result_row,
    sample_of,
    sentence_rows,
    table_of,
)
from db.repositories.counts import Counts, bucket_of
from db.repositories.labels import LabelRow, Labels
from db.repositories.runs import RunRow, Runs
from db.repositories.samples import Samples, highest_id, in_chunks
from db.repositories.score_counts import ScoreCounts
from db.tables import utc_text
from evalcore.errors import StoreError
from evalcore.result import EvalResult
from evalcore.sample import Sample

_SAMPLES = table_of(tables.Sample)
_RESULTS = table_of(tables.Result)
_DOCUMENTS = table_of(tables.ResultDocument)
_RUN_RESULTS = table_of(tables.RunResult)
_SENTENCES = table_of(tables.Sentence)
_DOUBTS = table_of(tables.SentenceDoubt)

PREVIEW_LENGTH = 200
_EXPORT_CHUNK = 500


@dataclass(frozen=True, kw_only=True)
class ResultFilter:
    """Which results; None leaves a field open. ``since`` is included, ``until`` is not."""

    decision: str | None = None
    failure_type: str | None = None
    run_id: int | None = None
    fingerprint_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class AddOutcome:
    """How many results were new, and how many were there already."""

    stored: int
    existing: int


@dataclass(frozen=True, kw_only=True)
class ResultItem:
    """A result as a list shows it; ``query`` is cut to 200 characters."""

    id: int
    external_id: str
    query: str
    decision: str
    rule_id: str
    failure_type: str
    hallucination_status: str
    next_action: str
    reason: str
    confidence_pct: int | None
    final: float | None
    risk: float
    n_sentences: int
    n_low: int
    language: str | None
    run_id: int
    fingerprint_id: str
    created_at: datetime


@dataclass(frozen=True)
class ResultPage:
    """Results, latest first; ``next_after`` opens the next page, None at the end."""

    items: tuple[ResultItem, ...]
    next_after: int | None


@dataclass(frozen=True, kw_only=True)
class StoredResult:
    """A result whole: its sample, the run that made it first, and every label ever made on it."""

    id: int
    sample: Sample
    result: EvalResult
    run: RunRow
    risk: float
    created_at: datetime
    labels: tuple[LabelRow, ...]


@dataclass(frozen=True, kw_only=True)
class StoredDocument:
    """A result for export: ``document`` is what ``EvalResult.to_dict()`` gave."""

    id: int
    sample: Sample
    document: dict[str, Any]
    run_id: int
    created_at: datetime


class _Link(NamedTuple):
    """What run_results keeps of a result."""

    id: int
    decision: str
    failure_type: str
    created_day: str
    risk: float
    shuffle: str


class Results:
    """Results in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_many(
        self, run_id: int, items: Sequence[tuple[Sample, EvalResult]], created_at: datetime | None = None
    ) -> AddOutcome:
        """Store results with their samples, sentences, documents and counts, and link them to the run.

        What is stored already, under the same sample and fingerprint, is linked and left as it is. All in
        the session's transaction: one of some 1,000 results is fastest.

        Raises
        ------
        StoreError
            When a result has another fingerprint than the run, belongs to another sample, or holds
            something that cannot be stored. Nothing of the transaction should be kept then.
        """
        run = Runs(self._session).get(run_id)
        moment = created_at or datetime.now(UTC)
        pending: dict[SampleKey, tuple[Sample, EvalResult]] = {}
        for sample, result in items:
            if result.fingerprint is not run.fingerprint and result.fingerprint != run.fingerprint:
                raise StoreError(
                    "a result of another fingerprint than its run",
                    where=f"run {run_id}, sample {sample.id[:80]}",
                    got=result.fingerprint.id,
                    expected=run.fingerprint_id,
                    cure="start a run for each fingerprint",
                )
            pending.setdefault((sample.id, sample.content_hash), (sample, result))
        samples = {key: sample for key, (sample, _) in pending.items()}
        added = Samples(self._session).add_many(samples, moment)
        sample_ids = added.new | added.existing
        links = self._links(list(added.existing.values()), run.fingerprint_id)
        new = {sample_ids[key]: pair for key, pair in pending.items() if sample_ids[key] not in links}
        if new:
            stamp = utc_text(moment)
            rows = [
                result_row(
                    sample,
                    result,
                    sample_id=sample_id,
                    fingerprint_id=run.fingerprint_id,
                    run_id=run_id,
                    created_at=stamp,
                )
                for sample_id, (sample, result) in new.items()
            ]
            last = highest_id(self._session, _RESULTS)
            insert_rows(self._session, _RESULTS, rows)
            made = self._links_after(last, run.fingerprint_id)
            links.update((sample_id, made[sample_id]) for sample_id in new)
            self._add_parts({links[sample_id].id: result for sample_id, (_, result) in new.items()})
            bucket = bucket_of(moment)
            fresh = (links[sample_id] for sample_id in new)
            keys = ((bucket, run_id, link.decision, link.failure_type) for link in fresh)
            Counts(self._session).record(Counter(keys))
            ScoreCounts(self._session).record(run_id, rows)
        self._link(run_id, list(links.values()))
        return AddOutcome(stored=len(new), existing=len(items) - len(new))

    def known(self, keys: Sequence[SampleKey], fingerprint_id: str) -> set[SampleKey]:
        """Those of ``keys`` (own id, content hash) that have a result of this fingerprint."""
        found: set[SampleKey] = set()
        pair = tuple_(_SAMPLES.c.external_id, _SAMPLES.c.content_hash)
        for chunk in in_chunks(keys):
            query = (
                select(_SAMPLES.c.external_id, _SAMPLES.c.content_hash)
                .join_from(_SAMPLES, _RESULTS)
                .where(pair.in_(chunk), _RESULTS.c.fingerprint_id == fingerprint_id)
            )
            found.update((external_id, content) for external_id, content in self._session.execute(query))
        return found

    def by_keys(self, keys: Sequence[SampleKey], fingerprint_id: str) -> dict[SampleKey, EvalResult]:
        """The stored results of this fingerprint for those of ``keys`` that have one."""
        found: dict[SampleKey, EvalResult] = {}
        pair = tuple_(_SAMPLES.c.external_id, _SAMPLES.c.content_hash)
        for chunk in in_chunks(keys):
            query = (
                select(_SAMPLES.c.external_id, _SAMPLES.c.content_hash, _DOCUMENTS.c.document)
                .join_from(_SAMPLES, _RESULTS)
                .join(_DOCUMENTS, _DOCUMENTS.c.result_id == _RESULTS.c.id)
                .where(pair.in_(chunk), _RESULTS.c.fingerprint_id == fingerprint_id)
            )
            for external_id, content, document in self._session.execute(query):
                found[external_id, content] = result_of(document)
        return found

    def link_existing(self, run_id: int, keys: Sequence[SampleKey], fingerprint_id: str) -> int:
        """Count stored results in with a run; returns how many of ``keys`` there are."""
        ids = Samples(self._session).ids(keys)
        links = self._links(list(ids.values()), fingerprint_id)
        self._link(run_id, list(links.values()))
        return len(links)

    def get(self, result_id: int) -> StoredResult:
        """The whole of one result.

        Raises
        ------
        StoreError
            When there is none of this id.
        """
        query = (
            select(
                _RESULTS.c.sample_id,
                _RESULTS.c.run_id,
                _RESULTS.c.risk,
                _RESULTS.c.created_at,
                _DOCUMENTS.c.document,
            )
            .join_from(_RESULTS, _DOCUMENTS)
            .where(_RESULTS.c.id == result_id)
        )
        row = self._session.execute(query).first()
        if row is None:
            raise StoreError("there is no such result", got=str(result_id), cure="list the results")
        return StoredResult(
            id=result_id,
            sample=Samples(self._session).get(row.sample_id),
            result=result_of(row.document),
            run=Runs(self._session).get(row.run_id),
            risk=row.risk,
            created_at=row.created_at,
            labels=Labels(self._session).history(result_id),
        )

    def list(
        self, where: ResultFilter | None = None, *, after: int | None = None, limit: int = 50
    ) -> ResultPage:
        """One page of results, latest first, without their documents.

        Parameters
        ----------
        where : ResultFilter, optional
            Which results.
        after : int, optional
            ``next_after`` of the page before.
        limit : int
            At most so many.
        """
        query = _narrow(_item_select(), where).order_by(_RESULTS.c.id.desc()).limit(limit + 1)
        if after is not None:
            query = query.where(_RESULTS.c.id < after)
        items = tuple(_item(row) for row in self._session.execute(query).mappings())
        return ResultPage(items[:limit], items[limit - 1].id if len(items) > limit else None)

    def find(self, external_id: str) -> tuple[ResultItem, ...]:
        """All results of the samples with this id of their own, latest first."""
        query = _item_select().where(_SAMPLES.c.external_id == external_id).order_by(_RESULTS.c.id.desc())
        return tuple(_item(row) for row in self._session.execute(query).mappings())

    def iter_documents(self, where: ResultFilter | None = None) -> Iterator[StoredDocument]:
        """Results whole, in the order they were stored, read in pieces: memory does not grow with them."""
        base = _narrow(
            select(
                _RESULTS.c.id.label("result_id"),
                _RESULTS.c.run_id,
                _RESULTS.c.created_at.label("result_created_at"),
                _DOCUMENTS.c.document,
                _SAMPLES,
            )
            .join_from(_RESULTS, _DOCUMENTS)
            .join(_SAMPLES, _RESULTS.c.sample_id == _SAMPLES.c.id),
            where,
        )
        base = base.order_by(_RESULTS.c.id).limit(_EXPORT_CHUNK)
        last = 0
        while rows := self._session.execute(base.where(_RESULTS.c.id > last)).mappings().all():
            for row in rows:
                yield StoredDocument(
                    id=row["result_id"],
                    sample=sample_of(row),
                    document=document_of(row["document"]),
                    run_id=row["run_id"],
                    created_at=row["result_created_at"],
                )
            last = rows[-1]["result_id"]

    def _links(self, sample_ids: Sequence[int], fingerprint_id: str) -> dict[int, _Link]:
        found: dict[int, _Link] = {}
        for chunk in in_chunks(sample_ids):
            found |= self._links_where(_RESULTS.c.sample_id.in_(chunk), fingerprint_id)
        return found

    def _links_after(self, result_id: int, fingerprint_id: str) -> dict[int, _Link]:
        return self._links_where(_RESULTS.c.id > result_id, fingerprint_id)

    def _links_where(self, condition: ColumnElement[bool], fingerprint_id: str) -> dict[int, _Link]:
        query = select(_RESULTS.c.sample_id, *(_RESULTS.c[name] for name in _Link._fields))
        query = query.where(condition, _RESULTS.c.fingerprint_id == fingerprint_id)
        return {row[0]: _Link(*row[1:]) for row in self._session.execute(query).all()}

    def _link(self, run_id: int, links: Sequence[_Link]) -> None:
        rows = [
            {
                "run_id": run_id,
                "result_id": link.id,
                "decision": link.decision,
                "failure_type": link.failure_type,
                "created_day": link.created_day,
                "risk": link.risk,
                "shuffle": link.shuffle,
            }
            for link in links
        ]
        insert_rows(self._session, _RUN_RESULTS, rows)

    def _add_parts(self, results: dict[int, EvalResult]) -> None:
        documents = [document_row(result, result_id) for result_id, result in results.items()]
        insert_rows(self._session, _DOCUMENTS, documents)
        sentences = [row for result_id, result in results.items() for row in sentence_rows(result, result_id)]
        insert_rows(self._session, _SENTENCES, sentences)
        doubts = [row for result_id, result in results.items() for row in doubt_rows(result, result_id)]
        insert_rows(self._session, _DOUBTS, doubts)


def _item_select() -> Select[Any]:
    names = [name for name in ResultItem.__dataclass_fields__ if name not in ("external_id", "query")]
    preview = func.substr(_SAMPLES.c.query, 1, PREVIEW_LENGTH).label("query")
    return select(_SAMPLES.c.external_id, preview, *(_RESULTS.c[name] for name in names)).join_from(
        _RESULTS, _SAMPLES
    )


def _item(row: RowMapping) -> ResultItem:
    return ResultItem(**row)


def _narrow(query: Select[Any], where: ResultFilter | None) -> Select[Any]:
    if where is None:
        return query
    for name in ("decision", "failure_type", "fingerprint_id"):
        wanted = getattr(where, name)
        if wanted is not None:
            query = query.where(_RESULTS.c[name] == wanted)
    if where.run_id is not None:
        covered = (_RUN_RESULTS.c.result_id == _RESULTS.c.id) & (_RUN_RESULTS.c.run_id == where.run_id)
        query = query.join(_RUN_RESULTS, covered)
    if where.since is not None:
        query = query.where(_RESULTS.c.created_at >= where.since)
    if where.until is not None:
        query = query.where(_RESULTS.c.created_at < where.until)
    return query
