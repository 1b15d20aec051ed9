"""Who labels: counts, pace, doubts, agreement with gold; and, for a lead, their roles."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk
from pages.components.escape import first_words, html_text
from pages.components.language import N_, named, shown_as, t
from workflows import label_lists, review, rights
from workflows.label_lists import ReviewerFigures
from workflows.review import ReviewerRow
from workflows.store import Store

_REFUSED = "role-refused"
_COLUMNS = (
    (N_("Reviewer"), ""),
    (N_("Role"), ""),
    (N_("Labels"), N_("labels that stand")),
    (
        N_("Pace"),
        N_("median time from one label to the next within a sitting; a gap over 15 minutes is a break"),
    ),
    (N_("Unsure"), N_("share of the labels that stand")),
    (N_("Taken back"), N_("labels withdrawn")),
    (
        N_("Changed after reveal"),
        N_("changes of mind once the gate's word was in view, to each label that stands"),
    ),
    (
        N_("Agrees with gold"),
        N_("share of labels on answers whose gold label others had a part in, and how many"),
    ),
)


def draw(store: Store, reviewer: ReviewerRow) -> None:
    """Draw everybody for a lead, for a reviewer their own row."""
    if reviewer.role == "lead":
        rows = label_lists.reviewer_figures(store, reviewer.id)
    else:
        st.html(f'<p class="pd-quiet">{t("Only a lead sees the figures of others. These are yours.")}</p>')
        rows = (label_lists.own_figures(store, reviewer.id),)
    head = "".join(f'<th title="{html_text(_told(told))}">{t(name)}</th>' for name, told in _COLUMNS)
    body = "".join(_row(figures) for figures in rows)
    st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>')
    told = "; ".join(f"{t(name)}: {t(text)}" for name, text in _COLUMNS if text)
    st.html(f'<p class="pd-quiet pd-small">{html_text(told)}.</p>')
    if reviewer.role == "lead":
        _draw_roles(store, reviewer)


def _draw_roles(store: Store, reviewer: ReviewerRow) -> None:
    people = {row.id: row for row in review.reviewers(store)}
    with st.form("roles", border=False, width=420):
        st.selectbox(
            t("Reviewer"),
            list(people),
            key="role-of",
            format_func=shown_as(
                people,
                lambda number: f"{first_words(people[number].name, 60)} ({named(people[number].role)})",
            ),
        )  # fmt: skip
        st.selectbox(
            t("Role"), ["reviewer", "lead"], key="role-new", format_func=shown_as(["reviewer", "lead"], named)
        )
        st.form_submit_button(t("Change role"), key="role-save", on_click=_change, args=(store, reviewer))
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
    desk.say(t("{name} is now {role}.", name=first_words(changed.name, 60), role=named(changed.role)))


def _row(figures: ReviewerFigures) -> str:
    counts = figures.counts
    pace = "–" if figures.seconds is None else t("{n} s", n=f"{figures.seconds:.0f}")
    gold = (
        "–"
        if figures.agreement is None
        else t("{share} of {n}", share=f"{figures.agreement:.0%}", n=counts.compared)
    )
    return (
        f'<tr><td dir="auto">{html_text(first_words(counts.reviewer, 60))}</td><td>{named(counts.role)}</td>'
        f'<td class="pd-number">{counts.current}</td><td class="pd-number">{pace}</td>'
        f'<td class="pd-number">{_percent(figures.unsure_share)}</td>'
        f'<td class="pd-number">{counts.undone}</td>'
        f'<td class="pd-number">{_percent(figures.changed_share)}</td><td class="pd-number">{gold}</td></tr>'
    )


def _told(text: str) -> str:
    return t(text) if text else ""


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
