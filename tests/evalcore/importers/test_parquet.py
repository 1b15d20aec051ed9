from __future__ import annotations

import datetime
import decimal
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalcore.errors import InputError
from evalcore.importers import FieldMapping, ImportedRow, RowError, open_source


def write(path: Path, **columns: object) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_text_lists_nulls_and_metadata(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        id=["007", "7"],
        user_input=["Q1", "Q2"],
        response=["A1", None],
        retrieved_contexts=[["one", "two"], None],
        reference=[None, "R"],
        when=[datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.UTC), None],
        cost=[decimal.Decimal("0.10"), None],
        score=[0.5, float("nan")],
        raw=[b"\x01", None],
    )
    source = open_source(path)
    rows = list(source)
    assert all(isinstance(row, ImportedRow) for row in rows)
    first, second = (row.sample for row in rows if isinstance(row, ImportedRow))
    assert (first.id, first.contexts, first.reference) == ("007", ("one", "two"), None)
    assert (second.response, second.contexts, second.reference) == ("", (), "R")
    assert json.loads(json.dumps(dict(first.metadata))) == {
        "when": "2024-05-01T12:00:00+00:00",
        "cost": "0.10",
        "score": 0.5,
        "raw": "01",
    }
    assert second.metadata["score"] is None
    assert source.total_rows_hint == 2
    assert rows[-1].position == source.size_bytes
    assert str(rows[0].location) == f"{path}: row 1"


def test_same_rows_as_jsonl_give_the_same_samples(tmp_path: Path) -> None:
    rows = [{"id": str(n), "question": f"Q{n}", "answer": f"A{n}", "contexts": [f"c{n}"]} for n in range(600)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def samples(name: str) -> list[object]:
        return [row.sample for row in open_source(tmp_path / name) if isinstance(row, ImportedRow)]

    assert samples("a.parquet") == samples("a.jsonl")
    assert len(samples("a.parquet")) == 600


def test_contexts_as_text_objects_and_dictionary_encoding(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        question=pa.array(["Q", "Q"]).dictionary_encode(),
        answer=pa.array(["A", "B"], pa.large_string()),
        contexts=['["one", "two"]', "just text"],
    )
    assert [r.sample.contexts for r in open_source(path) if isinstance(r, ImportedRow)] == [
        ("one", "two"),
        ("just text",),
    ]
    path = write(tmp_path / "b.parquet", question=["Q"], answer=["A"], contexts=[[{"text": "t", "rank": 1}]])
    assert [r.sample.contexts for r in open_source(path) if isinstance(r, ImportedRow)] == [("t",)]


def test_numbers_are_taken_as_text_and_nan_is_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        id=[7, 2**60 + 1],
        question=["Q", "Q"],
        answer=[1.5, float("nan")],
        contexts=["c", "c"],
    )
    good, bad = list(open_source(path))
    assert isinstance(good, ImportedRow)
    assert (good.sample.id, good.sample.response) == ("7", "1.5")
    assert isinstance(bad, RowError)
    assert (bad.field, bad.location.row) == ("answer", 2)


def test_bad_row_does_not_cost_the_others(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.parquet",
        question=["Q", "Q", "Q"],
        answer=["A", "A", "A"],
        contexts=["c", '["broken', "c"],
    )
    assert [isinstance(row, ImportedRow) for row in open_source(path)] == [True, False, True]


def test_text_that_is_not_utf8_costs_its_row(tmp_path: Path) -> None:
    bad = pa.array([b"ok", b"\xff\xfe"], pa.binary()).cast(pa.string(), safe=False)
    path = write(tmp_path / "a.parquet", question=["Q", "Q"], answer=bad, contexts=["c", "c"])
    rows = list(open_source(path))
    assert isinstance(rows[0], ImportedRow)
    assert isinstance(rows[1], RowError)
    assert rows[1].field == "answer"


def test_missing_columns_import_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", question=["Q"], answer=["A"])
    with pytest.raises(InputError, match="no column for contexts"):
        open_source(path)
    assert len(list(open_source(path, mapping=FieldMapping(without_contexts=True)))) == 1


def test_damaged_file_is_an_input_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", question=["Q"] * 999, answer=["A"] * 999, contexts=["c"] * 999)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"not parquet", whole[:4] + b"\xff" * 200 + whole[204:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError):
            list(open_source(path))


def test_no_rows_is_no_error(tmp_path: Path) -> None:
    text = pa.array([], pa.string())
    path = write(tmp_path / "a.parquet", question=text, answer=text, contexts=text)
    assert list(open_source(path)) == []


def test_pyarrow_is_not_loaded_before_a_parquet_file_is_opened() -> None:
    code = "import sys, evalcore.importers as i; i.formats(); sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
