"""Decisions by day as a stacked chart. Colour is never alone: each decision has a pattern and a legend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import plotly.graph_objects as go

from pages.components.language import t
from workflows.overview import DayCount

Measure: TypeAlias = Literal["share", "count"]

# Far apart in lightness and in hue for every common kind of colour blindness, on white and on black.
STYLES: dict[str, tuple[str, str]] = {
    "ACCEPT": ("#3b82c4", ""),
    "REVIEW": ("#e3a32b", "/"),
    "REJECT": ("#b8436b", "x"),
}


# At least 7:1 on the page's light and dark background; the charts' own grey is under 4.5:1.
INK = {"light": "#4a525b", "dark": "#b4bcc4"}


def decisions_by_day(
    days: Sequence[DayCount], measure: Measure, zone: str, *, theme: str | None = None
) -> Any:
    """A plotly figure: for each day with answers one bar, its decisions stacked.

    Parameters
    ----------
    days : sequence of DayCount
        Days without answers leave a gap.
    measure : str
        ``share`` of the day's answers, or ``count``.
    zone : str
        Named on the axis.
    theme : str, optional
        ``light`` or ``dark``, for the colour of the text; light if not known.
    """
    totals: Counter[str] = Counter()
    for row in days:
        totals[row.day.isoformat()] += row.n
    figure = go.Figure()
    for decision, (colour, pattern) in STYLES.items():
        rows = [row for row in days if row.decision == decision and totals[row.day.isoformat()]]
        stamps = [row.day.isoformat() for row in rows]
        shares = [row.n / totals[stamp] for row, stamp in zip(rows, stamps, strict=True)]
        figure.add_bar(
            name=decision,
            x=stamps,
            y=shares if measure == "share" else [row.n for row in rows],
            customdata=[
                [row.n, totals[stamp], share] for row, stamp, share in zip(rows, stamps, shares, strict=True)
            ],
            hovertemplate=f"<b>{decision}</b> %{{customdata[0]}} / %{{customdata[1]}} "
            "(%{customdata[2]:.0%})<extra></extra>",
            marker={
                "color": colour,
                "line": {"width": 0},
                "pattern": {
                    "shape": pattern,
                    "size": 6,
                    "solidity": 0.2,
                    "bgcolor": colour,
                    "fgcolor": "rgba(0, 0, 0, 0.5)",
                },
            },
        )
    lay_out(
        figure,
        theme,
        x=t("Day ({zone})", zone=zone),
        y=t("Share of the day's answers") if measure == "share" else t("Answers"),
    )
    figure.update_layout(barmode="stack", bargap=0.15, hovermode="x unified", legend={"traceorder": "normal"})
    figure.update_xaxes(hoverformat="%a %d %b %Y", type="date")
    figure.update_yaxes(
        tickformat=".0%" if measure == "share" else ",d",
        rangemode="tozero",
        range=[0, 1] if measure == "share" else None,
    )
    return figure


def lay_out(figure: Any, theme: str | None, *, x: str, y: str) -> None:
    """Size, margins, legend and the names of the axes, as every chart of the console has them."""
    text = {"color": INK["dark" if theme == "dark" else "light"]}
    figure.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": text},
    )
    figure.update_xaxes(title={"text": x, "font": text}, tickfont=text)
    figure.update_yaxes(title={"text": y, "font": text}, tickfont=text)
