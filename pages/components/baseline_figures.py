"""What the page Baselines draws."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk
from pages.components.escape import first_words, html_text, one_line
from pages.components.language import N_, named, number, said, shown_as, t, tn
from workflows import baselines, review
from workflows.baselines import BaselineRow, Choice, GateRunRow
from workflows.review import ReviewerRow
from workflows.store import Store

_SHOWN_CASES = 100
_SHOWN_RUNS = 30
_SHOWN_IDS = 50
_REFUSED = "freeze-refused"
_CHOICES: dict[Choice, str] = {
    "gold": N_("with a gold label"),
    "labelled": N_("with any label"),
    "all": N_("all of the run"),
}
_OUTCOMES = {
    "pass": (N_("pass"), "pd-accept", "✓"),
    "regression": (N_("regression"), "pd-reject", "✗"),
    "incomplete": (N_("incomplete"), "pd-review", "◌"),
    "not_comparable": (N_("not comparable"), "pd-review", "≠"),
}


def draw_versions(store: Store) -> None:
    """Draw every version, and the cases of the chosen one."""
    rows = baselines.listed(store)
    if not rows:
        _draw_none()
        return
    heads = (t("Baseline"), t("Cases"), t("Frozen (UTC)"), t("Hash"), t("Note"))
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(_version_row(row) for row in rows)
    st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>')
    names = [_name(row) for row in rows if not row.is_removed]
    if not names:
        return
    chosen = st.selectbox(t("Cases of"), names, key="baseline-cases", format_func=one_line, width=320)
    try:
        baseline = baselines.load(store, chosen)
    except ProofdeskError as error:
        st.error(connection.message(error))
        return
    parts = Counter(case.part for case in baseline.cases)
    listed = " · ".join(f"{named(part)}: {number(n)}" for part, n in sorted(parts.items()))
    st.html(f'<p class="pd-quiet">{listed}</p>')
    case_heads = (t("Case"), t("Part"), t("Decision"), t("Final score"), t("Gold"), t("From"))
    head = "".join(f"<th>{name}</th>" for name in case_heads)
    body = "".join(
        f'<tr><td dir="auto"><b>{html_text(first_words(case.id, 40))}</b> '
        f'<span class="pd-quiet">{html_text(first_words(case.sample.query, 80))}</span></td>'
        f"<td>{named(case.part)}</td><td>{html_text(case.decision)}</td>"
        f'<td class="pd-number">{_score(case.scores.get("final"))}</td>'
        f"<td>{named(case.gold) if case.gold else '–'}</td>"
        f"<td>{named(case.gold_source) if case.gold_source else '–'}</td></tr>"
        for case in baseline.cases[:_SHOWN_CASES]
    )
    st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>')
    left = len(baseline.cases) - _SHOWN_CASES
    if left > 0:
        st.html(f'<p class="pd-quiet">{t("… and {n} more.", n=number(left))}</p>')
    name = html_text(chosen)
    export = f"<code>proofdesk baseline export {name} {name.split('@')[0]}.jsonl</code>"
    gate = f"<code>proofdesk gate --baseline {name} --answers new.jsonl</code>"
    st.html(f'<p class="pd-quiet pd-small">{export} · {gate}</p>')


def draw_freeze(store: Store, reviewer: ReviewerRow) -> None:
    """Draw the choice of a run, what would be frozen, and the button; for a lead."""
    if reviewer.role != "lead":
        st.info(t("Only a lead freezes a baseline."))
        return
    runs = {run.id: run for run in review.runs(store)}
    if not runs:
        _draw_none()
        return
    with st.container(horizontal=True, gap="small", key="freeze-choice"):
        run_ids = list(runs)
        run_id = st.selectbox(
            t("Run"), run_ids, key="freeze-run",
            format_func=lambda i: one_line(f"#{i} {first_words(runs[i].name, 60)}"),
        )  # fmt: skip
        choices = list(_CHOICES)
        choice: Choice = st.selectbox(
            t("Answers"), choices, key="freeze-which",
            format_func=shown_as(choices, lambda name: t(_CHOICES[name])),
        )  # fmt: skip
    _, cases = baselines.preview(store, f"#{run_id}", choice=choice)
    gold = Counter(case.gold for case in cases)
    told = t(
        "{accept} accepted, {reject} rejected, {none} without a label.",
        accept=number(gold["accept"]),
        reject=number(gold["reject"]),
        none=number(gold[None]),
    )
    st.html(f"<p><b>{tn('{n} case', '{n} cases', len(cases))}</b>: {told}</p>")
    with st.form("freeze-form", border=False, width=420):
        st.text_input(t("Name"), key="freeze-name", max_chars=80, placeholder="support")
        st.text_input(t("Note (optional)"), key="freeze-note", max_chars=500)
        st.form_submit_button(
            t("Freeze"), type="primary", key="freeze-send", disabled=not cases, on_click=_freeze,
            args=(store, reviewer, f"#{run_id}", choice),
        )  # fmt: skip
    refused: ProofdeskError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        st.error(connection.message(refused))


def draw_runs(store: Store) -> None:
    """Draw the latest gate runs, and the report of the chosen one."""
    runs = baselines.gate_runs(store)[:_SHOWN_RUNS]
    if not runs:
        told = t(
            "Run {command}; it shows here.",
            command="<code>proofdesk gate --baseline NAME --answers FILE</code>",
        )
        st.html(f'<div class="pd-end"><h2>{t("No gate run yet")}</h2><p>{told}</p></div>')
        return
    of = {row.id: _name(row) for row in baselines.listed(store)}
    heads = (t("When (UTC)"), t("Baseline"), t("Outcome"), t("Shared cases"), t("Worse"), t("New answers"))
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(_run_row(run, of) for run in runs)
    st.html(f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{body}</table></div>')
    ids = [run.id for run in runs]
    by_id = {run.id: run for run in runs}
    chosen = st.selectbox(
        t("Report of"), ids, key="gate-run", width=420,
        format_func=lambda i: one_line(f"{by_id[i].created_at:%Y-%m-%d %H:%M} {of[by_id[i].baseline_id]}"),
    )  # fmt: skip
    st.html(_report_html(by_id[chosen]))


def draw_compare(store: Store) -> None:
    """Draw what differs between two versions."""
    names = [_name(row) for row in baselines.listed(store)]
    if len(names) < 2:
        st.html(f'<p class="pd-quiet">{t("There are not two versions to compare.")}</p>')
        return
    with st.container(horizontal=True, gap="small", key="baseline-pair"):
        after = st.selectbox(t("After"), names, index=0, key="baseline-after", format_func=one_line)
        before = st.selectbox(t("Before"), names, index=1, key="baseline-before", format_func=one_line)
    found = baselines.diff(store, before, after)
    st.html(f"<p>{tn('{n} case is the same.', '{n} cases are the same.', found.n_same)}</p>")
    for title, ids in (
        (t("Added"), found.added),
        (t("Removed"), found.removed),
        (t("Changed"), found.changed),
    ):
        if ids:
            st.html(_ids_html(title, ids))


def _freeze(store: Store, reviewer: ReviewerRow, run: str, choice: Choice) -> None:
    name = str(st.session_state["freeze-name"]).strip()
    note = str(st.session_state["freeze-note"]).strip()
    try:
        row = baselines.freeze(store, name, run, choice=choice, note=note, by=reviewer.id)
    except ProofdeskError as error:
        st.session_state[_REFUSED] = error
        return
    cases = tn("{n} case", "{n} cases", row.n_cases)
    desk.say(t("Frozen: {name}, {cases}.", name=_name(row), cases=cases))


def _draw_none() -> None:
    told = t(
        "Freeze labelled answers of a run; new answers to the same questions are then held against them."
    )
    st.html(f'<div class="pd-end"><h2>{t("No baseline yet")}</h2><p>{told}</p></div>')


def _name(row: BaselineRow) -> str:
    return f"{row.name}@{row.version}"


def _version_row(row: BaselineRow) -> str:
    gone = f' <span class="pd-chip">{t("out of use")}</span>' if row.is_removed else ""
    return (
        f"<tr><td><b>{html_text(_name(row))}</b>{gone}</td>"
        f'<td class="pd-number">{number(row.n_cases)}</td><td>{row.created_at:%Y-%m-%d %H:%M}</td>'
        f'<td><code title="{row.hash}">{row.hash[:12]}</code></td>'
        f'<td dir="auto">{html_text(first_words(row.note, 120))}</td></tr>'
    )


def _run_row(run: GateRunRow, of: dict[int, str]) -> str:
    name, kind, sign = _OUTCOMES[run.outcome]
    return (
        f"<tr><td>{run.created_at:%Y-%m-%d %H:%M}</td><td>{html_text(of[run.baseline_id])}</td>"
        f'<td><span class="pd-badge {kind}">{sign} {t(name)}</span></td>'
        f'<td class="pd-number">{number(run.n_shared)}</td><td class="pd-number">{number(run.n_worse)}</td>'
        f'<td dir="auto">{html_text(first_words(run.answers, 80))}</td></tr>'
    )


def _report_html(run: GateRunRow) -> str:
    report = json.loads(run.report)
    reasons = "".join(f'<li dir="auto">{html_text(said(str(reason)))}</li>' for reason in report["reasons"])
    listed = f'<ul class="pd-findings">{reasons}</ul>' if reasons else ""
    worse = [pair for pair in report["pairs"] if pair["problems"]]
    heads = (t("Case"), t("Before"), t("After"), t("Change"), t("Decision"), t("Rule"))
    head = "".join(f"<th>{name}</th>" for name in heads)
    rows = "".join(
        f'<tr><td dir="auto">{html_text(first_words(str(pair["id"]), 40))}</td>'
        f'<td class="pd-number">{_score(pair["before"])}</td>'
        f'<td class="pd-number">{_score(pair["after"])}</td>'
        f'<td class="pd-number">{_score(pair["delta"], signed=True)}</td>'
        f"<td>{html_text(pair['decision_before'])} → {html_text(pair['decision_after'])}</td>"
        f"<td>{html_text(pair['rule_before'])} → {html_text(pair['rule_after'])}</td></tr>"
        for pair in worse[:_SHOWN_CASES]
    )
    table = (
        f'<div class="pd-scroll"><table class="pd-table"><tr>{head}</tr>{rows}</table></div>' if rows else ""
    )
    lists = "".join(
        _ids_html(title, report[key])
        for key, title in (
            ("added", t("Added")),
            ("removed", t("Missing")),
            ("changed", t("Another question or other passages")),
            ("duplicates", t("Twice among the answers")),
            ("unmeasured", t("Not measured")),
        )
        if report[key]
    )
    return f"{listed}{table}{lists}"


def _ids_html(title: str, ids: Sequence[str]) -> str:
    shown = ", ".join(html_text(first_words(str(i), 40)) for i in ids[:_SHOWN_IDS])
    more = f" {t('… and {n} more.', n=number(len(ids) - _SHOWN_IDS))}" if len(ids) > _SHOWN_IDS else ""
    return f'<p><b>{title} · {number(len(ids))}</b> <span dir="auto">{shown}</span>{more}</p>'


def _score(value: float | None, *, signed: bool = False) -> str:
    return "–" if value is None else f"{value:+.4f}" if signed else f"{value:.4f}"
