"""What the gate says about one answer, and its form as a dict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias, get_args

from evalcore.errors import InputError

RESULT_SCHEMA_VERSION = 1

FindingKind: TypeAlias = Literal["number", "unit", "date", "name", "negation", "quantifier", "role"]


class Verdict(StrEnum):
    """What is to become of the answer."""

    ACCEPT = "ACCEPT"
    REVIEW = "REVIEW"
    REJECT = "REJECT"


class HallucinationStatus(StrEnum):
    """How sure the gate is that something was made up."""

    NONE = "none"
    SUSPECTED = "suspected"
    CONFIRMED = "confirmed"


class ScoreStatus(StrEnum):
    """Whether a score could be measured."""

    MEASURED = "measured"
    UNMEASURED = "unmeasured"


class SentenceStatus(StrEnum):
    """How the contexts hold one sentence of the answer."""

    SUPPORTED = "supported"
    LOW_CONFIDENCE = "low_confidence"
    UNMEASURED = "unmeasured"
    NOT_A_CLAIM = "not_a_claim"
    """It claims nothing about the world: a greeting, a heading, an offer of help."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """One named measurement in [0, 1], rounded to 4 decimals, or the reason there is none.

    ``value`` is None exactly when ``status`` is unmeasured, and then ``reason`` says why.
    """

    name: str
    value: float | None
    status: ScoreStatus = ScoreStatus.MEASURED
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != (self.status is ScoreStatus.UNMEASURED):
            raise InputError("a score without a value is unmeasured, and only that", where=self.name)
        if self.value is None and not self.reason:
            raise InputError("an unmeasured score needs a reason", where=self.name)

    @classmethod
    def unmeasured(cls, name: str, reason: str) -> Score:
        """A score that could not be measured, and why."""
        return cls(name=name, value=None, status=ScoreStatus.UNMEASURED, reason=reason)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The stretch of a passage that best holds a sentence.

    ``passage`` is the index into the sample's contexts; ``contexts[passage][start:end] == text``, in code
    points. ``score`` is the sentence's similarity with this stretch, in [0, 1].
    """

    passage: int
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, kw_only=True)
class SentenceFinding:
    """A part of a sentence that the contexts do not hold or contradict, for a person to check at a glance.

    ``response[start:end] == text``: the offsets are of the whole answer, not of the sentence, in code points.
    ``nearest`` is what the contexts say instead, if anything there comes near.
    """

    kind: FindingKind
    start: int
    end: int
    text: str
    message: str
    nearest: str | None = None


