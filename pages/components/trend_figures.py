"""What the page Trends draws: whose results, the risk by day, and what has moved."""

from __future__ import annotations

from datetime import date
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from evalcore.errors import InputError
from pages.components import connection, help_lines
from pages.components.charts import INK
from pages.components.escape import html_text, one_line
from pages.components.language import N_, named, number, shown_as, t
from workflows import trends
from workflows.store import Store
from workflows.trends import DriftRow, TrendView

_ANY = ""
_CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "autoScale2d", "toImage"]}
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
    window = _days("trend-window")
    reference = _days("trend-reference")
    try:
        return trends.trends(store, profile=profile, system=system, window=window, reference=reference)
    except InputError as error:
        st.warning(connection.message(error))
        return trends.trends(store, profile=profile, system=system)


def draw_controls(view: TrendView) -> None:
    """Draw the choice of profile, system, window and reference."""
    with st.container(key="trend-controls", horizontal=True, gap="small", vertical_alignment="bottom"):
        if len(view.profiles) > 1:
            _choice("profile", t("Profile"), list(view.profiles), view.profile or view.profiles[0])
        if view.systems:
            _choice("system", t("System"), [_ANY, *view.systems], st.query_params.get("system", _ANY))
        st.session_state.setdefault("trend-window", view.window)
        st.date_input(t("Window (UTC)"), key="trend-window", width=230)
        if view.reference[0] <= view.reference[1]:
            st.session_state.setdefault("trend-reference", view.reference)
            st.date_input(t("Reference (UTC)"), key="trend-reference", width=230)


def draw_risk(view: TrendView) -> None:
    """Draw the quartiles of risk by day; days picked on the chart open their answers in the queue."""
    st.html(f'<h2 class="pd-subtitle">{t("Risk by day")}</h2>')
    picked = st.plotly_chart(
        _risk_by_day(view, st.context.theme.type),
        key="trend-risk",
        config=_CONFIG,
        on_select="rerun",
        selection_mode=("box", "points"),
        alt=t("Median and quartiles of the risk by day"),
    )
    days = sorted({str(point["x"])[:10] for point in picked["selection"]["points"]}) if picked else []
    if days:
        st.page_link(
            "pages/queue.py",
            label=t("Open the answers from {first} to {last}", first=days[0], last=days[-1]),
            query_params={"since": days[0], "until": days[-1], "decision": "all", "scope": "all"},
        )
    else:
        told = t("Click a day, or drag a box over several, to open their answers.")
        st.html(f'<p class="pd-quiet pd-small">{told}</p>')


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
                "p": t("corrected for looking at four things at once (Holm); under 0.05 it has moved"),
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
    name = named(row.name) if row.name == "risk" else row.name
    return (
        f"<tr><th>{html_text(name)}</th><td>{change}</td><td>{interval}</td><td>{p}</td>{numbers}"
        f"<td>{f'<b>{sign}</b>' if row.sign == 'moved' else sign}</td></tr>"
    )


def _risk_by_day(view: TrendView, theme: str | None) -> Any:
    figure = go.Figure()
    days = [day.day.isoformat() for day in view.days]
    for name, values, dash in (
        (t("upper quartile"), [day.high for day in view.days], "dot"),
        (t("median"), [day.median for day in view.days], "solid"),
        (t("lower quartile"), [day.low for day in view.days], "dot"),
    ):
        figure.add_scatter(
            x=days,
            y=values,
            name=name,
            mode="lines+markers" if dash == "solid" else "lines",
            line={"color": "#3b82c4", "dash": dash},
            customdata=[[day.n] for day in view.days],
            hovertemplate="%{y:.2f}, n = %{customdata[0]}",
        )
    figure.add_vrect(
        x0=view.window[0].isoformat(), x1=view.window[1].isoformat(), fillcolor="#c9861a", opacity=0.12,
        line_width=0,
    )  # fmt: skip
    if view.changed_on is not None:
        figure.add_vline(x=view.changed_on.isoformat(), line={"color": "#b8436b", "dash": "dash"})
    text = {"color": INK["dark" if theme == "dark" else "light"]}
    figure.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        hovermode="x unified",
        dragmode="select",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": text},
    )
    figure.update_xaxes(
        title={"text": t("Day ({zone})", zone="UTC"), "font": text},
        tickfont=text,
        type="date",
        hoverformat="%a %d %b %Y",
    )
    figure.update_yaxes(title={"text": named("risk"), "font": text}, tickfont=text, range=[0, 1])
    return figure


def _choice(name: str, label: str, listed: list[str], chosen: str) -> None:
    options = listed if chosen in listed else [*listed, chosen]
    st.session_state[f"trend-{name}"] = chosen
    st.selectbox(
        label,
        options,
        key=f"trend-{name}",
        format_func=shown_as(options, lambda value: one_line(str(value)) if value else t("Any system")),
        on_change=_keep,
        args=(name,),
        width=220,
    )


def _keep(name: str) -> None:
    value = st.session_state[f"trend-{name}"]
    if value:
        st.query_params[name] = str(value)
    else:
        st.query_params.pop(name, None)


def _days(name: str) -> tuple[date, date] | None:
    """Both ends of a range on the screen; None while only one is chosen."""
    kept = st.session_state.get(name)
    return (kept[0], kept[1]) if isinstance(kept, tuple) and len(kept) == 2 else None
