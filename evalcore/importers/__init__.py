"""Read samples from files: JSONL, CSV, TSV, Parquet."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

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
from evalcore.importers.duplicates import DuplicateGuard, OnConflict, Repeat
from evalcore.importers.faults import one_line
from evalcore.importers.fields import FieldMapping
from evalcore.importers.jsonl import open_stdin

__all__ = [
    "DuplicateGuard",
    "FieldMapping",
    "ImportedRow",
    "Limits",
    "Location",
    "OnConflict",
    "Repeat",
    "Row",
    "RowError",
    "Source",
    "formats",
    "open_source",
]


@cache
def formats() -> dict[str, Format]:
    """Every known format by extension. A module of this package that defines ``FORMAT`` is one."""
    found: dict[str, Format] = {}
    for module in pkgutil.iter_modules(__path__):
        candidate = getattr(importlib.import_module(f"{__name__}.{module.name}"), "FORMAT", None)
        if isinstance(candidate, Format):
            found.update(dict.fromkeys(candidate.extensions, candidate))
    return found


def open_source(
    path: str | Path,
    *,
    mapping: FieldMapping | None = None,
    limits: Limits | None = None,
    encoding: str | None = None,
) -> Source:
    """A source of samples, its format chosen by the extension; ``-`` is JSONL from standard input.

    Parameters
    ----------
    path : str or Path
    mapping : FieldMapping, optional
        Overrides the recognised names, field by field.
    limits : Limits, optional
    encoding : str, optional
        Of a CSV or TSV file that is neither UTF-8 nor marked as UTF-16.

    Raises
    ------
    InputError
        When the extension is unknown, the file cannot be read or is empty, or a table lacks a required
        column. Nothing has been given out by then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "a.csv")
    ...     _ = file.write_text("id,question,answer,contexts\\n007,Colour?,Red.,It is red.\\n")
    ...     [row.sample.id for row in open_source(file) if isinstance(row, ImportedRow)]
    ['007']
    """
    options = SourceOptions(mapping=mapping, limits=limits or Limits(), encoding=encoding)
    name = str(path)
    if name == "-":
        return open_stdin(options)
    file = Path(path)
    known = formats()
    found = known.get(file.suffix.lower())
    if found is None:
        raise InputError(
            "unknown file format",
            where=one_line(name),
            got=f"extension {file.suffix!r}" if file.suffix else "no extension",
            expected=", ".join(sorted(known)),
            cure="convert the file, or pass JSONL on standard input as '-'",
        )
    return found.open(name, file, options)
