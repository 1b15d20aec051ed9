"""Trends: decisions and scores over time, and whether a window of days differs from a reference."""

from __future__ import annotations

import streamlit as st

from pages.components import alert_figures, connection, progress, trend_charts, trend_figures
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()

st.html(f'<h1 class="pd-title">{t("Trends")}</h1>')
view = trend_figures.read(store)
if view is None:
    st.html(progress.empty_html())
    st.stop()
trend_figures.draw_controls(view)
trend_charts.draw_decisions(store, view)
trend_charts.draw_score(view)
trend_figures.draw_drift(view)
alert_figures.draw(store)
