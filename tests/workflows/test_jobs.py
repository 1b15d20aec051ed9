"""Files scored in the background: how they are understood, run, cancelled and told."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore.errors import InputError
from workflows import jobs, review
from workflows.evaluate import RunOptions
from workflows.ingest import ReadOptions
from workflows.jobs import FieldMapping, Job, Jobs
from workflows.store import open_store


def _lines(n: int, broken: int = 0) -> bytes:
    rows = [
        json.dumps(
            {
                "id": f"a{k}",
                "question": f"How long is {k}?",
                "contexts": [f"It is {k} m."],
                "answer": f"{k} m.",
            }
        )
        for k in range(n)
    ]
    return "\n".join([*rows, *['{"question": "=HYPERLINK(1)"'] * broken]).encode()


def _wait(job: Job, until: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not until():
        assert time.monotonic() < deadline, job
        time.sleep(0.02)


def test_a_file_is_scored_to_its_end_with_its_errors_told(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    path = jobs.save_upload("answers.jsonl", _lines(5, broken=2))
    job = Jobs().start(path, url=url, profile="classic", options=RunOptions(name="first"))
    _wait(job, lambda: job.state != "running")

    assert (job.state, job.share, job.problem) == ("done", 1.0, "")
    assert job.report is not None
    assert (job.report.n_new, job.report.n_failed) == (5, 2)
    assert all(str(path) not in error for error in job.report.messages["error"])
    store = open_store(url)
    assert [(run.name, run.counts.n_stored, run.counts.n_failed) for run in review.runs(store)] == [
        ("first", 5, 2)
    ]
    store.close()
    _wait(job, lambda: not path.exists())


def test_a_cancelled_job_keeps_what_it_scored_and_the_same_file_goes_on(tmp_path: Path) -> None:
    url, content = f"sqlite:///{tmp_path}/a.db", _lines(300)
    run = Jobs()
    job = run.start(
        jobs.save_upload("x.jsonl", content), url=url, profile="classic", options=RunOptions(name="n")
    )
    job.cancel()
    _wait(job, lambda: job.state != "running")
    assert job.state == "cancelled"
    assert "answers are stored" in job.problem
    assert job.report is not None
    assert 0 < job.report.n_rows < 300

    again = run.start(
        jobs.save_upload("x.jsonl", content), url=url, profile="classic", options=RunOptions(name="n")
    )
    _wait(again, lambda: again.state != "running")
    assert again.state == "done"
    assert again.report is not None
    assert again.report.n_new + again.report.n_existing == 300
    assert again.report.n_existing == job.report.n_rows
    assert [j.id for j in run.list()] == [again.id, job.id]


def test_a_job_that_cannot_run_says_why(tmp_path: Path) -> None:
    path = jobs.save_upload("x.jsonl", b"\n\n")
    job = Jobs().start(path, url=f"sqlite:///{tmp_path}/a.db", profile="classic", options=RunOptions())
    _wait(job, lambda: job.state != "running")

    assert job.state == "failed"
    assert "file is empty (the file)" in job.problem
    assert str(path) not in job.problem


def test_the_preview_tells_columns_first_rows_and_what_would_fail() -> None:
    path = jobs.save_upload("x.csv", b"Frage,text,answer\nWie lang?,Sie ist 5 m lang.,5 m\n")
    with pytest.raises(InputError, match=r"question|query"):
        jobs.preview(path)
    seen = jobs.preview(path, FieldMapping(query="Frage", contexts="text"))

    assert seen.samples[0].query == "Wie lang?"
    assert seen.samples[0].contexts == ("Sie ist 5 m lang.",)
    assert seen.mapping is not None
    assert (seen.mapping.query, seen.mapping.response) == ("Frage", "answer")
    broken = jobs.preview(jobs.save_upload("y.jsonl", _lines(1, broken=1)))
    assert len(broken.errors) == 1
    assert "the file:2" in broken.errors[0]


def test_an_ending_that_no_reader_knows_is_refused() -> None:
    with pytest.raises(InputError, match=r"no reader.*virus\.exe.*\.parquet"):
        jobs.save_upload("virus.exe", b"MZ")


def test_row_errors_are_a_table_without_formulas() -> None:
    rows = list(csv.reader(io.StringIO(jobs.errors_csv(["=cmd|x: bad", "the file:3: question: missing"]))))

    assert rows == [["row", "problem"], ["'=cmd|x", "bad"], ["the file:3", "question: missing"]]


def test_a_mapping_reaches_the_run(tmp_path: Path) -> None:
    path = jobs.save_upload("x.csv", b"Frage,text,answer\nWie lang?,Sie ist 5 m lang.,5 m\n")
    options = RunOptions(read=ReadOptions(mapping=FieldMapping(query="Frage", contexts="text")))
    job = Jobs().start(path, url=f"sqlite:///{tmp_path}/a.db", profile="classic", options=options)
    _wait(job, lambda: job.state != "running")

    assert job.report is not None
    assert job.report.n_new == 1
