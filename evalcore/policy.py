"""From scores to a decision: an ordered list of rules, the first that fires names everything."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from evalcore.conditions import When
from evalcore.result import Decision, HallucinationStatus, Score, Verdict


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Margin(_Section):
    """The score and threshold from which a rule's confidence is measured."""

    score: str
    at: float = Field(ge=0, le=1)


class Outcome(_Section):
    """What a rule says when it fires."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    decision: Verdict
    failure_type: str = Field(pattern=r"^[a-z0-9_]+$")
    next_action: str = Field(pattern=r"^[a-z0-9_]+$")
    reason: str = Field(min_length=1)
    """Shown to people; ``{name}`` is a score to three decimals."""
    why: str = Field(min_length=1)
    hallucination_status: HallucinationStatus | None = None
    """Overrides the policy's own ladder."""
    confidence: Margin | None = None

    @field_validator("reason")
    @classmethod
    def _readable(cls, reason: str) -> str:
        for _, name, spec, conversion in string.Formatter().parse(reason):
            if name is not None and (not name.isidentifier() or spec or conversion):
                raise ValueError(f"{{{name}}}: write the bare name of a score")
        return reason

    @property
    def scores_named(self) -> tuple[tuple[str, str], ...]:
        """(field, score) of each score that the reason and the margin speak of."""
        named = [("reason", name) for _, name, _, _ in string.Formatter().parse(self.reason) if name]
        return tuple(named + ([("confidence.score", self.confidence.score)] if self.confidence else []))


class Rule(Outcome):
    """An outcome and the conditions under which it is given; without conditions, always."""

    when: When = When()


class StatusStep(_Section):
    """One step of the hallucination ladder; the first that holds names the status."""

    status: HallucinationStatus
    when: When = When()


class ConfidenceWeights(_Section):
    """Shares of the three parts of the confidence."""

    margin: float = Field(ge=0, le=1)
    attribution: float = Field(ge=0, le=1)
    agreement: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = self.margin + self.attribution + self.agreement
        if abs(total - 1) > 1e-9:
            raise ValueError(f"weights must sum to 1, not {total:g}")
        return self


class ConfidenceConfig(_Section):
    """``100 * (w_m * min(1, margin_scale * |x - t|) + w_a * attribution + w_d * max(0, 1 - D / scale))``.

    The published formula. It is a margin in percent, not a probability: it falls with attribution even for a
    certain REJECT.
    """

    weights: ConfidenceWeights
    margin_scale: float = Field(gt=0)
    disagreement_scale: float = Field(gt=0)


class PolicyConfig(_Section):
    """The ``policy`` section of a profile."""

    confidence: ConfidenceConfig
    passed: When
    needs_review: tuple[When, ...]
    """The answer needs a look when any of these holds."""
    hallucination_status: tuple[StatusStep, ...] = Field(min_length=1)
    unmeasured: Outcome
    """Given where a rule hangs on a score that could not be measured: never a silent pass."""
    rules: tuple[Rule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        ids = [self.unmeasured.id, *(rule.id for rule in self.rules)]
        for number, rule in enumerate(self.rules):
            if rule.id in ids[: number + 1]:
                raise ValueError(f"rules[{number}]: two rules of one id {rule.id!r}")
            for earlier in self.rules[:number]:
                if rule.when.implies(earlier.when):
                    raise ValueError(
                        f"rules[{number}] ({rule.id}): can never fire, since {earlier.id!r} stands before it "
                        "and fires wherever it would"
                    )
        if self.rules[-1].when:
            raise ValueError(
                f"rules[{len(self.rules) - 1}] ({self.rules[-1].id}): the final rule must have no "
                "conditions, so that every answer gets a decision"
            )
        if self.unmeasured.decision is Verdict.ACCEPT:
            raise ValueError("unmeasured: an answer with unmeasured scores cannot be accepted")
        if self.hallucination_status[-1].when:
            raise ValueError("hallucination_status: the last step must have no conditions")
        return self

    def unknown_scores(self, produced: Sequence[str]) -> list[tuple[str, str]]:
        """(place, name) of each score that is looked at and not made by any scorer of the profile."""
        looked_at = [("passed", name) for name in self.passed.names]
        for number, when in enumerate(self.needs_review):
            looked_at += [(f"needs_review[{number}]", name) for name in when.names]
        for number, step in enumerate(self.hallucination_status):
            looked_at += [(f"hallucination_status[{number}].when", name) for name in step.when.names]
        looked_at += [(f"unmeasured.{field}", name) for field, name in self.unmeasured.scores_named]
        for number, rule in enumerate(self.rules):
            place = f"rules[{number}] ({rule.id})"
            looked_at += [(f"{place}.when", name) for name in rule.when.names]
            looked_at += [(f"{place}.{field}", name) for field, name in rule.scores_named]
        looked_at += [("confidence", name) for name in ("attribution", "disagreement")]
        return [(place, name) for place, name in looked_at if name not in produced]


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """A decision with the two flags that stand beside it."""

    decision: Decision
    passed: bool | None
    needs_review: bool | None


class Policy:
    """Applies a profile's rules. It reads scores and states and knows nothing of how they were made."""

    def __init__(self, config: PolicyConfig) -> None:
        self._config = config

    def decide(self, scores: Mapping[str, Score], states: Sequence[str]) -> Ruling:
        """Find the first rule that fires.

        A rule whose measured conditions all hold and which hangs on an unmeasured score ends the search with
        the ``unmeasured`` outcome: going on could pass an answer nobody has measured.

        Parameters
        ----------
        scores : mapping of str to Score
            By name, all that the rules speak of.
        states : sequence of str
            See ``evalcore.conditions.STATES``.
        """
        fired: Outcome = self._config.unmeasured
        for rule in self._config.rules:
            held = rule.when.holds(scores, states)
            if held is None:
                break
            if held:
                fired = rule
                break
        needs = [when.holds(scores, states) for when in self._config.needs_review]
        return Ruling(
            decision=Decision(
                verdict=fired.decision,
                rule_id=fired.id,
                failure_type=fired.failure_type,
                hallucination_status=fired.hallucination_status or self._status(scores, states),
                next_action=fired.next_action,
                reason=fired.reason.format_map(_Shown(scores)),
                why=fired.why,
                confidence_pct=self._confidence(fired.confidence, scores),
            ),
            passed=self._config.passed.holds(scores, states),
            needs_review=True if True in needs else None if None in needs else False,
        )

    def _status(self, scores: Mapping[str, Score], states: Sequence[str]) -> HallucinationStatus:
        for step in self._config.hallucination_status:
            if step.when.holds(scores, states):
                return step.status
        return HallucinationStatus.NONE

    def _confidence(self, margin: Margin | None, scores: Mapping[str, Score]) -> int | None:
        if margin is None:
            return None
        x = scores[margin.score].value
        attribution, disagreement = scores["attribution"].value, scores["disagreement"].value
        if x is None or attribution is None or disagreement is None:
            return None
        config = self._config.confidence
        raw = (
            config.weights.margin * min(1.0, abs(x - margin.at) * config.margin_scale)
            + config.weights.attribution * attribution
            + config.weights.agreement * max(0.0, 1.0 - disagreement / config.disagreement_scale)
        )
        return min(100, round(raw * 100))


class _Shown(dict[str, str]):
    """Scores as the reason shows them."""

    def __init__(self, scores: Mapping[str, Score]) -> None:
        super().__init__(
            {
                name: "not measured" if score.value is None else f"{score.value:.3f}"
                for name, score in scores.items()
            }
        )
