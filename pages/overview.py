"""The overview: how many answers, what the gate decided day by day, and the last runs."""

from __future__ import annotations

import streamlit as st

from pages.components import charts, connection, figures, help_lines, overview_controls, progress
from pages.components.frame import need_frame
from pages.components.language import t

need_frame(__file__)
store = connection.store()
view, note = overview_controls.read(store)

with st.container(key="overview-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Overview")}</h1>', width="content")
    if view.runs:
        overview_controls.draw_profile(view)
if note:
    st.warning(note)
if not view.runs:
    st.html(progress.empty_html())
    st.stop()

st.html(figures.tiles_html(view) + help_lines.overview_html())
with st.container(key="chart-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h2 class="pd-subtitle">{t("Decisions by day")}</h2>', width="content")
    measure = overview_controls.draw_measure()
    st.html(f'<span class="pd-quiet pd-small">{t("days in")}</span>', width="content")
    overview_controls.draw_zone(view.zone)
if view.n_results:
    figure = charts.decisions_by_day(view.by_day, measure, view.zone, theme=st.context.theme.type)
    st.plotly_chart(
        figure,
        key="by-day",
        config={"displayModeBar": False, "displaylogo": False},
        alt=t("Answers by day in {zone}, by decision", zone=view.zone),
    )
else:
    st.html(f'<p class="pd-quiet">{t("No run has stored an answer yet.")}</p>')
st.html(f'<h2 class="pd-subtitle">{t("Last runs")}</h2>{figures.runs_html(view.runs)}')
