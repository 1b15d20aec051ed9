"""Calibration: is the risk a probability, what does a threshold cost, and how much may pass unread."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import calibration_figures, connection, desk, guarantee_figures
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()

st.html(f'<h1 class="pd-title">{t("Calibration")}</h1>')
left, right = st.columns([1, 1], gap="large")
with left:
    found = guarantee_figures.draw_guarantee(store)
with right:
    if found is not None:
        guarantee_figures.draw_history(store, found)
try:
    view = calibration_figures.view(store)
except ProofdeskError:
    # The guarantee has said why.
    st.stop()
calibration_figures.draw_charts(view)
calibration_figures.draw_costs(view)
calibration_figures.draw_purchases(view)
desk.show_messages()
