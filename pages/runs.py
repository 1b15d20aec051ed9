"""Runs: a file through the gate, the runs there are, and two of them item by item."""

from __future__ import annotations

import streamlit as st

from pages.components import connection, desk, figures, progress, run_compare, run_upload
from pages.components.frame import need_frame
from workflows import review

need_frame(__file__)
store = connection.store()
runs = review.runs(store)

st.html('<h1 class="pd-title">Runs</h1>')
listed, upload, compared = st.tabs(["All runs", "Upload a file", "Compare two runs"])
with listed:
    run_upload.draw_jobs()
    st.html(figures.runs_html(runs) if runs else progress.EMPTY)
with upload:
    run_upload.draw()
with compared:
    run_compare.draw(store, runs)
desk.show_messages()
