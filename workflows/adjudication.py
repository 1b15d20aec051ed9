"""Settling what reviewers disagree on, and the gold labels that come of agreement and settlement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from db.engine import Store
from db.repositories.gold import Adjudicated, Disagreement, Gold, Golds, GoldVerdict
from db.repositories.labels import Labels
from db.repositories.results import Results, StoredResult
from workflows.rights import need_lead

__all__ = [
    "Adjudicated",
    "Case",
    "Disagreement",
    "Gold",
    "GoldVerdict",
    "Opinion",
    "case_of",
    "disagreements",
    "gold_label",
    "gold_labels",
    "n_disagreements",
    "settle",
    "settlements",
]


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What one reviewer says, without a name."""

    verdict: str
    failure_type: str | None
    note: str
    corrected_answer: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Case:
    """A result to settle: the whole of it, every opinion, and the settlement there is, if any."""

    stored: StoredResult
    opinions: tuple[Opinion, ...]
    settled: Adjudicated | None


def disagreements(
    store: Store, by: int, *, after: int | None = None, limit: int = 25
) -> tuple[Disagreement, ...]:
    """Results whose labels disagree and that nobody has settled; those after a result's id.

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    """
    need_lead(store, by)
    with store.read() as session:
        return Golds(session).disagreements(after=after, limit=limit)


def n_disagreements(store: Store) -> int:
    """How many results wait for a lead."""
    with store.read() as session:
        return Golds(session).n_disagreements()


def case_of(store: Store, by: int, result_id: int) -> Case:
    """A result with its reviewers' opinions, unnamed and in no order that tells who came first.

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    StoreError
        When there is no such result.
    """
    need_lead(store, by)
    with store.read() as session:
        stored = Results(session).get(result_id)
        current = Labels(session).current(result_id)
        settled = Golds(session).history(result_id)
    opinions = sorted(
        (
            Opinion(
                verdict=label.verdict,
                failure_type=label.failure_type,
                note=label.note,
                corrected_answer=label.corrected_answer,
                created_at=label.created_at,
            )
            for label in current
        ),
        key=lambda said: (said.verdict, said.failure_type or "", said.note),
    )
    return Case(stored=stored, opinions=tuple(opinions), settled=settled[-1] if settled else None)


def settle(
    store: Store,
    by: int,
    result_id: int,
    verdict: GoldVerdict,
    *,
    token: str,
    failure_type: str | None = None,
    note: str = "",
    corrected_answer: str | None = None,
    replaces: int | None = None,
) -> Adjudicated:
    """Settle a result: this makes its gold label. The same token again gives the same settlement.

    Parameters
    ----------
    store : Store
    by : int
        The lead who settles.
    result_id : int
    verdict : str
    token : str
        Made once per form.
    failure_type, note, corrected_answer : str, optional
    replaces : int, optional
        The settlement this one changes.

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    StoreError
        When it is settled already and ``replaces`` does not name that settlement, or nobody has labelled it.
    """
    need_lead(store, by)
    with store.write() as session:
        return Golds(session).settle(
            result_id,
            by,
            verdict,
            failure_type=failure_type,
            note=note,
            corrected_answer=corrected_answer,
            replaces=replaces,
            token=token,
        )


def settlements(store: Store, result_id: int) -> tuple[Adjudicated, ...]:
    """How a result was settled, every time, in order."""
    with store.read() as session:
        return Golds(session).history(result_id)


def gold_label(store: Store, result_id: int) -> Gold | None:
    """A result's gold label: settled by a lead, else agreed on; None while there is neither."""
    with store.read() as session:
        return Golds(session).of(result_id)


def gold_labels(store: Store) -> tuple[Gold, ...]:
    """Every gold label, by result."""
    with store.read() as session:
        return Golds(session).all()
