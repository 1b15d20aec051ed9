"""Answers that people have judged, in the shared schema of the public sets."""

from __future__ import annotations

import hashlib
import json
import os
import random
from dataclasses import dataclass
from pathlib import Path

from evalcore import Sample
from evalcore.errors import InputError

SHARED = Path(os.environ.get("PROOFDESK_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"


@dataclass(frozen=True)
class JudgedSentence:
    """A stretch of the response, ``response[start:end]``, and whether people found it supported."""

    start: int
    end: int
    supported: bool


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer, people's verdict on it, and the document it was answered from."""

    sample: Sample
    supported: bool
    sentences: tuple[JudgedSentence, ...]

    @property
    def document(self) -> str:
        """Names the document: answers from one document are not independent and go together."""
        return hashlib.sha256(self.sample.contexts[0].strip().encode("utf-8")).hexdigest()[:16]


def read_judged(path: Path) -> list[JudgedAnswer]:
    """The judged answers of a JSONL file.

    Each line is an object with ``id``, ``query``, ``context``, ``response``, ``label`` (``supported`` or
    ``unsupported``) and perhaps ``sentence_labels`` (a list of ``start``, ``end``, ``label``).

    Raises
    ------
    InputError
        For a line that is not so; names the file, the line and the field.
    """
    answers = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                answers.append(_judged(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    "not a judged answer",
                    where=f"{path}:{number}",
                    got=f"{type(error).__name__}: {error}",
                    expected="id, query, context, response, label",
                ) from error
    return answers


def sample_documents(answers: list[JudgedAnswer], limit: int, *, seed: int = 0) -> list[JudgedAnswer]:
    """Whole documents, drawn at random until there are at least ``limit`` answers; all if there are fewer."""
    if len(answers) <= limit:
        return answers
    documents = sorted({answer.document for answer in answers})
    random.Random(seed).shuffle(documents)
    by_document: dict[str, list[JudgedAnswer]] = {document: [] for document in documents}
    for answer in answers:
        by_document[answer.document].append(answer)
    chosen: list[JudgedAnswer] = []
    for document in documents:
        if len(chosen) >= limit:
            break
        chosen.extend(by_document[document])
    return chosen


def _judged(row: dict[str, object]) -> JudgedAnswer:
    if row["label"] not in ("supported", "unsupported"):
        raise ValueError(f"label is {row['label']!r}")
    labels = row.get("sentence_labels") or []
    assert isinstance(labels, list)
    return JudgedAnswer(
        sample=Sample(
            id=str(row["id"]),
            query=str(row.get("query") or ""),
            contexts=(str(row["context"]),),
            response=str(row["response"]),
        ),
        supported=row["label"] == "supported",
        sentences=tuple(
            JudgedSentence(int(s["start"]), int(s["end"]), s["label"] == "supported") for s in labels
        ),
    )
