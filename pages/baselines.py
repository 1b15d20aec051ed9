"""Baselines: versions and their cases, freezing, what differs between two, and gate runs over time."""

from __future__ import annotations

import streamlit as st

from pages.components import baseline_figures, connection, desk, identity
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)

with st.container(key="baselines-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Baselines")}</h1>', width="content")
    identity.show(reviewer)
versions, freeze, runs, compared = st.tabs([t("Versions"), t("Freeze"), t("Gate runs"), t("Compare")])
with versions:
    baseline_figures.draw_versions(store)
with freeze:
    baseline_figures.draw_freeze(store, reviewer)
with runs:
    baseline_figures.draw_runs(store)
with compared:
    baseline_figures.draw_compare(store)
desk.show_messages()
