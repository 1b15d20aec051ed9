"""Kappa by week, reliability, and error against coverage, as charts. Colour is never alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from pages.components.charts import lay_out
from pages.components.language import t
from workflows.agreement_detail import Week, WeekSeries
from workflows.calibration import CurvePoint, Reliability

_BLUE, _ORANGE = "#3b82c4", "#c9861a"
_CONFIG = {"displayModeBar": False, "displaylogo": False}


def kappa_by_week(series: WeekSeries, theme: str | None) -> Any:
    """Two lines with their intervals; a week without a value is a gap."""
    figure = go.Figure()
    for name, weeks, colour, dash, symbol in (
        (t("reviewers and gate"), series.gate, _BLUE, "solid", "circle"),
        (t("reviewers with each other"), series.reviewers, _ORANGE, "dash", "diamond"),
    ):
        if weeks:
            _line(figure, name, weeks, colour, dash, symbol)
    lay_out(figure, theme, x=t("Week from Monday (UTC)"), y="κ")
    figure.update_xaxes(type="date", hoverformat="%d %b %Y")
    figure.update_yaxes(range=[-0.6, 1.05])
    return figure


def reliability_diagram(found: Reliability, theme: str | None) -> Any:
    """What was said against what was, a point a bin, as large as its answers."""
    bins = [part for part in found.bins if part.n]
    largest = max((part.n for part in bins), default=1)
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name=t("as said"), line={"color": _ORANGE, "dash": "dash"},
        hoverinfo="skip",
    )  # fmt: skip
    figure.add_scatter(
        x=[part.said for part in bins],
        y=[part.was for part in bins],
        mode="markers+lines",
        name=t("as people labelled"),
        marker={"size": [8 + 18 * (part.n / largest) ** 0.5 for part in bins], "color": _BLUE},
        line={"color": _BLUE},
        customdata=[[part.n] for part in bins],
        hovertemplate="%{x:.2f} → %{y:.2f}, n = %{customdata[0]}<extra></extra>",
    )
    lay_out(figure, theme, x=t("P(supported), as said"), y=t("share accepted"))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def risk_against_coverage(curve: Sequence[CurvePoint], alpha: float, theme: str | None) -> Any:
    """The share wrong among passed answers against the share that passes, with the lead's wish as a line."""
    known = [point for point in curve if point.error is not None]
    figure = go.Figure()
    figure.add_scatter(
        x=[point.coverage for point in known],
        y=[point.error for point in known],
        mode="lines+markers",
        name=t("wrong among those that pass"),
        line={"color": _BLUE},
        customdata=[[point.threshold, point.n] for point in known],
        hovertemplate="risk ≤ %{customdata[0]:.3f}: %{y:.1%}, n = %{customdata[1]}<extra></extra>",
    )
    figure.add_hline(y=alpha, line={"color": _ORANGE, "dash": "dash"})
    figure.add_scatter(
        x=[None], y=[None], mode="lines", name=t("at most, by your wish"),
        line={"color": _ORANGE, "dash": "dash"},
    )  # fmt: skip
    lay_out(figure, theme, x=t("share of all answers that passes unread"), y=t("share wrong"))
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(rangemode="tozero", tickformat=".0%")
    return figure


def _line(figure: Any, name: str, weeks: Sequence[Week], colour: str, dash: str, symbol: str) -> None:
    values = [week.kappa.value for week in weeks]
    figure.add_scatter(
        x=[week.start.isoformat() for week in weeks],
        y=values,
        mode="lines+markers",
        name=name,
        connectgaps=False,
        line={"color": colour, "dash": dash},
        marker={"symbol": symbol, "size": 8},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [_above(week) for week in weeks],
            "arrayminus": [_below(week) for week in weeks],
            "thickness": 1,
        },
        customdata=[[week.kappa.n] for week in weeks],
        hovertemplate="κ %{y:.2f}, n = %{customdata[0]}<extra></extra>",
    )


def _above(week: Week) -> float:
    kappa = week.kappa
    return 0.0 if kappa.high is None or kappa.value is None else kappa.high - kappa.value


def _below(week: Week) -> float:
    kappa = week.kappa
    return 0.0 if kappa.low is None or kappa.value is None else kappa.value - kappa.low
