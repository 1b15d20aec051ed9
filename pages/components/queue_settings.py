"""How the queue is worked: a lead's settings."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk
from pages.components.language import t
from workflows import claims
from workflows.review import ReviewerRow
from workflows.store import Store

_REFUSED = "settings-refused"


def draw(store: Store, reviewer: ReviewerRow) -> None:
    """Draw the settings for a lead; for others nothing."""
    if reviewer.role != "lead":
        return
    now = claims.queue_settings(store)
    with st.popover(t("Queue settings"), key="queue-settings"), st.form("queue-settings-form", border=False):
        st.number_input(
            t("Labels each answer needs"), 1, 5, now.labels_required, key="set-labels",
            help=t("So many reviewers are given the same answer, each without the others' words."),
        )  # fmt: skip
        st.toggle(
            t("Blind"), now.blind, key="set-blind",
            help=t("The gate's verdict and scores, and the labels of others, show after one's own is saved."),
        )  # fmt: skip
        st.toggle(
            t("Show sentence marks and findings before the verdict"), now.show_marks, key="set-marks",
            help=t(
                "An aid and also a nudge. Audit items never show them; every label keeps what was in view."
            ),
        )  # fmt: skip
        st.number_input(
            t("Minutes an answer is held for a reviewer"), 1, 1440, now.claim_minutes, key="set-minutes"
        )
        st.number_input(
            t("Audit items among those handed out, %"), 0, 100, round(now.audit_share * 100), key="set-audit",
            help=t(
                "A fair sample of all answers, accepted ones too: it tells how much may pass unread. "
                "10 is a start."
            ),
        )  # fmt: skip
        st.form_submit_button(t("Save settings"), key="set-save", on_click=_save, args=(store, reviewer))
        refused: ProofdeskError | None = st.session_state.pop(_REFUSED, None)
        if refused is not None:
            st.error(connection.message(refused))


def _save(store: Store, reviewer: ReviewerRow) -> None:
    state = st.session_state
    try:
        claims.change_settings(
            store,
            reviewer.id,
            labels_required=int(state["set-labels"]),
            blind=bool(state["set-blind"]),
            show_marks=bool(state["set-marks"]),
            claim_minutes=int(state["set-minutes"]),
            audit_share=float(state["set-audit"]) / 100,
        )
    except ProofdeskError as error:
        state[_REFUSED] = error
        return
    desk.say(t("Settings saved."))
