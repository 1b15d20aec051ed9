"""What the page Trends asks, and its table of what has moved."""

from __future__ import annotations

from datetime import date

import streamlit as st

from evalcore.errors import InputError
from pages.components import connection, help_lines
from pages.components.escape import html_text, one_line
from pages.components.language import N_, named, number, t
from pages.components.url_choice import draw_choice
from workflows import trends
from workflows.store import Store
from workflows.trends import DriftRow, TrendView

_SIGNS = {"moved": N_("moved"), "none": N_("no sign of a move"), "few": N_("not enough rows")}
_EVENTS = {
    "prompt_version": N_("prompt version {name}"),
    "model": N_("model {name}"),
    "system": N_("system {name}"),
    "fingerprint_id": N_("the gate itself changed, fingerprint {name}: no drift of the answers"),
}


def read(store: Store) -> TrendView | None:
    """The trends that the URL and the days on the screen ask for; without the days where they cannot be."""
    profile = st.query_params.get("profile")
    system = st.query_params.get("system")
    score = st.query_params.get("score", "risk")
    score = score if score in trends.SCORES else "risk"
    window = _days("trend-window")
    reference = _days("trend-reference")
    try:
        return trends.trends(
            store, profile=profile, system=system, score=score, window=window, reference=reference
        )
    except InputError as error:
        st.warning(connection.message(error))
        return trends.trends(store, profile=profile, system=system, score=score)


def draw_controls(view: TrendView) -> None:
    """Draw the choice of profile, system, window and reference."""
    with st.container(key="trend-controls", horizontal=True, gap="small", vertical_alignment="bottom"):
        if len(view.profiles) > 1:
            draw_choice("profile", t("Profile"), view.profiles, view.profile or view.profiles[0], one_line)
        if view.systems:
            chosen = st.query_params.get("system", "")
            draw_choice("system", t("System"), ("", *view.systems), chosen, _named_system)
        st.session_state.setdefault("trend-window", view.window)
        st.date_input(t("Window (UTC)"), key="trend-window", width=230)
        if view.reference[0] <= view.reference[1]:
            st.session_state.setdefault("trend-reference", view.reference)
            st.date_input(t("Reference (UTC)"), key="trend-reference", width=230)


def draw_drift(view: TrendView) -> None:
    """Draw what has moved between the reference and the window, and where the share of ACCEPT changed."""
    st.html(f'<h2 class="pd-subtitle">{t("Has something moved?")}</h2>')
    told = t(
        "{n_window} answers from {first} to {last} against {n_reference} from {before} to {until}.",
        n_window=number(view.n_window),
        first=str(view.window[0]),
        last=str(view.window[1]),
        n_reference=number(view.n_reference),
        before=str(view.reference[0]),
        until=str(view.reference[1]),
    )
    head = "".join(
        f"<th>{name}</th>" for name in ("", t("Change"), t("95% interval"), "p", "KS", "PSI", "JS", "")
    )
    rows = "".join(_row(row) for row in view.rows)
    st.html(
        f"<p>{told if view.n_reference else t('There are no days before the window to compare it with.')}</p>"
        f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{rows}</table></div>'
        + help_lines.listed_html(
            {
                "p": t("corrected for looking at all rows at once (Holm); under 0.05 it has moved"),
                "KS": t("largest distance of the two distribution functions, 0 to 1"),
                "PSI": t("population stability index; over 0.25 is usually called large, by custom"),
                "JS": t("Jensen-Shannon divergence, in bits, 0 to 1"),
            }
        )
    )
    if view.changed_on is not None and view.before is not None and view.after is not None:
        st.html(f"<p>{_change(view)}</p>")


def _change(view: TrendView) -> str:
    told = t(
        "The share of ACCEPT changed on {day}: {before} before, {after} since.",
        day=str(view.changed_on),
        before=f"{view.before:.0%}",
        after=f"{view.after:.0%}",
    )
    if view.nearest is None:
        return f"{told} {t('No run began with anything new near that day.')}"
    what = t(_EVENTS[view.nearest.what], name=one_line(view.nearest.name))
    near = t("Nearest in time, {day}: {what}.", day=f"{view.nearest.at:%Y-%m-%d}", what=what)
    return f"{told} {html_text(near)}"


def _row(row: DriftRow) -> str:
    change = interval = ""
    if row.change is not None and row.change.value is not None:
        change = f"{row.change.value:+.1%}"
        if row.change.low is not None and row.change.high is not None:
            interval = f"{row.change.low:+.1%} … {row.change.high:+.1%}"
    elif row.shift is not None and row.shift.mean_change is not None:
        change = f"{row.shift.mean_change:+.3f}"
    measures = [row.shift.ks, row.shift.psi, row.shift.js] if row.shift is not None else [None] * 3
    numbers = "".join(f"<td>{'' if value is None else f'{value:.3f}'}</td>" for value in measures)
    p = "" if row.p is None else "&lt; 0.001" if row.p < 0.001 else f"{row.p:.3f}"
    sign = t(_SIGNS[row.sign])
    name = row.name if row.shift is None else named(row.name)
    return (
        f"<tr><th>{html_text(name)}</th><td>{change}</td><td>{interval}</td><td>{p}</td>{numbers}"
        f"<td>{f'<b>{sign}</b>' if row.sign == 'moved' else sign}</td></tr>"
    )


def _days(name: str) -> tuple[date, date] | None:
    """Both ends of a range on the screen; None while only one is chosen."""
    kept = st.session_state.get(name)
    return (kept[0], kept[1]) if isinstance(kept, tuple) and len(kept) == 2 else None


def _named_system(name: str) -> str:
    return one_line(name) if name else t("Any system")
