"""Reading judged answers, also those of files nobody here has seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.judged import JudgedSentence, default_files, read_judged, sample_documents
from evalcore.errors import InputError
from tests.benchmarks.judged_rows import rows, write

PLAIN = {"context": "Tea is hot.", "response": "Tea is hot.", "label": "supported"}


def test_what_may_be_missing_or_null_is_read_as_nothing(tmp_path: Path) -> None:
    nothing = {"id": None, "query": None, "sentence_labels": None, "spans": None, "dataset": None}
    bare, null = read_judged(write(tmp_path / "own.jsonl", [PLAIN, {**PLAIN, **nothing}]))
    for answer in (bare, null):
        assert (answer.sample.query, answer.sentences) == ("", ())
        assert answer.sample.id == answer.sample.content_hash


@pytest.mark.parametrize("key", ["context", "contexts"])
def test_passages_may_be_a_list(tmp_path: Path, key: str) -> None:
    row = {"response": "Чай горячий.", "label": "unsupported", key: ["Чай.", "Кофе."], "lang": "ru", "id": 7}
    (answer,) = read_judged(write(tmp_path / "own.jsonl", [row]))
    assert answer.sample.contexts == ("Чай.", "Кофе.")
    assert (answer.sample.id, answer.supported) == ("7", False)


def test_a_byte_order_mark_blank_lines_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    line = json.dumps({**PLAIN, "response": "a\u2028b"}, ensure_ascii=False)
    file.write_bytes(f"\ufeff{line}\r\n\r\n{line}".encode())
    assert [answer.sample.response for answer in read_judged(file)] == ["a\u2028b"] * 2


def test_a_sentence_that_is_called_neither_is_not_measured(tmp_path: Path) -> None:
    labels = [
        {"start": 0, "end": 4, "label": "unsupported", "votes": ["unsupported"]},
        {"start": 4, "end": 8, "label": "irrelevant"},
        {"start": 8, "end": 9, "label": None},
    ]
    (answer,) = read_judged(write(tmp_path / "own.jsonl", [{**PLAIN, "sentence_labels": labels}]))
    assert answer.sentences == (JudgedSentence(0, 4, False),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "JSONDecodeError"),
        (b"[1]", "list in place of an object"),
        (b'{"context": "a", "label": "supported"}', "response"),
        (b'{"response": "a", "label": "supported"}', "context"),
        (b'{"context": "a", "response": "a", "label": "maybe"}', "label is 'maybe'"),
        (b'{"context": "a", "response": 5, "label": "supported"}', "response is int"),
        (b'{"context": null, "response": "a", "label": "supported"}', "a context is NoneType"),
        (b'{"context": ["a", 1], "response": "a", "label": "supported"}', "a context is int"),
        (b'{"context": "a", "response": "\\ud800", "label": "supported"}', "surrogate"),
        (
            b'{"context": "a", "response": "a", "label": "supported", "sentence_labels": "x"}',
            "sentence_labels",
        ),
        (b"\xff", "UnicodeDecodeError"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: bytes, said: str) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_bytes(json.dumps(PLAIN).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(InputError) as caught:
        read_judged(file)
    assert "broken.jsonl:3" in str(caught.value)
    assert said in str(caught.value)


def test_a_file_of_nothing_and_a_file_that_is_not_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    for name in ("empty.jsonl", "missing.jsonl"):
        with pytest.raises(InputError, match=name):
            read_judged(tmp_path / name)


def test_a_limit_draws_whole_documents(tmp_path: Path) -> None:
    drawn = sample_documents(read_judged(write(tmp_path / "own.jsonl", rows())), 5)
    assert len(drawn) == 6
    assert len({answer.document for answer in drawn}) == 3


def test_copies_of_a_document_are_one_and_answers_without_one_stand_alone(tmp_path: Path) -> None:
    copies = [PLAIN, {**PLAIN, "context": " Tea is hot! ", "response": "No."}]
    without = [{**PLAIN, "context": ""}, {**PLAIN, "context": [], "response": "No."}]
    answers = read_judged(write(tmp_path / "own.jsonl", [*copies, *without]))
    assert answers[0].document == answers[1].document
    assert len({answer.document for answer in answers}) == 3


def test_files_for_measuring_are_found_by_name_and_no_others(tmp_path: Path) -> None:
    for name in ("ragtruth_qa_dev", "wice_train", "qags_train", "shroom2024_train", "terra_ru_train"):
        write(tmp_path / f"{name}.jsonl", [PLAIN])
    write(tmp_path / "summacoz_negatives_train.jsonl", [PLAIN])
    found = [path.stem for path in default_files(tmp_path)]
    assert found == ["ragtruth_qa_dev", "qags_train", "shroom2024_train", "wice_train"]
