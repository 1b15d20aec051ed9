"""JSON Lines: one object a line, UTF-8."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO, NoReturn

from evalcore.errors import InputError
from evalcore.importers.base import (
    Format,
    ImportedRow,
    Limits,
    Location,
    Row,
    RowError,
    Source,
    SourceOptions,
)
from evalcore.importers.faults import empty_file, one_line, quoted, reading, utf8_only
from evalcore.importers.fields import FieldMapping, resolve
from evalcore.importers.record import sample_from

STDIN_NAME = "<stdin>"
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 16
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class JsonLinesSource(Source):
    """A JSONL file, or standard input when ``path`` is None.

    Lines end at a line feed only, so U+2028 inside a string is text. Blank lines are no rows. Rows may have
    different keys; each distinct set of keys is resolved once. A row without contexts is a sample without
    contexts; a row without query or response is a row error.
    """

    def __init__(self, name: str, path: Path | None, *, mapping: FieldMapping | None, limits: Limits) -> None:
        super().__init__(name, path, limits=limits)
        self._given = mapping
        self._mapping: FieldMapping | None = None
        self._resolved: dict[tuple[str, ...], FieldMapping] = {}
        if path is not None:
            with reading(name), path.open("rb") as stream:
                _check_start(stream, name)

    @property
    def mapping(self) -> FieldMapping | None:
        """Which key the first imported row used for what; None until one has been read."""
        return self._mapping

    def __iter__(self) -> Iterator[Row]:
        with (
            reading(self.name),
            nullcontext(sys.stdin.buffer) if self.path is None else self.path.open("rb") as stream,
        ):
            yield from self._rows(stream)

    def _rows(self, stream: BinaryIO) -> Iterator[Row]:
        position = row = line_number = 0
        for line, size in _lines(stream, self.limits.max_line_bytes):
            line_number += 1
            position += size
            if line is not None and not line.removeprefix(_BOM).strip():
                continue
            row += 1
            location = Location(file=self.name, row=row, line=line_number)
            try:
                if line is None:
                    raise InputError(
                        "the line is too long",
                        got=f"{size} bytes",
                        expected=f"at most {self.limits.max_line_bytes} bytes (Limits.max_line_bytes)",
                        cure="shorten it or raise the limit",
                    )
                yield self._row(line, location, position)
            except InputError as error:
                yield RowError.from_error(error, location, position=position)
        if row == 0:
            raise empty_file(self.name)

    def _row(self, line: bytes, location: Location, position: int) -> ImportedRow:
        text = _decode(line)
        record = _parse(text, self.limits.max_depth)
        if "\\ud" in text or "\\uD" in text:
            _check_surrogates(record)
        keys = tuple(record)
        columns = self._resolved.get(keys)
        if columns is None:
            columns = resolve(keys, self._given, sparse=True)
            if len(self._resolved) < 1000:
                self._resolved[keys] = columns

        def exact_number(column: str) -> str | None:
            written: object = json.loads(text, parse_float=str)[column]
            return written if isinstance(written, str) else None

        sample = sample_from(record, columns, exact_number=exact_number)
        self._mapping = self._mapping or columns
        return ImportedRow(sample=sample, location=location, position=position)


def _lines(stream: BinaryIO, limit: int) -> Iterator[tuple[bytes | None, int]]:
    """Each physical line and its size in bytes; None for the text of a line over the limit."""
    while line := stream.readline(limit + 1):
        size = len(line)
        if size <= limit or line.endswith(b"\n"):
            yield line, size
            continue
        while not line.endswith(b"\n") and (line := stream.readline(_CHUNK)):
            size += len(line)
        yield None, size


def _check_start(stream: BinaryIO, name: str) -> None:
    start = stream.read(_CHUNK)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(
            "a JSONL file must be UTF-8",
            where=one_line(name),
            got="the byte-order mark of UTF-16",
            cure="save it again as UTF-8",
        )
    chunk = start.removeprefix(_BOM)
    while not chunk.strip():
        chunk = stream.read(_CHUNK)
        if not chunk:
            raise empty_file(name)


def _decode(line: bytes) -> str:
    line = line.removeprefix(_BOM)
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            "not UTF-8",
            got=f"byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line",
            expected="UTF-8",
            cure="save the file again as UTF-8",
        ) from error


class _NotStrictJson(ValueError):
    """Valid for a lenient parser and still not JSON we can keep."""


def _refuse_constant(text: str) -> NoReturn:
    raise _NotStrictJson(f"{text} is not a JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _NotStrictJson(f"the number {quoted(text, 20)} is too large")
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise _NotStrictJson(f"the key {quoted(repeated, 30)} occurs twice in one object")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_refuse_constant)


def _parse(text: str, max_depth: int) -> dict[str, object]:
    try:
        record: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        around = text.rstrip()[max(0, error.pos - 20) : error.pos + 20]
        raise InputError(
            f"broken JSON at column {error.colno}: {error.msg}",
            got=f"{quoted(around)} around it" if around else "nothing",
            expected="one JSON object on the line",
        ) from error
    except _NotStrictJson as error:
        raise InputError(str(error), expected="strict JSON") from error
    except ValueError as error:
        raise InputError("a number with too many digits", expected="strict JSON") from error
    except RecursionError as error:
        raise _too_deep(max_depth) from error
    if not isinstance(record, dict):
        raise InputError(
            "not an object",
            got=quoted(text.strip()),
            expected="one JSON object on the line",
            cure="write a list of objects one object a line",
        )
    if text.count("[") + text.count("{") > max_depth and _depth(record) > max_depth:
        raise _too_deep(max_depth)
    return record


def _too_deep(max_depth: int) -> InputError:
    return InputError("nested too deeply", expected=f"at most {max_depth} levels (Limits.max_depth)")


def _depth(record: object) -> int:
    depth = 0
    level: list[object] = [record]
    while level:
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
        depth += any(isinstance(value, dict | list) for value in level)
        level = below
    return depth


def _check_surrogates(record: dict[str, object]) -> None:
    for key, value in record.items():
        found = _SURROGATE.search(key) or _SURROGATE.search(json.dumps(value, ensure_ascii=False))
        if found:
            raise InputError(
                "text that UTF-8 cannot carry",
                where=ascii(key) if _SURROGATE.search(key) else key,
                got=f"half of a surrogate pair, {found.group()!a}",
                cure="write the file again as valid UTF-8",
            )


def open_stdin(options: SourceOptions) -> JsonLinesSource:
    """JSONL from standard input."""
    utf8_only(STDIN_NAME, options.encoding)
    return JsonLinesSource(STDIN_NAME, None, mapping=options.mapping, limits=options.limits)


def _open(name: str, path: Path, options: SourceOptions) -> JsonLinesSource:
    utf8_only(name, options.encoding)
    return JsonLinesSource(name, path, mapping=options.mapping, limits=options.limits)


FORMAT = Format(extensions=(".jsonl", ".ndjson"), open=_open)
