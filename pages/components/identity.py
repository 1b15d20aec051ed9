"""Who is reviewing: asked once, kept in the session, and in the URL so that a reload does not ask again."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection, escape
from pages.components.language import t
from workflows import review
from workflows.review import ReviewerRow
from workflows.store import Store

PARAMETER = "reviewer"
_KEY = "identity"
_NAME = "sign-in-name"
_REFUSED = "sign-in-refused"


def recall(store: Store) -> None:
    """Take the reviewer from the session, else from the URL if the name there is known already.

    A link alone never makes a reviewer: an unknown name in it only fills in the question.
    """
    if _KEY not in st.session_state and PARAMETER in st.query_params:
        wanted = escape.one_line(st.query_params[PARAMETER]).casefold()
        people = {row.name.casefold(): row for row in review.reviewers(store)}
        if wanted in people:
            st.session_state[_KEY] = people[wanted]
    if _KEY in st.session_state:
        st.query_params[PARAMETER] = st.session_state[_KEY].name


def ask(store: Store) -> ReviewerRow:
    """The reviewer; a page that needs one ends here until a name has been given."""
    given = known()
    if given is not None:
        return given
    with st.container(key="sign-in", width=420):
        st.html(
            f'<h1 class="pd-title">{t("Who is reviewing?")}</h1><p class="pd-quiet">'
            f"{t('Labels are kept under this name. It is asked once.')}</p>"
        )
        st.session_state.setdefault(_NAME, st.query_params.get(PARAMETER, "")[:80])
        with st.form("sign-in-form", border=False):
            st.text_input(t("Your name"), max_chars=80, key=_NAME)
            st.form_submit_button(
                t("Start reviewing"), type="primary", key="sign-in-send", on_click=_sign_in, args=(store,)
            )
        refused: StoreError | None = st.session_state.pop(_REFUSED, None)
        if refused is not None:
            st.error(connection.message(refused))
    st.stop()


def known() -> ReviewerRow | None:
    """The reviewer if a name has been given."""
    found: ReviewerRow | None = st.session_state.get(_KEY)
    return found


def show(reviewer: ReviewerRow) -> None:
    """Who is reviewing, with the way to change it."""
    with st.container(key="who", horizontal=True, vertical_alignment="center", gap="xsmall"):
        name = f'<b dir="auto">{escape.html_text(reviewer.name)}</b>'
        st.html(f'<span class="pd-quiet">{t("Reviewing as")}</span> {name}', width="content")
        st.button(t("Not you?"), key="not-you", type="tertiary", on_click=_forget)


def _sign_in(store: Store) -> None:
    try:
        st.session_state[_KEY] = review.sign_in(store, st.session_state[_NAME])
    except StoreError as error:
        st.session_state[_REFUSED] = error


def _forget() -> None:
    st.session_state.pop(_KEY, None)
    st.query_params.pop(PARAMETER, None)
