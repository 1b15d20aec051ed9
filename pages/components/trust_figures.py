"""Agreement and the guarantee, each figure with its interval, what it stands on, or why there is none."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection
from pages.components.escape import first_words, html_text
from workflows.agreement import PairAgreement, agreement_report
from workflows.calibrate import Guarantee, guarantee
from workflows.store import Store

_RESAMPLES = 1_000


def draw_guarantee(store: Store) -> None:
    """Draw the lead's wish and what the audit's labels can promise."""
    st.html('<h2 class="pd-subtitle">How much may pass unread</h2>')
    with st.container(horizontal=True, gap="small", key="wish"):
        alpha = st.number_input(
            "At most this share wrong, %", 1.0, 50.0, 10.0, 1.0, key="wish-alpha",
            help="Of the answers that pass unread, by people's labels.",
        )  # fmt: skip
        confidence = st.number_input("With this confidence, %", 50.0, 99.9, 95.0, 1.0, key="wish-confidence")
    try:
        found = guarantee(store, alpha=alpha / 100, delta=1 - confidence / 100)
    except ProofdeskError as error:
        st.info(connection.message(error))
        return
    st.html(_guarantee_html(found, confidence))
    st.page_link(
        "pages/queue.py", label="Label a fair sample: the queue's audit", query_params={"order": "audit"}
    )


def _guarantee_html(found: Guarantee, confidence: float) -> str:
    chosen = found.chosen
    gate = (
        f'<p class="pd-quiet pd-small">Profile {html_text(found.profile)}, fingerprint '
        f"<code>{html_text(found.fingerprint)}</code>. {chosen.n:,} audited answers; {found.n_disputed:,} "
        f"disputed, counted as wrong; {found.n_pending:,} more wait for a label. Another profile, encoder or "
        "verifier has to earn its own.</p>"
    )
    if chosen.threshold is None:
        return f'<div class="pd-tile"><b>Not yet</b><span>{html_text(chosen.reason)}.</span></div>{gate}'
    return (
        f'<div class="pd-tile pd-accept"><b>{chosen.coverage:.0%} of answers</b>'
        f"<span>with risk up to {chosen.threshold:.4f} may pass unread: at most {chosen.alpha:.0%} of them "
        f"are wrong, with {confidence:g}% confidence.</span>"
        f'<span class="pd-quiet">{chosen.n_wrong:,} of {chosen.n_passed:,} audited ones are. Readings saved: '
        f"{found.n_unread:,} of {found.n_answers:,}.</span></div>{gate}"
    )


def draw_agreement(store: Store) -> None:
    """Draw every pair of raters that shares an item, and all reviewers together."""
    st.html('<h2 class="pd-subtitle">Agreement</h2>')
    report = agreement_report(store, repeats=_RESAMPLES)
    if not report.pairs:
        st.html('<p class="pd-quiet">No answer has a label yet.</p>')
        return
    heads = ("Raters", "Items", "Agree", "κ", "95% interval", "AC1")
    head = "".join(f"<th>{name}</th>" for name in heads)
    rows = "".join(_row(pair) for pair in report.pairs)
    alpha = report.reviewers
    together = (
        f"undefined: {html_text(alpha.reason)}"
        if alpha.value is None
        else f"{alpha.value:.2f}" + ("" if alpha.low is None else f" [{alpha.low:.2f}, {alpha.high:.2f}]")
    )
    st.html(
        f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{rows}</table></div>'
        f"<p>Krippendorff's α of all reviewers: <b>{together}</b>, {alpha.n:,} answers with two labels.</p>"
        '<p class="pd-quiet pd-small">κ is agreement beyond what the raters\' own shares give by chance; '
        "its interval is from resampled documents. With one category far ahead κ is low even where raters "
        "agree on most items: read AC1 beside it. The gate's ACCEPT counts as accept, REVIEW and REJECT as "
        "reject; unsure is left out.</p>"
    )


def _row(pair: PairAgreement) -> str:
    found, kappa = pair.agreement, pair.kappa
    names = f"{html_text(first_words(pair.first, 40))} · {html_text(first_words(pair.second, 40))}"
    observed = "–" if found.observed is None else f"{found.observed:.0%}"
    value = "undefined" if kappa.value is None else f"{kappa.value:.2f}"
    interval = html_text(kappa.reason) if kappa.low is None else f"[{kappa.low:.2f}, {kappa.high:.2f}]"
    ac1 = "–" if found.ac1.value is None else f"{found.ac1.value:.2f}"
    return (
        f'<tr><td dir="auto">{names}</td><td class="pd-number">{found.n:,}</td>'
        f'<td class="pd-number">{observed}</td>'
        f'<td class="pd-number">{value}</td><td>{interval}</td><td class="pd-number">{ac1}</td></tr>'
    )
