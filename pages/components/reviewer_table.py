"""Who labels: counts, pace, doubts, agreement with gold; and, for a lead, their roles."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk
from pages.components.escape import first_words, html_text
from workflows import label_lists, review, rights
from workflows.label_lists import ReviewerFigures
from workflows.review import ReviewerRow
from workflows.store import Store

_REFUSED = "role-refused"
_COLUMNS = (
    ("Reviewer", ""),
    ("Role", ""),
    ("Labels", "labels that stand"),
    ("Pace", "median time from one label to the next within a sitting; a gap over 15 minutes is a break"),
    ("Unsure", "share of the labels that stand"),
    ("Taken back", "labels withdrawn"),
    ("Changed after reveal", "changes of mind once the gate's word was in view, to each label that stands"),
    ("Agrees with gold", "share of labels on answers whose gold label others had a part in, and how many"),
)


def draw(store: Store, reviewer: ReviewerRow) -> None:
    """Draw everybody for a lead, for a reviewer their own row."""
    if reviewer.role == "lead":
        rows = label_lists.reviewer_figures(store, reviewer.id)
    else:
        st.html('<p class="pd-quiet">Only a lead sees the figures of others. These are yours.</p>')
        rows = (label_lists.own_figures(store, reviewer.id),)
    head = "".join(f'<th title="{html_text(told)}">{name}</th>' for name, told in _COLUMNS)
    body = "".join(_row(figures) for figures in rows)
    st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>')
    told = "; ".join(f"{name}: {text}" for name, text in _COLUMNS if text)
    st.html(f'<p class="pd-quiet pd-small">{html_text(told)}.</p>')
    if reviewer.role == "lead":
        _draw_roles(store, reviewer)


def _draw_roles(store: Store, reviewer: ReviewerRow) -> None:
    people = {row.id: row for row in review.reviewers(store)}
    with st.form("roles", border=False, width=420):
        st.selectbox(
            "Reviewer",
            list(people),
            key="role-of",
            format_func=lambda number: f"{first_words(people[number].name, 60)} ({people[number].role})",
        )  # fmt: skip
        st.selectbox("Role", ["reviewer", "lead"], key="role-new")
        st.form_submit_button("Change role", key="role-save", on_click=_change, args=(store, reviewer))
    refused: ProofdeskError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        st.error(connection.message(refused))


def _change(store: Store, reviewer: ReviewerRow) -> None:
    try:
        changed = rights.set_role(
            store, reviewer.id, st.session_state["role-of"], st.session_state["role-new"]
        )
    except ProofdeskError as error:
        st.session_state[_REFUSED] = error
        return
    desk.say(f"{first_words(changed.name, 60)} is now {changed.role}.")


def _row(figures: ReviewerFigures) -> str:
    counts = figures.counts
    pace = "–" if figures.seconds is None else f"{figures.seconds:.0f} s"
    gold = "–" if figures.agreement is None else f"{figures.agreement:.0%} of {counts.compared}"
    return (
        f'<tr><td dir="auto">{html_text(first_words(counts.reviewer, 60))}</td><td>{counts.role}</td>'
        f'<td class="pd-number">{counts.current}</td><td class="pd-number">{pace}</td>'
        f'<td class="pd-number">{_percent(figures.unsure_share)}</td>'
        f'<td class="pd-number">{counts.undone}</td>'
        f'<td class="pd-number">{_percent(figures.changed_share)}</td><td class="pd-number">{gold}</td></tr>'
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
