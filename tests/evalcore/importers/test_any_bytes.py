"""Whatever the bytes, an import ends in rows, row errors or an InputError, and no JSONL line is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalcore.errors import InputError
from evalcore.importers import ImportedRow, Limits, Row, open_source

BOM = b"\xef\xbb\xbf"
PIECES = st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\r",
        BOM,
        b"\xff\xfe",
        b"\0",
        b'"',
        b",",
        b"[",
        b"]",
        b"{",
        b"}",
        b"question,answer,contexts\n",
        b"Q,A,c\n",
        b'"a ""b""\nc",A,\n',
        b'{"question": "Q", "answer": "A"}',
        b'{"question": "Q", "answer": "A", "contexts": "[1"}',
        b'"\\ud800"',
        b"NaN",
        b"1e999",
        "\u2028é".encode(),
    ]
)
CONTENT = st.lists(PIECES | st.binary(max_size=12), max_size=20).map(b"".join)
LIMITS = Limits(max_line_bytes=60, max_cell_chars=30, max_record_chars=80)


def rows_of(name: str, content: bytes) -> list[Row] | None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            rows = list(open_source(path, limits=LIMITS))
        except InputError:
            return None
    assert all(str(row) for row in rows)
    return rows


@given(CONTENT)
@example(b"x" * 200 + b"\n{}")
@settings(max_examples=300, deadline=None)
def test_every_line_of_any_jsonl_is_accounted_for(content: bytes) -> None:
    rows = rows_of("a.jsonl", content)
    filled = [
        number
        for number, line in enumerate(content.split(b"\n"), start=1)
        if line.removeprefix(BOM).strip() or len(line) >= LIMITS.max_line_bytes
    ]
    if rows is None:
        assert not filled or content.startswith((b"\xff\xfe", b"\xfe\xff"))
        return
    assert [row.location.line for row in rows] == filled
    assert [row.location.row for row in rows] == list(range(1, len(rows) + 1))
    assert all("\n" not in str(row) for row in rows if not isinstance(row, ImportedRow))


@given(CONTENT, st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_csv_ends_in_rows_or_an_input_error(content: bytes, with_header: bool) -> None:
    rows = rows_of("a.csv", (b"question,answer,contexts\n" if with_header else b"") + content)
    if rows is not None:
        assert [row.location.row for row in rows] == list(range(1, len(rows) + 1))
