from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator

from evalcore.importers import DuplicateGuard, ImportedRow, Location, Repeat, RowError
from evalcore.sample import Sample

from .conftest import Load

FILE = "".join(
    json.dumps({"id": i, "question": q, "answer": a}) + "\n"
    for i, q, a in [
        ("A-7", "Colour?", "Red."),
        ("A-7", "Colour?", "Blue."),
        ("B-1", "Size?", "Large."),
        ("B-1", "Size?", "Large."),
        ("A-7 ", "Weight?", "2 kg."),
    ]
)


def test_conflict_is_refused_and_names_the_first_line(load: Load) -> None:
    got = load("dup.jsonl", FILE)
    first, conflict, size, repeat, near = DuplicateGuard(got.source)
    assert isinstance(first, ImportedRow)
    assert first.sample.response == "Red."
    assert isinstance(conflict, RowError)
    assert (conflict.field, conflict.location.line) == ("id", 2)
    assert "conflicting id" in str(conflict)
    assert "dup.jsonl:1" in str(conflict)
    assert isinstance(size, ImportedRow)
    assert isinstance(repeat, Repeat)
    assert (repeat.location.line, repeat.first.line, repeat.conflict) == (4, 3, False)
    assert "exact repeat" in str(repeat)
    assert isinstance(near, ImportedRow)
    assert near.sample.id == "A-7 "
    assert "only by case or white space" in near.notes[0]


def test_first_keeps_the_first_and_reports_the_other(load: Load) -> None:
    rows = list(DuplicateGuard(load("dup.jsonl", FILE).source, on_conflict="first"))
    assert isinstance(rows[1], Repeat)
    assert rows[1].conflict
    assert not any(isinstance(row, RowError) for row in rows)


def test_suffix_keeps_both_and_knows_their_repeats(load: Load) -> None:
    def line(sample_id: str, answer: str) -> str:
        return json.dumps({"id": sample_id, "question": "Q", "answer": answer}) + "\n"

    answers = [("x", "1"), ("x", "2"), ("x", "3"), ("x", "2"), ("x", "1"), ("x#2", "4"), ("x#2", "2")]
    got = load("a.jsonl", "".join(line(*pair) for pair in answers))
    rows = list(DuplicateGuard(got.source, on_conflict="suffix"))
    stored = [row.sample.id if isinstance(row, ImportedRow) else None for row in rows]
    assert stored == ["x", "x#2", "x#3", None, None, "x#2#2", None]
    second, repeat = rows[1], rows[3]
    assert isinstance(second, ImportedRow)
    assert "stored as 'x#2'" in second.notes[0]
    assert isinstance(repeat, Repeat)
    assert repeat.first.line == 2


def test_rows_without_an_id_repeat_by_content_only(load: Load) -> None:
    text = '{"question": "Q", "answer": "A"}\n{"question": "Q", "answer": "A", "split": "dev"}\n'
    text += '{"question": "Q", "answer": "B"}\n'
    kinds = [type(row) for row in DuplicateGuard(load("a.jsonl", text).source)]
    assert kinds == [ImportedRow, Repeat, ImportedRow]


def test_near_ids_are_found_in_either_order(load: Load) -> None:
    for ids in (["a-7", "A-7"], ["A-7", "a-7"], ["a 7", "a\u00a07"]):
        text = "".join(json.dumps({"id": i, "question": "Q", "answer": "A"}) + "\n" for i in ids)
        _, second = DuplicateGuard(load("a.jsonl", text).source)
        assert isinstance(second, ImportedRow)
        assert len(second.notes) == 1


def test_errors_pass_through_and_a_guard_starts_afresh(load: Load) -> None:
    guard = DuplicateGuard(load("a.jsonl", '{"question": "Q", "answer": "A"}\n{broken\n').source)
    for _ in range(2):
        assert [type(row) for row in guard] == [ImportedRow, RowError]


def test_memory_a_row_stays_within_what_is_documented() -> None:
    count = 20_000

    def rows() -> Iterator[ImportedRow]:
        for n in range(count):
            sample = Sample(query="q", contexts=(), response=f"{n}", id=f"case-{n:07d}")
            yield ImportedRow(sample=sample, location=Location(file="a.jsonl", row=n, line=n))

    guard = DuplicateGuard(rows())
    tracemalloc.start()
    for _ in guard:
        pass
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / count < 200
