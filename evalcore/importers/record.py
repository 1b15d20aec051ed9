"""One record of named values -> one Sample, the same way for every format."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import cast

from evalcore.errors import InputError
from evalcore.importers.fields import FieldMapping, FieldName, canonical, recognised_names
from evalcore.importers.passages import read_passages
from evalcore.sample import JsonValue, Sample


def sample_from(
    record: Mapping[str, object],
    columns: FieldMapping,
    *,
    exact_number: Callable[[str], str | None] = lambda column: None,
) -> Sample:
    """The sample in a record; columns that hold no field become metadata.

    A null query or response is the empty text, a state of its own for the gate. An empty or null reference is
    none; an empty or null id leaves the content hash to serve. Numbers and booleans are taken as their JSON
    text.

    Parameters
    ----------
    record : mapping
        Column name to value; values of the metadata columns are JSON values already.
    columns : FieldMapping
        A resolved mapping.
    exact_number : callable, optional
        For a column that holds a float, the text as the file wrote it, so that an id 1.10 does not become
        1.1.

    Raises
    ------
    InputError
        ``where`` names the column.

    Examples
    --------
    >>> from evalcore.importers.fields import resolve
    >>> record = {"id": 7, "question": "Colour?", "answer": "Red.", "contexts": "It is red.", "split": "dev"}
    >>> sample = sample_from(record, resolve(list(record)))
    >>> sample.id, sample.contexts, dict(sample.metadata)
    ('7', ('It is red.',), {'split': 'dev'})
    """
    fields = columns.columns
    metadata = {name: cast(JsonValue, value) for name, value in record.items() if name not in fields}

    def text(field: FieldName) -> str:
        column = columns.column(field)
        return "" if column is None else _text(record[column], column, exact_number)

    for field in ("query", "response"):
        if columns.column(field) is None:
            raise InputError(
                f"no {field}",
                where=field,
                got=f"fields {', '.join(record) or '(none)'}",
                expected=f"one of {recognised_names(field)}",
                cure="add the field (an empty string is allowed) or pass a field mapping",
            )
    contexts: tuple[str, ...] = ()
    if columns.contexts is not None:
        contexts = read_passages(
            record[columns.contexts], column=columns.contexts, separator=columns.contexts_separator
        )
    reference: str | None = None
    if columns.reference is not None:
        reference = _reference(record[columns.reference], columns.reference, metadata, exact_number)
    return Sample(
        query=text("query"),
        contexts=contexts,
        response=text("response"),
        reference=reference,
        metadata=metadata,
        id=text("id"),
    )


def _text(value: object, column: str, exact_number: Callable[[str], str | None]) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, float) and math.isfinite(value):
        return exact_number(column) or repr(value)
    if isinstance(value, float):
        raise InputError("a number without a value", where=column, got=repr(value), expected="a text")
    raise InputError(
        "not a text",
        where=column,
        got="an object" if isinstance(value, Mapping) else f"a {type(value).__name__}",
        expected="one string",
        cure="write the text itself into this field; chat messages and nested fields must be flattened first",
    )


def _reference(
    value: object, column: str, metadata: dict[str, JsonValue], exact_number: Callable[[str], str | None]
) -> str | None:
    if canonical(column) == "groundtruths":
        references = read_passages(value, column=column)
        if len(references) > 1:
            metadata[column] = list(references)
        return (references[0] or None) if references else None
    return _text(value, column, exact_number) or None
