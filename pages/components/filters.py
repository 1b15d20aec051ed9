"""The queue's filters and its order, in one row; the URL holds what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import streamlit as st

from pages.components import desk
from pages.components.escape import first_words, one_line
from pages.components.language import N_, named, shown_as, t, tn
from workflows import review
from workflows.review import QueueFilter
from workflows.store import Store

SEARCH = "filter-q"

# A select box takes None for "nothing chosen yet", so the default has a value of its own.
_ANY = ""
_SCOPES = {
    _ANY: N_("Waiting for me"),
    "unlabelled": N_("Unlabelled"),
    "not_mine": N_("Not labelled by me"),
    "mine": N_("Labelled by me"),
    "skipped": N_("Skipped by me"),
    "all": N_("All items"),
}
_ORDERS = {
    _ANY: N_("Newest first"),
    "riskiest": N_("Riskiest first"),
    "uncertain": N_("Most uncertain first"),
    "oldest": N_("Oldest first"),
    "random": N_("Random order"),
    desk.AUDIT: N_("Audit: a fair sample of all"),
}
_DECISIONS = {_ANY: "REVIEW", "REJECT": "REJECT", "ACCEPT": "ACCEPT", desk.EVERY: N_("Any decision")}


def draw(store: Store, where: QueueFilter) -> None:
    """Draw search, order and reviewer state, the other filters folded, and the way back when one is set."""
    with st.container(key="filters", horizontal=True, gap="small", vertical_alignment="center"):
        st.session_state[SEARCH] = where.text or ""
        st.text_input(
            t("Search"),
            key=SEARCH,
            placeholder=t("Search question and answer ( / )"),
            label_visibility="collapsed",
            width=240,
            max_chars=200,
            on_change=_searched,
        )
        order = desk.AUDIT if desk.is_audit() else _default(where.order, _ORDERS)
        _choice("order", t("Order"), list(_ORDERS), order, lambda name: t(_ORDERS[name]))
        _choice(
            "scope", t("Which"), list(_SCOPES), _default(where.scope, _SCOPES), lambda name: t(_SCOPES[name])
        )
        told = _summary(where)
        with st.popover(t("Filters: {told}", told=told) if told else t("Filters"), key="more-filters"):
            _more(store, where)
        if any(name in st.query_params for name in desk.FILTERS):
            st.button(t("Clear filters"), key="clear-filters", type="tertiary", on_click=desk.clear_filters)


def _more(store: Store, where: QueueFilter) -> None:
    decision = desk.EVERY if where.decision is None else where.decision
    types = dict(review.failure_types(store, where.decision or "REVIEW"))
    runs = {str(run.id): run for run in review.runs(store)}
    systems = sorted({run.system for run in runs.values() if run.system})

    def type_label(name: str) -> str:
        return f"{first_words(named(name), 60)} ({types.get(name, 0)})" if name else t("Any failure type")

    def run_label(run_id: str) -> str:
        name = first_words(runs[run_id].name, 60) if run_id in runs else ""
        return f"#{run_id} {name}" if run_id else t("Any run")

    def system_label(name: str) -> str:
        return first_words(name, 60) if name else t("Any system")

    run_id = _ANY if where.run_id is None else str(where.run_id)
    _choice(
        "decision",
        t("Decision"),
        list(_DECISIONS),
        _default(decision, _DECISIONS),
        lambda name: t(_DECISIONS[name]),
    )
    _choice("failure", t("Failure type"), [_ANY, *types], where.failure_type or _ANY, type_label)
    _choice("run", t("Run"), [_ANY, *runs], run_id, run_label)
    _choice("system", t("System"), [_ANY, *systems], where.system or _ANY, system_label)
    _day("since", t("Stored from (UTC)"), where.since)
    _day("until", t("Stored until (UTC)"), where.until)


def _summary(where: QueueFilter) -> str:
    set_ = [
        where.decision is None or where.decision != "REVIEW",
        where.failure_type is not None,
        where.run_id is not None,
        where.system is not None,
        where.since is not None or where.until is not None,
    ]
    return tn("{n} set", "{n} set", sum(set_)) if any(set_) else ""


def _default(value: str, labels: Mapping[str, str]) -> str:
    return value if value in labels else _ANY


def _searched() -> None:
    desk.set_filter("q", st.session_state[SEARCH].strip() or None)


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
        format_func=shown_as(listed, lambda value: one_line(format_func(value))),
        on_change=changed,
        label_visibility="collapsed",
    )


def _day(name: str, label: str, chosen: date | None) -> None:
    key = f"filter-{name}"
    st.session_state[key] = chosen

    def changed() -> None:
        day = st.session_state[key]
        desk.set_filter(name, day.isoformat() if day else None)

    st.date_input(label, key=key, format="YYYY-MM-DD", on_change=changed)
