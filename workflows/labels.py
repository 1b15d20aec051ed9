"""Labels: storing one with everything around it, taking the last back, who said what and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from db.engine import Store
from db.repositories.claims import Claims
from db.repositories.labels import LabelRow, Labels, LabelVerdict, NewLabel, Picked, Seen
from db.repositories.sentences import SentenceLabels, SentenceVerdict
from evalcore.errors import StoreError

__all__ = [
    "Change",
    "LabelEvent",
    "LabelRow",
    "LabelVerdict",
    "Seen",
    "SentenceVerdict",
    "history",
    "save_label",
    "undo_last",
]

EventKind: TypeAlias = Literal["first", "change", "undo", "withdrawn"]

_SHOWN = ("verdict", "failure_type", "note", "corrected_answer")


@dataclass(frozen=True)
class Change:
    """One field that a label changed, None where there was or is nothing."""

    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, kw_only=True)
class LabelEvent:
    """One entry in the history of an item: the row that was added, and what it changed."""

    label: LabelRow
    kind: EventKind
    changes: tuple[Change, ...]


def save_label(
    store: Store,
    *,
    result_id: int,
    reviewer_id: int,
    verdict: LabelVerdict,
    failure_type: str | None = None,
    note: str = "",
    corrected_answer: str | None = None,
    token: str | None = None,
    replaces: int | None = None,
    seen: Seen = "all",
    sentences: Mapping[int, SentenceVerdict] | None = None,
) -> LabelRow:
    """Store a label, with the verdicts on single sentences given beside it, and give the item back.

    The same token again gives the label it stored the first time. How the item was picked comes from the
    reviewer's claim. Whoever has labelled the item before has seen the gate's word since: their next label
    there is marked as made after the reveal, and with everything in view.

    Parameters
    ----------
    store : Store
    result_id, reviewer_id : int
    verdict : str
    failure_type, note, corrected_answer : str, optional
    token : str, optional
        The claim's; for a change a new one.
    replaces : int, optional
        The reviewer's own current label, when this changes it.
    seen : str
        What was in view: the claim's ``seen``.
    sentences : mapping, optional
        Verdicts by the sentence's index.

    Raises
    ------
    StoreError
        When the reviewer has a label here that ``replaces`` does not name, when the token belongs to another
        item, or the store was busy for too long; nothing is stored then.
    """
    with store.write() as session:
        labels, claims = Labels(session), Claims(session)
        claimed = claims.by_token(token) if token is not None else None
        if claimed is not None and (claimed.result_id, claimed.reviewer_id) != (result_id, reviewer_id):
            raise StoreError(
                "this form is of another item",
                got=f"result {result_id}",
                expected=f"result {claimed.result_id}, {claimed.reviewer}",
                cure="open the item again",
            )
        own = claims.find(result_id, reviewer_id)
        sent_before = token is not None and labels.by_token(token) is not None
        again = labels.has_any(result_id, reviewer_id)
        picked: Picked = "audit" if own and own.picked == "audit" else "priority"
        if own and own.picked == "random":
            picked = "random"
        label = labels.add(
            NewLabel(
                result_id=result_id,
                reviewer_id=reviewer_id,
                verdict=verdict,
                failure_type=failure_type,
                note=note,
                corrected_answer=corrected_answer,
                client_token=token,
                replaces=replaces,
                seen="all" if again else seen,
                after_reveal=again,
                picked=picked,
                inclusion_probability=own.inclusion_probability if own else None,
            )
        )
        if sent_before:
            return label
        for idx, said in (sentences or {}).items():
            SentenceLabels(session).add(
                result_id,
                idx,
                reviewer_id,
                said,
                seen=label.seen,
                label_id=label.id,
                token=f"{token}:{idx}" if token else None,
            )
        claims.release(result_id, reviewer_id)
        claims.drop_draft(result_id, reviewer_id)
    return label


def undo_last(store: Store, reviewer_id: int, *, token: str | None = None) -> LabelRow | None:
    """Take back the last label a reviewer made that still counts; None when there is none left.

    Nothing is removed: a new row says again what they had said before, ``withdrawn`` if nothing; so it is for
    the sentences labelled beside it. Asked again, it takes back the one before. The same token again gives
    the same row.

    Raises
    ------
    StoreError
        When the token is that of something else.
    """
    with store.write() as session:
        labels = Labels(session)
        if token is not None and labels.by_token(token) is not None:
            return labels.undo(reviewer_id, token)
        undone = labels.undo(reviewer_id, token)
        if undone is not None and undone.undoes is not None:
            SentenceLabels(session).take_back(undone.undoes, undone.id)
        return undone


def history(store: Store, result_id: int) -> tuple[LabelEvent, ...]:
    """Every label ever made on an item, in order, with what each changed."""
    with store.read() as session:
        rows = Labels(session).history(result_id)
    by_id = {row.id: row for row in rows}
    return tuple(_event(row, by_id.get(row.supersedes or 0)) for row in rows)


def _event(row: LabelRow, before: LabelRow | None) -> LabelEvent:
    kind: EventKind = "change"
    if before is None:
        kind = "first"
    elif row.undoes is not None:
        kind = "withdrawn" if row.is_withdrawn else "undo"
    fields = {name: (getattr(before, name, None) or None, getattr(row, name) or None) for name in _SHOWN}
    changes = tuple(Change(name, was, now) for name, (was, now) in fields.items() if was != now)
    return LabelEvent(label=row, kind=kind, changes=changes)
