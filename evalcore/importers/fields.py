"""Which column of a file is the query, the contexts, the response, the reference and the id.

Names are compared without case, surrounding space, a byte-order mark, and the ``_``, ``-`` or space inside,
so ``retrieval_context``, ``retrievalContext`` and ``Retrieval Context`` are one name. Each field has ranks of
names; the first rank with a match wins. Two columns that match in the same rank are refused: the choice is
the user's.

=========== ==== ===========================================================================================
field       rank names
=========== ==== ===========================================================================================
query       1    query, question, user_input
..          2    input, prompt
..          3    inputs
contexts    1    retrieved_contexts, retrieved_context, retrieval_context, retrieved_documents,
                 retrieved_passages
..          2    contexts, context, passages, documents (DeepEval's context, the ideal one, beside rank 1
                 is metadata)
..          3    expected_chunks, reference_context
response    1    response, answer, actual_output
..          2    output, completion
..          3    outputs
reference   1    reference, ground_truth, expected_output, expected_response, reference_answer
..          2    ground_truths (the first of the list)
id          1-4  id; sample_id; case_id; qid
=========== ==== ===========================================================================================

Every other column goes into the sample's metadata under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from evalcore.errors import InputError

FieldName: TypeAlias = Literal["query", "contexts", "response", "reference", "id"]

REQUIRED: tuple[FieldName, ...] = ("query", "contexts", "response")

RECOGNISED: Mapping[FieldName, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        "query": (("query", "question", "user_input"), ("input", "prompt"), ("inputs",)),
        "contexts": (
            (
                "retrieved_contexts",
                "retrieved_context",
                "retrieval_context",
                "retrieved_documents",
                "retrieved_passages",
            ),
            ("contexts", "context", "passages", "documents"),
            ("expected_chunks", "reference_context"),
        ),
        "response": (("response", "answer", "actual_output"), ("output", "completion"), ("outputs",)),
        "reference": (
            ("reference", "ground_truth", "expected_output", "expected_response", "reference_answer"),
            ("ground_truths",),
        ),
        "id": (("id",), ("sample_id",), ("case_id",), ("qid",)),
    }
)

_INNER_SEPARATOR = re.compile(r"(?<=\w)[_\-\s]+(?=\w)")


@dataclass(frozen=True, kw_only=True)
class FieldMapping:
    """Which column holds which field; None leaves the choice to the recognised names.

    Parameters
    ----------
    query, contexts, response, reference, id : str, optional
        Column names as the file writes them.
    contexts_separator : str, optional
        Cuts a contexts text into passages, such as the vertical bar of DeepEval's CSV files. Never guessed.
    without_contexts : bool
        Accept a table that has no contexts column; every sample then has none.

    Raises
    ------
    InputError
        When a name or the separator is blank, or ``contexts`` is named although there are to be none.
    """

    query: str | None = None
    contexts: str | None = None
    response: str | None = None
    reference: str | None = None
    id: str | None = None
    contexts_separator: str | None = None
    without_contexts: bool = False

    def __post_init__(self) -> None:
        for name in RECOGNISED:
            column = self.column(name)
            if column is not None and not column.strip():
                raise InputError("a blank column name in the mapping", where=name)
        if self.contexts_separator == "":
            raise InputError("a blank separator in the mapping", where="contexts_separator")
        if self.without_contexts and self.contexts is not None:
            raise InputError(
                "the mapping names a contexts column and says there is none",
                where="contexts",
                got=repr(self.contexts),
                cure="drop contexts or without_contexts",
            )

    def column(self, name: FieldName) -> str | None:
        """The column that holds this field, or None."""
        value: str | None = getattr(self, name)
        return value

    @property
    def columns(self) -> frozenset[str]:
        """The columns that hold a field; the others are metadata."""
        return frozenset(c for name in RECOGNISED if (c := self.column(name)) is not None)

    def __str__(self) -> str:
        return ", ".join(f"{name}={self.column(name) or '(none)'}" for name in RECOGNISED)


def canonical(name: str) -> str:
    """The form in which column names are compared.

    Examples
    --------
    >>> canonical("\\ufeffRetrieval_Context "), canonical("retrievalContext")
    ('retrievalcontext', 'retrievalcontext')
    """
    return _INNER_SEPARATOR.sub("", name.lstrip("\ufeff").strip().casefold())


_RANKS: Mapping[FieldName, tuple[frozenset[str], ...]] = {
    field: tuple(frozenset(map(canonical, rank)) for rank in ranks) for field, ranks in RECOGNISED.items()
}


def resolve(
    columns: Sequence[str], mapping: FieldMapping | None = None, *, sparse: bool = False
) -> FieldMapping:
    """The mapping that holds for a row or table with these columns; fields not found stay None.

    ``sparse`` allows an explicitly mapped reference to be absent, as it may be from single JSONL rows.

    Raises
    ------
    InputError
        When a column of the explicit mapping is absent, or two columns match a field equally well.

    Examples
    --------
    >>> str(resolve(["user_input", "context", "retrieval_context", "answer"]))
    'query=user_input, contexts=retrieval_context, response=answer, reference=(none), id=(none)'
    """
    given = mapping or FieldMapping()
    chosen: dict[FieldName, str] = {}
    for field in RECOGNISED:
        column = given.column(field)
        if column is None:
            continue
        if column in columns:
            chosen[field] = column
        elif not (sparse and field == "reference"):
            raise InputError(
                f"the column mapped to {field} is missing",
                where=column,
                got=listed(columns),
                cure="correct the mapping; names are taken to the letter",
            )
    taken = set(chosen.values())
    names = {column: canonical(column) for column in columns if column not in taken}
    for field, ranks in _RANKS.items():
        if given.column(field) is not None or (field == "contexts" and given.without_contexts):
            continue
        for rank in ranks:
            found = [column for column, name in names.items() if name in rank]
            if len(found) > 1:
                raise InputError(
                    f"more than one column could be {field}",
                    where=listed(found),
                    expected="one of them",
                    cure="say which by an explicit mapping",
                )
            if found:
                chosen[field] = found[0]
                break
    return replace(
        given,
        query=chosen.get("query"),
        contexts=chosen.get("contexts"),
        response=chosen.get("response"),
        reference=chosen.get("reference"),
        id=chosen.get("id"),
    )


def resolve_table(columns: Sequence[str], mapping: FieldMapping | None, *, file: str) -> FieldMapping:
    """As `resolve`, for a table: every required field must have its column.

    Raises
    ------
    InputError
        As `resolve`; also when columns are missing, all of them named at once, with the columns found and the
        names that would be recognised.
    """
    try:
        found = resolve(columns, mapping)
    except InputError as error:
        raise InputError(
            error.what,
            where=f"{file}: {error.where}",
            got=error.got,
            expected=error.expected,
            cure=error.cure,
        ) from error
    missing = [
        field
        for field in REQUIRED
        if found.column(field) is None and not (field == "contexts" and found.without_contexts)
    ]
    if missing:
        raise InputError(
            f"no column for {', '.join(missing)}",
            where=file,
            got=f"columns {listed(columns)}",
            expected="; ".join(f"{field}: {recognised_names(field)}" for field in missing),
            cure="rename the columns or pass a field mapping",
        )
    return found


def recognised_names(field: FieldName) -> str:
    """The names by which a field is recognised, best first."""
    return ", ".join(name for rank in RECOGNISED[field] for name in rank)


def listed(names: Iterable[str], limit: int = 30) -> str:
    """Column names for an error message, at most ``limit`` of them."""
    all_names = list(names)
    text = ", ".join(
        name if name.isprintable() and name.strip() else repr(name) for name in all_names[:limit]
    )
    return f"{text} and {len(all_names) - limit} more" if len(all_names) > limit else text
