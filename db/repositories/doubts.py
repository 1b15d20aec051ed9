"""Sentences worth a look, across all answers: those the gate distrusts and those with a finding in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, FromClause, Select, exists, func, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.mapping import LOW_CONFIDENCE, result_of, table_of, text_key
from db.repositories.samples import in_chunks
from db.repositories.sentences import SentenceKey, SentenceLabelRow, SentenceLabels, stands
from evalcore.errors import StoreError
from evalcore.result import SentenceVerdict as GateSentence

_DOUBTS = table_of(tables.SentenceDoubt)
_SENTENCES = table_of(tables.Sentence)
_SENTENCE_LABELS = table_of(tables.SentenceLabel)
_RESULTS = table_of(tables.Result)
_RUN_RESULTS = table_of(tables.RunResult)
_SAMPLES = table_of(tables.Sample)
_DOCUMENTS = table_of(tables.ResultDocument)

SentenceScope: TypeAlias = Literal["unlabelled", "not_mine", "mine", "all"]
__all__ = [
    "LOW_CONFIDENCE",
    "DoubtGroup",
    "DoubtItem",
    "DoubtPage",
    "Doubts",
    "SentenceFilter",
    "SentenceScope",
]


@dataclass(frozen=True, kw_only=True)
class SentenceFilter:
    """Which sentences; None leaves a field open.

    ``kind`` is ``low_confidence`` or a kind of finding. ``scope``: ``unlabelled`` by anybody, ``not_mine``
    and ``mine`` by ``reviewer_id``, or ``all``.
    """

    kind: str | None = None
    failure_type: str | None = None
    run_id: int | None = None
    scope: SentenceScope = "unlabelled"
    reviewer_id: int | None = None

    def __post_init__(self) -> None:
        if self.scope in ("not_mine", "mine") and self.reviewer_id is None:
            raise StoreError("whose labels?", where="reviewer_id", got="none", cure="name the reviewer")


@dataclass(frozen=True)
class DoubtGroup:
    """Sentences with one kind of doubt in answers of one failure type, and how many are labelled."""

    kind: str
    failure_type: str
    n: int
    n_labelled: int


@dataclass(frozen=True, kw_only=True)
class DoubtItem:
    """A sentence of an answer, with what the gate found and where the contexts come nearest.

    ``sentence`` holds text, offsets, support, evidence and findings. ``labels`` are every reviewer's current
    ones, ``n_same`` how many listed sentences of this fingerprint have the same text, this one included.
    """

    result_id: int
    idx: int
    kinds: tuple[str, ...]
    failure_type: str
    external_id: str
    query: str
    decision: str
    sentence: GateSentence
    labels: tuple[SentenceLabelRow, ...]
    n_same: int

    @property
    def key(self) -> SentenceKey:
        """The sentence's place: its result and its index in the answer."""
        return self.result_id, self.idx


@dataclass(frozen=True)
class DoubtPage:
    """Sentences, of the latest results first; ``next_after`` opens the next page, None at the end."""

    items: tuple[DoubtItem, ...]
    next_after: SentenceKey | None


