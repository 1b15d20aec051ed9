"""How far the reviewers have come, and the screens for when nothing waits."""

from __future__ import annotations

import streamlit as st

from pages.components import desk
from pages.components.language import number, t
from workflows.review import Progress


def draw(progress: Progress) -> None:
    """Draw the bar: "12 of 67 labelled, 3 by you"."""
    share = min(100, 100 * progress.labelled / progress.total) if progress.total else 0
    st.html(
        f'<div class="pd-progress"><span>{_labelled(progress)}</span>'
        f'<div class="pd-bar"><div style="width:{share:.1f}%"></div></div></div>'
    )


def draw_end(progress: Progress) -> None:
    """Draw the screen that stands where the item would be."""
    if not progress.total and not any(name in st.query_params for name in desk.FILTERS):
        st.html(empty_html())
        return
    told = _labelled(progress) if progress.total else t("No answer fits these filters.")
    st.html(f'<div class="pd-end"><h2>{t("Nothing waits here")}</h2><p>{told}</p></div>')
    with st.container(horizontal=True):
        st.button(t("Show all, labelled too"), key="show-all", on_click=desk.show_all)
        st.button(t("Clear filters"), key="end-clear", on_click=desk.clear_filters)


def empty_html() -> str:
    """The screen of a database without answers."""
    told = t(
        "Run {command}, or {demo} for a demo database.",
        command="<code>proofdesk evaluate answers.jsonl</code>",
        demo="<code>make demo</code>",
    )
    return f'<div class="pd-end"><h2>{t("No answers yet")}</h2><p>{told}</p></div>'


def _labelled(progress: Progress) -> str:
    return t(
        "{done} of {total} labelled, {mine} by you",
        done=f"<b>{number(progress.labelled)}",
        total=f"{number(progress.total)}{'+' if progress.is_more else ''}</b>",
        mine=f"<b>{number(progress.mine)}</b>",
    )
