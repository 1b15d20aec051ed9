"""What a reviewer wants to see of the queue, in which order, and what a place in it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias

from evalcore.errors import StoreError

Scope: TypeAlias = Literal["unlabelled", "not_mine", "mine", "skipped", "all", "open"]
Order: TypeAlias = Literal["newest", "oldest", "riskiest", "uncertain", "random"]

# Risks are kept to four decimals, so half a step tells neighbours apart whatever the rounding.
HALF_STEP = 0.00005


@dataclass(frozen=True, kw_only=True)
class QueueFilter:
    """What a reviewer wants to see.

    Parameters
    ----------
    decision : str, optional
        The decision that waits, ``REVIEW`` unless somebody checks another; None for all three.
    run_id : int, optional
        Only what this run covers.
    system : str, optional
        Only results whose run (the one named, or the one that made them first) was of this system.
    failure_type : str, optional
        Only this failure type.
    since, until : date, optional
        First and last day (UTC) the result was stored, both included.
    text : str, optional
        Only where every word is in the question or the answer, from its beginning; ``"two words"`` in
        quotes stand together.
    scope : str
        ``unlabelled``: nobody has labelled it; ``not_mine``: ``reviewer_id`` has not; ``mine``: they have;
        ``skipped``: they passed it over for now and have not labelled it since; ``all``; ``open``: it can be
        handed to ``reviewer_id`` now.
    reviewer_id : int, optional
        Who is looking; needed for every scope but ``unlabelled`` and ``all``.
    order : str
        ``newest``: by day (UTC), latest first, the riskiest of a day first; ``oldest``: the same read
        backwards; ``riskiest``: by risk alone; ``uncertain``: risk nearest ``centre`` first; ``random``: by
        content hash from a point that ``seed`` gives, the same for everybody.
    seed : int
        Where the random order begins.
    centre : float
        Where the gate is least sure: the middle of the band it sends to review.
    """

    decision: str | None = "REVIEW"
    run_id: int | None = None
    system: str | None = None
    failure_type: str | None = None
    since: date | None = None
    until: date | None = None
    text: str | None = None
    scope: Scope = "unlabelled"
    reviewer_id: int | None = None
    order: Order = "newest"
    seed: int = 0
    centre: float = 0.5

    def __post_init__(self) -> None:
        if self.scope not in ("unlabelled", "all") and self.reviewer_id is None:
            raise StoreError("whose labels?", where="reviewer_id", got="none", cure="name the reviewer")
        if not 0.0 <= self.centre <= 1.0:
            raise StoreError("not a risk", where="centre", got=str(self.centre), expected="0 to 1")
        # As finely as risks are kept, so that distances from it can be told apart.
        object.__setattr__(self, "centre", round(self.centre, 4))

    @property
    def start(self) -> str:
        """Where the random order begins, as results keep their places in it."""
        return hashlib.sha256(str(self.seed).encode("ascii")).hexdigest()[:8]

    def sort_key(self, place: Cursor) -> tuple[Any, ...]:
        """What places are compared by: the smaller comes first.

        Examples
        --------
        >>> early, late = Cursor("2025-06-01", 0.9, 1), Cursor("2025-06-02", 0.1, 2)
        >>> QueueFilter().sort_key(late) < QueueFilter().sort_key(early)
        True
        """
        day = int(place.created_day.replace("-", ""))
        if self.order == "newest":
            return -day, -place.risk, -place.id
        if self.order == "oldest":
            return day, place.risk, place.id
        if self.order == "riskiest":
            return -place.risk, -place.id
        if self.order == "uncertain":
            above = place.risk >= self.centre - HALF_STEP
            distance = round(abs(place.risk - self.centre), 4)
            return distance, not above, place.id if above else -place.id
        return place.shuffle < self.start, place.shuffle, place.id


@dataclass(frozen=True)
class Cursor:
    """A place in the queue: what comes after it is further down, whatever was added or labelled since."""

    created_day: str
    risk: float
    id: int
    shuffle: str = ""
