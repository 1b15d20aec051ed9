"""The database behind every page, and the plain page that stands in for one that cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import escape
from pages.components.language import said, t
from workflows import store as stores


@st.cache_resource(show_spinner=False)
def _opened(url: str) -> stores.Store:
    return stores.open_store(url)


def store() -> stores.Store:
    """The database that ``PROOFDESK_DB`` names, opened once for all sessions.

    Raises
    ------
    StoreError
        When it cannot be opened as it is.
    """
    return _opened(stores.database_url())


@contextmanager
def told_plainly() -> Iterator[None]:
    """Draw what inside raised as a message with its cure, and end the page there."""
    try:
        yield
    except ProofdeskError as error:
        st.error(message(error))
        st.button(t("Try again"), key="try-again")
        st.stop()


def message(error: ProofdeskError) -> str:
    """An error as Markdown: what, then where, got, expected and cure, a line each."""
    details = (
        (t("Where"), error.where),
        (t("Found"), error.got),
        (t("Expected"), error.expected),
        (t("What to do"), said(error.cure) if error.cure else None),
    )
    lines = [f"**{escape.markdown(_sentence(said(error.what)))}**"]
    lines += [f"{name}: {escape.markdown(value)}" for name, value in details if value]
    return "  \n".join(lines)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
