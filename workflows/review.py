"""Reviewing: who is at the desk, what waits, the open item, the label."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC
from functools import cache

from db.engine import Store
from db.repositories.counts import CountFilter, Counts
from db.repositories.labels import LabelRow, Labels, LabelVerdict, Seen
from db.repositories.queue import (
    Cursor,
    Order,
    Progress,
    Queue,
    QueueFilter,
    QueueItem,
    QueuePage,
    Scope,
)
from db.repositories.results import ResultFilter, ResultItem, ResultPage, Results, StoredResult
from db.repositories.reviewers import ReviewerRow, Reviewers
from db.repositories.runs import RunRow, Runs
from evalcore.errors import InputError
from workflows.labels import save_label
from workflows.rights import sign_in

__all__ = [
    "Cursor",
    "LabelRow",
    "LabelVerdict",
    "Order",
    "Progress",
    "QueueFilter",
    "QueueItem",
    "QueuePage",
    "ResultFilter",
    "ResultItem",
    "ResultPage",
    "ReviewerRow",
    "RunRow",
    "Scope",
    "StoredResult",
    "add_label",
    "current_label",
    "current_labels",
    "failure_types",
    "find_results",
    "item",
    "known_failure_types",
    "list_results",
    "new_token",
    "next_item",
    "place_of",
    "progress",
    "queue_count",
    "queue_page",
    "resolve",
    "reviewers",
    "runs",
    "sign_in",
    "systems",
]


def reviewers(store: Store) -> tuple[ReviewerRow, ...]:
    """Everybody who has signed in, by name."""
    with store.read() as session:
        return Reviewers(session).list()


def runs(store: Store, limit: int = 100) -> tuple[RunRow, ...]:
    """The latest runs, for a filter."""
    with store.read() as session:
        return Runs(session).latest(limit)


def decisions_by_run(store: Store, runs: Sequence[RunRow]) -> dict[int, dict[str, int]]:
    """How many results of each decision each of these runs stored."""
    with store.read() as session:
        return Counts(session).by_run([run.id for run in runs])


def systems(store: Store) -> tuple[str, ...]:
    """The systems whose answers were judged, for a filter."""
    with store.read() as session:
        return Runs(session).systems()


def failure_types(store: Store, decision: str = "REVIEW") -> tuple[tuple[str, int], ...]:
    """Failure types of results with this decision and how many each has, most frequent first."""
    with store.read() as session:
        totals = Counts(session).totals(CountFilter())
    return tuple((row.failure_type, row.n) for row in totals if row.decision == decision)


def known_failure_types(store: Store) -> tuple[str, ...]:
    """What a reviewer may call a failure: every type a bundled profile or a stored result names, by name."""
    with store.read() as session:
        stored = {row.failure_type for row in Counts(session).totals(CountFilter())}
    return tuple(sorted((_bundled_failure_types() | stored) - {"none"}))


@cache
def _bundled_failure_types() -> frozenset[str]:
    # Imported here: profiles bring the encoder's modules, which listing results can do without.
    from evalcore.config import load_profile, profile_names

    policies = (load_profile(name).config.policy for name in profile_names())
    return frozenset(rule.failure_type for policy in policies for rule in policy.rules)


def queue_page(
    store: Store, where: QueueFilter, *, after: Cursor | None = None, limit: int = 25
) -> QueuePage:
    """A page of the queue."""
    with store.read() as session:
        return Queue(session).page(where, after=after, limit=limit)


def queue_count(store: Store, where: QueueFilter) -> int:
    """How many items the filter leaves."""
    with store.read() as session:
        return Queue(session).count(where)


def next_item(store: Store, where: QueueFilter, after: Cursor | None) -> QueueItem | None:
    """The item after a place in the queue; the first when there is none after it; None when all is done."""
    with store.read() as session:
        queue = Queue(session)
        found = queue.next_after(where, after)
        return found or (queue.next_after(where, None) if after is not None else None)


def progress(store: Store, where: QueueFilter, reviewer_id: int | None) -> Progress:
    """How far people have come with what the filter leaves."""
    with store.read() as session:
        return Queue(session).progress(where, reviewer_id)


def item(store: Store, result_id: int) -> StoredResult:
    """One result whole, with its sample and every label on it.

    Raises
    ------
    StoreError
        When there is none of this id.
    """
    with store.read() as session:
        return Results(session).get(result_id)


def place_of(stored: StoredResult) -> Cursor:
    """A result's place in the queue."""
    day = stored.created_at.astimezone(UTC).strftime("%Y-%m-%d")
    return Cursor(day, stored.risk, stored.id, stored.sample.content_hash[:8])


def new_token() -> str:
    """A token for one form: sent twice, it stores one label."""
    return uuid.uuid4().hex


def add_label(
    store: Store,
    *,
    result_id: int,
    reviewer_id: int,
    verdict: LabelVerdict,
    failure_type: str | None = None,
    note: str = "",
    token: str | None = None,
    replaces: int | None = None,
    seen: Seen = "all",
) -> LabelRow:
    """Store a label. The same token again gives the label it stored the first time.

    Raises
    ------
    StoreError
        When the reviewer has labelled this result already and ``replaces`` does not name that label, or the
        store was busy for too long; nothing is stored then.
    """
    return save_label(
        store,
        result_id=result_id,
        reviewer_id=reviewer_id,
        verdict=verdict,
        failure_type=failure_type,
        note=note,
        token=token,
        replaces=replaces,
        seen=seen,
    )


def current_label(store: Store, result_id: int, reviewer_id: int) -> LabelRow | None:
    """A reviewer's label on a result that no later one of theirs supersedes."""
    with store.read() as session:
        mine = [label for label in Labels(session).current(result_id) if label.reviewer_id == reviewer_id]
    return mine[0] if mine else None


def current_labels(stored: StoredResult) -> tuple[LabelRow, ...]:
    """The labels on a result that stand: neither superseded nor withdrawn, in the order they were made."""
    superseded = {label.supersedes for label in stored.labels}
    return tuple(label for label in stored.labels if label.id not in superseded and not label.is_withdrawn)


def resolve(store: Store, which: str) -> int:
    """The number of the result meant: its own number after a ``#``, or the id of its sample.

    A bare number is a sample's id if there is such a sample, else a result's number.

    Raises
    ------
    InputError
        When there is none, or the sample has several results.
    """
    found = () if which.startswith("#") else find_results(store, which)
    if len(found) == 1:
        return found[0].id
    if found:
        listed = ", ".join(
            f"#{row.id} ({row.decision}, fingerprint {row.fingerprint_id})" for row in found[:5]
        )
        raise InputError(
            "several results of one sample", got=which[:80], expected=listed, cure="name one by #number"
        )
    number = which.removeprefix("#")
    # Nineteen digits may be more than a database can number.
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise InputError("no such result", got=which[:80], cure="list them: proofdesk results list")
    return item(store, int(number)).id


def list_results(
    store: Store, where: ResultFilter, *, after: int | None = None, limit: int = 20
) -> ResultPage:
    """Results, latest first.

    Raises
    ------
    StoreError
        When there is no run of the number asked for.
    """
    with store.read() as session:
        if where.run_id is not None:
            Runs(session).get(where.run_id)
        return Results(session).list(where, after=after, limit=limit)


def find_results(store: Store, sample_id: str) -> tuple[ResultItem, ...]:
    """Every result of the samples with this id."""
    with store.read() as session:
        return Results(session).find(sample_id)
