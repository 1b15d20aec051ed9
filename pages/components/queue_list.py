"""The list beside the open item: a page of the queue, read by cursor."""

from __future__ import annotations

import streamlit as st

from pages.components import desk, escape
from pages.components.language import named, t
from workflows import review
from workflows.review import Cursor, QueueFilter, QueueItem, QueuePage
from workflows.store import Store

PAGE_SIZE = 12

_PAGES = "list-pages"
_SEEN = "list-seen"


def draw(store: Store, where: QueueFilter, opened: Cursor | None, *, blind: bool) -> None:
    """Draw the page the reviewer is on; it turns by itself when the open item moves past its end.

    Where the queue is ``blind`` the gate's failure type and risk show for items one has labelled only.
    """
    page = _current_page(store, where, opened)
    starts = _starts(where)
    if not page.items:
        st.html(f'<p class="pd-quiet">{t("Nothing in this list.")}</p>')
    else:
        told = t("id, yours: ✓") if blind else t("id · failure type · risk, 0 to 1")
        st.html(f'<p class="pd-quiet pd-small pd-list-head">{told}</p>')
    with st.container(key="queue-rows", gap=None):
        for item in page.items:
            is_open = opened is not None and item.id == opened.id
            st.button(
                _label(item, blind),
                key=f"row-{item.id}{'-open' if is_open else ''}",
                type="tertiary",
                width="stretch",
                on_click=desk.open_item,
                args=(item.id,),
            )
    if starts or page.next_cursor is not None:
        with st.container(key="list-pager", horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                t("Previous"), key="list-previous", disabled=not starts, on_click=_turn_back, args=(where,)
            )
            st.html(f'<span class="pd-quiet">{t("page {n}", n=len(starts) + 1)}</span>', width="content")
            st.button(
                t("Next"),
                key="list-next",
                disabled=page.next_cursor is None,
                on_click=_turn,
                args=(where, page.next_cursor),
            )


def _current_page(store: Store, where: QueueFilter, opened: Cursor | None) -> QueuePage:
    page = _read(store, where)
    if not page.items and _starts(where):
        _turn_back(where)
        page = _read(store, where)
    moved = st.session_state.get(_SEEN) != opened
    st.session_state[_SEEN] = opened
    if opened is None or not moved or not page.items or any(item.id == opened.id for item in page.items):
        return page
    key, first, last = (where.sort_key(c) for c in (opened, page.items[0].cursor, page.items[-1].cursor))
    if key > last and page.next_cursor is not None:
        _turn(where, page.next_cursor)
        following = _read(store, where)
        if any(item.id == opened.id for item in following.items):
            return following
        _turn_back(where)
    elif key < first and _starts(where):
        _starts(where).clear()
        return _read(store, where)
    return page


def _read(store: Store, where: QueueFilter) -> QueuePage:
    starts = _starts(where)
    return review.queue_page(store, where, after=starts[-1] if starts else None, limit=PAGE_SIZE)


def _starts(where: QueueFilter) -> list[Cursor]:
    """Where the pages turned so far began; another filter begins anew."""
    kept = st.session_state.get(_PAGES)
    if kept is None or kept[0] != where:
        kept = (where, [])
        st.session_state[_PAGES] = kept
    starts: list[Cursor] = kept[1]
    return starts


def _turn(where: QueueFilter, after: Cursor) -> None:
    _starts(where).append(after)


def _turn_back(where: QueueFilter) -> None:
    starts = _starts(where)
    if starts:
        starts.pop()


def _label(item: QueueItem, blind: bool) -> str:
    """Two lines of Markdown; the style sheet keeps the line break."""
    name = escape.markdown(escape.first_words(item.external_id, 24))
    kind = escape.markdown(named(item.failure_type))
    question = escape.markdown(escape.first_words(item.query, 64) or t("(empty question)"))
    done = f" · ✓ {named(item.mine.verdict)}" if item.mine is not None else ""
    told = f"{kind} · {item.risk:.2f}" if item.mine is not None or not blind else ""
    return f"**{name}** :gray[{told}{done}]\n{question}" if told or done else f"**{name}**\n{question}"
