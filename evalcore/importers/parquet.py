"""Parquet, read batch by batch with pyarrow, which is imported only when a Parquet file is opened."""

from __future__ import annotations

import datetime
import decimal
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
from evalcore.importers.faults import one_line, reading, utf8_only
from evalcore.importers.fields import FieldMapping, listed, resolve_table
from evalcore.importers.record import sample_from
from evalcore.sample import JsonValue

BATCH_ROWS = 256


class ParquetSource(Source):
    """A Parquet file: text columns, and contexts as text or as a list of texts.

    Metadata of other kinds is kept as JSON: dates and times in ISO form, decimals as their digits, bytes in
    hex, a float without a value as null.
    """

    def __init__(self, name: str, path: Path, options: SourceOptions) -> None:
        super().__init__(name, path, limits=options.limits)
        self._file = path
        file = self._open()
        with file:
            self.total_rows_hint = int(file.metadata.num_rows)
            columns = [str(column) for column in file.schema_arrow.names]
        repeated = [column for column, count in Counter(columns).items() if count > 1]
        if repeated:
            raise InputError("column names occur twice", where=one_line(name), got=listed(repeated))
        self._mapping = resolve_table(columns, options.mapping, file=one_line(name))

    @property
    def mapping(self) -> FieldMapping:
        """Which column is read as what."""
        return self._mapping

    def _open(self) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with reading(self.name):
            self._file.open("rb").close()
        try:
            return pq.ParquetFile(self._file, buffer_size=1 << 20, pre_buffer=False)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise self._corrupt(error) from error

    def _corrupt(self, error: Exception) -> InputError:
        return InputError(
            "the Parquet file cannot be read",
            where=one_line(self.name),
            got=one_line(str(error).strip()[:200]) or type(error).__name__,
            cure="write it again; it may be cut short or of another format",
        )

    def __iter__(self) -> Iterator[Row]:
        import pyarrow as pa

        row = 0
        with self._open() as file:
            batches = file.iter_batches(batch_size=BATCH_ROWS)
            while True:
                try:
                    batch = next(batches, None)
                except (pa.ArrowException, OSError, ValueError) as error:
                    raise self._corrupt(error) from error
                if batch is None:
                    return
                for index in range(batch.num_rows):
                    row += 1
                    yield self._row(batch, index, row)

    def _row(self, batch: Any, index: int, row: int) -> Row:
        location = Location(file=self.name, row=row)
        position = (self.size_bytes or 0) * row // max(1, self.total_rows_hint or 1)
        fields = self._mapping.columns
        try:
            record: dict[str, object] = {}
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                value = _cell(column[index], name)
                record[name] = value if name in fields else json_value(value)
            return ImportedRow(
                sample=sample_from(record, self._mapping), location=location, position=position
            )
        except InputError as error:
            return RowError.from_error(error, location, position=position)


def _cell(scalar: Any, column: str) -> object:
    try:
        value: object = scalar.as_py()
    except (UnicodeDecodeError, ValueError, OverflowError) as error:
        raise InputError(
            "the value cannot be read",
            where=column,
            got=one_line(str(error)),
            cure="write the column as UTF-8 text",
        ) from error
    return value


def json_value(value: object) -> JsonValue:
    """``value`` as JSON can hold it.

    Examples
    --------
    >>> json_value([datetime.date(2024, 5, 1), float("nan"), b"\\x00\\xff", (1, "a")])
    ['2024-05-01', None, '00ff', [1, 'a']]
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return str(value)


def _open(name: str, path: Path, options: SourceOptions) -> ParquetSource:
    utf8_only(name, options.encoding)
    return ParquetSource(name, path, options)


FORMAT = Format(extensions=(".parquet",), open=_open)
