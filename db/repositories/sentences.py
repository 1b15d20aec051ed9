"""Labels of single sentences. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, FromClause, RowMapping, Select, exists, insert, select, tuple_
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from db.repositories.samples import in_chunks
from evalcore.errors import StoreError

_SENTENCES = table_of(tables.Sentence)
_SENTENCE_LABELS = table_of(tables.SentenceLabel)
_REVIEWERS = table_of(tables.Reviewer)
_LATER = _SENTENCE_LABELS.alias("later")

SentenceVerdict: TypeAlias = Literal["supported", "unsupported", "not_a_claim"]
StoredVerdict: TypeAlias = Literal["supported", "unsupported", "not_a_claim", "withdrawn"]
SentenceKey: TypeAlias = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class SentenceLabelRow:
    """What a reviewer said about the sentence ``idx`` of a result's answer."""

    id: int
    result_id: int
    idx: int
    reviewer_id: int
    reviewer: str
    verdict: str
    label_id: int | None
    seen: str
    created_at: datetime
    supersedes: int | None


def stands(label: FromClause) -> ColumnElement[bool]:
    """Whether a row of ``sentence_labels`` is what its reviewer says now."""
    later = exists().where(_LATER.c.supersedes == label.c.id)
    return ~later & (label.c.verdict != tables.WITHDRAWN)


class SentenceLabels:
    """Labels of sentences in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(
        self,
        result_id: int,
        idx: int,
        reviewer_id: int,
        verdict: StoredVerdict,
        *,
        seen: str,
        label_id: int | None = None,
        token: str | None = None,
    ) -> bool:
        """Store a verdict in place of the reviewer's earlier one; whether a row was added.

        None is when the form was sent before, or the reviewer says so already.

        Raises
        ------
        StoreError
            When there is no such sentence or verdict, or the token was used for another sentence.
        """
        if verdict not in (*tables.SENTENCE_VERDICTS, tables.WITHDRAWN):
            raise StoreError(
                "no such verdict", where="sentence", got=verdict, expected=", ".join(tables.SENTENCE_VERDICTS)
            )
        place = (_SENTENCES.c.result_id == result_id) & (_SENTENCES.c.idx == idx)
        if self._session.execute(select(_SENTENCES.c.idx).where(place)).first() is None:
            raise StoreError("there is no such sentence", got=f"sentence {idx} of result {result_id}")
        if token is not None:
            sent = _select().where(_SENTENCE_LABELS.c.client_token == token)
            earlier = self._session.execute(sent).mappings().first()
            if earlier is not None:
                if (earlier["result_id"], earlier["idx"], earlier["reviewer_id"]) != (
                    result_id,
                    idx,
                    reviewer_id,
                ):
                    raise StoreError("this form was sent before, for another sentence")
                return False
        mine = (
            (_SENTENCE_LABELS.c.result_id == result_id)
            & (_SENTENCE_LABELS.c.idx == idx)
            & (_SENTENCE_LABELS.c.reviewer_id == reviewer_id)
        )
        current = self._latest(mine)
        if (current["verdict"] if current else tables.WITHDRAWN) == verdict:
            return False
        row = {
            "result_id": result_id,
            "idx": idx,
            "reviewer_id": reviewer_id,
            "verdict": verdict,
            "label_id": label_id,
            "seen": seen,
            "created_at": datetime.now(UTC),
            "supersedes": current["id"] if current else None,
            "client_token": token,
        }
        self._session.execute(insert(_SENTENCE_LABELS), [row])
        return True

    def take_back(self, label_id: int, undone_by: int) -> None:
        """Say again what was said of each sentence before the label it was labelled beside.

        A sentence that its reviewer has labelled on its own since keeps that.
        """
        given = _select().where(_SENTENCE_LABELS.c.label_id == label_id).order_by(_SENTENCE_LABELS.c.id)
        for row in self._session.execute(given).mappings().all():
            current = self._latest(
                (_SENTENCE_LABELS.c.result_id == row["result_id"])
                & (_SENTENCE_LABELS.c.idx == row["idx"])
                & (_SENTENCE_LABELS.c.reviewer_id == row["reviewer_id"])
            )
            if current is None or current["label_id"] is None:
                continue
            earlier = self._latest(_SENTENCE_LABELS.c.id == row["supersedes"]) if row["supersedes"] else None
            before: StoredVerdict = earlier["verdict"] if earlier else "withdrawn"
            self.add(
                row["result_id"],
                row["idx"],
                row["reviewer_id"],
                before,
                seen=earlier["seen"] if earlier else row["seen"],
                label_id=undone_by,
            )

    def _latest(self, condition: ColumnElement[bool]) -> RowMapping | None:
        query = _select().where(condition).order_by(_SENTENCE_LABELS.c.id.desc()).limit(1)
        return self._session.execute(query).mappings().first()

    def current_of(self, keys: Sequence[SentenceKey]) -> tuple[SentenceLabelRow, ...]:
        """Every reviewer's current label on some sentences."""
        found: list[SentenceLabelRow] = []
        place = tuple_(_SENTENCE_LABELS.c.result_id, _SENTENCE_LABELS.c.idx)
        for chunk in in_chunks(keys):
            query = (
                _select().where(place.in_(chunk), stands(_SENTENCE_LABELS)).order_by(_SENTENCE_LABELS.c.id)
            )
            found += [SentenceLabelRow(**_shown(row)) for row in self._session.execute(query).mappings()]
        return tuple(found)

    def of_result(self, result_id: int) -> tuple[SentenceLabelRow, ...]:
        """Every reviewer's current labels on a result's sentences, in the order of the answer."""
        query = _select().where(_SENTENCE_LABELS.c.result_id == result_id, stands(_SENTENCE_LABELS))
        query = query.order_by(_SENTENCE_LABELS.c.idx, _SENTENCE_LABELS.c.id)
        return tuple(SentenceLabelRow(**_shown(row)) for row in self._session.execute(query).mappings())

    def all_current(self) -> tuple[SentenceLabelRow, ...]:
        """Every label of a sentence that stands, by result and sentence."""
        query = _select().where(stands(_SENTENCE_LABELS))
        query = query.order_by(_SENTENCE_LABELS.c.result_id, _SENTENCE_LABELS.c.idx, _SENTENCE_LABELS.c.id)
        return tuple(SentenceLabelRow(**_shown(row)) for row in self._session.execute(query).mappings())


def _select() -> Select[Any]:
    return select(_SENTENCE_LABELS, _REVIEWERS.c.name.label("reviewer")).join_from(
        _SENTENCE_LABELS, _REVIEWERS, _SENTENCE_LABELS.c.reviewer_id == _REVIEWERS.c.id
    )


def _shown(row: Any) -> dict[str, Any]:
    return {name: row[name] for name in SentenceLabelRow.__dataclass_fields__}
