"""Labels: what people said about results. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from sqlalchemy import ColumnElement, RowMapping, Select, exists, func, insert, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from evalcore.errors import StoreError

_LABELS = table_of(tables.Label)
_REVIEWERS = table_of(tables.Reviewer)
_RESULTS = table_of(tables.Result)
_SAMPLES = table_of(tables.Sample)
_LATER = _LABELS.alias("later")

LabelVerdict: TypeAlias = Literal["accept", "reject", "unsure"]

NOTE_LENGTH = 20_000


@dataclass(frozen=True, kw_only=True)
class NewLabel:
    """A label to store.

    ``client_token`` is made once per form: the same form sent twice stores one label. ``replaces`` is the id
    of the reviewer's own current label when this is a change of mind. ``seen`` says what the reviewer could
    see while deciding.
    """

    result_id: int
    reviewer_id: int
    verdict: LabelVerdict
    failure_type: str | None = None
    note: str = ""
    client_token: str | None = None
    replaces: int | None = None
    seen: str = "all"
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class LabelRow:
    """A stored label, with its reviewer's name. ``supersedes`` is the label it replaced."""

    id: int
    result_id: int
    reviewer_id: int
    reviewer: str
    verdict: str
    failure_type: str | None
    note: str
    created_at: datetime
    supersedes: int | None
    client_token: str | None
    seen: str


@dataclass(frozen=True, kw_only=True)
class RatedItem:
    """One reviewer's current label on one result, with what agreement is computed over."""

    result_id: int
    external_id: str
    decision: str
    run_id: int
    fingerprint_id: str
    reviewer_id: int
    verdict: str
    failure_type: str | None


@dataclass(frozen=True, kw_only=True)
class LabelCounts:
    """How many labels there are: ``rows`` ever written, ``current`` not superseded, ``results`` labelled.

    ``by_verdict`` and ``by_reviewer`` (id, name, n) count current labels.
    """

    rows: int
    current: int
    results: int
    by_verdict: tuple[tuple[str, int], ...]
    by_reviewer: tuple[tuple[int, str, int], ...]


