"""Raters against raters: the matrix, one pair looked into, weeks, and groups."""

from __future__ import annotations

import streamlit as st

from pages.components import help_lines, trust_charts
from pages.components.escape import first_words, html_text, one_line
from pages.components.language import named, number, said, shown_as, t, tn
from workflows import agreement, agreement_detail
from workflows.agreement import GATE, GOLD, Agreement, AgreementReport, Estimate, PairAgreement
from workflows.agreement_detail import Group, PairDetail
from workflows.calibration import labels_for_half_width
from workflows.store import Store

_RESAMPLES = 1_000
_PAIR = "agreement-pair"
_CONFIG = {"displayModeBar": False, "displaylogo": False}


def report(store: Store) -> AgreementReport:
    """The agreement of everybody; worked out again only when there is a new label."""
    return _report(store.url, agreement.mark(store), store)


@st.cache_data(show_spinner=False, max_entries=4)
def _report(url: str, mark: tuple[int, int], _store: Store) -> AgreementReport:
    return agreement.agreement_report(_store, repeats=_RESAMPLES)


def draw_empty() -> None:
    """Draw the screen for when nobody has labelled."""
    need = labels_for_half_width(0.1)
    told = t(
        "About {n} labelled answers give an interval of plus or minus ten points; two reviewers on the same "
        "answers "
        "show whether they agree.",
        n=number(need),
    )
    st.html(f'<div class="pd-end"><h2>{t("No answer has a label yet.")}</h2><p>{told}</p></div>')


def draw_matrix(found: AgreementReport) -> None:
    """Draw kappa with its interval for each two raters, and all reviewers together."""
    names = dict.fromkeys(name for pair in found.pairs for name in (pair.first, pair.second))
    # People first; a sort that keeps their order otherwise.
    raters = sorted(names, key=_place)
    cells = {frozenset((pair.first, pair.second)): pair for pair in found.pairs}
    head = "".join(f'<th dir="auto">{_name(name)}</th>' for name in raters[1:])
    rows = ""
    for at, row in enumerate(raters[:-1]):
        body = "".join(
            _cell(cells.get(frozenset((row, column)))) if place > at else "<td></td>"
            for place, column in enumerate(raters[1:], start=1)
        )
        rows += f'<tr><th dir="auto">{_name(row)}</th>{body}</tr>'
    alpha = found.reviewers
    together = _estimate(alpha)
    all_of = tn("{n} answer with two labels", "{n} answers with two labels", alpha.n)
    st.html(
        f'<div class="pd-scroll"><table class="pd-table"><tr><th></th>{head}</tr>{rows}</table></div>'
        f"<p>{t('All reviewers together, Krippendorff’s α:')} <b>{together}</b>, {all_of}.</p>"
        + help_lines.listed_html(
            {
                "κ": t(
                    "agreement beyond what the raters' own shares give by chance, 1 is full; its interval "
                    "is from "
                    "resampled documents"
                ),
                "AC1": t(
                    "the same with another idea of chance; where one category is far ahead κ is low even "
                    "where raters "
                    "agree on most answers, and AC1 is not"
                ),
                "α": t("one number for any number of raters with gaps; nominal"),
                t("the gate"): t("ACCEPT counts as accept, REVIEW and REJECT as reject; unsure is left out"),
                t("gold"): t("what reviewers agree on, or a lead settled"),
            }
        )
    )


def draw_pair(store: Store, found: AgreementReport) -> None:
    """Draw the choice of two raters, their table of counts, and the answers they differ on."""
    st.html(f'<h2 class="pd-subtitle">{t("Two raters")}</h2>')
    pairs = list(range(len(found.pairs)))
    chosen = st.selectbox(
        t("Two raters"),
        pairs,
        key=_PAIR,
        format_func=shown_as(pairs, lambda i: one_line(_both(found.pairs[i]))),
        label_visibility="collapsed",
    )
    pair = found.pairs[chosen]
    detail = agreement_detail.pair_detail(store, pair.first, pair.second)
    if detail is None:
        st.html(f'<p class="pd-quiet">{t("They share no answer that both decided on.")}</p>')
        return
    st.html(_table_html(detail.agreement, _name(detail.first), _name(detail.second)) + _notes(pair))
    st.html(_differing_html(detail))


def draw_weeks(store: Store) -> None:
    """Draw kappa over time."""
    st.html(f'<h2 class="pd-subtitle">{t("By week")}</h2>')
    series = agreement_detail.weekly(store)
    st.plotly_chart(
        trust_charts.kappa_by_week(series, st.context.theme.type), key="kappa-weeks", config=_CONFIG,
        alt=t("Kappa by week, with intervals"),
    )  # fmt: skip
    gaps = t("A week without a value is a gap: too few labels, or one category only.")
    told = t("Intervals are large-sample ones over labels, 95%.")
    st.html(f'<p class="pd-quiet pd-small">{gaps} {told}</p>')


def draw_groups(store: Store) -> None:
    """Draw reviewers against the gate by failure type and by system."""
    kinds, systems = st.columns([1, 1], gap="large")
    with kinds:
        st.html(f'<h2 class="pd-subtitle">{t("By failure type")}</h2>')
        st.html(_groups_html(agreement_detail.by_group(store, "failure_type"), are_types=True))
    with systems:
        st.html(f'<h2 class="pd-subtitle">{t("By system")}</h2>')
        st.html(_groups_html(agreement_detail.by_group(store, "system"), are_types=False))


