from __future__ import annotations

import hashlib
import io
import sys
import tracemalloc
from pathlib import Path

import pytest

from evalcore.errors import InputError
from evalcore.importers import ImportedRow, RowError, formats, open_source
from tests.shared_data import shared_file

GOOD = b'{"question": "Q", "answer": "A"}\n'


def test_known_extensions() -> None:
    assert sorted(formats()) == [".csv", ".jsonl", ".ndjson", ".parquet", ".tsv"]


@pytest.mark.parametrize("name", ["a.xlsx", "a", "a.jsonl.gz", "a.json"])
def test_unknown_extension_names_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"\.csv, \.jsonl, \.ndjson, \.parquet, \.tsv"):
        open_source(tmp_path / name)


@pytest.mark.parametrize("extension", sorted(formats()))
def test_missing_file_directory_and_empty_file_in_every_format(tmp_path: Path, extension: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_source(tmp_path / f"missing{extension}")
    (tmp_path / f"folder{extension}").mkdir()
    with pytest.raises(InputError):
        open_source(tmp_path / f"folder{extension}")
    (tmp_path / f"empty{extension}").touch()
    with pytest.raises(InputError, match="file is empty"):
        open_source(tmp_path / f"empty{extension}")


def test_extension_is_taken_in_any_case_and_hash_is_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "A.JSONL"
    path.write_bytes(GOOD)
    source = open_source(str(path))
    assert source.name == str(path)
    assert source.source_hash == hashlib.sha256(GOOD).hexdigest()
    assert source.size_bytes == len(GOOD)


def test_standard_input_is_jsonl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD + b"{broken\n")))
    source = open_source("-")
    rows = list(source)
    assert [type(row) for row in rows] == [ImportedRow, RowError]
    assert str(rows[1]).startswith("<stdin>:2: broken JSON")
    assert (source.source_hash, source.size_bytes, source.total_rows_hint) == (None, None, None)


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    with pytest.raises(InputError, match="file is empty"):
        list(open_source("-"))


def test_hostile_file_name_stays_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a\n\x1b[31mred.jsonl"
    path.write_bytes(b"{broken")
    (error,) = open_source(path)
    assert "\n" not in str(error)
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    row = GOOD if name == "a.jsonl" else b"Q,A,c\n"
    path.write_bytes((b"" if name == "a.jsonl" else b"question,answer,contexts\n") + row * 1_000_000)
    tracemalloc.start()
    for number, _ in enumerate(open_source(path)):
        if number == 2000:
            break
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000


def test_public_answers_are_imported_whole() -> None:
    rows = list(open_source(shared_file("ragtruth_qa_dev.jsonl")))
    assert len(rows) == 392
    samples = [row.sample for row in rows if isinstance(row, ImportedRow)]
    assert len(samples) == 392
    assert {len(sample.contexts) for sample in samples} == {1}
    assert {"dataset", "label", "spans"} <= set(samples[0].metadata)
