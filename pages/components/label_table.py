"""All labels as a table: searched, paged, exported."""

from __future__ import annotations

import streamlit as st

from pages.components.escape import first_words, html_text, words
from workflows import claims, label_lists, review
from workflows.label_lists import ExportFormat, LabelFilter, ListedLabel
from workflows.review import ReviewerRow
from workflows.store import Store

PAGE_SIZE = 50
MOST_EXPORTED = 100_000
"""Labels a download holds; more are exported from the command line."""

NOTHING = '<div class="pd-end"><h2>No labels</h2><p>Label answers in the Queue; they show here.</p></div>'

_COLUMNS = ("When (UTC)", "Reviewer", "Label", "Answer", "Gate", "Saw", "Note")
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
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="labels-filters"):
        text = st.text_input(
            "Search", placeholder="Search notes, corrected answers, ids", label_visibility="collapsed",
            key="labels-text", max_chars=200,
        )  # fmt: skip
        who = st.selectbox(
            "Reviewer",
            [*([] if own_only else [None]), *names],
            key="labels-reviewer",
            label_visibility="collapsed",
            format_func=lambda number: "Anybody" if number is None else first_words(names[number], 60),
        )  # fmt: skip
        verdict = st.selectbox(
            "Verdict", [None, *_VERDICTS], key="labels-verdict", label_visibility="collapsed",
            format_func=lambda name: name or "Any verdict",
        )  # fmt: skip
        history = st.toggle("Superseded and withdrawn too", key="labels-history")
    where = LabelFilter(
        text=(text or "").strip() or None, reviewer_id=who, verdict=verdict, current=not history
    )
    starts = _starts(where)
    page = label_lists.list_labels(store, where, after=starts[-1] if starts else None, limit=PAGE_SIZE)
    n = label_lists.count_labels(store, where)
    st.html(f'<p class="pd-quiet">{n:,} label{"" if n == 1 else "s"}</p>')
    if not page.items:
        st.html(
            '<div class="pd-end"><h2>No labels</h2><p>Label answers in the Queue; they show here.</p></div>'
        )
        return
    head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
    rows = "".join(_row(listed) for listed in page.items)
    st.html(f'<div class="pd-scroll"><table class="pd-table pd-wide"><tr>{head}</tr>{rows}</table></div>')
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="labels-pager"):
        st.button("Previous", key="labels-previous", disabled=not starts, on_click=_turn_back, args=(where,))
        st.html(f'<span class="pd-quiet">page {len(starts) + 1}</span>', width="content")
        st.button(
            "Next",
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
        f"Download {form.upper()}", data=written, file_name=f"labels.{form}", key=f"labels-{form}"
    )


def _row(listed: ListedLabel) -> str:
    label = listed.label
    kind = f" · {html_text(words(label.failure_type))}" if label.failure_type else ""
    stands = "" if listed.stands else ' <span class="pd-quiet">(no longer)</span>'
    after = ", after the reveal" if label.after_reveal else ""
    link = f"queue?item={label.result_id}&amp;scope=all"
    return (
        f"<tr><td>{label.created_at:%Y-%m-%d %H:%M}</td>"
        f'<td dir="auto">{html_text(first_words(label.reviewer, 40))}</td>'
        f"<td>{html_text(label.verdict)}{kind}{stands}</td>"
        f'<td dir="auto"><a href="{link}" target="_self">{html_text(first_words(listed.external_id, 40))}</a>'
        " "
        f'<span class="pd-quiet">{html_text(first_words(listed.query, 60))}</span></td>'
        f"<td>{html_text(listed.decision)} {listed.risk:.2f}</td>"
        f"<td>{html_text(label.seen)}{after}</td>"
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
