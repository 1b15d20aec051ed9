"""A choice that the URL holds, so that a link shows what its sender saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.components.language import shown_as


def draw_choice(
    name: str,
    label: str,
    listed: Sequence[str],
    chosen: str,
    shown: Callable[[str], str],
    *,
    default: str = "",
    free: bool = False,
    has_label: bool = True,
) -> None:
    """Draw a selectbox for the URL's parameter ``name``.

    What is chosen is an option even where it is not listed. ``default`` stays out of the URL; ``free`` lets
    people type another value.
    """
    options = [*listed] if chosen in listed else [*listed, chosen]
    st.session_state[name] = chosen
    st.selectbox(
        label,
        options,
        key=name,
        format_func=(lambda value: shown(str(value))) if free else shown_as(options, shown),
        accept_new_options=free,
        on_change=keep,
        args=(name, name, default),
        label_visibility="visible" if has_label else "collapsed",
        width=220,
    )


def keep(name: str, key: str, default: str = "") -> None:
    """Put a widget's value into the URL, or take it out where it is the default."""
    value = st.session_state[key]
    if value is None or value == default:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = str(value)
