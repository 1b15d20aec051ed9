"""Runs: a file through the gate, the runs there are, and two of them item by item."""

from __future__ import annotations

import streamlit as st

from pages.components import connection, desk, figures, progress, run_compare, run_upload
from pages.components.frame import need_frame
from pages.components.language import t
from workflows import review

need_frame(__file__)
store = connection.store()
runs = review.runs(store)

st.html(f'<h1 class="pd-title">{t("Runs")}</h1>')
listed, upload, compared = st.tabs([t("All runs"), t("Upload a file"), t("Compare two runs")])
with listed:
    run_upload.draw_jobs()
    st.html(figures.runs_html(runs, review.decisions_by_run(store, runs)) if runs else progress.empty_html())
with upload:
    run_upload.draw()
with compared:
    run_compare.draw(store, runs)
desk.show_messages()
