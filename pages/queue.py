"""The queue: what waits for a person, one item at a time."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection, desk, filters, identity, item, progress, queue_list, verdict
from pages.components.frame import need_frame
from workflows import review

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)
desk.restore()
where = desk.filter_from_url(reviewer.id)

with st.container(key="queue-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html('<h1 class="pd-title">Queue</h1>', width="content")
    filters.draw(store, where)

stored = None
problem = "That is not the id of an item." if desk.is_unreadable() else ""
if not problem:
    try:
        stored = desk.current_item(store, where)
    except StoreError as error:
        problem = connection.message(error)

with st.container(key="desk"):
    left, middle, right = st.columns([2.3, 5.6, 2.2], gap="medium")
    with left, st.container(key="desk-list"):
        queue_list.draw(store, where, review.place_of(stored) if stored else None)
    done = review.progress(store, where, reviewer.id)
    with middle, st.container(key="desk-item"):
        if problem:
            st.warning(problem)
            st.button("Open the first item that waits", key="open-first", on_click=desk.clear_filters)
        elif stored is None:
            progress.draw_end(done)
        else:
            item.draw(stored)
    with right, st.container(key="desk-verdict"):
        identity.show(reviewer)
        progress.draw(done)
        if stored is not None:
            verdict.draw(store, stored, reviewer)
            verdict.draw_steps(stored)
desk.keep()
desk.show_messages()
