"""The overview: how many answers, what the gate decided day by day, and the last runs."""

from __future__ import annotations

import streamlit as st

from pages.components import charts, connection, figures, overview_controls, progress
from pages.components.frame import need_frame

need_frame(__file__)
store = connection.store()
view, note = overview_controls.read(store)

with st.container(key="overview-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html('<h1 class="pd-title">Overview</h1>', width="content")
    if view.runs:
        overview_controls.draw_profile(view)
if note:
    st.warning(note)
if not view.runs:
    st.html(progress.EMPTY)
    st.stop()

st.html(figures.tiles_html(view))
with st.container(key="chart-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html('<h2 class="pd-subtitle">Decisions by day</h2>', width="content")
    measure = overview_controls.draw_measure()
    st.html('<span class="pd-quiet pd-small">days in</span>', width="content")
    overview_controls.draw_zone(view)
if view.n_results:
    figure = charts.decisions_by_day(view.by_day, measure, view.zone, theme=st.context.theme.type)
    st.plotly_chart(
        figure,
        key="by-day",
        config={"displayModeBar": False, "displaylogo": False},
        alt=f"Answers by day in {view.zone}, by decision, as {measure}",
    )
else:
    st.html('<p class="pd-quiet">No run has stored an answer yet.</p>')
st.html(f'<h2 class="pd-subtitle">Last runs</h2>{figures.runs_html(view.runs)}')
