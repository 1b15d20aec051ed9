"""CSV and TSV: a header, then one record a row, in which quoted cells may hold line breaks."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from evalcore.errors import InputError
from evalcore.importers.base import (
    Format,
    ImportedRow,
    Location,
    Row,
    RowError,
    Source,
    SourceOptions,
)
from evalcore.importers.encoding import check_encoding, encoding_of
from evalcore.importers.faults import empty_file, one_line, quoted, reading
from evalcore.importers.fields import FieldMapping, listed, resolve_table
from evalcore.importers.record import sample_from

DELIMITERS = (",", ";", "\t", "|")
# csv's own limit is one number for the whole process and loses its place in the file when it strikes; cells
# are measured here instead, so it is only ever raised, to the largest C long every platform has.
_CSV_FIELD_LIMIT = 2**31 - 1


class DelimitedSource(Source):
    """A CSV or TSV file.

    The delimiter is the one of comma, semicolon, tab and bar that cuts the header into most cells. Cells are
    text to the letter: ``NA``, ``null``, ``007`` and ``4e87`` stay what they are. The encoding is UTF-8 with
    or without a byte-order mark, UTF-16 or UTF-32 with one, or the one given.

    The header and the encoding of the whole file are checked on opening, before any row is given out.
    """

    def __init__(self, name: str, path: Path, options: SourceOptions) -> None:
        super().__init__(name, path, limits=options.limits)
        if csv.field_size_limit() < _CSV_FIELD_LIMIT:
            csv.field_size_limit(_CSV_FIELD_LIMIT)
        self._file = path
        with reading(name):
            self._encoding = encoding_of(path, name, options.encoding)
            check_encoding(path, name, self._encoding)
            with self._file.open("rb") as binary:
                first = self._lines(binary).first(name)
        self._delimiter = max(DELIMITERS, key=lambda d: len(next(csv.reader([first], delimiter=d), [])))
        with reading(name):
            self._header = self._read_header()
        self._mapping = resolve_table(self._header, options.mapping, file=one_line(name))

    @property
    def mapping(self) -> FieldMapping:
        """Which column is read as what."""
        return self._mapping

    def _lines(self, binary: BinaryIO) -> _Lines:
        return _Lines(binary, self._encoding, self.limits.max_record_chars)

    def _read_header(self) -> tuple[str, ...]:
        with self._file.open("rb") as binary:
            reader = csv.reader(self._lines(binary), delimiter=self._delimiter, strict=True)
            try:
                cells = next(record for record in reader if not _is_blank(record))
            except (StopIteration, csv.Error, _RecordTooLong) as error:
                raise InputError(
                    "the header cannot be read",
                    where=one_line(self.name),
                    got=str(error) or "no cells",
                    expected="one line of column names",
                    cure="close every quote in the header",
                ) from error
        names = tuple(
            cell.lstrip("\ufeff").strip() or f"column_{number}" for number, cell in enumerate(cells, start=1)
        )
        if any("\0" in name for name in names):
            raise InputError(
                "NUL characters in the header",
                where=one_line(self.name),
                expected="text",
                cure="save the file as UTF-8, or name its encoding (encoding='utf-16-le')",
            )
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            raise InputError(
                "column names occur twice",
                where=one_line(self.name),
                got=listed(repeated),
                cure="give every column its own name",
            )
        return names

    def __iter__(self) -> Iterator[Row]:
        with reading(self.name), self._file.open("rb") as binary:
            try:
                yield from self._rows(self._lines(binary))
            except UnicodeError as error:
                raise InputError(
                    "the file changed while it was read", where=one_line(self.name), got=str(error)
                ) from error

    def _rows(self, lines: _Lines) -> Iterator[Row]:
        reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        header_seen = False
        row = 0
        while True:
            location = Location(file=self.name, row=row + 1, line=lines.number + 1)
            lines.start_record()
            try:
                cells = next(reader)
            except StopIteration:
                return
            except _RecordTooLong:
                yield RowError(
                    location=location,
                    what="the record is too long; the rest of the file was not read",
                    got=f"more than {self.limits.max_record_chars} characters",
                    expected=f"at most {self.limits.max_record_chars} (Limits.max_record_chars)",
                    cure="look for a quote that is never closed on this line",
                    position=lines.position,
                )
                return
            except csv.Error as error:
                row += 1
                yield _broken(error, location, lines)
                continue
            if _is_blank(cells):
                continue
            if not header_seen:
                header_seen = True
                continue
            row += 1
            try:
                yield self._row(cells, location, lines.position)
            except InputError as error:
                yield RowError.from_error(error, location, position=lines.position)

    def _row(self, cells: list[str], location: Location, position: int) -> ImportedRow:
        if len(cells) != len(self._header):
            raise InputError(
                "too many cells" if len(cells) > len(self._header) else "too few cells",
                got=f"{len(cells)} cells, the last {quoted(cells[-1], 30)}",
                expected=f"{len(self._header)} as in the header",
                cure=f"quote a cell that holds {self._delimiter!r}, a quote or a line break",
            )
        if not any(cells):
            raise InputError("every cell is empty", expected="a row with text", cure="delete the row")
        for name, cell in zip(self._header, cells, strict=True):
            if len(cell) > self.limits.max_cell_chars:
                raise InputError(
                    "the cell is too long",
                    where=name,
                    got=f"{len(cell)} characters",
                    expected=f"at most {self.limits.max_cell_chars} (Limits.max_cell_chars)",
                    cure="shorten it or raise the limit",
                )
            if "\0" in cell:
                raise InputError(
                    "a NUL character", where=name, got=quoted(cell), expected="text", cure="remove it"
                )
        sample = sample_from(dict(zip(self._header, cells, strict=True)), self._mapping)
        return ImportedRow(sample=sample, location=location, position=position)


class _RecordTooLong(Exception):
    """The record under way has passed Limits.max_record_chars."""


class _Lines:
    """The physical lines of a text, counted, with a bound on how many characters one record may take."""

    def __init__(self, binary: BinaryIO, encoding: str, max_record_chars: int) -> None:
        self._binary = binary
        self._stream = io.TextIOWrapper(binary, encoding, newline="")
        self._limit = max_record_chars
        self._left = max_record_chars
        self.number = 0

    @property
    def position(self) -> int:
        """How many bytes have been read, to the size of one buffer."""
        return self._binary.tell()

    def start_record(self) -> None:
        self._left = self._limit

    def first(self, name: str) -> str:
        """The first line that is not blank, or as much of it as a record may hold."""
        while line := self._stream.readline(self._limit):
            if line.strip():
                return line
        raise empty_file(name)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(self._left + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self._left -= len(line)
        if self._left < 0:
            raise _RecordTooLong(f"longer than {self._limit} characters")
        return line


def _is_blank(cells: list[str]) -> bool:
    return not cells or (len(cells) == 1 and not cells[0].strip())


def _broken(error: csv.Error, location: Location, lines: _Lines) -> RowError:
    if "unexpected end" in str(error):
        return RowError(
            location=location,
            what="a quote opened in this record is never closed",
            got=f"lines {location.line} to {lines.number}, the end of the file, as one record",
            cure="close the quote; the lines after it could not be told apart",
            position=lines.position,
        )
    return RowError(
        location=location,
        what="the record cannot be read as CSV",
        got=f"{error} (on line {lines.number})",
        expected='quotes around the whole cell and "" for a quote inside it',
        position=lines.position,
    )


FORMAT = Format(extensions=(".csv", ".tsv"), open=DelimitedSource)
