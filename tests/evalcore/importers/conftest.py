from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalcore.importers import FieldMapping, ImportedRow, Limits, RowError, Source, open_source
from evalcore.sample import Sample


@dataclass(frozen=True)
class Imported:
    source: Source
    rows: list[ImportedRow]
    errors: list[RowError]

    @property
    def samples(self) -> list[Sample]:
        return [row.sample for row in self.rows]


Load = Callable[..., Imported]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write a file of that name and import it."""

    def run(
        name: str,
        content: str | bytes,
        *,
        mapping: FieldMapping | None = None,
        limits: Limits | None = None,
        encoding: str | None = None,
    ) -> Imported:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        source = open_source(path, mapping=mapping, limits=limits, encoding=encoding)
        rows = list(source)
        return Imported(
            source,
            [row for row in rows if isinstance(row, ImportedRow)],
            [row for row in rows if isinstance(row, RowError)],
        )

    return run
