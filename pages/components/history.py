"""Everything that was ever said of an item: who, when, what changed."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import first_words, html_text
from pages.components.language import N_, named, t
from workflows import labels
from workflows.labels import LabelEvent
from workflows.store import Store

_KINDS = {
    "first": N_("labelled"),
    "change": N_("changed"),
    "undo": N_("went back"),
    "withdrawn": N_("withdrew"),
}


def draw(store: Store, result_id: int) -> None:
    """Draw the history, folded."""
    events = labels.history(store, result_id)
    if not events:
        return
    with st.expander(f"{t('History')} · {len(events)}"):
        st.html("".join(_row(event) for event in events))


def _row(event: LabelEvent) -> str:
    label = event.label
    after = f" · {t('after the reveal')}" if label.after_reveal else ""
    seen = t("saw {what}", what=html_text(named(label.seen)))
    changes = "".join(
        f'<li dir="auto">{html_text(named(change.field))}: '
        f"{_value(change.field, change.before)} → {_value(change.field, change.after)}</li>"
        for change in event.changes
    )
    return (
        f'<div class="pd-label"><b dir="auto">{html_text(label.reviewer)}</b> {t(_KINDS[event.kind])} '
        f'<span class="pd-quiet">{label.created_at:%Y-%m-%d %H:%M} UTC · {seen}{after}</span>'
        f'<ul class="pd-findings pd-plain">{changes}</ul></div>'
    )


def _value(field: str, value: str | None) -> str:
    if not value:
        return t("nothing")
    return html_text(named(value) if field in ("verdict", "failure_type") else first_words(value, 200))
