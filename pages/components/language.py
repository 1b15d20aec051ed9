"""The language of the screen: chosen there, remembered by the browser, whose own comes first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import streamlit as st

from pages.components.escape import words
from workflows import catalogue

T = TypeVar("T", bound=Hashable)

PARAMETER = "lang"
_KEY = "language"
_COOKIE = "proofdesk_language"
_WRITE = "language-write"

_SCRIPT = """
export default function(component) {
  const { data } = component;
  document.documentElement.lang = data.language;
  if (data.keep) document.cookie =
    `proofdesk_language=${data.language}; path=/; max-age=31536000; SameSite=Lax`;
}
"""


def recall() -> None:
    """Take the language from a link, else from this browser's last choice, else from its own."""
    asked = st.query_params.get(PARAMETER)
    if asked in catalogue.LANGUAGES:
        st.session_state[_KEY] = asked
    elif _KEY not in st.session_state:
        chosen = st.context.cookies.get(_COOKIE)
        known = chosen if chosen in catalogue.LANGUAGES else catalogue.language_of(st.context.locale)
        st.session_state[_KEY] = known


def draw() -> None:
    """Draw the choice; each language by its own name."""
    st.session_state["language-choice"] = current()
    with st.container(key="language", width="content"):
        st.segmented_control(
            "Language · Язык",
            list(catalogue.LANGUAGES),
            key="language-choice",
            required=True,
            format_func=str.upper,
            label_visibility="collapsed",
            on_change=_choose,
            help=" · ".join(catalogue.LANGUAGES.values()),
        )
        _component()(
            key="language-kept",
            data={"language": current(), "keep": bool(st.session_state.get(_WRITE))},
            height=1,
        )


def current() -> str:
    """The code of the language the screen is drawn in."""
    return str(st.session_state.get(_KEY, catalogue.SOURCE))


def t(text: str, **values: object) -> str:
    """A phrase in the language of the screen, with values in their places."""
    found = catalogue.phrase(current(), text)
    return found.format(**values) if values else found


def tn(one: str, many: str, n: int, **values: object) -> str:
    """A phrase that counts; ``{n}`` is the number as the language writes it."""
    return catalogue.plural(current(), one, many, n).format(n=number(n), **values)


def N_(text: str) -> str:
    """Mark a phrase that is translated where it is drawn."""
    return text


def number(n: int) -> str:
    """A whole number as the language writes it."""
    return catalogue.number(current(), n)


def said(text: str) -> str:
    """A message of the gate or the store in the language of the screen."""
    return catalogue.said(current(), text)


def named(identifier: str) -> str:
    """An identifier in words: ``weak_grounding`` is weak grounding. One of a team's own stays as it is."""
    return said(words(identifier))


def shown_as(options: Iterable[T], label: Callable[[T], str]) -> Callable[[T], str]:
    """A ``format_func`` that keeps to the language in which its options were drawn."""
    drawn = {option: label(option) for option in options}
    return lambda option: drawn[option] if option in drawn else label(option)


def _choose() -> None:
    st.session_state[_KEY] = st.session_state["language-choice"]
    st.session_state[_WRITE] = True
    st.query_params.pop(PARAMETER, None)


def _component() -> Callable[..., object]:
    # Not kept: a registry belongs to a running server, of which a process may have several in turn.
    return st.components.v2.component("proofdesk_language", js=_SCRIPT, isolate_styles=False)
