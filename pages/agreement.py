"""Agreement: do reviewers agree, with each other, with gold and with the gate; where not, on what."""

from __future__ import annotations

import streamlit as st

from pages.components import agreement_figures, connection
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()

st.html(f'<h1 class="pd-title">{t("Agreement")}</h1>')
report = agreement_figures.report(store)
if not report.pairs:
    agreement_figures.draw_empty()
    st.stop()
agreement_figures.draw_matrix(report)
left, right = st.columns([1, 1], gap="large")
with left:
    agreement_figures.draw_pair(store, report)
with right:
    agreement_figures.draw_weeks(store)
agreement_figures.draw_groups(store)
