"""Everything labelled, and who labelled it."""

from __future__ import annotations

import streamlit as st

from pages.components import connection, desk, identity, label_table, reviewer_table
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)

with st.container(key="labels-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Labels")}</h1>', width="content")
    identity.show(reviewer)
everything, people = st.tabs([t("All labels"), t("Reviewers")])
with everything:
    label_table.draw(store, reviewer)
with people:
    reviewer_table.draw(store, reviewer)
desk.show_messages()
