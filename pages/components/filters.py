"""The queue's filters, in one row; the URL holds what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.components import desk
from pages.components.escape import first_words, one_line, words
from workflows import review
from workflows.review import QueueFilter
from workflows.store import Store

# A select box takes None for "nothing chosen yet", so the default has a value of its own.
_ANY = ""
_SCOPES = {
    _ANY: "Unlabelled",
    "not_mine": "Not labelled by me",
    "all": "All items",
}
_ORDERS = {_ANY: "Newest first", "riskiest": "Riskiest first"}


def draw(store: Store, where: QueueFilter) -> None:
    """Draw the four filters and, when one is set, the way back."""
    types = dict(review.failure_types(store))
    runs = {str(run.id): run for run in review.runs(store)}

    def type_label(name: str) -> str:
        return f"{first_words(words(name), 60)} ({types.get(name, 0)})" if name else "Any failure type"

    def run_label(run_id: str) -> str:
        name = first_words(runs[run_id].name, 60) if run_id in runs else ""
        return f"#{run_id} {name}" if run_id else "Any run"

    with st.container(key="filters", horizontal=True, gap="small", vertical_alignment="center"):
        run_id = _ANY if where.run_id is None else str(where.run_id)
        _choice("failure", "Failure type", [_ANY, *types], where.failure_type or _ANY, type_label)
        _choice("run", "Run", [_ANY, *runs], run_id, run_label)
        _choice("scope", "Which", list(_SCOPES), _default(where.scope, _SCOPES), _SCOPES.__getitem__)
        _choice("order", "Order", list(_ORDERS), _default(where.order, _ORDERS), _ORDERS.__getitem__)
        if any(name in st.query_params for name in desk.FILTERS):
            st.button("Clear filters", key="clear-filters", type="tertiary", on_click=desk.clear_filters)


def _default(value: str, labels: Mapping[str, str]) -> str:
    return value if value in labels else _ANY


def _choice(
    name: str, label: str, options: Sequence[str], chosen: str, format_func: Callable[[str], str]
) -> None:
    # A link may ask for a run older than those listed, or a type nothing has: it stays visible as asked.
    listed = options if chosen in options else [*options, chosen]
    key = f"filter-{name}"
    st.session_state[key] = chosen

    def changed() -> None:
        desk.set_filter(name, st.session_state[key] or None)

    st.selectbox(
        label,
        listed,
        key=key,
        format_func=lambda value: one_line(format_func(value)),
        on_change=changed,
        label_visibility="collapsed",
    )
