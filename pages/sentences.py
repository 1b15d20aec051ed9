"""Doubted sentences of all answers, grouped by what is doubted, labelled straight from the list."""

from __future__ import annotations

import streamlit as st

from pages.components import connection, desk, identity, sentence_list
from pages.components.frame import need_frame
from pages.components.language import t
from workflows import sentences

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)
where = sentence_list.filter_from_url(reviewer.id)

with st.container(key="sentences-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Sentences")}</h1>', width="content")
    sentence_list.draw_filters(sentences.groups(store), where)
    identity.show(reviewer)
sentence_list.draw(store, where, reviewer)
desk.show_messages()
