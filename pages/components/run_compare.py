"""Two runs item by item: decisions that flipped first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components.escape import first_words, html_text, one_line
from pages.components.language import named, number, t
from workflows import compare
from workflows.compare import Pair, PairPlace, RunComparison
from workflows.review import RunRow
from workflows.store import Store

PAGE_SIZE = 25

_STARTS = "compare-starts"


def draw(store: Store, runs: Sequence[RunRow]) -> None:
    """Draw the choice of two runs, the flips in numbers, and the pairs."""
    if len(runs) < 2:
        title, told = t("One run is not two"), t("Score a second file to compare.")
        st.html(f'<div class="pd-end"><h2>{title}</h2><p>{told}</p></div>')
        return
    names = {run.id: run for run in runs}
    with st.container(horizontal=True, gap="small", key="compare-runs"):
        after = _choose(t("After"), "compare-after", names, 0)
        before = _choose(t("Before"), "compare-before", names, 1)
    if before == after:
        st.html(f'<p class="pd-quiet">{t("Choose two different runs.")}</p>')
        return
    whole = compare.compare_runs(store, before, after)
    if not whole.n_both:
        st.html(f'<p class="pd-quiet">{t("No item is in both: items are paired by their own ids.")}</p>')
        return
    st.html(_flips_html(whole))
    key = (before, after)
    kept = st.session_state.get(_STARTS)
    if kept is None or kept[0] != key:
        kept = st.session_state[_STARTS] = (key, [])
    starts: list[PairPlace] = kept[1]
    page = compare.compare_page(store, before, after, place=starts[-1] if starts else None, limit=PAGE_SIZE)
    heads = (t("Item"), t("Before"), t("After"), t("Content"))
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in heads) + "</tr>"
    rows = "".join(_row(pair) for pair in page.items)
    st.html(f'<div class="pd-scroll"><table class="pd-table">{head}{rows}</table></div>')
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="compare-pager"):
        st.button(
            t("Previous"), key="compare-previous", disabled=not starts, on_click=_turn_back, args=(starts,)
        )
        st.html(f'<span class="pd-quiet">{t("page {n}", n=len(starts) + 1)}</span>', width="content")
        st.button(
            t("Next"),
            key="compare-next",
            disabled=page.next_after is None,
            on_click=starts.append,
            args=(page.next_after,),
        )


def _choose(label: str, key: str, names: dict[int, RunRow], place: int) -> int:
    return st.selectbox(
        label,
        list(names),
        index=place,
        key=key,
        format_func=lambda run_id: one_line(f"#{run_id} {first_words(names[run_id].name, 60)}"),
    )


def _flips_html(whole: RunComparison) -> str:
    flipped = [flip for flip in whole.flips if flip.before != flip.after]
    listed = "".join(
        f'<span class="pd-chip">{html_text(flip.before)} → {html_text(flip.after)}: {number(flip.n)}</span>'
        for flip in sorted(flipped, key=lambda flip: -flip.n)
    )
    told = t(
        "{n} of {total} items in both are decided otherwise.",
        n=f"<b>{number(whole.n_flipped)}",
        total=f"{number(whole.n_both)}</b>",
    )
    return f'<p>{told}</p><div class="pd-line">{listed}</div>'


def _row(pair: Pair) -> str:
    same = t("same") if pair.same_content else t("changed")
    return (
        f'<tr><td dir="auto"><b>{html_text(first_words(pair.external_id, 40))}</b> '
        f'<span class="pd-quiet">{html_text(first_words(pair.query, 80))}</span></td>'
        f"<td>{_side(pair.before_id, pair.before_decision, pair.before_failure_type, pair.before_risk)}</td>"
        f"<td>{_side(pair.after_id, pair.after_decision, pair.after_failure_type, pair.after_risk)}</td>"
        f"<td>{same}</td></tr>"
    )


def _side(result_id: int, decision: str, failure_type: str, risk: float) -> str:
    link = f"queue?item={result_id}&amp;scope=all&amp;decision=all"
    kind = "" if failure_type == "none" else f" {html_text(named(failure_type))}"
    return f'<a href="{link}" target="_self">{html_text(decision)}</a>{kind} {risk:.2f}'


def _turn_back(starts: list[PairPlace]) -> None:
    if starts:
        starts.pop()
