"""The review console: page settings and navigation; who is reviewing and the database come with the frame."""

from __future__ import annotations

import streamlit as st

from pages.components.frame import framed

st.set_page_config(page_title="Proofdesk", page_icon="⚖️", layout="wide")
page = st.navigation(
    [
        st.Page("pages/overview.py", title="Overview", default=True),
        st.Page("pages/queue.py", title="Queue"),
        st.Page("pages/sentences.py", title="Sentences"),
        st.Page("pages/labels.py", title="Labels"),
        st.Page("pages/adjudicate.py", title="Disagreements"),
        st.Page("pages/runs.py", title="Runs"),
        st.Page("pages/trust.py", title="Trust"),
    ],
    position="top",
)
with framed():
    page.run()
