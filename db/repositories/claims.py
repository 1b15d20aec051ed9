"""Claims: who has an item open, so that no two people are given the same one; and what they had typed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from sqlalchemy import ColumnElement, Select, delete, insert, select, update
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_over
from db.mapping import table_of
from db.repositories.labels import NOTE_LENGTH, Picked, check_text
from db.repositories.queue_filter import QueueFilter
from db.repositories.queue_walk import Source
from db.repositories.settings import QueueSettings
from evalcore.errors import StoreError, TakenError

_CLAIMS = table_of(tables.Claim)
_DRAFTS = table_of(tables.Draft)
_RESULTS = table_of(tables.Result)
_REVIEWERS = table_of(tables.Reviewer)
_SKIPS = table_of(tables.Skip)

SkipKind: TypeAlias = Literal["skip", "decline"]


@dataclass(frozen=True, kw_only=True)
class ClaimRow:
    """Who has an item until when. ``token`` is for the form of the label this claim leads to."""

    result_id: int
    slot: int
    reviewer_id: int
    reviewer: str
    token: str
    picked: str
    inclusion_probability: float | None
    claimed_at: datetime
    expires_at: datetime


class Claims:
    """Claims in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def take(
        self,
        result_id: int,
        reviewer_id: int,
        settings: QueueSettings,
        *,
        now: datetime,
        picked: Picked = "priority",
        inclusion_probability: float | None = None,
    ) -> ClaimRow:
        """The item, for as long as the settings say; one's own live claim is made longer.

        Raises
        ------
        TakenError
            When others have it, or have given it all the labels it needs.
        StoreError
            When there is no such result, or the probability is none.
        """
        if inclusion_probability is not None and not 0.0 < inclusion_probability <= 1.0:
            raise StoreError(
                "not a probability", where="inclusion_probability", got=str(inclusion_probability)
            )
        until = now + timedelta(minutes=settings.claim_minutes)
        own = self.find(result_id, reviewer_id)
        if own is not None and own.expires_at > now:
            self.renew(result_id, reviewer_id, until)
            return self._need(result_id, reviewer_id)
        self.release(result_id, reviewer_id)
        free = Source.of(QueueFilter(decision=None, scope="open", reviewer_id=reviewer_id)).has_room(now)
        row = self._session.execute(
            select(free).select_from(_RESULTS).where(_RESULTS.c.id == result_id)
        ).first()
        if row is None:
            raise StoreError("there is no such result", got=str(result_id), cure="list the results")
        if row[0]:
            values = {
                "result_id": result_id,
                "reviewer_id": reviewer_id,
                "token": uuid.uuid4().hex,
                "picked": picked,
                "inclusion_probability": inclusion_probability,
                "claimed_at": now,
                "expires_at": until,
            }
            lapsed = _CLAIMS.c.expires_at <= now
            take = insert_over(self._session, _CLAIMS, key=("result_id", "slot"), when=lapsed)
            for slot in range(1, settings.labels_required + 1):
                taken = take.values(values | {"slot": slot}).returning(_CLAIMS.c.slot)
                if self._session.execute(taken).first() is not None:
                    return self._need(result_id, reviewer_id)
        raise TakenError(
            "other reviewers have this item, or have labelled it",
            where=f"result {result_id}",
            cure="take the next one",
        )

    def find(self, result_id: int, reviewer_id: int) -> ClaimRow | None:
        """A reviewer's claim on a result, lapsed or not."""
        return self._first(_claim(result_id, reviewer_id))

    def by_token(self, token: str) -> ClaimRow | None:
        """The claim that gave out this token, if it is still there."""
        return self._first(_CLAIMS.c.token == token)

    def live(self, reviewer_id: int, now: datetime) -> tuple[ClaimRow, ...]:
        """What a reviewer has open, the latest first."""
        query = _select().where(_CLAIMS.c.reviewer_id == reviewer_id, _CLAIMS.c.expires_at > now)
        query = query.order_by(_CLAIMS.c.claimed_at.desc(), _CLAIMS.c.result_id.desc())
        return tuple(ClaimRow(**row) for row in self._session.execute(query).mappings())

    def renew(self, result_id: int, reviewer_id: int, until: datetime) -> None:
        """Make a claim last until then."""
        self._session.execute(update(_CLAIMS).where(_claim(result_id, reviewer_id)).values(expires_at=until))

    def release(self, result_id: int, reviewer_id: int) -> None:
        """Give an item back."""
        self._session.execute(delete(_CLAIMS).where(_claim(result_id, reviewer_id)))

    def skip(
        self,
        result_id: int,
        reviewer_id: int,
        kind: SkipKind,
        *,
        reason: str,
        token: str | None,
        now: datetime,
    ) -> None:
        """Note that a reviewer passed an item over, once a token.

        Raises
        ------
        StoreError
            When the reason cannot be stored, or the token was used for another item.
        """
        check_text("reason", reason, NOTE_LENGTH)
        if token is not None:
            sent = select(_SKIPS.c.result_id, _SKIPS.c.reviewer_id).where(_SKIPS.c.client_token == token)
            earlier = self._session.execute(sent).first()
            if earlier is not None:
                if tuple(earlier) != (result_id, reviewer_id):
                    raise StoreError("this form was sent before, for another item", got=f"result {result_id}")
                return
        row = {
            "result_id": result_id,
            "reviewer_id": reviewer_id,
            "kind": kind,
            "reason": reason,
            "created_at": now,
            "client_token": token,
        }
        self._session.execute(insert(_SKIPS), [row])

    def keep_draft(self, result_id: int, reviewer_id: int, fields: str, now: datetime) -> None:
        """Keep what a form holds, in place of what was kept before."""
        check_text("draft", fields, 2 * NOTE_LENGTH + 200_000)
        row = {"reviewer_id": reviewer_id, "result_id": result_id, "fields": fields, "updated_at": now}
        always = _DRAFTS.c.reviewer_id == reviewer_id
        key = ("reviewer_id", "result_id")
        self._session.execute(insert_over(self._session, _DRAFTS, key=key, when=always).values(row))

    def draft(self, result_id: int, reviewer_id: int) -> str | None:
        """What was kept of a form, if anything."""
        return self._session.execute(select(_DRAFTS.c.fields).where(*_draft(result_id, reviewer_id))).scalar()

    def drop_draft(self, result_id: int, reviewer_id: int) -> None:
        """Forget the form: it has been sent."""
        self._session.execute(delete(_DRAFTS).where(*_draft(result_id, reviewer_id)))

    def _need(self, result_id: int, reviewer_id: int) -> ClaimRow:
        found = self.find(result_id, reviewer_id)
        if found is None:
            raise StoreError("the claim could not be stored", where=f"result {result_id}")
        return found

    def _first(self, condition: ColumnElement[bool]) -> ClaimRow | None:
        row = self._session.execute(_select().where(condition)).mappings().first()
        return None if row is None else ClaimRow(**row)


def _select() -> Select[tuple[object, ...]]:
    return select(_CLAIMS, _REVIEWERS.c.name.label("reviewer")).join_from(_CLAIMS, _REVIEWERS)


def _claim(result_id: int, reviewer_id: int) -> ColumnElement[bool]:
    return (_CLAIMS.c.result_id == result_id) & (_CLAIMS.c.reviewer_id == reviewer_id)


def _draft(result_id: int, reviewer_id: int) -> tuple[ColumnElement[bool], ...]:
    return _DRAFTS.c.result_id == result_id, _DRAFTS.c.reviewer_id == reviewer_id
