"""What every importer gives back: rows that are samples, and rows that say where and why they are not."""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from evalcore.errors import InputError
from evalcore.importers.faults import empty_file, one_line, reading
from evalcore.importers.fields import FieldMapping
from evalcore.sample import Sample


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What an importer refuses as too large, so that memory stays bounded whatever the file holds.

    Parameters
    ----------
    max_cell_chars : int
        Longest cell of a CSV or TSV file, in characters. A longer one is a row error.
    max_record_chars : int
        Longest CSV or TSV record, in characters. Past it the rest of the file is not read: such a record is
        nearly always a quote that was never closed.
    max_line_bytes : int
        Longest line of a JSONL file, in bytes. A longer one is a row error; its text is never held whole.
    max_depth : int
        Deepest nesting of lists and objects in a JSONL row.
    """

    max_cell_chars: int = 20_000_000
    max_record_chars: int = 80_000_000
    max_line_bytes: int = 64 * 1024 * 1024
    max_depth: int = 100

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if getattr(self, name) < 1:
                raise InputError(
                    "a limit must be positive", where=name, got=str(getattr(self, name)), expected="1 or more"
                )


@dataclass(frozen=True, kw_only=True, slots=True)
class Location:
    """Where a row stands in its file.

    ``row`` counts data rows from 1 (headers and blank lines are not rows). ``line`` is the physical line on
    which the row starts, from 1; None for formats without lines.

    Examples
    --------
    >>> str(Location(file="a.csv", row=2, line=7)), str(Location(file="a.parquet", row=2))
    ('a.csv:7', 'a.parquet: row 2')
    """

    file: str
    row: int
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}: row {self.row}" if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedRow:
    """A row that became a sample.

    ``position`` is how many bytes of the file had been read by then, for a progress bar. ``notes`` hold what
    the reader should know and need not act on, each one line.
    """

    sample: Sample
    location: Location
    position: int = dataclasses.field(default=0, compare=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RowError:
    """A row that could not become a sample, and why. ``field`` is the column as the file names it.

    Examples
    --------
    >>> where = Location(file="a.jsonl", row=3, line=4)
    >>> str(RowError(location=where, field="answer", what="not a text", got="a list", cure="join it"))
    'a.jsonl:4: answer: not a text; got a list; cure: join it'
    """

    location: Location
    what: str
    field: str | None = None
    got: str | None = None
    expected: str | None = None
    cure: str | None = None
    position: int = dataclasses.field(default=0, compare=False)

    @classmethod
    def from_error(cls, error: InputError, location: Location, *, position: int = 0) -> RowError:
        """The row error that says what ``error`` says; its ``where`` becomes the field."""
        return cls(
            location=location,
            what=error.what,
            field=error.where,
            got=error.got,
            expected=error.expected,
            cure=error.cure,
            position=position,
        )

    def __str__(self) -> str:
        text = (
            f"{self.location}: {self.field}: {self.what}" if self.field else f"{self.location}: {self.what}"
        )
        for label, value in (("got ", self.got), ("expected ", self.expected), ("cure: ", self.cure)):
            if value:
                text += f"; {label}{value}"
        return one_line(text)


Row: TypeAlias = ImportedRow | RowError


class Source(ABC):
    """One file of samples, read row by row; each iteration starts again at its beginning.

    Attributes
    ----------
    name : str
        The path as it was given, or ``<stdin>``; every location carries it.
    path : Path or None
        None for standard input, which can be iterated once only.
    size_bytes : int or None
        Size of the file; None for standard input. Each row's ``position`` counts towards it.
    total_rows_hint : int or None
        Number of rows where the format states it; None where only reading the whole file would tell.
    """

    def __init__(self, name: str, path: Path | None, *, limits: Limits) -> None:
        self.name = name
        self.path = path
        self.limits = limits
        self.size_bytes: int | None = None
        self.total_rows_hint: int | None = None
        if path is not None:
            with reading(name):
                self.size_bytes = path.stat().st_size
            if self.size_bytes == 0:
                raise empty_file(name)

    @cached_property
    def source_hash(self) -> str | None:
        """SHA-256 of the file's bytes, in hex; None for standard input. Reads the file once."""
        if self.path is None:
            return None
        with reading(self.name), self.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    @property
    @abstractmethod
    def mapping(self) -> FieldMapping | None:
        """Which column is read as what. JSONL tells it only once a row has been read; until then None."""

    @abstractmethod
    def __iter__(self) -> Iterator[Row]:
        """The rows in file order, one held at a time.

        Raises
        ------
        InputError
            When the file itself can no longer be read. A bad row never raises.
        """


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """What the caller of ``open_source`` chose, handed to a format's opener."""

    mapping: FieldMapping | None
    limits: Limits
    encoding: str | None


@dataclass(frozen=True, kw_only=True)
class Format:
    """One file format. A module of this package that defines ``FORMAT`` is found by ``open_source``."""

    extensions: tuple[str, ...]
    open: Callable[[str, Path, SourceOptions], Source]
