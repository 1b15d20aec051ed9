"""Stored results out again, a line a piece, in the shapes other tools read.

``jsonl`` and ``csv`` have the sample and what the gate said; ``ragas`` and ``deepeval`` are JSONL with those
tools' field names; all four are read back by ``proofdesk evaluate`` as the same samples. ``argilla`` is JSONL
of flat records for ``dataset.records.log``, the gate's verdict a suggestion for a question ``verdict``;
``label-studio`` is a JSON array of tasks with the verdict as a prediction for choices ``verdict`` on
``response``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, get_args

from db.engine import Store
from db.repositories.results import ResultFilter, Results, StoredDocument
from db.repositories.runs import Runs
from workflows.label_lists import csv_line

__all__ = ["FORMS", "Form", "export_results"]

Form: TypeAlias = Literal["jsonl", "csv", "ragas", "deepeval", "argilla", "label-studio"]
FORMS: tuple[Form, ...] = get_args(Form)
_COLUMNS = (
    "id",
    "query",
    "contexts",
    "response",
    "reference",
    "decision",
    "failure_type",
    "reason",
    "final",
    "risk",
    "result",
    "run",
    "fingerprint",
    "created_at",
)
_AS_VERDICT = {"ACCEPT": "accept", "REVIEW": "unsure", "REJECT": "reject"}


def export_results(store: Store, where: ResultFilter | None = None, *, form: Form) -> Iterator[str]:
    """Results in the order they were stored; memory does not grow with their number.

    In CSV, passages are a JSON array in one cell, and a cell that a spreadsheet would take for a formula gets
    an apostrophe before it.

    Raises
    ------
    StoreError
        When there is no run of the number asked for.
    """
    wanted = where or ResultFilter()
    if form == "csv":
        yield csv_line(_COLUMNS)
    if form == "label-studio":
        yield "["
    with store.read() as session:
        if wanted.run_id is not None:
            Runs(session).get(wanted.run_id)
        for number, stored in enumerate(Results(session).iter_documents(wanted)):
            if form == "csv":
                fields = _flat(stored)
                fields["contexts"] = json.dumps(fields["contexts"], ensure_ascii=False)
                yield csv_line(["" if fields[name] is None else fields[name] for name in _COLUMNS])
                continue
            line = json.dumps(_MADE[form](stored), ensure_ascii=False, allow_nan=False)
            yield (",\n" if number else "\n") + line if form == "label-studio" else line + "\n"
    if form == "label-studio":
        yield "\n]\n"


def _flat(stored: StoredDocument) -> dict[str, Any]:
    sample, document = stored.sample, stored.document
    scores = document["scores"]
    return {
        "id": sample.id,
        "query": sample.query,
        "contexts": list(sample.contexts),
        "response": sample.response,
        "reference": sample.reference,
        "decision": document["decision"],
        "failure_type": document["failure_type"],
        "reason": document["explanations"]["reason"],
        "final": scores.get("final"),
        "risk": scores.get("risk"),
        "result": stored.id,
        "run": stored.run_id,
        "fingerprint": document["fingerprint"]["id"],
        "created_at": stored.created_at.isoformat(),
    }


def _jsonl(stored: StoredDocument) -> dict[str, Any]:
    return {**_flat(stored), "metadata": dict(stored.sample.metadata)}


def _ragas(stored: StoredDocument) -> dict[str, Any]:
    sample = stored.sample
    return {
        "user_input": sample.query,
        "retrieved_contexts": list(sample.contexts),
        "response": sample.response,
        "reference": sample.reference,
        "id": sample.id,
    }


def _deepeval(stored: StoredDocument) -> dict[str, Any]:
    sample = stored.sample
    return {
        "input": sample.query,
        "actual_output": sample.response,
        "expected_output": sample.reference,
        "retrieval_context": list(sample.contexts),
        "id": sample.id,
    }


def _argilla(stored: StoredDocument) -> dict[str, Any]:
    fields = _flat(stored)
    return {
        "id": f"{fields['fingerprint']}-{stored.id}",
        "query": fields["query"],
        "contexts": _passages(stored),
        "response": fields["response"],
        "verdict": _AS_VERDICT[fields["decision"]],
        "sample_id": fields["id"],
        "decision": fields["decision"],
        "failure_type": fields["failure_type"],
        "reason": fields["reason"],
        "risk": fields["risk"],
    }


def _label_studio(stored: StoredDocument) -> dict[str, Any]:
    fields = _flat(stored)
    choice = {
        "from_name": "verdict",
        "to_name": "response",
        "type": "choices",
        "value": {"choices": [_AS_VERDICT[fields["decision"]]]},
    }
    prediction: dict[str, Any] = {"model_version": fields["fingerprint"], "result": [choice]}
    if fields["risk"] is not None:
        prediction["score"] = round(1 - fields["risk"], 4)
    return {
        "data": {
            "id": fields["id"],
            "query": fields["query"],
            "contexts": _passages(stored),
            "response": fields["response"],
            "reason": fields["reason"],
        },
        "predictions": [prediction],
    }


def _passages(stored: StoredDocument) -> str:
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(stored.sample.contexts, start=1))


_MADE = {
    "jsonl": _jsonl,
    "ragas": _ragas,
    "deepeval": _deepeval,
    "argilla": _argilla,
    "label-studio": _label_studio,
}