class Doubts:
    """Sentences worth a look, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def groups(self, where: SentenceFilter) -> tuple[DoubtGroup, ...]:
        """How many there are by kind and failure type, whatever the scope; the largest group first."""
        n = func.count()
        labelled = self._by_group(_from_labels(where))
        query = select(_DOUBTS.c.kind, _DOUBTS.c.failure_type, n).where(*_conditions(where))
        query = query.group_by(_DOUBTS.c.kind, _DOUBTS.c.failure_type)
        found = [
            DoubtGroup(kind, failure, count, labelled.get((kind, failure), 0))
            for kind, failure, count in self._session.execute(query)
        ]
        return tuple(sorted(found, key=lambda group: (-group.n, group.kind, group.failure_type)))

    def count(self, where: SentenceFilter) -> int:
        """How many sentences the filter leaves; one with several kinds of doubt counts once."""
        found = _labelled_sentences(where).subquery()
        labelled = int(self._session.execute(select(func.count()).select_from(found)).scalar_one())
        if where.scope == "mine":
            return labelled
        total = self._total(where)
        return total if where.scope == "all" else total - labelled

    def page(self, where: SentenceFilter, *, after: SentenceKey | None = None, limit: int = 25) -> DoubtPage:
        """The first sentences, or those after a place."""
        key = (_DOUBTS.c.result_id, _DOUBTS.c.idx)
        query = select(*key).where(*_conditions(where), *_in_scope(where))
        if where.kind is None:
            query = query.group_by(*key)
        if after is not None:
            query = query.where(tuple_(*key) < tuple_(*after))
        query = query.order_by(*(column.desc() for column in key)).limit(limit + 1)
        keys = [(result_id, idx) for result_id, idx in self._session.execute(query)]
        return DoubtPage(self._items(keys[:limit]), keys[limit - 1] if len(keys) > limit else None)

    def get(self, key: SentenceKey) -> DoubtItem | None:
        """One listed sentence."""
        items = self._items([key])
        return items[0] if items else None

    def same_text(self, key: SentenceKey) -> tuple[SentenceKey, ...]:
        """Every listed sentence with this one's text in results of the same fingerprint, itself included.

        Raises
        ------
        StoreError
            When there is no such sentence.
        """
        place = (_SENTENCES.c.result_id == key[0]) & (_SENTENCES.c.idx == key[1])
        query = select(_SENTENCES.c.text, _RESULTS.c.fingerprint_id).join_from(
            _SENTENCES, _RESULTS, _RESULTS.c.id == _SENTENCES.c.result_id
        )
        row = self._session.execute(query.where(place)).first()
        if row is None:
            raise StoreError("there is no such sentence", got=f"sentence {key[1]} of result {key[0]}")
        found = self._session.execute(_same(row.text, row.fingerprint_id))
        return tuple(sorted({(result_id, idx) for result_id, idx in found} | {key}))

    def _total(self, where: SentenceFilter) -> int:
        query = select(func.count()).select_from(_DOUBTS).where(*_conditions(where))
        if where.kind is None:
            keys = select(_DOUBTS.c.result_id, _DOUBTS.c.idx).where(*_conditions(where)).distinct()
            query = select(func.count()).select_from(keys.subquery())
        return int(self._session.execute(query).scalar_one())

    def _by_group(self, query: Select[Any]) -> dict[tuple[str, str], int]:
        return {(kind, failure): n for kind, failure, n in self._session.execute(query)}

    def _items(self, keys: Sequence[SentenceKey]) -> tuple[DoubtItem, ...]:
        results = list(dict.fromkeys(result_id for result_id, _ in keys))
        rows: dict[int, Any] = {}
        for chunk in in_chunks(results):
            query = (
                select(
                    _RESULTS.c.id,
                    _RESULTS.c.failure_type,
                    _RESULTS.c.decision,
                    _RESULTS.c.fingerprint_id,
                    _SAMPLES.c.external_id,
                    _SAMPLES.c.query,
                    _DOCUMENTS.c.document,
                )
                .join_from(_RESULTS, _DOCUMENTS, _DOCUMENTS.c.result_id == _RESULTS.c.id)
                .join(_SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
                .where(_RESULTS.c.id.in_(chunk))
            )
            rows |= {row.id: row for row in self._session.execute(query)}
        sentences = {number: result_of(row.document).sentences for number, row in rows.items()}
        kinds = self._kinds(keys)
        labels: dict[SentenceKey, list[SentenceLabelRow]] = {}
        for label in SentenceLabels(self._session).current_of(keys):
            labels.setdefault((label.result_id, label.idx), []).append(label)
        items = []
        for number, idx in keys:
            sentence = next((s for s in sentences.get(number, ()) if s.index == idx), None)
            if sentence is None:
                continue
            row = rows[number]
            same = _same(sentence.text, row.fingerprint_id).subquery()
            items.append(
                DoubtItem(
                    result_id=number,
                    idx=idx,
                    kinds=kinds.get((number, idx), ()),
                    failure_type=row.failure_type,
                    external_id=row.external_id,
                    query=row.query,
                    decision=row.decision,
                    sentence=sentence,
                    labels=tuple(labels.get((number, idx), ())),
                    n_same=self._session.execute(select(func.count()).select_from(same)).scalar_one(),
                )
            )
        return tuple(items)

    def _kinds(self, keys: Sequence[SentenceKey]) -> dict[SentenceKey, tuple[str, ...]]:
        found: dict[SentenceKey, tuple[str, ...]] = {}
        place = tuple_(_DOUBTS.c.result_id, _DOUBTS.c.idx)
        for chunk in in_chunks(keys):
            query = select(_DOUBTS.c.result_id, _DOUBTS.c.idx, _DOUBTS.c.kind).where(place.in_(chunk))
            for number, idx, kind in self._session.execute(query.order_by(_DOUBTS.c.kind)):
                found[number, idx] = (*found.get((number, idx), ()), kind)
        return found


def _conditions(where: SentenceFilter, doubts: FromClause = _DOUBTS) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if where.kind is not None:
        wanted.append(doubts.c.kind == where.kind)
    if where.failure_type is not None:
        wanted.append(doubts.c.failure_type == where.failure_type)
    if where.run_id is not None:
        covered = exists().where(
            _RUN_RESULTS.c.run_id == where.run_id, _RUN_RESULTS.c.result_id == doubts.c.result_id
        )
        wanted.append(covered)
    return wanted


def _in_scope(where: SentenceFilter) -> list[ColumnElement[bool]]:
    labelled = exists().where(
        _SENTENCE_LABELS.c.result_id == _DOUBTS.c.result_id,
        _SENTENCE_LABELS.c.idx == _DOUBTS.c.idx,
        stands(_SENTENCE_LABELS),
    )
    if where.scope == "unlabelled":
        return [~labelled]
    mine = labelled.where(_SENTENCE_LABELS.c.reviewer_id == where.reviewer_id)
    return [] if where.scope == "all" else [mine if where.scope == "mine" else ~mine]


def _labelled_sentences(where: SentenceFilter) -> Select[Any]:
    """The labelled sentences that are listed: read from the labels, which are few."""
    query = select(_SENTENCE_LABELS.c.result_id, _SENTENCE_LABELS.c.idx).where(stands(_SENTENCE_LABELS))
    if where.scope in ("mine", "not_mine"):
        query = query.where(_SENTENCE_LABELS.c.reviewer_id == where.reviewer_id)
    listed = exists().where(
        _DOUBTS.c.result_id == _SENTENCE_LABELS.c.result_id,
        _DOUBTS.c.idx == _SENTENCE_LABELS.c.idx,
        *_conditions(where),
    )
    return query.where(listed).distinct()


def _from_labels(where: SentenceFilter) -> Select[Any]:
    labelled = _labelled_sentences(where).subquery("labelled")
    here = (_DOUBTS.c.result_id == labelled.c.result_id) & (_DOUBTS.c.idx == labelled.c.idx)
    query = select(_DOUBTS.c.kind, _DOUBTS.c.failure_type, func.count()).join_from(labelled, _DOUBTS, here)
    return query.where(*_conditions(where)).group_by(_DOUBTS.c.kind, _DOUBTS.c.failure_type)


def _same(text: str, fingerprint_id: str) -> Select[Any]:
    query = select(_DOUBTS.c.result_id, _DOUBTS.c.idx).join_from(
        _DOUBTS, _RESULTS, _RESULTS.c.id == _DOUBTS.c.result_id
    )
    return query.where(
        _DOUBTS.c.text_key == text_key(text), _RESULTS.c.fingerprint_id == fingerprint_id
    ).distinct()
