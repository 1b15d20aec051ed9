"""Charts of Trends: decisions by hour, day or week of a zone, and a score's quartiles by day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import plotly.graph_objects as go
import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection
from pages.components.charts import STYLES, lay_out
from pages.components.language import N_, named, number, t, tn
from pages.components.overview_controls import draw_zone
from pages.components.url_choice import draw_choice, keep
from workflows import trends
from workflows.store import Store
from workflows.trends import LATENCY, Period, TrendView

_CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "autoScale2d", "toImage"]}
_EVERY = {"hour": N_("Hours"), "day": N_("Days"), "week": N_("Weeks")}
_DASHES = {"ACCEPT": "solid", "REVIEW": "dash", "REJECT": "dot"}
_FAINT = 0.15
_FEWEST_A_DAY = 10


def draw_decisions(store: Store, view: TrendView) -> None:
    """Draw the share of each decision with its 95% interval; a point picked opens its answers."""
    usual = _usual_step(view)
    asked = st.query_params.get("every", usual)
    every = cast("trends.Every", asked if asked in _EVERY else usual)
    zone = st.query_params.get("zone", "UTC")
    with st.container(key="decisions-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<h2 class="pd-subtitle">{t("Decisions over time")}</h2>', width="content")
        st.session_state["every"] = every
        st.segmented_control(
            t("Every"),
            list(_EVERY),
            key="every",
            required=True,
            format_func={name: t(label) for name, label in _EVERY.items()}.__getitem__,
            on_change=keep,
            args=("every", "every", usual),
            label_visibility="collapsed",
        )
        draw_zone(zone)
    system = st.query_params.get("system") or None
    try:
        shown = trends.periods(store, every, zone, profile=view.profile, system=system)
    except StoreError as error:
        st.warning(connection.message(error))
        zone = "UTC"
        shown = trends.periods(store, every, profile=view.profile, system=system)
    known = [period for period in shown if period.n]
    picked = st.plotly_chart(
        _decisions(known, every, zone, st.context.theme.type),
        key="trend-decisions",
        config=_CONFIG,
        on_select="rerun",
        selection_mode=("box", "points"),
        alt=t("Share of each decision over time, with its 95% interval"),
    )
    places = sorted({int(point["customdata"][0]) for point in _points(picked)})
    busiest = max(known, key=lambda period: period.n, default=None)
    volume = ""
    if busiest is not None:
        volume = tn(
            "{n} answer in the busiest of them, {when}; {mean} in the mean.",
            "{n} answers in the busiest of them, {when}; {mean} in the mean.",
            busiest.n,
            when=_label(busiest, every),
            mean=number(round(sum(period.n for period in known) / len(known))),
        )
    if places:
        first, last = known[places[0]].start, known[places[-1]].start
        until = last + timedelta(days=6 if every == "week" else 0)
        _link(f"{first:%Y-%m-%d}", f"{until:%Y-%m-%d}")
    _told(volume if places else f"{volume} {_how_to_pick()}")


def draw_score(view: TrendView) -> None:
    """Draw the quartiles of a score by day; days picked open their answers in the queue."""
    with st.container(key="score-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<h2 class="pd-subtitle">{t("A score by day")}</h2>', width="content")
        draw_choice("score", t("Score"), view.scores, view.score, named, default="risk", has_label=False)
    picked = st.plotly_chart(
        _score_by_day(view, st.context.theme.type),
        key="trend-risk",
        config=_CONFIG,
        on_select="rerun",
        selection_mode=("box", "points"),
        alt=t("Median and quartiles of {score} by day", score=named(view.score)),
    )
    days = sorted({str(point["x"])[:10] for point in _points(picked)})
    if days:
        _link(days[0], days[-1])
    else:
        _told(_how_to_pick())


def _points(picked: Any) -> list[dict[str, Any]]:
    return list(picked["selection"]["points"]) if picked else []


def _link(first: str, last: str) -> None:
    st.page_link(
        "pages/queue.py",
        label=t("Open the answers from {first} to {last}", first=first, last=last),
        query_params={"since": first, "until": last, "decision": "all", "scope": "all"},
    )


def _how_to_pick() -> str:
    return t("Click a point, or drag a box over several, to open their answers.")


def _told(text: str) -> None:
    st.html(f'<p class="pd-quiet pd-small">{text}</p>')


def _usual_step(view: TrendView) -> str:
    """Days, where they have answers enough that a day's share means something; weeks where not."""
    n_days = max(1, len(view.days))
    return "day" if sum(day.n for day in view.days) / n_days >= _FEWEST_A_DAY else "week"


def _label(period: Period, every: str) -> str:
    # An hour with its distance from UTC: clocks that go back show one hour twice.
    return f"{period.start:%Y-%m-%d %H:%M %z}" if every == "hour" else f"{period.start:%Y-%m-%d}"


def _decisions(known: list[Period], every: str, zone: str, theme: str | None) -> Any:
    figure = go.Figure()
    labels = [_label(period, every) for period in known]
    for decision, (colour, _) in STYLES.items():
        shares = [period.shares[decision] for period in known]
        figure.add_scatter(
            x=labels,
            y=[share.value for share in shares],
            name=decision,
            mode="lines+markers",
            line={"color": colour, "dash": _DASHES[decision]},
            marker={"size": 5},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [(share.high or 0) - (share.value or 0) for share in shares],
                "arrayminus": [(share.value or 0) - (share.low or 0) for share in shares],
                "thickness": 1,
                "width": 3,
                "color": f"{colour}80",
            },
            customdata=[[at, period.counts[decision], period.n] for at, period in enumerate(known)],
            hovertemplate=f"<b>{decision}</b> %{{customdata[1]}} / %{{customdata[2]}} (%{{y:.0%}})"
            "<extra></extra>",
        )
    axis = {
        "hour": t("Hour ({zone})", zone=zone),
        "day": t("Day ({zone})", zone=zone),
        "week": t("Week from Monday ({zone})", zone=zone),
    }[every]
    lay_out(figure, theme, x=axis, y=t("Share of the answers"))
    figure.update_layout(hovermode="x unified", dragmode="select")
    if every == "hour":
        figure.update_xaxes(type="category", nticks=12)
    else:
        figure.update_xaxes(type="date", hoverformat="%a %d %b %Y")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def _score_by_day(view: TrendView, theme: str | None) -> Any:
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
            hovertemplate="%{y:.3~g}, n = %{customdata[0]}",
        )
    figure.add_vrect(
        x0=view.window[0].isoformat(),
        x1=view.window[1].isoformat(),
        fillcolor="#c9861a",
        opacity=_FAINT,
        line_width=0,
    )
    if view.changed_on is not None:
        figure.add_vline(x=view.changed_on.isoformat(), line={"color": "#b8436b", "dash": "dash"})
    lay_out(figure, theme, x=t("Day ({zone})", zone="UTC"), y=named(view.score))
    figure.update_layout(hovermode="x unified", dragmode="select")
    figure.update_xaxes(type="date", hoverformat="%a %d %b %Y")
    figure.update_yaxes(range=None if view.score == LATENCY else [0, 1], rangemode="tozero")
    return figure
