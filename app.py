"""The review console: page settings and navigation; who is reviewing and the database come with the frame."""

from __future__ import annotations

import streamlit as st

from pages.components import language
from pages.components.frame import framed
from pages.components.language import t

st.set_page_config(page_title="Proofdesk", page_icon="⚖️", layout="wide")
language.recall()
page = st.navigation(
    [
        st.Page("pages/overview.py", title=t("Overview"), default=True),
        st.Page("pages/queue.py", title=t("Queue")),
        st.Page("pages/sentences.py", title=t("Sentences")),
        st.Page("pages/labels.py", title=t("Labels")),
        st.Page("pages/adjudicate.py", title=t("Disagreements")),
        st.Page("pages/runs.py", title=t("Runs")),
        st.Page("pages/trends.py", title=t("Trends")),
        st.Page("pages/agreement.py", title=t("Agreement")),
        st.Page("pages/calibration.py", title=t("Calibration")),
        st.Page("pages/baselines.py", title=t("Baselines")),
    ],
    position="top",
)
with framed():
    page.run()
