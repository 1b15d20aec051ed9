"""A lead's side of a disagreement: the list, the opinions without names, the form that settles."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk, escape
from pages.components.escape import first_words, html_text
from pages.components.language import named, number, shown_as, t
from workflows import adjudication, review
from workflows.adjudication import Case, Disagreement, GoldVerdict, Opinion
from workflows.review import ReviewerRow
from workflows.store import Store

_TOKEN = "settle-token"
_REFUSED = "settle-refused"


def nothing_html() -> str:
    """The screen for when no disagreement waits."""
    told = t(
        "Answers whose reviewers disagree wait here for a lead. Ask for two labels an answer in the queue's "
        "settings to find them."
    )
    return f'<div class="pd-end"><h2>{t("Nothing to settle")}</h2><p>{told}</p></div>'


def opened(waiting: Sequence[Disagreement]) -> int | None:
    """The item the URL names, else the first that waits."""
    asked = st.query_params.get(desk.ITEM, "")
    if asked.isascii() and asked.isdigit() and len(asked) <= 18:
        return int(asked)
    return waiting[0].result_id if waiting else None


def draw_list(waiting: Sequence[Disagreement], total: int, result_id: int | None) -> None:
    """Draw what waits, and how much of it."""
    st.html(f'<p class="pd-quiet">{t("{n} to settle", n=number(total))}</p>')
    with st.container(key="queue-rows", gap=None):
        for row in waiting:
            open_ = "-open" if row.result_id == result_id else ""
            votes = t("{a} accept, {r} reject", a=row.n_accept, r=row.n_reject)
            votes += t(", {n} unsure", n=row.n_unsure) if row.n_unsure else ""
            name = escape.markdown(first_words(row.external_id, 24))
            question = escape.markdown(first_words(row.query, 64) or t("(empty question)"))
            st.button(
                f"**{name}** :gray[{votes}]\n{question}",
                key=f"settle-{row.result_id}{open_}",
                type="tertiary",
                width="stretch",
                on_click=_open,
                args=(row.result_id,),
            )


def draw_form(store: Store, case: Case, reviewer: ReviewerRow) -> None:
    """Draw the opinions and the form."""
    result_id = case.stored.id
    opinions = "".join(_opinion(place, said) for place, said in enumerate(case.opinions, start=1))
    none = f'<p class="pd-quiet">{t("Nobody has labelled this.")}</p>'
    st.html(f'<div class="pd-others"><b>{t("What reviewers said")}</b>{opinions or none}</div>')
    if case.settled is not None:
        told = t("Settled: {verdict}", verdict=html_text(named(case.settled.verdict)))
        st.html(
            f'<div class="pd-mine"><b>{told}</b> '
            f'<span class="pd-quiet">{case.settled.created_at:%Y-%m-%d %H:%M} UTC</span></div>'
        )
    token = st.session_state.get(_TOKEN)
    if token is None or token[0] != result_id:
        token = (result_id, review.new_token())
        st.session_state[_TOKEN] = token
    types = review.known_failure_types(store)
    st.selectbox(
        t("Failure type (optional)"), types, index=None, placeholder=t("None"),
        key=f"settle-type-{result_id}",
        format_func=shown_as(types, lambda name: first_words(named(name), 60)),
    )  # fmt: skip
    st.text_area(t("Note (optional)"), height=76, max_chars=20_000, key=f"settle-note-{result_id}")
    for verdict, label, key in (
        ("accept", t("Settle: accept"), "1"),
        ("reject", t("Settle: reject"), "2"),
    ):
        st.button(
            label, key=f"settle-{verdict}", shortcut=key, width="stretch",
            on_click=_settle, args=(store, case, reviewer, verdict, token[1]),
        )  # fmt: skip
    refused: ProofdeskError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        st.error(connection.message(refused))
    st.html(
        f'<p class="pd-quiet pd-small">{t("Your word becomes the gold label. Reviewers keep theirs;")} '
        f"{t('how often they agree with gold is counted.')}</p>"
    )


def _opinion(place: int, said: Opinion) -> str:
    kind = f" · {html_text(named(said.failure_type))}" if said.failure_type else ""
    note = html_text(first_words(said.note, 600))
    shown = f'<div class="pd-note" dir="auto">{note}</div>' if note else ""
    fixed = html_text(first_words(said.corrected_answer or "", 600))
    fix = f'<div class="pd-note" dir="auto">{t("Corrected:")} {fixed}</div>' if fixed else ""
    who = t("Reviewer {n}", n=place)
    verdict = html_text(named(said.verdict))
    return f'<div class="pd-label"><b>{who}</b>: {verdict}{kind}{shown}{fix}</div>'


def _open(result_id: int) -> None:
    st.query_params[desk.ITEM] = str(result_id)


def _settle(store: Store, case: Case, reviewer: ReviewerRow, verdict: GoldVerdict, token: str) -> None:
    result_id = case.stored.id
    try:
        adjudication.settle(
            store,
            reviewer.id,
            result_id,
            verdict,
            token=token,
            failure_type=st.session_state.get(f"settle-type-{result_id}"),
            note=str(st.session_state.get(f"settle-note-{result_id}") or "").strip(),
            replaces=case.settled.id if case.settled else None,
        )
    except ProofdeskError as error:
        st.session_state[_REFUSED] = error
        return
    st.session_state.pop(_TOKEN, None)
    st.query_params.pop(desk.ITEM, None)
    told = t("Settled: {verdict}", verdict=named(verdict))
    desk.say(f"{told}, {first_words(case.stored.sample.id, 60)}")
