"""All labels as a table: searched, paged, exported."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import first_words, html_text
from pages.components.language import N_, named, shown_as, t, tn
from workflows import claims, label_lists, review
from workflows.label_lists import ExportFormat, LabelFilter, ListedLabel
from workflows.review import ReviewerRow
from workflows.store import Store

PAGE_SIZE = 50
MOST_EXPORTED = 100_000
"""Labels a download holds; more are exported from the command line."""

_COLUMNS = (
    N_("When (UTC)"), N_("Reviewer"), N_("Label"), N_("Answer"), N_("Gate"), N_("Saw"), N_("Note"),
)  # fmt: skip
_STARTS = "labels-starts"
_VERDICTS = ("accept", "reject", "unsure")


def draw(store: Store, reviewer: ReviewerRow) -> None:
    """Draw search, filters, the table and the downloads.

    Where the queue is blind, whoever is no lead sees their own labels only: those of others would be known
    before theirs is given.
    """
    names = {row.id: row.name for row in review.reviewers(store)}
    own_only = reviewer.role != "lead" and claims.queue_settings(store).blind
    if own_only:
        names = {reviewer.id: reviewer.name}
    people: list[int | None] = [*([] if own_only else [None]), *names]
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="labels-filters"):
        text = st.text_input(
            t("Search"), placeholder=t("Search notes, corrected answers, ids"), label_visibility="collapsed",
            key="labels-text", max_chars=200,
        )  # fmt: skip
        who = st.selectbox(
            t("Reviewer"),
            people,
            key="labels-reviewer",
            label_visibility="collapsed",
            format_func=shown_as(
                people, lambda number: t("Anybody") if number is None else first_words(names[number], 60)
            ),
        )  # fmt: skip
        verdict = st.selectbox(
            t("Verdict"), [None, *_VERDICTS], key="labels-verdict", label_visibility="collapsed",
            format_func=shown_as([None, *_VERDICTS], lambda name: named(name) if name else t("Any verdict")),
        )  # fmt: skip
        history = st.toggle(t("Superseded and withdrawn too"), key="labels-history")
    where = LabelFilter(
        text=(text or "").strip() or None, reviewer_id=who, verdict=verdict, current=not history
    )
    starts = _starts(where)
    page = label_lists.list_labels(store, where, after=starts[-1] if starts else None, limit=PAGE_SIZE)
    n = label_lists.count_labels(store, where)
    st.html(f'<p class="pd-quiet">{tn("{n} label", "{n} labels", n)}</p>')
    if not page.items:
        told = t("Label answers in the Queue; they show here.")
        st.html(f'<div class="pd-end"><h2>{t("No labels")}</h2><p>{told}</p></div>')
        return
    head = "".join(f"<th>{t(name)}</th>" for name in _COLUMNS)
    rows = "".join(_row(listed) for listed in page.items)
    st.html(f'<div class="pd-scroll"><table class="pd-table pd-wide"><tr>{head}</tr>{rows}</table></div>')
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="labels-pager"):
        st.button(
            t("Previous"), key="labels-previous", disabled=not starts, on_click=_turn_back, args=(where,)
        )
        st.html(f'<span class="pd-quiet">{t("page {n}", n=len(starts) + 1)}</span>', width="content")
        st.button(
            t("Next"),
            key="labels-next",
            disabled=page.next_after is None,
            on_click=_turn,
            args=(where, page.next_after),
        )
        if n <= MOST_EXPORTED:
            _download(store, where, "csv")
            _download(store, where, "jsonl")


def _download(store: Store, where: LabelFilter, form: ExportFormat) -> None:
    def written() -> str:
        return "".join(label_lists.export_labels(store, where, form=form))

    # Given as a function it is read when it is asked for, not at every redraw.
    st.download_button(
        t("Download {form}", form=form.upper()),
        data=written,
        file_name=f"labels.{form}",
        key=f"labels-{form}",
    )


def _row(listed: ListedLabel) -> str:
    label = listed.label
    kind = f" · {html_text(named(label.failure_type))}" if label.failure_type else ""
    stands = "" if listed.stands else f' <span class="pd-quiet">({t("no longer")})</span>'
    after = f", {t('after the reveal')}" if label.after_reveal else ""
    link = f"queue?item={label.result_id}&amp;scope=all"
    return (
        f"<tr><td>{label.created_at:%Y-%m-%d %H:%M}</td>"
        f'<td dir="auto">{html_text(first_words(label.reviewer, 40))}</td>'
        f"<td>{html_text(named(label.verdict))}{kind}{stands}</td>"
        f'<td dir="auto"><a href="{link}" target="_self">{html_text(first_words(listed.external_id, 40))}</a>'
        " "
        f'<span class="pd-quiet">{html_text(first_words(listed.query, 60))}</span></td>'
        f"<td>{html_text(listed.decision)} {listed.risk:.2f}</td>"
        f"<td>{html_text(named(label.seen))}{after}</td>"
        f'<td dir="auto">{html_text(first_words(label.note, 120))}</td></tr>'
    )


def _starts(where: LabelFilter) -> list[int]:
    kept = st.session_state.get(_STARTS)
    if kept is None or kept[0] != where:
        kept = (where, [])
        st.session_state[_STARTS] = kept
    starts: list[int] = kept[1]
    return starts


def _turn(where: LabelFilter, after: int) -> None:
    _starts(where).append(after)


def _turn_back(where: LabelFilter) -> None:
    starts = _starts(where)
    if starts:
        starts.pop()
