"""Sentences worth a look, across all answers, and people's verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from db.engine import Store
from db.repositories.doubts import (
    LOW_CONFIDENCE,
    DoubtGroup,
    DoubtItem,
    DoubtPage,
    Doubts,
    SentenceFilter,
    SentenceScope,
)
from db.repositories.labels import Seen
from db.repositories.sentences import SentenceKey, SentenceLabelRow, SentenceLabels, SentenceVerdict

__all__ = [
    "LOW_CONFIDENCE",
    "DoubtGroup",
    "DoubtItem",
    "DoubtPage",
    "SentenceFilter",
    "SentenceKey",
    "SentenceLabelRow",
    "SentenceScope",
    "SentenceVerdict",
    "count",
    "groups",
    "label_sentences",
    "labels_of",
    "page",
    "same_text",
]


def groups(store: Store, where: SentenceFilter | None = None) -> tuple[DoubtGroup, ...]:
    """How many sentences there are by kind of doubt and failure type, and how many of them are labelled."""
    with store.read() as session:
        return Doubts(session).groups(where or SentenceFilter())


def count(store: Store, where: SentenceFilter) -> int:
    """How many sentences the filter leaves."""
    with store.read() as session:
        return Doubts(session).count(where)


def page(
    store: Store, where: SentenceFilter, *, after: SentenceKey | None = None, limit: int = 25
) -> DoubtPage:
    """A page of sentences with evidence and findings, of the latest results first."""
    with store.read() as session:
        return Doubts(session).page(where, after=after, limit=limit)


def same_text(store: Store, key: SentenceKey) -> tuple[SentenceKey, ...]:
    """The listed sentences with the same text, in results of the same fingerprint.

    Raises
    ------
    StoreError
        When there is no such sentence.
    """
    with store.read() as session:
        return Doubts(session).same_text(key)


def label_sentences(
    store: Store,
    keys: Sequence[SentenceKey],
    *,
    reviewer_id: int,
    verdict: SentenceVerdict | Literal["withdrawn"],
    token: str,
    same: bool = False,
    seen: Seen = "marks",
) -> int:
    """Store one verdict on some sentences, all or none; how many rows were added.

    An earlier verdict of the same reviewer is superseded; ``withdrawn`` takes it back. The same token again
    adds nothing.

    Parameters
    ----------
    store : Store
    keys : sequence of (result id, index)
    reviewer_id : int
    verdict : str
    token : str
        Made once per form.
    same : bool
        Whether every listed sentence with the same text, in results of the same fingerprint, is meant too.
    seen : str

    Raises
    ------
    StoreError
        When there is no such sentence, reviewer or verdict.
    """
    added = 0
    with store.write() as session:
        meant = list(dict.fromkeys(keys))
        if same:
            listed = Doubts(session)
            meant = list(dict.fromkeys(other for key in meant for other in listed.same_text(key)))
        labels = SentenceLabels(session)
        for result_id, idx in meant:
            added += labels.add(
                result_id, idx, reviewer_id, verdict, seen=seen, token=f"{token}:{result_id}:{idx}"
            )
    return added


def labels_of(store: Store, result_id: int) -> tuple[SentenceLabelRow, ...]:
    """What people say now of an answer's sentences, in its order."""
    with store.read() as session:
        return SentenceLabels(session).of_result(result_id)
