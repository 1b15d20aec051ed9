"""Results written for other tools, and read back."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalcore.errors import StoreError
from evalcore.importers import open_source
from evalcore.importers.base import ImportedRow
from evalcore.result import Score, Verdict
from evalcore.sample import Sample
from tests.db.build import make_result, store_results
from workflows.export import FORMS, Form, export_results
from workflows.review import ResultFilter
from workflows.store import Store

SAMPLES = (
    Sample(id="plain", query="Which fuse?", contexts=("Fuse F3.", "Pump."), response="F3.", reference="F3"),
    Sample(
        id="odd \u202e id",
        query='Line\nbreak, "quote"; tab\tهنا',
        contexts=("a,b\r\nc", "", "🧑🏽‍🚀"),
        response="Ответ\n\n- список",
        metadata={"language": "ru"},
    ),
    Sample(id="none", query="Why?", contexts=(), response="Because."),
)
READ_BACK: dict[Form, str] = {"jsonl": "jsonl", "csv": "csv", "ragas": "jsonl", "deepeval": "jsonl"}


@pytest.fixture
def filled(store: Store) -> Store:
    risk = (Score(name="risk", value=0.25),)
    for sample, verdict in zip(SAMPLES, Verdict, strict=True):
        # What is exported of a result does not depend on its passages, which one of these has none of.
        made = make_result(replace(sample, contexts=sample.contexts or ("-",)), verdict=verdict, scores=risk)
        made = replace(made, content_hash=sample.content_hash)
        store_results(store, (sample, made), run=sample.id)
    return store


@pytest.mark.parametrize("form", READ_BACK)
def test_what_is_written_is_read_back_as_the_same_samples(filled: Store, tmp_path: Path, form: Form) -> None:
    path = tmp_path / f"out.{READ_BACK[form]}"
    path.write_text("".join(export_results(filled, form=form)), encoding="utf-8", newline="")
    rows = list(open_source(path))
    assert all(isinstance(row, ImportedRow) for row in rows)
    assert [row.sample for row in rows if isinstance(row, ImportedRow)] == list(SAMPLES)


def test_a_cell_is_no_formula(store: Store) -> None:
    sample = Sample(id="+1", query="=HYPERLINK(1)", contexts=("@x",), response="-2 degrees")
    store_results(store, (sample, make_result(sample)), run="r")
    (row,) = csv.DictReader(io.StringIO("".join(export_results(store, form="csv"))))
    assert (row["id"], row["query"], row["response"]) == ("'+1", "'=HYPERLINK(1)", "'-2 degrees")
    assert json.loads(row["contexts"]) == ["@x"]


def test_annotation_tools_get_the_gates_word_as_a_suggestion(filled: Store) -> None:
    records = [json.loads(line) for line in export_results(filled, form="argilla")]
    assert [record["verdict"] for record in records] == ["accept", "unsure", "reject"]
    assert records[0]["contexts"] == "[1] Fuse F3.\n\n[2] Pump."
    assert len({record["id"] for record in records}) == 3

    tasks = json.loads("".join(export_results(filled, form="label-studio")))
    assert [task["data"]["id"] for task in tasks] == [sample.id for sample in SAMPLES]
    (prediction,) = tasks[2]["predictions"]
    assert prediction["result"][0]["value"] == {"choices": ["reject"]}
    assert prediction["score"] == 0.75


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_a_whole_file_too(store: Store, form: Form) -> None:
    text = "".join(export_results(store, form=form))
    if form == "label-studio":
        assert json.loads(text) == []
    else:
        assert text.count("\n") == (1 if form == "csv" else 0)


def test_only_what_is_asked_for_is_written(filled: Store) -> None:
    lines = list(export_results(filled, ResultFilter(decision="REJECT"), form="jsonl"))
    assert [json.loads(line)["id"] for line in lines] == ["none"]
    with pytest.raises(StoreError, match="no such run"):
        list(export_results(filled, ResultFilter(run_id=99), form="jsonl"))
