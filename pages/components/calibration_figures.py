"""Reliability, risk against coverage, what thresholds cost, and what the next labels would buy."""

from __future__ import annotations

import streamlit as st

from pages.components import guarantee_figures, help_lines, trust_charts
from pages.components.language import N_, number, t, tn
from workflows import calibration
from workflows.calibration import CalibrationView, Costs, Purchase, ReadingBand, ThresholdCost
from workflows.store import Store

_CONFIG = {"displayModeBar": False, "displaylogo": False}
_DEFAULTS = {"wrong-accept": 20.0, "reading": 1.0, "wrong-reject": 5.0, "per-day": 1000.0}
_MORE = 100
_WAYS = {
    "uniform": N_("uniform audit"),
    "stratified": N_("stratified by risk"),
    "informative": N_("most informative for the threshold"),
}


def view(store: Store) -> CalibrationView:
    """Everything, under the costs the lead has typed."""
    kept = {name: float(st.session_state.get(f"cost-{name}", value)) for name, value in _DEFAULTS.items()}
    costs = Costs(
        wrong_accept=kept["wrong-accept"],
        reading=kept["reading"],
        wrong_reject=kept["wrong-reject"],
        answers_per_day=kept["per-day"],
    )
    return calibration.calibration(store, costs, more_labels=_MORE)


def draw_charts(found: CalibrationView) -> None:
    """Draw the reliability diagram and error against coverage, or how many labels they need."""
    if found.n < calibration.FEWEST:
        more = calibration.FEWEST - found.n
        told = tn(
            "{n} more audited answer and there is something to draw.",
            "{n} more audited answers and there is something to draw.",
            more,
        )
        st.html(f'<div class="pd-end"><h2>{t("Not enough audited answers")}</h2><p>{told}</p></div>')
        return
    theme = st.context.theme.type
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.html(f'<h2 class="pd-subtitle">{t("Is the risk a probability?")}</h2>')
        st.plotly_chart(
            trust_charts.reliability_diagram(found.reliability, theme), key="reliability", config=_CONFIG,
            alt=t("Reliability diagram"),
        )  # fmt: skip
        known = found.reliability
        st.html(
            f'<p class="pd-quiet pd-small">{tn("{n} audited answer", "{n} audited answers", found.n)} · ECE '
            f"{known.ece or 0:.3f} · Brier {known.brier or 0:.3f}. "
            f"{t('ECE: mean distance of said and labelled over ten bins; Brier: mean squared error.')}</p>"
        )
    with right:
        st.html(f'<h2 class="pd-subtitle">{t("What passes, and how much of it is wrong")}</h2>')
        st.plotly_chart(
            trust_charts.risk_against_coverage(found.curve, guarantee_figures.wish()[0], theme),
            key="risk-coverage",
            config=_CONFIG,
            alt=t("Share wrong against share that passes"),
        )
        told = t(
            "A point for each threshold: wrong among the audited under it. An estimate, not the guarantee."
        )
        st.html(f'<p class="pd-quiet pd-small">{told}</p>')


def draw_costs(found: CalibrationView) -> None:
    """Draw the costs a lead types, and a day under each threshold."""
    st.html(f'<h2 class="pd-subtitle">{t("What a threshold costs a day")}</h2>')
    with st.container(horizontal=True, gap="small", key="costs"):
        for name, label in (
            ("wrong-accept", t("A wrong answer served")),
            ("reading", t("Reading one answer")),
            ("wrong-reject", t("A right answer withheld")),
            ("per-day", t("Answers a day")),
        ):
            st.number_input(label, 0.0, 1e9, _DEFAULTS[name], key=f"cost-{name}")
    if found.cheapest is None:
        st.html(f'<p class="pd-quiet">{t("Costs show once there are labels of the audit.")}</p>')
        return
    if found.band is not None:
        st.html(f"<p>{_band_html(found.band)}</p>")
    heads = (
        t("Risk up to"),
        t("passes unread"),
        t("labels under it"),
        t("wrong accepts"),
        t("readings"),
        t("cost"),
    )
    head = "".join(f'<th class="pd-number">{name}</th>' for name in heads)
    rows = "".join(_cost_row(row, row == found.cheapest) for row in found.costs)
    st.html(
        f'<div class="pd-scroll"><table class="pd-table"><tr>{head}<th></th></tr>{rows}</table></div>'
        + help_lines.listed_html(
            {
                t("wrong accepts"): t(
                    "answers a day times the share that passes times the share wrong among those"
                ),
                t("readings"): t("answers a day that do not pass"),
                t("cost"): t("wrong accepts and readings, each times what you typed"),
                t("Reading pays"): t(
                    "the chance of being wrong times the harm of serving it exceeds the cost of reading, "
                    "and so does the "
                    "chance of being right times the harm of withholding it; the chance is an isotonic map "
                    "of the labels"
                ),
            }
        )
    )


def draw_purchases(found: CalibrationView) -> None:
    """Draw what the next labels would buy, by the way they are drawn."""
    title = t("What {n} more labels would buy", n=number(_MORE))
    st.html(f'<h2 class="pd-subtitle">{title}</h2>')
    heads = (
        t("drawn how"),
        t("share wrong of all"),
        t("share wrong of what passes"),
        t("labels by fifth of risk"),
    )
    head = "".join(f"<th>{name}</th>" for name in heads)
    rows = "".join(_purchase(row) for row in found.purchases)
    told = t(
        "Half widths of 95% intervals, for the threshold {value}. Only the uniform audit can earn a "
        "guarantee.",
        value=f"{found.planned_for:.3f}",
    )
    st.html(
        f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{rows}</table></div>'
        f'<p class="pd-quiet pd-small">{told}</p>'
    )


def _band_html(band: ReadingBand) -> str:
    share = f"{band.share:.0%}"
    low = "" if band.low is None else f"<b>{band.low:.3f}</b>"
    high = "" if band.high is None else f"<b>{band.high:.3f}</b>"
    if low and high:
        return t(
            "Reading pays for risks between {low} and {high}: {share} of answers.",
            low=low,
            high=high,
            share=share,
        )
    if low:
        return t("Reading pays for risks above {low}: {share} of answers.", low=low, share=share)
    if high:
        return t("Reading pays for risks below {high}: {share} of answers.", high=high, share=share)
    return t("Reading pays for every answer.")


def _cost_row(row: ThresholdCost, cheapest: bool) -> str:
    mark = f'<b class="pd-chip">{t("cheapest")}</b>' if cheapest else ""
    wrong = "–" if row.wrong_accepts is None else f"{row.wrong_accepts:.1f}"
    total = "–" if row.total is None else number(round(row.total))
    return (
        f'<tr><td class="pd-number">{row.threshold:.4f}</td><td class="pd-number">{row.coverage:.0%}</td>'
        f'<td class="pd-number">{number(row.n)}</td><td class="pd-number">{wrong}</td>'
        f'<td class="pd-number">{number(round(row.readings))}</td><td class="pd-number">{total}</td>'
        f"<td>{mark}</td></tr>"
    )


def _purchase(row: Purchase) -> str:
    plan = " · ".join(f"{value:.0f}" for value in row.plan)
    return (
        f"<tr><td>{t(_WAYS[row.way])}</td><td>±{row.all_answers:.1%}</td><td>±{row.passing:.1%}</td>"
        f"<td>{plan}</td></tr>"
    )
