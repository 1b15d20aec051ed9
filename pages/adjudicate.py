"""What reviewers disagree on: a lead reads both words, unnamed, and settles."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import RoleError, StoreError
from pages.components import connection, desk, identity, item, settlement
from pages.components.desk import Opened
from pages.components.frame import need_frame
from pages.components.language import t
from workflows import adjudication, claims
from workflows.labels import Seen

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)

with st.container(key="settle-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Disagreements")}</h1>', width="content")
    identity.show(reviewer)
try:
    waiting = adjudication.disagreements(store, reviewer.id)
    result_id = settlement.opened(waiting)
    case = adjudication.case_of(store, reviewer.id, result_id) if result_id is not None else None
except RoleError as error:
    st.info(connection.message(error))
    st.stop()
except StoreError as error:
    st.warning(connection.message(error))
    st.stop()

with st.container(key="desk"):
    left, middle, right = st.columns([2.3, 5.6, 2.2], gap="medium")
    with left, st.container(key="desk-list"):
        settlement.draw_list(waiting, adjudication.n_disagreements(store), result_id)
    if case is None:
        with middle:
            st.html(settlement.nothing_html())
    else:
        with middle, st.container(key="desk-item"):
            # A lead settles blind too; the gate's word shows once the case is settled.
            blind = claims.queue_settings(store).blind and case.settled is None
            seen: Seen = "marks" if blind else "all"
            item.draw(
                store,
                Opened(stored=case.stored, claim=None, mine=None, seen=seen, taken=desk.SETTLING),
                reviewer,
            )
        with right, st.container(key="desk-verdict"):
            settlement.draw_form(store, case, reviewer)
desk.show_messages()
