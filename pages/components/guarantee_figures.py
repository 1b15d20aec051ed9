"""The guarantee: the lead's wish, what the audit's labels can promise, and how it has held."""

from __future__ import annotations

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk, help_lines, identity
from pages.components.escape import html_text
from pages.components.language import number, said, t, tn
from workflows import guarantees
from workflows.calibrate import Guarantee, guarantee
from workflows.guarantees import GuaranteeRow, GuaranteeStatus
from workflows.review import ReviewerRow
from workflows.store import Store

_ALPHA, _CONFIDENCE = "wish-alpha", "wish-confidence"


def wish() -> tuple[float, float]:
    """The lead's alpha and delta."""
    state = st.session_state
    return float(state.get(_ALPHA, 10.0)) / 100, 1 - float(state.get(_CONFIDENCE, 95.0)) / 100


def draw_guarantee(store: Store) -> Guarantee | None:
    """Draw the lead's wish and what the audit's labels can promise; None where there is nothing to judge."""
    st.html(f'<h2 class="pd-subtitle">{t("How much may pass unread")}</h2>')
    with st.container(horizontal=True, gap="small", key="wish"):
        st.number_input(
            t("At most this share wrong, %"), 1.0, 50.0, 10.0, 1.0, key=_ALPHA,
            help=t("Of the answers that pass unread, by people's labels."),
        )  # fmt: skip
        st.number_input(t("With this confidence, %"), 50.0, 99.9, 95.0, 1.0, key=_CONFIDENCE)
    alpha, delta = wish()
    try:
        found = guarantee(store, alpha=alpha, delta=delta)
    except ProofdeskError as error:
        st.info(connection.message(error))
        return None
    st.html(_guarantee_html(found))
    st.page_link(
        "pages/queue.py", label=t("Label a fair sample: the queue's audit"), query_params={"order": "audit"}
    )
    return found


def draw_history(store: Store, found: Guarantee) -> None:
    """Draw where the guarantee stands, what there was before, and the way to keep the present one."""
    st.html(f'<h2 class="pd-subtitle">{t("How it has held")}</h2>')
    status = guarantees.guarantee_status(store, found.fingerprint)
    st.html(_status_html(status))
    reviewer = identity.known()
    if found.chosen.threshold is not None and reviewer is not None and reviewer.role == "lead":
        st.button(
            t("Rely on it from now on"), key="guarantee-keep", on_click=_keep, args=(store, found, reviewer),
            help=t("Kept with its labels; every audit label from now on tests it."),
        )  # fmt: skip
    st.html(
        f'<p class="pd-quiet pd-small">{t("As a profile:")} <code>proofdesk calibrate --alpha {wish()[0]:g} '
        f"--delta {wish()[1]:.4g} --write my.yaml</code></p>"
    )
    if status.history:
        heads = (
            t("Earned"),
            t("Profile"),
            t("At most"),
            t("Confidence"),
            t("Risk up to"),
            t("Passes"),
            t("Labels"),
        )
        head = "".join(f"<th>{name}</th>" for name in heads)
        rows = "".join(_row(row) for row in status.history[:20])
        st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{rows}</table></div>')
    st.html(
        help_lines.listed_html(
            {
                t("threshold"): t(
                    "the largest risk for which a sequence of exact binomial tests, from cautious to bold, "
                    "rejects "
                    "“more are wrong than you wish” (Learn then Test)"
                ),
                t("broken"): t(
                    "a test by betting on the audit's labels since, valid under daily looks: if the "
                    "guarantee holds it "
                    "ever says broken with at most the probability left by the confidence"
                ),
                t("fair sample"): t(
                    "answers of the audit, in an order that has nothing to do with them; labels picked by "
                    "risk never "
                    "count"
                ),
                t("disputed"): t("no gold and reviewers disagree: counted as wrong"),
            }
        )
    )


def _keep(store: Store, found: Guarantee, reviewer: ReviewerRow) -> None:
    try:
        guarantees.keep(store, found, by=reviewer.id)
    except ProofdeskError as error:
        desk.say(said(error.what))
        return
    desk.say(t("Kept. Every audit label from now on tests it."))


def _guarantee_html(found: Guarantee) -> str:
    chosen = found.chosen
    counted = tn("{n} audited answer", "{n} audited answers", chosen.n)
    told = t(
        "{counted}; {disputed} disputed, counted as wrong; {pending} more wait for a label.",
        counted=counted,
        disputed=number(found.n_disputed),
        pending=number(found.n_pending),
    )
    gate = (
        f'<p class="pd-quiet pd-small">{t("profile {name}", name=html_text(found.profile))}, '
        f"{t('fingerprint')} <code>{html_text(found.fingerprint)}</code>. {told} "
        f"{t('Another profile, encoder or verifier has to earn its own.')}</p>"
    )
    if chosen.threshold is None:
        reason = html_text(said(chosen.reason))
        return f'<div class="pd-tile"><b>{t("Not yet")}</b><span>{reason}.</span></div>{gate}'
    share = t("{share} of answers", share=f"{chosen.coverage:.0%}")
    promise = t(
        "with risk up to {threshold} may pass unread: at most {alpha} of them are wrong, with {confidence}% "
        "confidence.",
        threshold=f"{chosen.threshold:.4f}",
        alpha=f"{chosen.alpha:.0%}",
        confidence=f"{100 * (1 - chosen.delta):g}",
    )
    saved = t(
        "{wrong} of {passed} audited ones are. Readings saved: {unread} of {all}.",
        wrong=number(chosen.n_wrong),
        passed=number(chosen.n_passed),
        unread=number(found.n_unread),
        all=number(found.n_answers),
    )
    return (
        f'<div class="pd-tile pd-accept"><b>{share}</b><span>{promise}</span>'
        f'<span class="pd-quiet">{saved}</span></div>{gate}'
    )


def _status_html(status: GuaranteeStatus) -> str:
    row = status.row
    if row is None:
        return f'<p class="pd-quiet">{t("No guarantee has been relied on yet.")}</p>'
    if status.state == "ended":
        told = t(
            "Ended: the gate changed. The last one was earned on {date} by profile {profile}.",
            date=f"{row.created_at:%Y-%m-%d}",
            profile=html_text(row.profile),
        )
        return f'<div class="pd-tile pd-review"><b>{t("Ended")}</b><span>{told}</span></div>'
    since = t(
        "Since {date}: {wrong} of {n} audited answers under the threshold are wrong.",
        date=f"{row.created_at:%Y-%m-%d}",
        wrong=number(status.n_wrong),
        n=number(status.n_audited),
    )
    if status.since is not None:
        broken = t("Broken since {date}", date=f"{status.since:%Y-%m-%d}")
        return (
            f'<div class="pd-tile pd-reject"><b>{broken}</b><span>{since} '
            f"{t('Read these answers again until it is earned anew.')}</span></div>"
        )
    return f'<div class="pd-tile pd-accept"><b>{t("Holds")}</b><span>{since}</span></div>'


def _row(row: GuaranteeRow) -> str:
    return (
        f'<tr><td>{row.created_at:%Y-%m-%d %H:%M}</td><td dir="auto" title="{html_text(row.fingerprint_id)}">'
        f"{html_text(row.profile)}</td><td>{row.alpha:.0%}</td><td>{1 - row.delta:.1%}</td>"
        f"<td>{row.threshold:.4f}</td><td>{row.coverage:.0%}</td>"
        f"<td>{number(row.n_labels)}</td></tr>"
    )
