"""What is open on a reviewer's desk. The URL holds it, so that a reload or a shared link shows the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import get_args

import streamlit as st

from evalcore.errors import TakenError
from pages.components import escape
from workflows import claims, review
from workflows.claims import Claim
from workflows.labels import Seen
from workflows.review import Cursor, LabelRow, Order, QueueFilter, ReviewerRow, Scope, StoredResult
from workflows.store import Store

ITEM = "item"
FILTERS = ("q", "decision", "failure", "run", "system", "since", "until", "scope", "order", "seed")
DECISIONS = ("REVIEW", "REJECT", "ACCEPT")
SETTLING = "settling"
"""What :attr:`Opened.taken` says to a lead who settles: nothing is labelled on that page."""
EVERY = "all"
AUDIT = "audit"
"""The order that hands out a fair sample of all answers, whatever was decided."""

_KEPT = "desk-kept"
_TRAIL = "desk-trail"
_RESUME = "desk-resume"
_TOASTS = "desk-toasts"
_HELD = "desk-held"
_HANDED_OUT: tuple[Scope, ...] = ("open", "skipped")


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The open item, and on what terms it is open.

    ``claim`` is None where the reviewer has labelled it already, where it has all the labels it needs and
    theirs would be one more, and where others hold it: ``taken`` then says so and nothing can be saved.
    ``seen`` is what they may see of the gate before their label.
    """

    stored: StoredResult
    claim: Claim | None
    mine: LabelRow | None
    seen: Seen
    taken: str = ""

    @property
    def is_blind(self) -> bool:
        """Whether verdict, scores and the labels of others stay hidden."""
        return self.mine is None and self.seen in ("blind", "marks")

    @property
    def shows_marks(self) -> bool:
        """Whether sentences are marked and findings shown."""
        return self.mine is not None or self.seen != "blind"


def restore() -> None:
    """Bring the desk back as it was left when another page cleared the URL."""
    parameters = st.query_params
    if ITEM not in parameters and not any(name in parameters for name in FILTERS):
        parameters.update(st.session_state.get(_KEPT, {}))


def keep() -> None:
    """Remember the desk for :func:`restore`."""
    names = (*FILTERS, ITEM)
    st.session_state[_KEPT] = {name: st.query_params[name] for name in names if name in st.query_params}


def filter_from_url(reviewer_id: int) -> QueueFilter:
    """The filter the URL asks for; what it cannot mean is left at its default."""
    asked = {name: st.query_params.get(name, "") for name in FILTERS}
    if asked["order"] == AUDIT:
        # A fair sample of all answers: nothing may narrow it.
        return QueueFilter(decision=None, scope="open", order="random", reviewer_id=reviewer_id)
    scope: Scope = next((s for s in get_args(Scope) if s == asked["scope"]), "open")
    order: Order = next((o for o in get_args(Order) if o == asked["order"]), "newest")
    decision = asked["decision"]
    return QueueFilter(
        decision=None if decision == EVERY else decision if decision in DECISIONS else DECISIONS[0],
        run_id=_number(asked["run"]),
        system=asked["system"] or None,
        failure_type=asked["failure"] or None,
        since=_day(asked["since"]),
        until=_day(asked["until"]),
        text=asked["q"][:200].strip() or None,
        scope=scope,
        order=order,
        seed=_number(asked["seed"]) or 0,
        reviewer_id=reviewer_id,
    )


def set_filter(name: str, value: str | None) -> None:
    """Change one filter, None for its default; the queue then starts from its first item."""
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
    _close()


def clear_filters() -> None:
    """Back to the defaults."""
    for name in FILTERS:
        st.query_params.pop(name, None)
    _close()


def show_all() -> None:
    """The whole queue, labelled items too."""
    clear_filters()
    set_filter("scope", "all")


