from __future__ import annotations

import json
import math

import pytest

from evalcore.errors import InputError
from evalcore.importers import FieldMapping, Limits

from .conftest import Load

GOOD = '{"question": "Colour?", "answer": "Red.", "contexts": ["It is red."]}'


def line(**fields: object) -> str:
    return json.dumps({"question": "Q?", "answer": "A.", **fields}) + "\n"


def test_mark_crlf_blank_lines_and_missing_final_line_end(load: Load) -> None:
    got = load("a.jsonl", b"\xef\xbb\xbf" + f"{GOOD}\r\n\r\n  \n{GOOD}".encode())
    assert [(row.location.line, row.location.row) for row in got.rows] == [(1, 1), (4, 2)]
    assert got.rows[0].sample == got.rows[1].sample
    assert not got.errors


def test_mark_does_not_stick_to_the_first_key(load: Load) -> None:
    got = load("a.jsonl", b"\xef\xbb\xbf" + line(id="q-1").encode())
    assert got.samples[0].id == "q-1"
    assert not got.samples[0].metadata


def test_fields_metadata_and_mapping_are_reported(load: Load) -> None:
    got = load(
        "a.ndjson", line(contexts="One passage.", ground_truth="Red", label="supported", spans=[[0, 3]])
    )
    sample = got.samples[0]
    assert sample.contexts == ("One passage.",)
    assert sample.reference == "Red"
    assert dict(sample.metadata) == {"label": "supported", "spans": [[0, 3]]}
    assert str(got.source.mapping) == (
        "query=question, contexts=contexts, response=answer, reference=ground_truth, id=(none)"
    )


def test_rows_with_other_keys_are_resolved_on_their_own(load: Load) -> None:
    got = load("a.jsonl", GOOD + '\n{"user_input": "Q", "response": "A", "retrieved_contexts": []}\n')
    assert [s.query for s in got.samples] == ["Colour?", "Q"]
    assert got.samples[1].contexts == ()


def test_missing_contexts_are_a_state_and_missing_answers_an_error(load: Load) -> None:
    got = load("a.jsonl", line() + '{"question": "Q?"}\n{"answer": "A."}\n' + line())
    assert [s.contexts for s in got.samples] == [(), ()]
    assert [(e.location.line, e.field) for e in got.errors] == [(2, "response"), (3, "query")]
    assert "actual_output" in str(got.errors[0])


def test_null_and_empty_texts_are_kept_as_empty(load: Load) -> None:
    got = load(
        "a.jsonl", line(answer=None, contexts=None, reference=None, id=None) + line(answer="", question="")
    )
    assert [s.response for s in got.samples] == ["", ""]
    assert got.samples[0].reference is None
    assert got.samples[0].id == got.samples[0].content_hash


@pytest.mark.parametrize(
    ("written", "id_text"),
    [
        ("7", "7"),
        ('"007"', "007"),
        ("7.0", "7.0"),
        ("1.10", "1.10"),
        ("9007199254740993", "9007199254740993"),
        ("4e87", "4e87"),
        ('"A-7 "', "A-7 "),
        ("true", "true"),
    ],
)
def test_ids_keep_the_text_they_were_written_with(load: Load, written: str, id_text: str) -> None:
    got = load("a.jsonl", f'{{"id": {written}, "question": "Q", "answer": 42}}\n')
    assert got.samples[0].id == id_text
    assert got.samples[0].response == "42"


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ('{"question": "Q", "answer": ', "broken JSON at column"),
        (f"{GOOD} trailing", "broken JSON at column"),
        ('{"question": "Q", "answer": NaN}', "NaN is not a JSON value"),
        ('{"question": "Q", "answer": "A", "x": -Infinity}', "-Infinity is not a JSON value"),
        ('{"question": "Q", "answer": "A", "x": 1e999}', "too large"),
        ('{"question": "Q", "answer": "A", "x": ' + "9" * 5000 + "}", "too many digits"),
        ('{"question": "Q", "answer": "A", "answer": "B"}', "'answer' occurs twice"),
        ('{"question": "Q", "answer": "A", "x": {"k": 1, "k": 2}}', "'k' occurs twice"),
        ('["question", "answer"]', "not an object"),
        ('"text"', "not an object"),
        ('{"question": "Q", "answer": ["A"]}', "answer: not a text; got a list"),
        ('{"question": {"text": "Q"}, "answer": "A"}', "question: not a text; got an object"),
        ('{"question": "Q", "answer": "A", "response": "B"}', "answer, response: more than one column"),
        (
            '{"question": "Q", "answer": "A", "contexts": "[\\"Unclosed, \\"broken"}',
            "contexts: looks like a list",
        ),
        ('{"question": "Q", "answer": "\\ud800"}', "answer: text that UTF-8 cannot carry"),
        ('{"question": "Q", "answer": "A", "x": {"y": ["\\uDFFF"]}}', "x: text that UTF-8 cannot carry"),
        ('{"question": "Q", "answer": "A", "\\ud800": 1}', "text that UTF-8 cannot carry"),
        ('{"question": "Q", "answer": "A", "x": ' + "[" * 200 + "]" * 200 + "}", "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ('{"question": "Q", "answer": "A", "x": ' + '{"a":' * 50_000, "nested too deeply"),
        ('{"question": "Q\0", "answer": "A"}', "broken JSON at column"),
    ],
)
def test_bad_line_is_one_error_and_the_others_are_imported(load: Load, bad: str, says: str) -> None:
    got = load("a.jsonl", f"{GOOD}\n{bad}\n{GOOD}\n")
    assert [row.location.line for row in got.rows] == [1, 3]
    assert len(got.errors) == 1
    message = str(got.errors[0])
    assert says in message
    assert message.startswith(f"{got.source.name}:2: ")
    assert "\n" not in message