def _place(rater: str) -> int:
    return (GOLD, GATE).index(rater) + 1 if rater in (GOLD, GATE) else 0


def _cell(pair: PairAgreement | None) -> str:
    if pair is None:
        return '<td class="pd-quiet">–</td>'
    found = pair.agreement
    agree = "–" if found.observed is None else f"{found.observed:.0%}"
    ac1 = "–" if found.ac1.value is None else f"{found.ac1.value:.2f}"
    counted = tn("{n} answer", "{n} answers", found.n)
    return (
        f"<td><b>{_estimate(pair.kappa)}</b><br>"
        f'<span class="pd-quiet pd-small">{counted}, {t("agree")} {agree}, AC1 {ac1}</span></td>'
    )


def _table_html(found: Agreement, first: str, second: str) -> str:
    head = "".join(f'<th class="pd-number">{html_text(named(name))}</th>' for name in found.categories)
    rows = "".join(
        f"<tr><th>{html_text(named(name))}</th>"
        + "".join(f'<td class="pd-number">{number(n)}</td>' for n in row)
        + "</tr>"
        for name, row in zip(found.categories, found.table, strict=True)
    )
    top = f'<tr><th></th><th colspan="{len(found.categories)}" dir="auto">{second}</th></tr>'
    return f'<table class="pd-table pd-counts">{top}<tr><th dir="auto">{first}</th>{head}</tr>{rows}</table>'


def _notes(pair: PairAgreement) -> str:
    found = pair.agreement
    parts = [f"κ {_estimate(pair.kappa)}"]
    if found.word:
        parts.append(t("“{word}” by Landis and Koch, whose bounds are arbitrary", word=said(found.word)))
    if found.prevalence_index is not None:
        parts.append(t("prevalence index {value}", value=f"{found.prevalence_index:.2f}"))
    if found.bias_index is not None:
        parts.append(t("bias index {value}", value=f"{found.bias_index:.2f}"))
    left = sum(found.left_out.values())
    if left:
        parts.append(t("left out: {n}, unsure", n=number(left)))
    return f'<p class="pd-quiet pd-small">{"; ".join(parts)}.</p>'


def _differing_html(detail: PairDetail) -> str:
    if not detail.n_differing:
        return f'<p class="pd-quiet">{t("They differ on nothing.")}</p>'
    rows = "".join(
        f'<tr><td dir="auto"><a href="queue?item={row.result_id}&amp;scope=all&amp;decision=all" '
        f'target="_self">{html_text(first_words(row.external_id, 40))}</a> '
        f'<span class="pd-quiet">{html_text(first_words(row.query, 60))}</span></td>'
        f"<td>{html_text(named(row.first))}</td><td>{html_text(named(row.second))}</td></tr>"
        for row in detail.differing
    )
    more = detail.n_differing - len(detail.differing)
    rest = f'<p class="pd-quiet">{t("… and {n} more.", n=number(more))}</p>' if more else ""
    told = tn("They differ on {n} answer.", "They differ on {n} answers.", detail.n_differing)
    return f'<p>{told}</p><div class="pd-scroll"><table class="pd-table">{rows}</table></div>{rest}'


def _groups_html(groups: tuple[Group, ...], *, are_types: bool) -> str:
    heads = (t("Labels"), t("agree"), t("wrong accepts"), t("false alarms"), "κ")
    head = "".join(f'<th class="pd-number">{name}</th>' for name in heads)
    rows = "".join(
        f'<tr><td dir="auto">{html_text(first_words(named(g.name) if are_types else g.name, 40)) or "–"}</td>'
        f'<td class="pd-number">{number(g.agreement.n)}</td>'
        + "".join(
            f'<td class="pd-number">{_percent(value)}</td>'
            for value in (g.agree, g.wrong_accepts, g.false_alarms)
        )
        + f'<td class="pd-number">{_estimate(g.agreement.kappa)}</td></tr>'
        for g in groups[:30]
    )
    table = f'<div class="pd-scroll"><table class="pd-table"><tr><th></th>{head}</tr>{rows}</table></div>'
    return table + help_lines.listed_html(
        {
            t("wrong accepts"): t(
                "share rejected by people of what the gate accepted, with Wilson's interval"
            ),
            t("false alarms"): t("share accepted by people of what the gate did not, with Wilson's interval"),
        }
    )


def _percent(value: Estimate) -> str:
    if value.value is None:
        return "–"
    interval = "" if value.low is None else f" [{value.low:.0%}, {value.high:.0%}]"
    return f"{value.value:.0%}{interval}"


def _estimate(value: Estimate) -> str:
    if value.value is None:
        return f'<span class="pd-quiet" title="{html_text(said(value.reason))}">{t("undefined")}</span>'
    interval = "" if value.low is None else f" [{value.low:.2f}, {value.high:.2f}]"
    return f"{value.value:.2f}{interval}"


def _name(name: str) -> str:
    return t(name) if name in (GATE, GOLD) else html_text(first_words(name, 40))


def _both(pair: PairAgreement) -> str:
    names = [t(name) if name in (GATE, GOLD) else first_words(name, 40) for name in (pair.first, pair.second)]
    return " · ".join(names)
