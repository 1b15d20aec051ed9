"""From files to samples: rows in order, in bounded pieces, with everything that went wrong on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evalcore.importers import (
    DuplicateGuard,
    FieldMapping,
    ImportedRow,
    OnConflict,
    Repeat,
    RowError,
    Source,
    open_source,
)
from evalcore.sample import Sample

__all__ = ["FieldMapping", "OnConflict", "Piece", "ReadOptions", "Source", "open_file", "pieces"]


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How a file is to be read.

    ``mapping`` overrides recognised column names, ``encoding`` is that of a CSV that is not UTF-8, and
    ``on_conflict`` says what becomes of a second row with the same id and other content.
    """

    mapping: FieldMapping | None = None
    encoding: str | None = None
    on_conflict: OnConflict = "refuse"


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Some consecutive rows of a file. ``position`` is how many of its bytes have been read by then."""

    samples: tuple[Sample, ...]
    errors: tuple[str, ...]
    repeats: tuple[str, ...]
    notes: tuple[str, ...]
    n_rows: int
    position: int


def open_file(path: str | Path, options: ReadOptions) -> Source:
    """The source behind a path, ``-`` for JSONL on standard input.

    Raises
    ------
    InputError
        When the file cannot be read at all: unknown ending, empty, or a missing column.
    """
    return open_source(path, mapping=options.mapping, encoding=options.encoding)


def pieces(source: Source, options: ReadOptions, *, size: int) -> Iterator[Piece]:
    """The rows of a source, ``size`` at a time; a bad row is an error in its piece and stops nothing."""
    rows = iter(DuplicateGuard(source, on_conflict=options.on_conflict))
    while batch := list(islice(rows, size)):
        imported = [row for row in batch if isinstance(row, ImportedRow)]
        yield Piece(
            samples=tuple(row.sample for row in imported),
            errors=tuple(str(row) for row in batch if isinstance(row, RowError)),
            repeats=tuple(str(row) for row in batch if isinstance(row, Repeat)),
            notes=tuple(f"{row.location}: {note}" for row in imported for note in row.notes),
            n_rows=len(batch),
            position=batch[-1].position,
        )