def test_broken_json_shows_the_text_around_the_place(load: Load) -> None:
    got = load("a.jsonl", '{"question": "Q", "answer": oops}\n')
    assert "broken JSON at column 29" in str(got.errors[0])
    assert "oops" in (got.errors[0].got or "")


def test_bytes_that_are_not_utf8_cost_their_own_line_only(load: Load) -> None:
    got = load("a.jsonl", GOOD.encode() + b'\n{"question": "caf\xe9", "answer": "A"}\n' + GOOD.encode())
    assert len(got.rows) == 2
    assert "byte 0xe9 at byte 18 of the line" in str(got.errors[0])


def test_line_over_the_limit_is_reported_with_its_size(load: Load) -> None:
    long = line(contexts=["x" * 300_000])
    got = load("a.jsonl", GOOD + "\n" + long + GOOD + "\n", limits=Limits(max_line_bytes=1000))
    assert [row.location.line for row in got.rows] == [1, 3]
    assert got.errors[0].location.line == 2
    assert got.errors[0].got == f"{len(long)} bytes"
    assert got.rows[-1].position == got.source.size_bytes


def test_line_separator_of_unicode_does_not_cut_a_line(load: Load) -> None:
    got = load("a.jsonl", '{"question": "a\u2028b\u2029c\x85d", "answer": "A"}\n')
    assert got.samples[0].query == "a\u2028b\u2029c\x85d"


def test_surrogate_pair_is_one_character(load: Load) -> None:
    assert load("a.jsonl", '{"question": "\\ud83d\\ude00", "answer": "A"}').samples[0].query == "😀"


def test_metadata_numbers_stay_numbers(load: Load) -> None:
    got = load("a.jsonl", line(score=0.5, n=3, ok=True, none=None, nested={"a": [1, 2.5]}))
    metadata = dict(got.samples[0].metadata)
    assert metadata == {"score": 0.5, "n": 3, "ok": True, "none": None, "nested": {"a": [1, 2.5]}}
    assert math.isclose(float(str(metadata["score"])), 0.5)


def test_first_ground_truth_is_the_reference_and_the_others_are_kept(load: Load) -> None:
    got = load(
        "a.jsonl", line(ground_truths=["one", "two"]) + line(ground_truths=["only"]) + line(ground_truths=[])
    )
    assert [s.reference for s in got.samples] == ["one", "only", None]
    assert dict(got.samples[0].metadata) == {"ground_truths": ["one", "two"]}


def test_explicit_mapping(load: Load) -> None:
    mapping = FieldMapping(query="q", response="r", contexts="c", contexts_separator="|", reference="gold")
    got = load(
        "a.jsonl",
        '{"q": "Q", "r": "A", "c": "x|y"}\n'
        '{"q": "Q", "r": "A", "c": "x", "gold": "G"}\n'
        '{"q": "Q", "r": "A"}\n',
        mapping=mapping,
    )
    assert [s.contexts for s in got.samples] == [("x", "y"), ("x",)]
    assert [s.reference for s in got.samples] == [None, "G"]
    assert got.errors[0].field == "c"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\r\n   \n", b"\xef\xbb\xbf\n"])
def test_file_without_text_is_empty(load: Load, content: bytes) -> None:
    with pytest.raises(InputError, match="file is empty"):
        load("a.jsonl", content)


def test_utf16_is_refused_as_a_whole(load: Load) -> None:
    with pytest.raises(InputError, match="must be UTF-8"):
        load("a.jsonl", GOOD.encode("utf-16"))


def test_other_encoding_is_not_taken(load: Load) -> None:
    with pytest.raises(InputError, match="always UTF-8"):
        load("a.jsonl", GOOD, encoding="cp1251")
