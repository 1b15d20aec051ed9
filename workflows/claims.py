"""Taking an item, so that nobody else is given it; giving it back, passing it over, picking it up again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import random

from db.engine import Store
from db.repositories.claims import ClaimRow, Claims, SkipKind
from db.repositories.labels import Picked, Seen
from db.repositories.queue import Cursor, Queue, QueueFilter, Scope
from db.repositories.settings import QueueSettings, Settings
from evalcore.errors import TakenError
from workflows.rights import need_lead

__all__ = [
    "Claim",
    "QueueSettings",
    "SkipKind",
    "change_settings",
    "claim_item",
    "claim_next",
    "draft",
    "keep_draft",
    "open_claims",
    "queue_settings",
    "release",
    "renew",
    "skip",
]

_CANDIDATES = 8


@dataclass(frozen=True, kw_only=True)
class Claim:
    """An item that is this reviewer's until ``expires_at``.

    ``token`` goes with the label it leads to. ``seen`` is what the reviewer may see until then: ``blind``
    question, contexts and answer; ``marks`` marked sentences and findings too; ``gate`` everything.
    """

    result_id: int
    reviewer_id: int
    token: str
    picked: str
    inclusion_probability: float | None
    expires_at: datetime
    seen: Seen

    @property
    def is_blind(self) -> bool:
        """Whether verdict and scores stay hidden until the label is stored."""
        return self.seen in ("blind", "marks")

    @property
    def shows_marks(self) -> bool:
        """Whether marked sentences and findings show before that."""
        return self.seen != "blind"


def queue_settings(store: Store) -> QueueSettings:
    """How the queue is worked."""
    with store.read() as session:
        return Settings(session).get()


def change_settings(
    store: Store,
    by: int,
    *,
    name: str | None = None,
    labels_required: int | None = None,
    blind: bool | None = None,
    show_marks: bool | None = None,
    claim_minutes: int | None = None,
    audit_share: float | None = None,
) -> QueueSettings:
    """Change how the queue is worked; None leaves a setting as it is.

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    StoreError
        When a value is outside its range.
    """
    need_lead(store, by)
    changes = {
        "name": name,
        "labels_required": labels_required,
        "blind": blind,
        "show_marks": show_marks,
        "claim_minutes": claim_minutes,
        "audit_share": audit_share,
    }
    with store.write() as session:
        settings = Settings(session)
        given = {key: value for key, value in changes.items() if value is not None}
        return settings.save(replace(settings.get(), **given))  # type: ignore[arg-type]


def claim_next(
    store: Store,
    reviewer_id: int,
    where: QueueFilter | None = None,
    *,
    after: Cursor | None = None,
    resume: bool = True,
    picked: Picked | None = None,
    inclusion_probability: float | None = None,
    mixed: bool = False,
    draw: Callable[[], float] = random,
    now: datetime | None = None,
) -> Claim | None:
    """The next item for a reviewer, which nobody else will be given meanwhile; None when nothing waits.

    What they have labelled or passed over is left out, and what has all the labels it needs, counting those
    under way.

    Parameters
    ----------
    store : Store
    reviewer_id : int
    where : QueueFilter, optional
        Filters and order. Its scope counts only if it is ``skipped``: then it is what they skipped before.
    after : Cursor, optional
        Go on from this place; from the first item if nothing waits after it.
    resume : bool
        Whether an item they have open already comes first, if the filters leave it in.
    picked : str, optional
        How the item is picked; ``random`` under the random order, else ``priority``.
    inclusion_probability : float, optional
        How likely a random or audit item was to be picked.
    mixed : bool
        Whether the share of audit items that the queue is set to is mixed in. They come in the audit's own
        order, so that the audited answers stay a fair sample.
    draw : callable
        Gives a number in [0, 1) that decides whether this one is an audit item.
    now : datetime, optional
    """
    moment = now or datetime.now(UTC)
    asked = where or QueueFilter()
    scope: Scope = "skipped" if asked.scope == "skipped" else "open"
    asked = replace(asked, scope=scope, reviewer_id=reviewer_id)
    how: Picked = picked or ("random" if asked.order == "random" else "priority")
    if resume:
        for claim in open_claims(store, reviewer_id, now=moment):
            with store.read() as session:
                if Queue(session).holds(replace(asked, scope="not_mine"), claim.result_id):
                    return renew(store, claim, now=moment)
    if mixed and scope == "open" and draw() < queue_settings(store).audit_share:
        audit = QueueFilter(decision=None, scope="open", order="random", reviewer_id=reviewer_id)
        found = claim_next(store, reviewer_id, audit, resume=False, picked="audit", now=moment)
        if found is not None:
            return found
    place = after
    while True:
        with store.read() as session:
            page = Queue(session).page(asked, after=place, limit=_CANDIDATES, now=moment)
        for item in page.items:
            try:
                return claim_item(
                    store,
                    item.id,
                    reviewer_id,
                    picked=how,
                    inclusion_probability=inclusion_probability,
                    now=moment,
                )
            except TakenError:
                # Somebody was quicker since the page was read.
                place = item.cursor
        if not page.items:
            if after is None:
                return None
            place = after = None


def claim_item(
    store: Store,
    result_id: int,
    reviewer_id: int,
    *,
    picked: Picked = "priority",
    inclusion_probability: float | None = None,
    now: datetime | None = None,
) -> Claim:
    """This item, for this reviewer. One's own claim is renewed and keeps its token.

    Raises
    ------
    TakenError
        When others have it, or have given it all the labels it needs.
    StoreError
        When there is no such result or reviewer.
    """
    with store.write() as session:
        settings = Settings(session).get()
        row = Claims(session).take(
            result_id,
            reviewer_id,
            settings,
            now=now or datetime.now(UTC),
            picked=picked,
            inclusion_probability=inclusion_probability,
        )
    return _claim(row, settings)


def open_claims(store: Store, reviewer_id: int, *, now: datetime | None = None) -> tuple[Claim, ...]:
    """What a reviewer has open, the latest first: where they left off."""
    with store.read() as session:
        settings = Settings(session).get()
        rows = Claims(session).live(reviewer_id, now or datetime.now(UTC))
    return tuple(_claim(row, settings) for row in rows)


def renew(store: Store, claim: Claim, *, now: datetime | None = None) -> Claim:
    """The same claim, its time begun anew.

    Raises
    ------
    TakenError
        When it had lapsed and others have the item now.
    """
    return claim_item(
        store,
        claim.result_id,
        claim.reviewer_id,
        picked="audit" if claim.picked == "audit" else "random" if claim.picked == "random" else "priority",
        inclusion_probability=claim.inclusion_probability,
        now=now,
    )


def release(store: Store, result_id: int, reviewer_id: int) -> None:
    """Give an item back; nothing happens if it was not theirs."""
    with store.write() as session:
        Claims(session).release(result_id, reviewer_id)


def skip(
    store: Store,
    result_id: int,
    reviewer_id: int,
    *,
    kind: SkipKind = "skip",
    reason: str = "",
    token: str | None = None,
) -> None:
    """Pass an item over and give it back: ``skip`` for now, ``decline`` for good.

    Others are still given it. The same token again changes nothing.

    Raises
    ------
    StoreError
        When there is no such result, or the reason cannot be stored.
    """
    with store.write() as session:
        claims = Claims(session)
        claims.skip(result_id, reviewer_id, kind, reason=reason, token=token, now=datetime.now(UTC))
        claims.release(result_id, reviewer_id)


def keep_draft(store: Store, result_id: int, reviewer_id: int, fields: Mapping[str, str | None]) -> None:
    """Keep what a form holds before it is sent; renews the claim if there is one.

    Raises
    ------
    StoreError
        When it cannot be stored.
    """
    moment = datetime.now(UTC)
    text = json.dumps(dict(fields))
    with store.write() as session:
        claims = Claims(session)
        claims.keep_draft(result_id, reviewer_id, text, moment)
        own = claims.find(result_id, reviewer_id)
        if own is not None and own.expires_at > moment:
            claims.take(result_id, reviewer_id, Settings(session).get(), now=moment)


def draft(store: Store, result_id: int, reviewer_id: int) -> dict[str, str | None]:
    """What was kept of a form; empty when nothing was."""
    with store.read() as session:
        kept = Claims(session).draft(result_id, reviewer_id)
    fields: dict[str, str | None] = json.loads(kept) if kept else {}
    return fields


def _claim(row: ClaimRow, settings: QueueSettings) -> Claim:
    marks = settings.show_marks and row.picked != "audit"
    seen: Seen = ("marks" if marks else "blind") if settings.blind or row.picked == "audit" else "gate"
    return Claim(
        result_id=row.result_id,
        reviewer_id=row.reviewer_id,
        token=row.token,
        picked=row.picked,
        inclusion_probability=row.inclusion_probability,
        expires_at=row.expires_at,
        seen=seen,
    )
