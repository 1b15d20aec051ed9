"""Rows to core types and back: the only place that knows how a result is laid out in columns."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from sqlalchemy import RowMapping, Table

from db import tables
from evalcore.errors import StoreError
from evalcore.result import EvalResult, Fingerprint, SentenceStatus
from evalcore.sample import Sample

Row: TypeAlias = dict[str, object]
SampleKey: TypeAlias = tuple[str, str]

SCORE_COLUMNS = (
    "final",
    "attribution",
    "specificity",
    "faithfulness",
    "relevance",
    "context_quality",
    "consistency",
    "disagreement",
)

_LANGUAGE_LENGTH = 35


def _encoder(*, ensure_ascii: bool) -> Callable[[object], str]:
    # A value that contains itself ends in RecursionError, which to_json reports; looking for it costs time.
    return json.JSONEncoder(
        ensure_ascii=ensure_ascii, allow_nan=False, check_circular=False, separators=(",", ":")
    ).encode


_compact = _encoder(ensure_ascii=False)
_compact_ascii = _encoder(ensure_ascii=True)


def table_of(entity: type[tables.Base]) -> Table:
    """The table behind an ORM class, for statements over many rows."""
    return cast(Table, entity.__table__)


def to_json(value: object, where: str) -> str:
    """Compact JSON text.

    Raises
    ------
    StoreError
        When ``value`` holds something that is not a JSON value, such as NaN; ``where`` says whose it is.
    """
    try:
        text = _compact(value)
        # Metadata may hold half of a surrogate pair, which only an escape can carry.
        return text if text.isascii() or _is_utf8(text) else _compact_ascii(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(
            "cannot be kept as JSON",
            where=where,
            got=str(error),
            expected="finite numbers, texts, lists, objects",
        ) from error


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def fingerprint_row(fingerprint: Fingerprint) -> Row:
    """The row of a fingerprint."""
    fields = {name: getattr(fingerprint, name) for name in Fingerprint.__dataclass_fields__}
    return {"id": fingerprint.id, **fields}


def fingerprint_of(row: Mapping[str, Any]) -> Fingerprint:
    """The fingerprint a row of its table stands for."""
    return Fingerprint(**{name: row[name] for name in Fingerprint.__dataclass_fields__})


def sample_row(sample: Sample, created_at: str) -> Row:
    """The row of a sample; ``created_at`` in its stored form."""
    where = f"sample {sample.id[:80]}"
    return {
        "external_id": sample.id,
        "content_hash": sample.content_hash,
        "query": sample.query,
        "contexts": to_json(sample.contexts, where),
        "response": sample.response,
        "reference": sample.reference,
        "metadata": to_json(dict(sample.metadata), f"{where}: metadata") if sample.metadata else "{}",
        "created_at": created_at,
    }


def sample_of(row: RowMapping) -> Sample:
    """The sample a row of its table stands for."""
    return Sample(
        query=row["query"],
        contexts=tuple(json.loads(row["contexts"])),
        response=row["response"],
        reference=row["reference"],
        metadata=json.loads(row["metadata"]),
        id=row["external_id"],
    )


def risk_of(result: EvalResult) -> float:
    """What the queue sorts by, in [0, 1]: the result's own risk, else 1 - final, else 1.

    A result of which nothing could be measured comes first, not last.
    """
    values = {score.name: score.value for score in result.scores}
    own, final = values.get("risk"), values.get("final")
    risk = own if own is not None else 1.0 - final if final is not None else 1.0
    return min(1.0, max(0.0, round(risk, 4)))


def shuffle_of(sample: Sample) -> str:
    """The sample's place in a random order: eight hexadecimal digits, the same for the same content."""
    return sample.content_hash[:8]


def result_row(
    sample: Sample,
    result: EvalResult,
    *,
    sample_id: int,
    fingerprint_id: str,
    run_id: int,
    created_at: str,
) -> Row:
    """The row of a result; ``created_at`` in its stored form.

    Raises
    ------
    StoreError
        When a score is not a finite number, or the result belongs to another sample.
    """
    where = f"result of sample {sample.id[:80]}"
    if (result.sample_id, result.content_hash) != (sample.id, sample.content_hash):
        raise StoreError("the result is of another sample", where=where, got=result.sample_id)
    values = {score.name: score.value for score in result.scores}
    for name, value in values.items():
        if value is not None and not math.isfinite(value):
            raise StoreError("a score that is not a finite number", where=f"{where}: {name}", got=str(value))
    decision = result.decision
    language = sample.metadata.get("language")
    row: Row = {
        "sample_id": sample_id,
        "fingerprint_id": fingerprint_id,
        "run_id": run_id,
        "decision": str(decision.verdict),
        "rule_id": decision.rule_id,
        "failure_type": decision.failure_type,
        "hallucination_status": str(decision.hallucination_status),
        "next_action": decision.next_action,
        "reason": decision.reason,
        "confidence_pct": decision.confidence_pct,
        "risk": risk_of(result),
        "passed": result.passed,
        "states": to_json(result.states, where) if result.states else "[]",
        "language": language if isinstance(language, str) and len(language) <= _LANGUAGE_LENGTH else None,
        "n_sentences": len(result.sentences),
        "n_low": sum(s.status is SentenceStatus.LOW_CONFIDENCE for s in result.sentences),
        "latency_ms": result.latency_ms,
        "created_at": created_at,
        "created_day": created_at[:10],
        "shuffle": shuffle_of(sample),
    }
    for name in SCORE_COLUMNS:
        row[name] = values.get(name)
    return row


def sentence_rows(result: EvalResult, result_id: int) -> list[Row]:
    """The rows of a result's sentences."""
    return [
        {
            "result_id": result_id,
            "idx": sentence.index,
            "start": sentence.start,
            "end": sentence.end,
            "text": sentence.text,
            "support": sentence.support,
            "status": str(sentence.status),
            "n_evidence": len(sentence.evidence),
        }
        for sentence in result.sentences
    ]


LOW_CONFIDENCE = "low_confidence"
"""The kind of doubt that is the gate's own, beside the kinds of findings."""


def doubt_rows(result: EvalResult, result_id: int) -> list[Row]:
    """A row for each sentence and each kind of doubt about it."""
    rows: list[Row] = []
    for sentence in result.sentences:
        kinds: set[str] = {finding.kind for finding in sentence.findings}
        if sentence.status is SentenceStatus.LOW_CONFIDENCE:
            kinds.add(LOW_CONFIDENCE)
        rows += [
            {
                "kind": kind,
                "result_id": result_id,
                "idx": sentence.index,
                "failure_type": result.decision.failure_type,
                "text_key": text_key(sentence.text),
            }
            for kind in sorted(kinds)
        ]
    return rows


def text_key(text: str) -> str:
    """A short name for a text: equal texts have the same."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def document_row(result: EvalResult, result_id: int) -> Row:
    """The whole result, as JSON text."""
    return {
        "result_id": result_id,
        "document": to_json(result.to_dict(), f"result of sample {result.sample_id[:80]}"),
    }


def document_of(text: str) -> dict[str, Any]:
    """What ``EvalResult.to_dict()`` gave."""
    return cast(dict[str, Any], json.loads(text))


def result_of(text: str) -> EvalResult:
    """The result a document stands for."""
    return EvalResult.from_dict(document_of(text))
