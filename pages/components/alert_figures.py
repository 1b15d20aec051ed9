"""The states of alert rules, and when they changed."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import html_text
from pages.components.language import t
from workflows import alerts
from workflows.store import Store

_MARKS = {"ALERT": "‼", "WARN": "!", "NO DATA": "–", "OK": "✓"}
_SHOWN = 50


def draw(store: Store) -> None:
    """Draw every rule's state and the last changes; how to begin where no rule was ever checked."""
    st.html(f'<h2 class="pd-subtitle">{t("Alerts")}</h2>')
    rows = alerts.states(store)
    if not rows:
        told = t("No rule has been checked yet: `proofdesk alerts check --rules alerts.yaml`, from cron.")
        st.html(f'<p class="pd-quiet">{html_text(told)}</p>')
        return
    st.html(_table_html(rows, t("Since (UTC)")))
    with st.expander(t("Changes of state")):
        st.html(_table_html(alerts.history(store, _SHOWN), t("When (UTC)")))


def _table_html(rows: tuple[alerts.AlertRow, ...], when: str) -> str:
    head = "".join(f"<th>{name}</th>" for name in (t("State"), t("Rule"), t("Found"), when))
    body = "".join(
        f"<tr><td><b>{_MARKS[row.state]} {row.state}</b></td><td>{html_text(row.rule)}</td>"
        f"<td>{html_text(row.told)}</td><td>{row.created_at:%Y-%m-%d %H:%M}</td></tr>"
        for row in rows
    )
    return f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>'