@dataclass(frozen=True, kw_only=True)
class SentenceVerdict:
    """One sentence of the answer: ``response[start:end] == text``, in code points.

    ``support`` in [0, 1] says how well the contexts hold it; None when it could not be measured or the
    sentence claims nothing, with the ``reason``. ``evidence`` is best first and may be empty; ``findings``
    stand in the order of their places.
    """

    index: int
    start: int
    end: int
    text: str
    support: float | None
    status: SentenceStatus
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[SentenceFinding, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The rule that fired and what follows from it.

    ``confidence_pct`` (0 to 100) keeps the published name and formula; it is a margin, not a probability.
    It is None for states that have no margin, such as an empty answer.
    """

    verdict: Verdict
    rule_id: str
    failure_type: str
    hallucination_status: HallucinationStatus
    next_action: str
    reason: str
    why: str
    confidence_pct: int | None


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """What made a result. Results of different fingerprints are never compared in silence."""

    profile: str
    profile_hash: str
    encoder: str
    weights_hash: str
    backend: str
    precision: str
    runtime_version: str
    package_version: str

    @property
    def id(self) -> str:
        """Sixteen hex digits that stand for the whole."""
        return fingerprint_id(self)


def fingerprint_id(fingerprint: Fingerprint) -> str:
    """Hash a fingerprint's fields, in the order they are declared, to sixteen hex digits."""
    import hashlib

    parts = [getattr(fingerprint, name) for name in Fingerprint.__dataclass_fields__]
    return hashlib.sha256("\x1f".join(parts).encode("utf-8")).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class EvalResult:
    """The gate's whole word on one answer.

    ``states`` names what is special about the answer (``empty_response``, ``refusal``, ...), sorted;
    empty for an ordinary one. ``latency_ms`` takes no part in equality.
    """

    sample_id: str
    content_hash: str
    decision: Decision
    scores: tuple[Score, ...]
    sentences: tuple[SentenceVerdict, ...]
    states: tuple[str, ...]
    passed: bool | None
    needs_review: bool | None
    used_llm_judge: bool
    fingerprint: Fingerprint
    warnings: tuple[str, ...]
    latency_ms: float = field(compare=False)

    def score(self, name: str) -> Score:
        """The score of that name.

        Raises
        ------
        InputError
            When no scorer of the profile made one.
        """
        for score in self.scores:
            if score.name == name:
                return score
        raise InputError(
            "no such score in this result", got=name, expected=", ".join(s.name for s in self.scores)
        )

    @property
    def low_confidence_sentences(self) -> tuple[SentenceVerdict, ...]:
        """The sentences the gate distrusts, in the order of the answer."""
        return tuple(s for s in self.sentences if s.status is SentenceStatus.LOW_CONFIDENCE)

    def to_dict(self) -> dict[str, Any]:
        """The published shape, with what an audit needs beside it; JSON values only.

        ``scores`` maps names to numbers or null; ``score_notes`` says why a null is null.
        """
        decision = self.decision
        return {
            "schema_version": RESULT_SCHEMA_VERSION,
            "sample_id": self.sample_id,
            "content_hash": self.content_hash,
            "decision": str(decision.verdict),
            "confidence_pct": decision.confidence_pct,
            "failure_type": decision.failure_type,
            "hallucination_status": str(decision.hallucination_status),
            "next_action": decision.next_action,
            "action_why": decision.why,
            "rule_id": decision.rule_id,
            "states": list(self.states),
            "scores": {score.name: score.value for score in self.scores},
            "score_notes": {score.name: score.reason for score in self.scores if score.reason},
            "explanations": {
                "reason": decision.reason,
                "low_confidence_sentences": [s.text for s in self.low_confidence_sentences],
            },
            "sentences": [_sentence_to_dict(s) for s in self.sentences],
            "warnings": list(self.warnings),
            "fingerprint": {
                "id": self.fingerprint.id,
                **{name: getattr(self.fingerprint, name) for name in Fingerprint.__dataclass_fields__},
            },
            "meta": {
                "passed": self.passed,
                "needs_review": self.needs_review,
                "used_llm_judge": self.used_llm_judge,
                "latency_ms": self.latency_ms,
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalResult:
        """Read what :meth:`to_dict` wrote: ``from_dict(to_dict(r)) == r``.

        Raises
        ------
        InputError
            When a field is missing or of the wrong kind; the message names it.
        """
        if not isinstance(data, Mapping):
            raise InputError("not a result dict", got=type(data).__name__, expected="what to_dict() writes")
        version = data.get("schema_version")
        if version != RESULT_SCHEMA_VERSION:
            raise InputError(
                "a result of another schema version",
                where="schema_version",
                got=repr(version),
                expected=str(RESULT_SCHEMA_VERSION),
            )
        try:
            notes = data["score_notes"]
            return cls(
                sample_id=data["sample_id"],
                content_hash=data["content_hash"],
                decision=Decision(
                    verdict=Verdict(data["decision"]),
                    rule_id=data["rule_id"],
                    failure_type=data["failure_type"],
                    hallucination_status=HallucinationStatus(data["hallucination_status"]),
                    next_action=data["next_action"],
                    reason=data["explanations"]["reason"],
                    why=data["action_why"],
                    confidence_pct=data["confidence_pct"],
                ),
                scores=tuple(
                    Score(
                        name=name,
                        value=value,
                        status=ScoreStatus.UNMEASURED if value is None else ScoreStatus.MEASURED,
                        reason=notes.get(name),
                    )
                    for name, value in data["scores"].items()
                ),
                sentences=tuple(_sentence_from_dict(s) for s in data["sentences"]),
                states=tuple(data["states"]),
                passed=data["meta"]["passed"],
                needs_review=data["meta"]["needs_review"],
                used_llm_judge=data["meta"]["used_llm_judge"],
                fingerprint=Fingerprint(
                    **{name: data["fingerprint"][name] for name in Fingerprint.__dataclass_fields__}
                ),
                warnings=tuple(data["warnings"]),
                latency_ms=data["meta"]["latency_ms"],
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                "not a result dict", got=f"{type(error).__name__}: {error}", expected="what to_dict() writes"
            ) from error


def _sentence_to_dict(sentence: SentenceVerdict) -> dict[str, Any]:
    return {
        "index": sentence.index,
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "support": sentence.support,
        "status": str(sentence.status),
        "reason": sentence.reason,
        "evidence": [
            {"passage": e.passage, "start": e.start, "end": e.end, "text": e.text, "score": e.score}
            for e in sentence.evidence
        ],
        "findings": [
            {
                "kind": f.kind,
                "start": f.start,
                "end": f.end,
                "text": f.text,
                "message": f.message,
                "nearest": f.nearest,
            }
            for f in sentence.findings
        ],
    }


def _sentence_from_dict(data: Mapping[str, Any]) -> SentenceVerdict:
    return SentenceVerdict(
        index=data["index"],
        start=data["start"],
        end=data["end"],
        text=data["text"],
        support=data["support"],
        status=SentenceStatus(data["status"]),
        reason=data["reason"],
        evidence=tuple(Evidence(**e) for e in data["evidence"]),
        # Results stored before there were findings have none.
        findings=tuple(_finding_from_dict(f) for f in data.get("findings", ())),
    )


def _finding_from_dict(data: Mapping[str, Any]) -> SentenceFinding:
    found = SentenceFinding(**data)
    if found.kind not in get_args(FindingKind):
        raise ValueError(f"no kind of finding: {found.kind!r}")
    return found
