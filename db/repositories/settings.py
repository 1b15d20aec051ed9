"""How a queue is worked, as a lead has set it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from db import tables
from db.mapping import table_of
from evalcore.errors import StoreError

_QUEUES = table_of(tables.ReviewQueue)

DEFAULT_QUEUE = 1
"""The queue every database has."""


@dataclass(frozen=True, kw_only=True)
class QueueSettings:
    """How a queue is worked.

    Parameters
    ----------
    id : int
    name : str
    labels_required : int
        How many reviewers label each item, 1 to 5.
    blind : bool
        Whether verdict and scores of the gate stay hidden until the reviewer has given theirs.
    show_marks : bool
        Whether marked sentences and findings show before that. Never on an audit item.
    claim_minutes : int
        How long an item stays with the reviewer who opened it.
    audit_share : float
        Share of the items handed out that are a fair sample of all answers, whatever was decided; 0 to 1.
    """

    id: int = DEFAULT_QUEUE
    name: str
    labels_required: int
    blind: bool
    show_marks: bool
    claim_minutes: int
    audit_share: float

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("labels_required", self.labels_required, 1, 5),
            ("claim_minutes", self.claim_minutes, 1, 1440),
        ):
            if not low <= value <= high:
                raise StoreError("outside the range", where=name, got=str(value), expected=f"{low} to {high}")
        if not 0 <= self.audit_share <= 1:
            raise StoreError(
                "outside the range", where="audit_share", got=str(self.audit_share), expected="0 to 1"
            )
        if not self.name.strip():
            raise StoreError("a queue needs a name", where="name", got="blank")


class Settings:
    """Settings of queues in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, queue_id: int = DEFAULT_QUEUE) -> QueueSettings:
        """A queue's settings.

        Raises
        ------
        StoreError
            When there is no such queue.
        """
        row = self._session.execute(select(_QUEUES).where(_QUEUES.c.id == queue_id)).mappings().first()
        if row is None:
            raise StoreError("there is no such queue", got=str(queue_id))
        return QueueSettings(**row)

    def save(self, settings: QueueSettings) -> QueueSettings:
        """Keep changed settings.

        Raises
        ------
        StoreError
            When there is no such queue.
        """
        self.get(settings.id)
        self._session.execute(update(_QUEUES).where(_QUEUES.c.id == settings.id).values(asdict(settings)))
        return self.get(settings.id)
