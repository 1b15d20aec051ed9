"""Labels: what people said about results. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import ColumnElement, FromClause, RowMapping, Select, exists, func, insert, select
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from evalcore.errors import StoreError

_LABELS = table_of(tables.Label)
_REVIEWERS = table_of(tables.Reviewer)
_RESULTS = table_of(tables.Result)
_SAMPLES = table_of(tables.Sample)
_LATER = _LABELS.alias("later")
# What a person said, as against when, where and instead of what.
_SAID = (
    "verdict",
    "failure_type",
    "note",
    "corrected_answer",
    "seen",
    "after_reveal",
    "picked",
    "inclusion_probability",
)

LabelVerdict: TypeAlias = Literal["accept", "reject", "unsure"]
Seen: TypeAlias = Literal["blind", "marks", "gate", "all"]
Picked: TypeAlias = Literal["priority", "random", "audit"]

NOTE_LENGTH = 20_000
ANSWER_LENGTH = 200_000


@dataclass(frozen=True, kw_only=True)
class NewLabel:
    """A label to store.

    ``client_token`` is made once per form: the same form sent twice stores one label. ``replaces`` is the id
    of the reviewer's own current label when this is a change of mind. ``seen`` says what the reviewer could
    see while deciding: ``blind`` question, contexts and answer alone, ``marks`` the marked sentences and
    findings too, ``gate`` verdict and scores as well, ``all`` others' labels besides. ``after_reveal`` marks
    what was said once the gate's word had been shown. ``picked`` says how the item came to the reviewer, and
    ``inclusion_probability`` how likely that was; None for one picked by priority.
    """

    result_id: int
    reviewer_id: int
    verdict: LabelVerdict
    failure_type: str | None = None
    note: str = ""
    corrected_answer: str | None = None
    client_token: str | None = None
    replaces: int | None = None
    seen: Seen = "all"
    after_reveal: bool = False
    picked: Picked = "priority"
    inclusion_probability: float | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class LabelRow:
    """A stored label, with its reviewer's name.

    ``supersedes`` is the label it replaced, ``undoes`` the one it took back; the verdict is then the one
    before, ``withdrawn`` if there was none.
    """

    id: int
    result_id: int
    reviewer_id: int
    reviewer: str
    verdict: str
    failure_type: str | None
    note: str
    corrected_answer: str | None
    created_at: datetime
    supersedes: int | None
    undoes: int | None
    client_token: str | None
    seen: str
    after_reveal: bool
    picked: str
    inclusion_probability: float | None

    @property
    def is_withdrawn(self) -> bool:
        """Whether this row says that the reviewer has no label here any more."""
        return self.verdict == tables.WITHDRAWN


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
    """How many labels there are: ``rows`` ever written, ``current`` that stand, ``results`` labelled.

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
        current = self._first(mine & _is_latest(_LABELS))
        replaces = label.replaces
        if current is not None and current.is_withdrawn:
            # What was taken back is no label: the next one is a first one again, at the end of the chain.
            replaces = current.id if replaces is None else replaces
        elif replaces is None and current is not None:
            raise StoreError(
                f"already labelled by {current.reviewer}",
                where=f"result {label.result_id}",
                got=f"a second first label; label {current.id} says {current.verdict}",
                cure="change that label instead",
            )
        if replaces is not None and (current is None or current.id != replaces):
            raise StoreError(
                "the label changed meanwhile",
                where=f"result {label.result_id}",
                got=f"a change of label {replaces}",
                expected=f"a change of label {current.id}" if current else "a first label",
                cure="look at the result again",
            )
        return self._insert(
            {name: getattr(label, name) for name in _SAID}
            | {
                "result_id": label.result_id,
                "reviewer_id": label.reviewer_id,
                "created_at": label.created_at or datetime.now(UTC),
                "supersedes": replaces,
                "client_token": label.client_token,
            }
        )

    def undo(self, reviewer_id: int, client_token: str | None = None) -> LabelRow | None:
        """Take back the last label the reviewer made that still counts; None when there is none.

        A new row says again what the reviewer had said before it: ``withdrawn`` if nothing. Asked again, it
        takes back the one before; the same token again gives the row it stored the first time.

        Raises
        ------
        StoreError
            When the token is that of something else.
        """
        if client_token is not None:
            earlier = self._first(_LABELS.c.client_token == client_token)
            if earlier is not None:
                if earlier.reviewer_id != reviewer_id or earlier.undoes is None:
                    raise StoreError(
                        "this form was sent before, for something else", got=f"label {earlier.id}"
                    )
                return earlier
        undone = exists().where(_LATER.c.undoes == _LABELS.c.id)
        target = self._last((_LABELS.c.reviewer_id == reviewer_id) & _LABELS.c.undoes.is_(None) & ~undone)
        if target is None:
            return None
        chain = (_LABELS.c.result_id == target.result_id) & (_LABELS.c.reviewer_id == reviewer_id)
        current = self._last(chain)
        assert current is not None
        before = None if target.supersedes is None else self.get(target.supersedes)
        said = {name: getattr(before, name) for name in _SAID} if before else {"verdict": tables.WITHDRAWN}
        return self._insert(
            said
            | {
                "result_id": target.result_id,
                "reviewer_id": reviewer_id,
                "created_at": datetime.now(UTC),
                "supersedes": current.id,
                "undoes": target.id,
                "client_token": client_token,
            }
        )

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

    def by_token(self, token: str) -> LabelRow | None:
        """The label that this form stored, if it was sent before."""
        return self._first(_LABELS.c.client_token == token)

    def has_any(self, result_id: int, reviewer_id: int) -> bool:
        """Whether the reviewer ever labelled this result, taken back or not."""
        mine = (_LABELS.c.result_id == result_id) & (_LABELS.c.reviewer_id == reviewer_id)
        return self._session.execute(select(_LABELS.c.id).where(mine).limit(1)).first() is not None

    def current(self, result_id: int) -> tuple[LabelRow, ...]:
        """Each reviewer's current label on a result, in the order they were made; none withdrawn."""
        return self._all((_LABELS.c.result_id == result_id) & stands(_LABELS))

    def history(self, result_id: int) -> tuple[LabelRow, ...]:
        """Every label ever made on a result, in the order they were made."""
        return self._all(_LABELS.c.result_id == result_id)

    def current_of(self, result_ids: Sequence[int]) -> tuple[LabelRow, ...]:
        """The current labels on a page of results, in one query."""
        return self._all(_LABELS.c.result_id.in_(result_ids) & stands(_LABELS))

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
            .where(stands(_LABELS))
            .order_by(_LABELS.c.result_id, _LABELS.c.reviewer_id)
        )
        return tuple(RatedItem(**row) for row in self._session.execute(query).mappings())

    def counts(self) -> LabelCounts:
        """How many labels, by verdict and by reviewer."""
        n = func.count()
        by_verdict = (
            select(_LABELS.c.verdict, n)
            .where(stands(_LABELS))
            .group_by(_LABELS.c.verdict)
            .order_by(_LABELS.c.verdict)
        )
        by_reviewer = (
            select(_REVIEWERS.c.id, _REVIEWERS.c.name, n)
            .join_from(_LABELS, _REVIEWERS, _LABELS.c.reviewer_id == _REVIEWERS.c.id)
            .where(stands(_LABELS))
            .group_by(_REVIEWERS.c.id, _REVIEWERS.c.name)
            .order_by(_REVIEWERS.c.name)
        )
        rows = self._session.execute(select(n).select_from(_LABELS)).scalar_one()
        labelled = select(func.count(_LABELS.c.result_id.distinct())).where(stands(_LABELS))
        results = self._session.execute(labelled).scalar_one()
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

    def _insert(self, values: dict[str, Any]) -> LabelRow:
        made = insert(_LABELS).values(values).returning(_LABELS.c.id)
        return self.get(self._session.execute(made).scalar_one())

    def _last(self, condition: ColumnElement[bool]) -> LabelRow | None:
        query = _select().where(condition).order_by(_LABELS.c.id.desc()).limit(1)
        row = self._session.execute(query).mappings().first()
        return None if row is None else _label(row)

    def _first(self, condition: ColumnElement[bool]) -> LabelRow | None:
        row = self._session.execute(_select().where(condition)).mappings().first()
        return None if row is None else _label(row)

    def _all(self, condition: ColumnElement[bool]) -> tuple[LabelRow, ...]:
        query = _select().where(condition).order_by(_LABELS.c.id)
        return tuple(_label(row) for row in self._session.execute(query).mappings())


