"""Uploading a file: how it is understood, what is known of it, and its way through the gate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk, escape
from pages.components.escape import first_words, html_text
from workflows import jobs
from workflows.evaluate import RunOptions
from workflows.ingest import ReadOptions
from workflows.jobs import FieldMapping, Job, Preview
from workflows.store import database_url

_FILE = "upload-file"
_ENDED = "jobs-ended"
_SHOWN_ERRORS = 8
_FIELDS: tuple[tuple[Literal["query", "contexts", "response", "reference", "id"], str], ...] = (
    ("query", "Question column"),
    ("contexts", "Passages column"),
    ("response", "Answer column"),
    ("reference", "Reference column"),
    ("id", "Id column"),
)
_STATES = {"running": "Running", "done": "Done", "cancelled": "Cancelled", "failed": "Failed"}


def draw() -> None:
    """Draw the upload, its preview and the form that starts it."""
    given = st.file_uploader(
        "JSONL, CSV, TSV or Parquet, a row an answer", type=["jsonl", "csv", "tsv", "parquet"], key="upload"
    )
    if given is None:
        st.html(
            '<p class="pd-quiet">Each row has a question, its passages and an answer. The field names of '
            "Ragas, DeepEval and the published recipe are known; others are named once a file is there.</p>"
        )
        return
    try:
        path = _saved(given.file_id, given.name, given.getvalue())
        seen = jobs.preview(path, _mapping())
    except ProofdeskError as error:
        st.error(connection.message(error))
        _draw_mapping(None)
        return
    _draw_mapping(seen.mapping)
    st.html(_preview_html(seen))
    with st.form("start-run", border=False, width=560):
        st.text_input("Name of the run", value=given.name[:120], key="run-name", max_chars=200)
        with st.container(horizontal=True):
            st.text_input("System that answered", key="run-system", max_chars=200)
            st.text_input("Version of its prompt", key="run-prompt", max_chars=200)
        st.selectbox("Profile", jobs.profiles(), index=jobs.profiles().index("default"), key="run-profile")
        st.form_submit_button("Start", type="primary", key="run-start", on_click=_start)


@st.fragment(run_every=1.0)
def draw_jobs() -> None:
    """Draw the files on their way, drawn anew each second; nothing while there are none."""
    shown = _jobs().list()[:10]
    ended = {job.id for job in shown if job.state != "running"}
    if ended - st.session_state.setdefault(_ENDED, ended):
        # The table of runs beside this has a new row.
        st.session_state[_ENDED] = ended
        st.rerun()
    for job in shown:
        _draw_job(job)


def _draw_job(job: Job) -> None:
    name = html_text(first_words(job.name, 80))
    report = job.report
    rows = report.n_rows if report else 0
    rate = f" · {rows / report.seconds:.1f} a second" if report and report.seconds else ""
    left = f" · about {job.seconds_left:.0f} s left" if job.seconds_left is not None else ""
    failed = f" · {report.n_failed:,} failed" if report and report.n_failed else ""
    with st.container(border=True, gap="xsmall", key=f"job-{job.id}"):
        st.html(
            f'<div class="pd-line"><b dir="auto">{name}</b> <span class="pd-chip">{_STATES[job.state]}</span>'
            f'<span class="pd-quiet">{rows:,} rows{failed}{rate}{left} · profile {html_text(job.profile)}'
            f'</span></div><div class="pd-bar"><div style="width:{100 * job.share:.1f}%"></div></div>'
        )
        if job.problem:
            st.html(f'<p class="pd-warning" dir="auto">{html_text(first_words(job.problem, 600))}</p>')
        if job.state == "running":
            st.button("Cancel", key=f"cancel-{job.id}", on_click=job.cancel)
        errors = report.messages["error"] if report else []
        if errors:
            listed = "".join(
                f'<li dir="auto">{html_text(first_words(e, 300))}</li>' for e in errors[:_SHOWN_ERRORS]
            )
            st.html(f'<ul class="pd-findings">{listed}</ul>')
            st.download_button(
                f"Download row errors ({len(errors):,})",
                data=jobs.errors_csv(errors),
                file_name="row-errors.csv",
                key=f"errors-{job.id}",
            )


def _draw_mapping(understood: FieldMapping | None) -> None:
    told = "as understood; a name here overrides it" if understood else "name the columns the file has"
    with st.expander(f"Columns ({told})", expanded=understood is None):
        for name, label in _FIELDS:
            st.text_input(
                label,
                key=f"column-{name}",
                placeholder=(understood.column(name) if understood else None) or "not found",
                max_chars=200,
            )


def _mapping() -> FieldMapping | None:
    named = {name: str(st.session_state.get(f"column-{name}") or "").strip() or None for name, _ in _FIELDS}
    if not any(named.values()):
        return None
    return FieldMapping(
        query=named["query"],
        contexts=named["contexts"],
        response=named["response"],
        reference=named["reference"],
        id=named["id"],
    )


def _preview_html(seen: Preview) -> str:
    rows = "".join(
        f'<tr><td dir="auto">{html_text(first_words(s.id, 40))}</td>'
        f'<td dir="auto">{html_text(first_words(s.query, 80))}</td>'
        f'<td class="pd-number">{len(s.contexts)}</td>'
        f'<td dir="auto">{html_text(first_words(s.response, 120))}</td></tr>'
        for s in seen.samples
    )
    wrong = f'<p class="pd-quiet">Rows that would fail:</p>{_listed(seen.errors)}' if seen.errors else ""
    head = '<tr><th>Id</th><th>Question</th><th class="pd-number">Passages</th><th>Answer</th></tr>'
    return f'<div class="pd-scroll"><table class="pd-table">{head}{rows}</table></div>{wrong}'


def _listed(errors: Sequence[str]) -> str:
    rows = "".join(f'<li dir="auto">{html_text(first_words(error, 300))}</li>' for error in errors)
    return f'<ul class="pd-findings">{rows}</ul>'


def _start() -> None:
    state = st.session_state
    kept: tuple[str, Path] | None = state.pop(_FILE, None)
    if kept is None:
        desk.say("Choose the file again: it is on its way already.")
        return
    options = RunOptions(
        name=str(state["run-name"]).strip() or None,
        system=str(state["run-system"]).strip(),
        prompt_version=str(state["run-prompt"]).strip(),
        read=ReadOptions(mapping=_mapping()),
    )
    job = _jobs().start(kept[1], url=database_url(), profile=state["run-profile"], options=options)
    desk.say(f"Started: {first_words(job.name, 60)}. It goes on if you leave; see All runs.")


def _saved(file_id: str, name: str, content: bytes) -> Path:
    """The uploaded file on disk, written once."""
    kept: tuple[str, Path] | None = st.session_state.get(_FILE)
    if kept is None or kept[0] != file_id or not kept[1].exists():
        kept = (file_id, jobs.save_upload(escape.one_line(name), content))
        st.session_state[_FILE] = kept
    return kept[1]


@st.cache_resource(show_spinner=False)
def _jobs() -> jobs.Jobs:
    return jobs.Jobs()