class Labels:
    """Labels in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, label: NewLabel) -> LabelRow:
        """The label as stored; the first one again if this form was sent before.

        Raises
        ------
        StoreError
            When the reviewer has a current label there and ``replaces`` does not name it, when the result
            or the reviewer is unknown, or when a field cannot be stored.
        """
        _check(label)
        if label.client_token is not None:
            earlier = self._first(_LABELS.c.client_token == label.client_token)
            if earlier is not None:
                return _same_form(earlier, label)
        self._check_exists(label)
        mine = (_LABELS.c.result_id == label.result_id) & (_LABELS.c.reviewer_id == label.reviewer_id)
        current = self._first(mine & _is_current())
        if label.replaces is None and current is not None:
            raise StoreError(
                f"already labelled by {current.reviewer}",
                where=f"result {label.result_id}",
                got=f"a second first label; label {current.id} says {current.verdict}",
                cure="change that label instead",
            )
        if label.replaces is not None and (current is None or current.id != label.replaces):
            raise StoreError(
                "the label changed meanwhile",
                where=f"result {label.result_id}",
                got=f"a change of label {label.replaces}",
                expected=f"a change of label {current.id}" if current else "a first label",
                cure="look at the result again",
            )
        values = {
            "result_id": label.result_id,
            "reviewer_id": label.reviewer_id,
            "verdict": label.verdict,
            "failure_type": label.failure_type,
            "note": label.note,
            "created_at": label.created_at or datetime.now(UTC),
            "supersedes": label.replaces,
            "client_token": label.client_token,
            "seen": label.seen,
        }
        inserted = self._session.execute(insert(_LABELS).values(values).returning(_LABELS.c.id)).scalar_one()
        return self.get(inserted)

    def get(self, label_id: int) -> LabelRow:
        """The label of this id.

        Raises
        ------
        StoreError
            When there is none.
        """
        row = self._first(_LABELS.c.id == label_id)
        if row is None:
            raise StoreError("there is no such label", got=str(label_id))
        return row

    def current(self, result_id: int) -> tuple[LabelRow, ...]:
        """Each reviewer's current label on a result, in the order they were made."""
        return self._all((_LABELS.c.result_id == result_id) & _is_current())

    def history(self, result_id: int) -> tuple[LabelRow, ...]:
        """Every label ever made on a result, in the order they were made."""
        return self._all(_LABELS.c.result_id == result_id)

    def current_of(self, result_ids: Sequence[int]) -> tuple[LabelRow, ...]:
        """The current labels on a page of results, in one query."""
        return self._all(_LABELS.c.result_id.in_(result_ids) & _is_current())

    def pairs(self) -> tuple[RatedItem, ...]:
        """Every current label beside its result's decision, by result and reviewer."""
        query = (
            select(
                _LABELS.c.result_id,
                _SAMPLES.c.external_id,
                _RESULTS.c.decision,
                _RESULTS.c.run_id,
                _RESULTS.c.fingerprint_id,
                _LABELS.c.reviewer_id,
                _LABELS.c.verdict,
                _LABELS.c.failure_type,
            )
            .join_from(_LABELS, _RESULTS, _LABELS.c.result_id == _RESULTS.c.id)
            .join(_SAMPLES, _RESULTS.c.sample_id == _SAMPLES.c.id)
            .where(_is_current())
            .order_by(_LABELS.c.result_id, _LABELS.c.reviewer_id)
        )
        return tuple(RatedItem(**row) for row in self._session.execute(query).mappings())

    def counts(self) -> LabelCounts:
        """How many labels, by verdict and by reviewer."""
        n = func.count()
        by_verdict = (
            select(_LABELS.c.verdict, n)
            .where(_is_current())
            .group_by(_LABELS.c.verdict)
            .order_by(_LABELS.c.verdict)
        )
        by_reviewer = (
            select(_REVIEWERS.c.id, _REVIEWERS.c.name, n)
            .join_from(_LABELS, _REVIEWERS, _LABELS.c.reviewer_id == _REVIEWERS.c.id)
            .where(_is_current())
            .group_by(_REVIEWERS.c.id, _REVIEWERS.c.name)
            .order_by(_REVIEWERS.c.name)
        )
        rows, results = self._session.execute(
            select(n, func.count(_LABELS.c.result_id.distinct())).select_from(_LABELS)
        ).one()
        verdicts = tuple((verdict, count) for verdict, count in self._session.execute(by_verdict))
        return LabelCounts(
            rows=rows,
            current=sum(count for _, count in verdicts),
            results=results,
            by_verdict=verdicts,
            by_reviewer=tuple((row_id, name, c) for row_id, name, c in self._session.execute(by_reviewer)),
        )

    def _check_exists(self, label: NewLabel) -> None:
        for table, row_id in ((_RESULTS, label.result_id), (_REVIEWERS, label.reviewer_id)):
            if self._session.execute(select(table.c.id).where(table.c.id == row_id)).first() is None:
                raise StoreError(f"there is no such {table.name.removesuffix('s')}", got=str(row_id))

    def _first(self, condition: ColumnElement[bool]) -> LabelRow | None:
        row = self._session.execute(_select().where(condition)).mappings().first()
        return None if row is None else _label(row)

    def _all(self, condition: ColumnElement[bool]) -> tuple[LabelRow, ...]:
        query = _select().where(condition).order_by(_LABELS.c.id)
        return tuple(_label(row) for row in self._session.execute(query).mappings())


def _is_current() -> ColumnElement[bool]:
    return ~exists().where(_LATER.c.supersedes == _LABELS.c.id)


def _select() -> Select[tuple[object, ...]]:
    return select(_LABELS, _REVIEWERS.c.name.label("reviewer")).join_from(
        _LABELS, _REVIEWERS, _LABELS.c.reviewer_id == _REVIEWERS.c.id
    )


def _label(row: RowMapping) -> LabelRow:
    return LabelRow(**row)


def _check(label: NewLabel) -> None:
    if label.verdict not in tables.LABEL_VERDICTS:
        raise StoreError(
            "no such verdict",
            where="verdict",
            got=str(label.verdict),
            expected=", ".join(tables.LABEL_VERDICTS),
        )
    try:
        label.note.encode("utf-8")
    except UnicodeEncodeError:
        raise StoreError(
            "text that UTF-8 cannot carry",
            where="note",
            cure="type the note again without the broken character",
        ) from None
    if len(label.note) > NOTE_LENGTH:
        raise StoreError(
            "the note is too long",
            where="note",
            got=f"{len(label.note):,} characters",
            expected=f"{NOTE_LENGTH:,} at most",
        )


def _same_form(earlier: LabelRow, label: NewLabel) -> LabelRow:
    if (earlier.result_id, earlier.reviewer_id) != (label.result_id, label.reviewer_id):
        raise StoreError(
            "this form was sent before, for another result or by another reviewer",
            got=f"result {label.result_id}, reviewer {label.reviewer_id}",
            expected=f"result {earlier.result_id}, reviewer {earlier.reviewer_id}",
            cure="make a new token for every form",
        )
    return earlier