def stands(label: FromClause) -> ColumnElement[bool]:
    """Whether a row of ``labels`` is what its reviewer says now: not superseded and not withdrawn."""
    return _is_latest(label) & (label.c.verdict != tables.WITHDRAWN)


def _is_latest(label: FromClause) -> ColumnElement[bool]:
    return ~exists().where(_LATER.c.supersedes == label.c.id)


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
    for name, allowed in (("seen", get_args(Seen)), ("picked", get_args(Picked))):
        if getattr(label, name) not in allowed:
            raise StoreError(
                "no such value", where=name, got=str(getattr(label, name)), expected=", ".join(allowed)
            )
    check_text("note", label.note, NOTE_LENGTH)
    check_text("corrected answer", label.corrected_answer or "", ANSWER_LENGTH)


def check_text(name: str, text: str, longest: int) -> None:
    """Refuse a text that cannot be stored.

    Raises
    ------
    StoreError
        When it is too long, or holds what UTF-8 cannot carry.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise StoreError(
            "text that UTF-8 cannot carry",
            where=name,
            cure=f"type the {name} again without the broken character",
        ) from None
    if len(text) > longest:
        raise StoreError(
            f"the {name} is too long",
            where=name,
            got=f"{len(text):,} characters",
            expected=f"{longest:,} at most",
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
