"""Everything that was ever said of an item: who, when, what changed."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import first_words, html_text, words
from workflows import labels
from workflows.labels import LabelEvent
from workflows.store import Store

_KINDS = {"first": "labelled", "change": "changed", "undo": "went back", "withdrawn": "withdrew"}


def draw(store: Store, result_id: int) -> None:
    """Draw the history, folded."""
    events = labels.history(store, result_id)
    if not events:
        return
    with st.expander(f"History · {len(events)}"):
        st.html("".join(_row(event) for event in events))


def _row(event: LabelEvent) -> str:
    label = event.label
    after = " · after the reveal" if label.after_reveal else ""
    changes = "".join(
        f'<li dir="auto">{html_text(words(change.field))}: '
        f"{_value(change.before)} → {_value(change.after)}</li>"
        for change in event.changes
    )
    return (
        f'<div class="pd-label"><b dir="auto">{html_text(label.reviewer)}</b> {_KINDS[event.kind]} '
        f'<span class="pd-quiet">{label.created_at:%Y-%m-%d %H:%M} UTC · saw {html_text(label.seen)}{after}'
        "</span>"
        f'<ul class="pd-findings pd-plain">{changes}</ul></div>'
    )


def _value(value: str | None) -> str:
    return html_text(first_words(value, 200)) if value else "nothing"
