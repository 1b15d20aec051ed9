"""What is open on a reviewer's desk. The URL holds it, so that a reload or a shared link shows the same."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from pages.components import escape
from workflows import review
from workflows.review import Cursor, Order, QueueFilter, Scope, StoredResult
from workflows.store import Store

ITEM = "item"
FILTERS = ("failure", "run", "scope", "order")

_KEPT = "desk-kept"
_TRAIL = "desk-trail"
_RESUME = "desk-resume"
_TOASTS = "desk-toasts"


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
    scope: Scope = next((s for s in get_args(Scope) if s == asked["scope"]), "unlabelled")
    order: Order = next((o for o in get_args(Order) if o == asked["order"]), "newest")
    return QueueFilter(
        run_id=_number(asked["run"]),
        failure_type=asked["failure"] or None,
        scope=scope,
        order=order,
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


def is_unreadable() -> bool:
    """Whether the URL names an item by something that is no id."""
    return ITEM in st.query_params and opened() is None


def current_item(store: Store, where: QueueFilter) -> StoredResult | None:
    """The open item whole; the next one in the queue if none is open; None when nothing waits.

    Raises
    ------
    StoreError
        When the URL names an item there is not.
    """
    result_id = opened()
    if result_id is None:
        found = review.next_item(store, where, st.session_state.pop(_RESUME, None))
        if found is None:
            return None
        result_id = found.id
        st.query_params[ITEM] = str(result_id)
    return review.item(store, result_id)


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