def open_item(result_id: int) -> None:
    """Open an item; the one that was open is where Back leads."""
    current = opened()
    if current is not None and current != result_id:
        st.session_state.setdefault(_TRAIL, []).append(current)
    st.query_params[ITEM] = str(result_id)


def back() -> None:
    """Open the item that was open before."""
    trail = st.session_state.get(_TRAIL, [])
    if trail:
        st.query_params[ITEM] = str(trail.pop())


def can_go_back() -> bool:
    """Whether :func:`back` leads anywhere."""
    return bool(st.session_state.get(_TRAIL))


def go_on(place: Cursor) -> None:
    """Leave the open item; the next run opens the one that follows this place."""
    current = opened()
    if current is not None:
        st.session_state.setdefault(_TRAIL, []).append(current)
    _close()
    st.session_state[_RESUME] = place


def opened() -> int | None:
    """The id of the open item, if the URL names one."""
    return _number(st.query_params.get(ITEM, ""))


def is_audit() -> bool:
    """Whether what is handed out is a fair sample of all answers."""
    return st.query_params.get("order", "") == AUDIT


def is_narrowed() -> bool:
    """Whether the reviewer asked for answers of their own choosing: no audit item comes between those."""
    return any(name in st.query_params for name in FILTERS if name not in ("order", "seed"))


def is_unreadable() -> bool:
    """Whether the URL names an item by something that is no id."""
    return ITEM in st.query_params and opened() is None


def current_item(store: Store, where: QueueFilter, reviewer: ReviewerRow) -> Opened | None:
    """The open item whole, claimed for the reviewer; the next one if none is open; None when nothing waits.

    Raises
    ------
    StoreError
        When the URL names an item there is not.
    """
    result_id, claim = opened(), None
    held = st.session_state.get(_HELD)
    if held is not None and held != result_id:
        claims.release(store, held, reviewer.id)
        del st.session_state[_HELD]
    if result_id is None:
        place = st.session_state.pop(_RESUME, None)
        if where.scope in _HANDED_OUT:
            # Whoever comes back goes on where they left off; whoever moves on does not.
            resume = place is None and held is None
            claim = claims.claim_next(
                store,
                reviewer.id,
                where,
                after=place,
                resume=resume,
                picked="audit" if is_audit() else "priority",
                mixed=not is_audit() and not is_narrowed(),
            )
            result_id = claim.result_id if claim else None
        else:
            found = review.next_item(store, where, place)
            result_id = found.id if found else None
        if result_id is None:
            return None
        st.query_params[ITEM] = str(result_id)
    stored = review.item(store, result_id)
    mine = next((row for row in review.current_labels(stored) if row.reviewer_id == reviewer.id), None)
    if mine is not None:
        return Opened(stored=stored, claim=None, mine=mine, seen="all")
    try:
        claim = claim or claims.claim_item(store, result_id, reviewer.id)
    except TakenError as error:
        settings = claims.queue_settings(store)
        seen: Seen = "gate" if not settings.blind else "marks" if settings.show_marks else "blind"
        taken = "" if len(review.current_labels(stored)) >= settings.labels_required else error.what
        return Opened(stored=stored, claim=None, mine=None, seen=seen, taken=taken)
    st.session_state[_HELD] = result_id
    return Opened(stored=stored, claim=claim, mine=None, seen=claim.seen)


def say(text: str) -> None:
    """Show a short message after the next redraw."""
    st.session_state.setdefault(_TOASTS, []).append(text)


def show_messages() -> None:
    """Draw what :func:`say` left."""
    for text in st.session_state.pop(_TOASTS, []):
        st.toast(escape.markdown(text))


def _close() -> None:
    st.query_params.pop(ITEM, None)
    st.session_state.pop(_RESUME, None)
    # Or restore() would take the emptied URL for one that another page cleared, and bring all of it back.
    keep()


def _number(text: str) -> int | None:
    # SQLite counts to 2**63 - 1; eighteen digits stay below.
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
