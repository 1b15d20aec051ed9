"""Gold labels: what reviewers agree on, and what a lead settled where they did not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    Select,
    Subquery,
    case,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.labels import ANSWER_LENGTH, NOTE_LENGTH, check_text, stands
from db.repositories.settings import DEFAULT_QUEUE
from evalcore.errors import StoreError

_LABELS = table_of(tables.Label)
_ADJUDICATIONS = table_of(tables.Adjudication)
_LATER = _ADJUDICATIONS.alias("later")
_REVIEWERS = table_of(tables.Reviewer)
_RESULTS = table_of(tables.Result)
_SAMPLES = table_of(tables.Sample)
_QUEUES = table_of(tables.ReviewQueue)

GoldVerdict: TypeAlias = Literal["accept", "reject"]


@dataclass(frozen=True, kw_only=True)
class Gold:
    """What counts as the truth about a result.

    ``source`` is ``agreement`` or ``adjudication``; ``n_labels`` how many labels accept or reject it.
    """

    result_id: int
    verdict: str
    failure_type: str | None
    source: str
    n_labels: int


@dataclass(frozen=True, kw_only=True)
class Adjudicated:
    """How a lead settled a result. ``supersedes`` is the settlement it replaced."""

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
    client_token: str | None


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A result whose reviewers disagree."""

    result_id: int
    external_id: str
    query: str
    decision: str
    failure_type: str
    n_accept: int
    n_reject: int
    n_unsure: int


class Golds:
    """Gold labels and what has to be settled, in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, result_id: int) -> Gold | None:
        """The gold label of a result; None while there is none."""
        gold = gold_labels()
        row = self._session.execute(select(gold).where(gold.c.result_id == result_id)).mappings().first()
        return None if row is None else Gold(**row)

    def all(self) -> tuple[Gold, ...]:
        """Every gold label, by result."""
        gold = gold_labels()
        query = select(gold).order_by(gold.c.result_id)
        return tuple(Gold(**row) for row in self._session.execute(query).mappings())

    def verdicts(self) -> dict[int, str]:
        """The verdict of every gold label, by result."""
        gold = gold_labels()
        rows = self._session.execute(select(gold.c.result_id, gold.c.verdict)).all()
        return {row[0]: row[1] for row in rows}

    def disagreements(self, *, after: int | None = None, limit: int = 25) -> tuple[Disagreement, ...]:
        """Results that wait for a lead, in the order they were stored; those after a result's id."""
        votes = _votes()
        query = (
            select(
                votes.c.result_id,
                _SAMPLES.c.external_id,
                func.substr(_SAMPLES.c.query, 1, 200).label("query"),
                _RESULTS.c.decision,
                _RESULTS.c.failure_type,
                votes.c.n_accept,
                votes.c.n_reject,
                votes.c.n_unsure,
            )
            .join_from(votes, _RESULTS, _RESULTS.c.id == votes.c.result_id)
            .join(_SAMPLES, _SAMPLES.c.id == _RESULTS.c.sample_id)
            .where(_is_open(votes), votes.c.result_id > (after or 0))
            .order_by(votes.c.result_id)
            .limit(limit)
        )
        return tuple(Disagreement(**row) for row in self._session.execute(query).mappings())

    def n_disagreements(self) -> int:
        """How many results wait for a lead."""
        votes = _votes()
        query = select(func.count()).select_from(votes).where(_is_open(votes))
        return int(self._session.execute(query).scalar_one())

    def history(self, result_id: int) -> tuple[Adjudicated, ...]:
        """Every settlement of a result, in order."""
        return self._all(_ADJUDICATIONS.c.result_id == result_id)

    def settle(
        self,
        result_id: int,
        reviewer_id: int,
        verdict: GoldVerdict,
        *,
        failure_type: str | None,
        note: str,
        corrected_answer: str | None,
        replaces: int | None,
        token: str,
    ) -> Adjudicated:
        """Store how a lead settled a result, once a token.

        Raises
        ------
        StoreError
            When it is settled already and ``replaces`` does not name that settlement, when nobody has
            labelled it, or a field cannot be stored.
        """
        check_text("note", note, NOTE_LENGTH)
        check_text("corrected answer", corrected_answer or "", ANSWER_LENGTH)
        if verdict not in ("accept", "reject"):
            raise StoreError("no such verdict", where="verdict", got=str(verdict), expected="accept, reject")
        sent = self._all(_ADJUDICATIONS.c.client_token == token)
        if sent:
            if (sent[0].result_id, sent[0].reviewer_id) != (result_id, reviewer_id):
                raise StoreError("this form was sent before, for another result", got=f"result {result_id}")
            return sent[0]
        current = self._all(
            (_ADJUDICATIONS.c.result_id == result_id)
            & ~exists().where(_LATER.c.supersedes == _ADJUDICATIONS.c.id)
        )
        found = current[0].id if current else None
        if found != replaces:
            raise StoreError(
                "settled already" if found else "the settlement changed meanwhile",
                where=f"result {result_id}",
                got=f"a change of settlement {replaces}" if replaces else "a first settlement",
                expected=f"a change of settlement {found}" if found else "a first settlement",
                cure="look at the result again",
            )
        labelled = exists().where(_LABELS.c.result_id == result_id, stands(_LABELS))
        if not self._session.execute(select(labelled)).scalar_one():
            raise StoreError("nobody has labelled this", where=f"result {result_id}", cure="label it first")
        values = {
            "result_id": result_id,
            "reviewer_id": reviewer_id,
            "verdict": verdict,
            "failure_type": failure_type,
            "note": note,
            "corrected_answer": corrected_answer,
            "created_at": datetime.now(UTC),
            "supersedes": replaces,
            "client_token": token,
        }
        made = insert(_ADJUDICATIONS).values(values).returning(_ADJUDICATIONS.c.id)
        return self._all(_ADJUDICATIONS.c.id == self._session.execute(made).scalar_one())[0]

    def _all(self, condition: ColumnElement[bool]) -> tuple[Adjudicated, ...]:
        query = select(_ADJUDICATIONS, _REVIEWERS.c.name.label("reviewer")).join_from(
            _ADJUDICATIONS, _REVIEWERS, _REVIEWERS.c.id == _ADJUDICATIONS.c.reviewer_id
        )
        rows: list[RowMapping] = list(
            self._session.execute(query.where(condition).order_by(_ADJUDICATIONS.c.id)).mappings()
        )
        return tuple(Adjudicated(**row) for row in rows)


