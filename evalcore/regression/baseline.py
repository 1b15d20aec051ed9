"""A baseline: cases that never change, each with its hash."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from evalcore.errors import InputError
from evalcore.result import EvalResult, Fingerprint, Verdict
from evalcore.sample import Sample

SCHEMA_VERSION = 1
"""Version of the case's form. What makes a case's hash never changes within one."""
Gold: TypeAlias = Literal["accept", "reject"]
Provenance: TypeAlias = Literal["agreement", "adjudication", "single", "file"]
Part: TypeAlias = Literal["development", "validation", "held_out"]
_BOUNDS: tuple[tuple[float, Part], ...] = ((0.5, "development"), (0.75, "validation"), (1.0, "held_out"))
_DOCUMENT_LETTERS = 200


@dataclass(frozen=True, kw_only=True)
class Case:
    """One answer as it was when the baseline was frozen.

    Attributes
    ----------
    sample : Sample
        Its id is the case's.
    decision, rule_id : str
        What the gate decided, and by which rule.
    scores : dict of str to float or None
        None where a score was not measured.
    gold : {"accept", "reject"} or None
        People's word, and where it comes from (``gold_source``).
    part : str
        By the document, so that answers from one document are in one part.
    """

    sample: Sample
    decision: str
    rule_id: str
    scores: Mapping[str, float | None]
    gold: Gold | None = None
    gold_source: Provenance | None = None
    part: Part

    @property
    def id(self) -> str:
        """The sample's own id."""
        return self.sample.id

    @cached_property
    def question_hash(self) -> str:
        """Names question and passages: answers are compared only where these are the same."""
        return question_hash(self.sample)

    def to_dict(self) -> dict[str, Any]:
        """The case as JSON values, the same everywhere for the same case."""
        return {
            "id": self.id,
            "query": self.sample.query,
            "contexts": list(self.sample.contexts),
            "response": self.sample.response,
            "reference": self.sample.reference,
            "decision": self.decision,
            "rule_id": self.rule_id,
            "scores": dict(sorted(self.scores.items())),
            "gold": self.gold,
            "gold_source": self.gold_source,
            "part": self.part,
        }

    @cached_property
    def hash(self) -> str:
        """SHA-256 in hex of the canonical JSON of :meth:`to_dict`."""
        return _hash(self.to_dict())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> Case:
        """A case from JSON values.

        Raises
        ------
        InputError
            Naming ``where``, when a field is missing or has the wrong form.
        """
        try:
            scores = {str(name): None if v is None else float(v) for name, v in data["scores"].items()}
            case = cls(
                sample=Sample(
                    id=data["id"],
                    query=data["query"],
                    contexts=data["contexts"],
                    response=data["response"],
                    reference=data.get("reference"),
                ),
                decision=str(data["decision"]),
                rule_id=str(data["rule_id"]),
                scores=scores,
                gold=data.get("gold"),
                gold_source=data.get("gold_source"),
                part=data["part"],
            )
        except (KeyError, TypeError, ValueError, AttributeError, InputError) as error:
            raise InputError(
                "not a case of a baseline", where=where, got=f"{type(error).__name__}: {error}"
            ) from error
        allowed: tuple[tuple[str, object, tuple[object, ...]], ...] = (
            ("decision", case.decision, tuple(str(v) for v in Verdict)),
            ("gold", case.gold, (*get_args(Gold), None)),
            ("gold_source", case.gold_source, (*get_args(Provenance), None)),
            ("part", case.part, get_args(Part)),
        )
        for name, value, values in allowed:
            if value not in values:
                expected = ", ".join(str(v) for v in values)
                raise InputError(
                    "not a case of a baseline",
                    where=f"{where}: {name}",
                    got=str(value)[:80],
                    expected=expected,
                )
        return case


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Named, versioned, immutable cases of one fingerprint. Cases stand in the order of their ids."""

    name: str
    version: int
    fingerprint: Fingerprint
    cases: tuple[Case, ...]
    note: str = ""
    created_at: str = field(default="", compare=False)

    @cached_property
    def hash(self) -> str:
        """Over the fingerprint and the hashes of the cases; name, version and time take no part."""
        fields = {name: getattr(self.fingerprint, name) for name in Fingerprint.__dataclass_fields__}
        return _hash(
            {"v": SCHEMA_VERSION, "fingerprint": fields, "cases": sorted(c.hash for c in self.cases)}
        )


def make_baseline(
    name: str,
    version: int,
    fingerprint: Fingerprint,
    cases: Iterable[Case],
    *,
    note: str = "",
    created_at: str = "",
) -> Baseline:
    """A baseline, its cases in order.

    Raises
    ------
    InputError
        For a name that is none, no case, and two cases of one id.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}", name):
        raise InputError(
            "not a baseline's name", where="name", got=name[:80], expected="letters, digits, '-', '_' and '.'"
        )
    ordered = sorted(cases, key=lambda case: case.id)
    if not ordered:
        raise InputError("a baseline needs a case", where=name, cure="label answers, or choose others")
    for one, two in itertools.pairwise(ordered):
        if one.id == two.id:
            raise InputError("two cases of one id", where=name, got=one.id[:80])
    return Baseline(
        name=name, version=version, fingerprint=fingerprint, cases=tuple(ordered), note=note,
        created_at=created_at,
    )  # fmt: skip


def case_of(
    sample: Sample, result: EvalResult, *, gold: Gold | None = None, gold_source: Provenance | None = None
) -> Case:
    """The case that a result makes."""
    return Case(
        sample=sample,
        decision=str(result.decision.verdict),
        rule_id=result.decision.rule_id,
        scores={score.name: score.value for score in result.scores},
        gold=gold,
        gold_source=gold_source,
        part=part_of(sample),
    )


def part_of(sample: Sample) -> Part:
    """Half of the documents are for development, a quarter each for validation and held out."""
    letters = re.sub(r"\W+", "", "".join(sample.contexts).casefold())[:_DOCUMENT_LETTERS]
    place = int(hashlib.sha256(letters.encode("utf-8")).hexdigest()[:8], 16) / 0x100000000
    return next(part for bound, part in _BOUNDS if place < bound)


def question_hash(sample: Sample) -> str:
    """SHA-256 in hex of question and passages."""
    return _hash({"query": sample.query, "contexts": list(sample.contexts)})


def differing(one: Fingerprint, two: Fingerprint) -> tuple[str, ...]:
    """The fields in which two fingerprints differ."""
    names: Sequence[str] = tuple(Fingerprint.__dataclass_fields__)
    return tuple(name for name in names if getattr(one, name) != getattr(two, name))


def _hash(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
