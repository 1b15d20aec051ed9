"""What app.py puts around every page, and the way back to it for a page that was started without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from pages.components import connection, identity, language, style

_framed: ContextVar[bool] = ContextVar("framed", default=False)


@contextmanager
def framed() -> Iterator[None]:
    """Style sheet, reviewer and plain messages around what is drawn inside."""
    token = _framed.set(True)
    try:
        style.apply()
        language.draw()
        with connection.told_plainly():
            identity.recall(connection.store())
            yield
    finally:
        _framed.reset(token)


def need_frame(page: str) -> None:
    """Begin anew through app.py if it is not what runs this page.

    Until st.navigation has been called once in a process, Streamlit takes a folder named pages for its older
    kind of app and answers a direct link to a page by running that file alone.
    """
    if not _framed.get():
        # Some other page has to be the default: a default page has no path of its own to be found under.
        st.navigation([st.Page(_nothing, default=True), st.Page(page)], position="hidden")
        st.rerun()


def _nothing() -> None:
    """Never drawn."""
