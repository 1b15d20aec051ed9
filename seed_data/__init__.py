"""The demo's own data: answers to judge and the labels of two invented reviewers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from typing import Literal, TypeAlias, TypeVar, get_args

from evalcore.errors import InputError
from evalcore.sample import Sample

Quality: TypeAlias = Literal[
    "good",
    "hallucination",
    "weak_grounding",
    "off_topic",
    "poor_retrieval",
    "refusal_right",
    "refusal_wrong",
    "empty_response",
    "empty_contexts",
    "vague",
    "wrong_number",
    "wrong_name",
    "negation",
]
LabelVerdict: TypeAlias = Literal["accept", "reject", "unsure"]

QUALITIES: tuple[Quality, ...] = get_args(Quality)
LABEL_VERDICTS: tuple[LabelVerdict, ...] = get_args(LabelVerdict)

_Chosen = TypeVar("_Chosen", bound=str)


@dataclass(frozen=True, kw_only=True)
class Intended:
    """What an answer was written to be, and why. Kept apart from the sample: the gate never sees it."""

    quality: Quality
    note: str


@dataclass(frozen=True, kw_only=True)
class SeedSample:
    """One demo answer, when it was given (UTC) and by what."""

    sample: Sample
    created_at: datetime
    system: str
    prompt_version: str
    model: str
    lang: str
    subject: str
    intended: Intended


@dataclass(frozen=True, kw_only=True)
class SeedLabel:
    """What a demo reviewer said of one answer, and when (UTC)."""

    sample_id: str
    reviewer: str
    verdict: LabelVerdict
    failure_type: str | None
    note: str
    created_at: datetime


def load_samples() -> list[SeedSample]:
    """The demo answers, oldest first.

    Raises
    ------
    InputError
        When a line of the file is damaged; the message names the line and the field.

    Examples
    --------
    >>> first = load_samples()[0]
    >>> first.sample.id, first.lang, first.created_at.isoformat()
    ('hp-001', 'en', '2026-10-05T09:17:01+00:00')
    """
    return [
        SeedSample(
            sample=Sample(
                query=row.text("query"),
                contexts=row.texts("contexts"),
                response=row.text("response"),
                metadata={"subject": row.text("subject"), "lang": row.text("lang")},
                id=row.text("id"),
            ),
            created_at=row.time("created_at"),
            system=row.text("system"),
            prompt_version=row.text("prompt_version"),
            model=row.text("model"),
            lang=row.text("lang"),
            subject=row.text("subject"),
            intended=_intended(row.nested("intended")),
        )
        for row in _rows("samples.jsonl")
    ]


def load_labels() -> list[SeedLabel]:
    """The demo reviewers' labels, oldest first.

    Raises
    ------
    InputError
        When a line of the file is damaged; the message names the line and the field.

    Examples
    --------
    >>> sorted({label.reviewer for label in load_labels()})
    ['Demo: Irina', 'Demo: Tom']
    """
    return [
        SeedLabel(
            sample_id=row.text("sample_id"),
            reviewer=row.text("reviewer"),
            verdict=row.choice("verdict", LABEL_VERDICTS),
            failure_type=row.text_or_none("failure_type"),
            note=row.text("note"),
            created_at=row.time("created_at"),
        )
        for row in _rows("labels.jsonl")
    ]


def _intended(row: _Row) -> Intended:
    return Intended(quality=row.choice("quality", QUALITIES), note=row.text("note"))


@dataclass(frozen=True)
class _Row:
    """One JSON object and where it stands, so that a wrong field is named with its line."""

    fields: Mapping[str, object]
    where: str

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise self._wrong(name, value, "a string")
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self.fields.get(name) is None else self.text(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.fields.get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(name, value, "a list of strings")
        return tuple(value)

    def choice(self, name: str, allowed: Sequence[_Chosen]) -> _Chosen:
        value = self.fields.get(name)
        for option in allowed:
            if value == option:
                return option
        raise self._wrong(name, value, "one of " + ", ".join(allowed))

    def time(self, name: str) -> datetime:
        text = self.text(name)
        try:
            return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        except ValueError:
            raise self._wrong(name, text, "UTC as 2026-10-05T09:17:01Z") from None

    def nested(self, name: str) -> _Row:
        value = self.fields.get(name)
        if not isinstance(value, dict):
            raise self._wrong(name, value, "an object")
        return _Row(value, f"{self.where}, {name}")

    def _wrong(self, name: str, got: object, expected: str) -> InputError:
        return InputError(
            "damaged seed data",
            where=f"{self.where}, {name}",
            got=repr(got),
            expected=expected,
            cure="restore seed_data from the release",
        )


def _rows(name: str) -> Iterator[_Row]:
    text = resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
    # split("\n"), since splitlines() would also cut at the line separators JSON may hold unescaped.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"seed_data/{name}:{number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError("not JSON", where=where, got=str(error), expected="one JSON object") from error
        if not isinstance(value, dict):
            raise InputError(
                "not an object", where=where, got=type(value).__name__, expected="one JSON object"
            )
        yield _Row(value, where)
