"""Answers that people have judged, in the shared schema of the public sets."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evalcore import Sample
from evalcore.errors import InputError, ProofdeskError
from training.pairs import MEASURE_FILES, TRAIN_FILES, document_of, part_of
from training.russian import RUSSIAN_FILES

SHARED = Path(os.environ.get("PROOFDESK_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"

# Of one class only, so that nothing can be told apart.
_UNUSABLE = ("summacoz_negatives",)
MEASURED = (*MEASURE_FILES, "shroom2024", *(name for name in TRAIN_FILES if name not in _UNUSABLE))
"""Names of the shared files that the benchmark measures unless told otherwise."""


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

    @cached_property
    def document(self) -> str:
        """Names the document: answers from one document are not independent and go together.

        The name is the one by which training parts its data, so that a document held out there is held out
        here. Answers without a context have nothing in common and stand alone.
        """
        context = " ".join(self.sample.contexts)
        return document_of(context) if context.strip() else self.sample.content_hash[:16]


def read_judged(path: Path) -> list[JudgedAnswer]:
    """The judged answers of a JSONL file.

    Each line is an object with ``response``, ``label`` (``supported`` or ``unsupported``) and ``context`` or
    ``contexts`` (a text or a list of texts); perhaps ``id``, ``query`` and ``sentence_labels`` (a list of
    ``start``, ``end``, ``label``), each of which may be null. Whatever else a line holds is not read.

    Raises
    ------
    InputError
        For a file that cannot be read, a line that is not so (names the file and the line), or no answer.
    """
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        raise InputError("cannot read judged answers", where=str(path), got=str(error)) from error
    answers = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            answers.append(_judged(json.loads(line.decode("utf-8"))))
        except (ValueError, KeyError, TypeError, RecursionError, ProofdeskError) as error:
            raise InputError(
                "not a judged answer",
                where=f"{path}:{number}",
                got=f"{type(error).__name__}: {error}",
                expected="context, response, label: supported or unsupported",
            ) from error
    if not answers:
        raise InputError("no judged answers", where=str(path), got="only blank lines")
    return answers


def default_files(folder: Path = SHARED) -> list[Path]:
    """The files of ``MEASURED`` that the folder holds."""
    found = ((folder / f"{name}_train.jsonl", folder / f"{name}.jsonl") for name in MEASURED)
    return [path for pair in found for path in pair if path.is_file()]


def is_trained_on(path: Path) -> bool:
    """Whether training uses the file, told by its name: one that training has never heard of is whole.

    Examples
    --------
    >>> is_trained_on(Path("wice_train.jsonl")), is_trained_on(Path("wice_test.jsonl"))
    (True, False)
    """
    return path.stem in {f"{name}_train" for name in (*TRAIN_FILES, *RUSSIAN_FILES)}


def held_out(answers: Sequence[JudgedAnswer]) -> list[JudgedAnswer]:
    """Those from documents that training leaves alone."""
    return [answer for answer in answers if part_of(answer.document) == "measure"]


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


def _judged(row: object) -> JudgedAnswer:
    if not isinstance(row, Mapping):
        raise TypeError(f"{type(row).__name__} in place of an object")
    if row["label"] not in ("supported", "unsupported"):
        raise ValueError(f"label is {row['label']!r}")
    passages = row["contexts"] if row.get("contexts") is not None else row["context"]
    identity = row.get("id")
    return JudgedAnswer(
        sample=Sample(
            id="" if identity is None else str(identity),
            query=_text(row.get("query") or "", "query"),
            contexts=tuple(
                _text(passage, "a context")
                for passage in (passages if isinstance(passages, list) else [passages])
            ),
            response=_text(row["response"], "response"),
        ),
        supported=row["label"] == "supported",
        sentences=_sentences(row.get("sentence_labels")),
    )


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} is {type(value).__name__}, not a text")
    return value


def _sentences(labels: object) -> tuple[JudgedSentence, ...]:
    if labels is None:
        return ()
    if not isinstance(labels, list):
        raise TypeError(f"sentence_labels is {type(labels).__name__}, not a list")
    # A sentence that people called neither, such as an irrelevant one, is not measured.
    return tuple(
        JudgedSentence(int(one["start"]), int(one["end"]), one["label"] == "supported")
        for one in labels
        if one["label"] in ("supported", "unsupported")
    )
