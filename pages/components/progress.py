"""How far the reviewers have come, and the screens for when nothing waits."""

from __future__ import annotations

import streamlit as st

from pages.components import desk
from workflows.review import Progress


def draw(progress: Progress) -> None:
    """Draw the bar: "12 of 67 labelled, 3 by you"."""
    share = 100 * progress.labelled / progress.total if progress.total else 0
    st.html(
        f'<div class="pd-progress"><span><b>{progress.labelled} of {progress.total}</b> labelled, '
        f"<b>{progress.mine}</b> by you</span>"
        f'<div class="pd-bar"><div style="width:{share:.1f}%"></div></div></div>'
    )


def draw_end(progress: Progress) -> None:
    """Draw the screen that stands where the item would be."""
    if not progress.total and not any(name in st.query_params for name in desk.FILTERS):
        st.html(EMPTY)
        return
    told = f"{progress.labelled} of {progress.total} answers here are labelled, {progress.mine} by you."
    if not progress.total:
        told = "No answer fits these filters."
    st.html(f'<div class="pd-end"><h2>Nothing waits here</h2><p>{told}</p></div>')
    with st.container(horizontal=True):
        st.button("Show all, labelled too", key="show-all", on_click=desk.show_all)
        st.button("Clear filters", key="end-clear", on_click=desk.clear_filters)


EMPTY = (
    '<div class="pd-end"><h2>No answers yet</h2><p>Run <code>proofdesk evaluate answers.jsonl</code>, '
    "or <code>make demo</code> for a demo database.</p></div>"
)
