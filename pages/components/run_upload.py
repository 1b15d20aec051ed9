"""Uploading a file: how it is understood, what is known of it, and its way through the gate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from evalcore.errors import ProofdeskError
from pages.components import connection, desk, escape
from pages.components.escape import first_words, html_text
from pages.components.language import N_, number, t, tn
from workflows import jobs
from workflows.evaluate import RunOptions
from workflows.ingest import ReadOptions
from workflows.jobs import FieldMapping, Job, Preview
from workflows.store import database_url

_FILE = "upload-file"
_ENDED = "jobs-ended"
_SHOWN_ERRORS = 8
_FIELDS: tuple[tuple[Literal["query", "contexts", "response", "reference", "id"], str], ...] = (
    ("query", N_("Question column")),
    ("contexts", N_("Passages column")),
    ("response", N_("Answer column")),
    ("reference", N_("Reference column")),
    ("id", N_("Id column")),
)
_STATES = {
    "running": N_("Running"),
    "done": N_("Done"),
    "cancelled": N_("Cancelled"),
    "failed": N_("Failed"),
}


def draw() -> None:
    """Draw the upload, its preview and the form that starts it."""
    given = st.file_uploader(
        t("JSONL, CSV, TSV or Parquet, a row an answer"),
        type=["jsonl", "csv", "tsv", "parquet"],
        key="upload",
    )
    if given is None:
        told = t(
            "Each row has a question, its passages and an answer. The field names of Ragas, DeepEval and the "
            "published recipe are known; others are named once a file is there."
        )
        st.html(f'<p class="pd-quiet">{told}</p>')
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
        st.text_input(t("Name of the run"), value=given.name[:120], key="run-name", max_chars=200)
        with st.container(horizontal=True):
            st.text_input(t("System that answered"), key="run-system", max_chars=200)
            st.text_input(t("Version of its prompt"), key="run-prompt", max_chars=200)
        known = jobs.profiles()
        st.selectbox(t("Profile"), known, index=known.index("default"), key="run-profile")
        st.form_submit_button(t("Start"), type="primary", key="run-start", on_click=_start)


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
    rate = t(" · {rate} a second", rate=f"{rows / report.seconds:.1f}") if report and report.seconds else ""
    left = t(" · about {n} s left", n=f"{job.seconds_left:.0f}") if job.seconds_left is not None else ""
    failed = t(" · {n} failed", n=number(report.n_failed)) if report and report.n_failed else ""
    with st.container(border=True, gap="xsmall", key=f"job-{job.id}"):
        st.html(
            f'<div class="pd-line"><b dir="auto">{name}</b> '
            f'<span class="pd-chip">{t(_STATES[job.state])}</span>'
            f'<span class="pd-quiet">{tn("{n} row", "{n} rows", rows)}{failed}{rate}{left} · '
            f"{t('profile {name}', name=html_text(job.profile))}"
            f'</span></div><div class="pd-bar"><div style="width:{100 * job.share:.1f}%"></div></div>'
        )
        if job.problem:
            st.html(f'<p class="pd-warning" dir="auto">{html_text(first_words(job.problem, 600))}</p>')
        if job.state == "running":
            st.button(t("Cancel"), key=f"cancel-{job.id}", on_click=job.cancel)
        errors = report.messages["error"] if report else []
        if errors:
            listed = "".join(
                f'<li dir="auto">{html_text(first_words(e, 300))}</li>' for e in errors[:_SHOWN_ERRORS]
            )
            st.html(f'<ul class="pd-findings">{listed}</ul>')
            st.download_button(
                t("Download row errors ({n})", n=number(len(errors))),
                data=jobs.errors_csv(errors),
                file_name="row-errors.csv",
                key=f"errors-{job.id}",
            )


def _draw_mapping(understood: FieldMapping | None) -> None:
    told = t("as understood; a name here overrides it") if understood else t("name the columns the file has")
    with st.expander(t("Columns ({told})", told=told), expanded=understood is None):
        for name, label in _FIELDS:
            st.text_input(
                t(label),
                key=f"column-{name}",
                placeholder=(understood.column(name) if understood else None) or t("not found"),
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
    wrong = f'<p class="pd-quiet">{t("Rows that would fail:")}</p>{_listed(seen.errors)}'
    head = (
        f'<tr><th>{t("Id")}</th><th>{t("Question")}</th><th class="pd-number">{t("Passages")}</th>'
        f"<th>{t('Answer')}</th></tr>"
    )
    table = f'<div class="pd-scroll"><table class="pd-table">{head}{rows}</table></div>'
    return f"{table}{wrong}" if seen.errors else table


def _listed(errors: Sequence[str]) -> str:
    rows = "".join(f'<li dir="auto">{html_text(first_words(error, 300))}</li>' for error in errors)
    return f'<ul class="pd-findings">{rows}</ul>'


def _start() -> None:
    state = st.session_state
    kept: tuple[str, Path] | None = state.pop(_FILE, None)
    if kept is None:
        desk.say(t("Choose the file again: it is on its way already."))
        return
    options = RunOptions(
        name=str(state["run-name"]).strip() or None,
        system=str(state["run-system"]).strip(),
        prompt_version=str(state["run-prompt"]).strip(),
        read=ReadOptions(mapping=_mapping()),
    )
    job = _jobs().start(kept[1], url=database_url(), profile=state["run-profile"], options=options)
    desk.say(t("Started: {name}. It goes on if you leave; see All runs.", name=first_words(job.name, 60)))


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
