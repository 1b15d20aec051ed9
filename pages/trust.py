"""Trust: do people agree, with each other and with the gate, and how much may pass unread."""

from __future__ import annotations

import streamlit as st

from pages.components import connection, trust_figures
from pages.components.frame import need_frame

need_frame(__file__)
store = connection.store()

st.html('<h1 class="pd-title">Trust</h1>')
left, right = st.columns([1, 1], gap="large")
with left:
    trust_figures.draw_guarantee(store)
with right:
    trust_figures.draw_agreement(store)