def gold_labels() -> Subquery:
    """Every result's gold label: settled by a lead, else what as many as the queue asks for agree on."""
    votes = _votes()
    n = votes.c.n_accept + votes.c.n_reject
    one_sided = (votes.c.n_accept == 0) != (votes.c.n_reject == 0)
    agreed = select(
        votes.c.result_id,
        case((votes.c.n_accept > 0, "accept"), else_="reject").label("verdict"),
        case((votes.c.first_type == votes.c.last_type, votes.c.first_type), else_=null()).label(
            "failure_type"
        ),
        literal("agreement").label("source"),
        n.label("n_labels"),
    ).where(one_sided, n >= _required(), ~exists().where(_LATER.c.result_id == votes.c.result_id))
    counted = _votes()
    settled = (
        select(
            _ADJUDICATIONS.c.result_id,
            _ADJUDICATIONS.c.verdict,
            _ADJUDICATIONS.c.failure_type,
            literal("adjudication").label("source"),
            func.coalesce(counted.c.n_accept + counted.c.n_reject, 0).label("n_labels"),
        )
        .join_from(_ADJUDICATIONS, counted, counted.c.result_id == _ADJUDICATIONS.c.result_id, isouter=True)
        .where(~exists().where(_LATER.c.supersedes == _ADJUDICATIONS.c.id))
    )
    return union_all(agreed, settled).subquery("gold")


def _votes() -> Subquery:
    """Labels that stand, counted for each result that has one."""
    verdict = _LABELS.c.verdict
    rejected = case((verdict == "reject", func.coalesce(_LABELS.c.failure_type, "")))
    query: Select[Any] = (
        select(
            _LABELS.c.result_id,
            func.sum(case((verdict == "accept", 1), else_=0)).label("n_accept"),
            func.sum(case((verdict == "reject", 1), else_=0)).label("n_reject"),
            func.sum(case((verdict == "unsure", 1), else_=0)).label("n_unsure"),
            func.nullif(func.min(rejected), "").label("first_type"),
            func.nullif(func.max(rejected), "").label("last_type"),
        )
        .where(stands(_LABELS))
        .group_by(_LABELS.c.result_id)
    )
    return query.subquery()


def _is_open(votes: Subquery) -> ColumnElement[bool]:
    n = votes.c.n_accept + votes.c.n_reject + votes.c.n_unsure
    settled = exists().where(_ADJUDICATIONS.c.result_id == votes.c.result_id)
    return (votes.c.n_accept > 0) & (votes.c.n_reject > 0) & (n >= _required()) & ~settled


def _required() -> ColumnElement[int]:
    return select(_QUEUES.c.labels_required).where(_QUEUES.c.id == DEFAULT_QUEUE).scalar_subquery()
