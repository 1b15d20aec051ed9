"""The list of doubted sentences: its filters in the URL, each sentence with its evidence and its verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection, desk, highlight, sentence_desk
from pages.components.escape import first_words, html_text, one_line
from pages.components.language import N_, named, said, shown_as, t, tn
from workflows import review, sentences
from workflows.review import ReviewerRow
from workflows.sentences import DoubtGroup, DoubtItem, SentenceFilter, SentenceKey, SentenceScope
from workflows.store import Store

PAGE_SIZE = 15

_FIRST = "sentences-first"
_SCOPES: dict[SentenceScope, str] = {
    "not_mine": N_("Not labelled by me"),
    "unlabelled": N_("Unlabelled"),
    "mine": N_("Labelled by me"),
    "all": N_("All"),
}


def filter_from_url(reviewer_id: int) -> SentenceFilter:
    """The filter the URL asks for; what it cannot mean is left at its default."""
    asked = st.query_params
    scope: SentenceScope = next((s for s in get_args(SentenceScope) if s == asked.get("which")), "not_mine")
    return SentenceFilter(
        kind=asked.get("kind") or None,
        failure_type=asked.get("failure") or None,
        scope=scope,
        reviewer_id=reviewer_id,
    )


def draw_filters(groups: Sequence[DoubtGroup], where: SentenceFilter) -> None:
    """Draw what is doubted, the failure type and whose labels count."""
    kinds: dict[str, int] = {}
    types: dict[str, int] = {}
    for group in groups:
        kinds[group.kind] = kinds.get(group.kind, 0) + group.n
        if where.kind in (None, group.kind):
            types[group.failure_type] = types.get(group.failure_type, 0) + group.n
    _choice("kind", t("Doubt"), kinds, where.kind, t("Any doubt"))
    _choice("failure", t("Failure type"), types, where.failure_type, t("Any failure type"))
    st.session_state["sentences-which"] = where.scope
    st.selectbox(
        t("Which"),
        list(_SCOPES),
        key="sentences-which",
        format_func=shown_as(_SCOPES, lambda scope: t(_SCOPES[scope])),
        label_visibility="collapsed",
        on_change=_changed,
        args=("which",),
    )


def draw(store: Store, where: SentenceFilter, reviewer: ReviewerRow) -> None:
    """Draw a page of sentences."""
    starts = _starts(where)
    page = sentences.page(store, where, after=starts[-1] if starts else None, limit=PAGE_SIZE)
    n = sentences.count(store, where)
    st.html(f'<p class="pd-quiet">{tn("{n} sentence", "{n} sentences", n)}</p>')
    if not page.items:
        told = t("No sentence fits these filters.") if n == 0 else t("That is the end of the list.")
        st.html(f'<div class="pd-end"><h2>{t("Nothing here")}</h2><p>{told}</p></div>')
    for item in page.items:
        _draw_item(store, item, reviewer)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sentences-pager"):
        st.button(
            t("Previous"), key="sentences-previous", disabled=not starts, on_click=_turn_back, args=(where,)
        )
        st.html(f'<span class="pd-quiet">{t("page {n}", n=len(starts) + 1)}</span>', width="content")
        st.button(
            t("Next"), key="sentences-next", disabled=page.next_after is None, on_click=_turn,
            args=(where, page.next_after),
        )  # fmt: skip


def _draw_item(store: Store, item: DoubtItem, reviewer: ReviewerRow) -> None:
    name = f"{item.result_id}-{item.idx}"
    mine = next((row.verdict for row in item.labels if row.reviewer_id == reviewer.id), None)
    with st.container(key=f"sentence-{name}", gap="xsmall", border=True):
        st.html(_html(item))
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            for verdict, label in sentence_desk.NAMES.items():
                st.button(
                    t(label),
                    key=f"say-{verdict}-{name}",
                    type="primary" if mine == verdict else "secondary",
                    on_click=_say,
                    args=(
                        store,
                        item.key,
                        reviewer,
                        None if mine == verdict else verdict,
                        review.new_token(),
                    ),
                )
            if item.n_same > 1:
                st.toggle(
                    t("all {n} with this text", n=item.n_same),
                    key=f"same-{item.result_id}-{item.idx}",
                    help=t("The same sentence stands in other answers of the same gate."),
                )
            st.page_link(
                "pages/queue.py",
                label=t("Open answer"),
                query_params={"item": str(item.result_id), "scope": "all"},
            )


def _html(item: DoubtItem) -> str:
    sentence = item.sentence
    found = list(dict.fromkeys(said(finding.message) for finding in sentence.findings))[:6]
    rows = "".join(f'<li dir="auto">{html_text(first_words(message, 300))}</li>' for message in found)
    listed = f'<ul class="pd-findings">{rows}</ul>' if rows else ""
    best = f'<span class="pd-quiet">{t("no evidence found in any passage")}</span>'
    if sentence.evidence:
        evidence = sentence.evidence[0]
        best = (
            f'<span class="pd-quiet">{t("passage {n}", n=evidence.passage + 1)}</span> '
            f'<span class="pd-quote" dir="auto">{html_text(first_words(evidence.text, 400))}</span>'
        )
    chips = "".join(f'<span class="pd-chip">{html_text(named(kind))}</span>' for kind in item.kinds)
    return (
        f'<div class="pd-line"><b class="pd-id" dir="auto">{html_text(first_words(item.external_id, 60))}</b>'
        f'{chips}<span class="pd-quiet pd-small">{html_text(named(item.failure_type))} · '
        f"{html_text(highlight.support_text(sentence))}</span></div>"
        f'<div class="pd-quiet pd-small" dir="auto">{html_text(first_words(item.query, 160))}</div>'
        f'<div dir="auto"><b>{html_text(first_words(sentence.text, 600))}</b></div>{listed}'
        f'<div class="pd-best">{best}</div>'
    )


def _say(
    store: Store,
    key: SentenceKey,
    reviewer: ReviewerRow,
    verdict: sentences.SentenceVerdict | None,
    token: str,
) -> None:
    same = bool(st.session_state.get(f"same-{key[0]}-{key[1]}", False))
    try:
        added = sentences.label_sentences(
            store, [key], reviewer_id=reviewer.id, verdict=verdict or "withdrawn", token=token, same=same
        )
    except StoreError as error:
        desk.say(connection.message(error))
        return
    if verdict is None:
        desk.say(t("Taken back."))
    elif added > 1:
        told = tn("{n} sentence with this text.", "{n} sentences with this text.", added)
        desk.say(f"{t(sentence_desk.NAMES[verdict])}: {told}")


def _choice(name: str, label: str, counts: dict[str, int], chosen: str | None, every: str) -> None:
    listed = ["", *counts]
    if chosen is not None and chosen not in counts:
        listed.append(chosen)
    key = f"sentences-{name}"
    st.session_state[key] = chosen or ""

    def shown(value: str) -> str:
        return one_line(f"{first_words(named(value), 60)} ({counts.get(value, 0)})") if value else every

    st.selectbox(
        label,
        listed,
        key=key,
        format_func=shown_as(listed, shown),
        label_visibility="collapsed",
        on_change=_changed,
        args=(name,),
    )


def _changed(name: str) -> None:
    value = st.session_state[f"sentences-{name}"]
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def _starts(where: SentenceFilter) -> list[SentenceKey]:
    """Where the pages turned so far began; another filter begins anew."""
    kept = st.session_state.get(_FIRST)
    if kept is None or kept[0] != where:
        kept = (where, [])
        st.session_state[_FIRST] = kept
    starts: list[SentenceKey] = kept[1]
    return starts


def _turn(where: SentenceFilter, after: SentenceKey) -> None:
    _starts(where).append(after)


def _turn_back(where: SentenceFilter) -> None:
    starts = _starts(where)
    if starts:
        starts.pop()
