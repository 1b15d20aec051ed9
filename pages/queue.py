"""The queue: what waits for a person, one item at a time."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import StoreError
from pages.components import (
    connection,
    desk,
    filters,
    history,
    identity,
    item,
    keys,
    progress,
    queue_list,
    queue_settings,
    verdict,
)
from pages.components.frame import need_frame
from pages.components.language import t
from workflows import claims, review

need_frame(__file__)
store = connection.store()
reviewer = identity.ask(store)
desk.restore()
where = desk.filter_from_url(reviewer.id)

with st.container(key="queue-head", horizontal=True, vertical_alignment="center", gap="small"):
    st.html(f'<h1 class="pd-title">{t("Queue")}</h1>', width="content")
    filters.draw(store, where)
    queue_settings.draw(store, reviewer)

opened = None
problem = t("That is not the id of an item.") if desk.is_unreadable() else ""
if not problem:
    try:
        opened = desk.current_item(store, where, reviewer)
    except StoreError as error:
        problem = connection.message(error)

with st.container(key="desk"):
    left, middle, right = st.columns([2.3, 5.6, 2.2], gap="medium")
    done = review.progress(store, where, reviewer.id)
    with left, st.container(key="desk-list"):
        progress.draw(done)
        place = review.place_of(opened.stored) if opened else None
        queue_list.draw(store, where, place, blind=claims.queue_settings(store).blind)
    with middle, st.container(key="desk-item"):
        if problem:
            st.warning(problem)
            st.button(t("Open the first item that waits"), key="open-first", on_click=desk.clear_filters)
        elif opened is None:
            progress.draw_end(done)
        else:
            item.draw(store, opened, reviewer)
    with right, st.container(key="desk-verdict"):
        identity.show(reviewer)
        if opened is not None:
            verdict.draw(store, opened, reviewer)
        verdict.draw_steps(store, opened, reviewer)
        if opened is not None and not opened.is_blind:
            history.draw(store, opened.stored.id)
desk.keep()
if opened is None:
    keys.listen()
desk.show_messages()
