"""Scores made from scores: faithfulness, the final score and the disagreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evalcore.answer import Answer
from evalcore.conditions import When
from evalcore.result import Score
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, measured
from evalcore.similarity import Similarity


class Adjustment(BaseModel):
    """What is done to a mean when conditions hold: ``multiply`` it, or ``cap`` it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: When
    multiply: float | None = Field(default=None, ge=0, le=1)
    cap: float | None = Field(default=None, ge=0, le=1)

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.multiply is None) == (self.cap is None):
            raise ValueError("an adjustment either multiplies or caps")
        if self.when.states:
            raise ValueError("an adjustment looks at scores, not at states")
        return self


class WeightedMeanConfig(ScorerConfig):
    """``name`` of the score; ``weights`` by score, together 1; ``optional`` scores may be unmeasured: the
    others' weights are then scaled up to 1. ``adjustments`` follow in order."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    weights: dict[str, float] = Field(min_length=1)
    optional: tuple[str, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()

    @model_validator(mode="after")
    def _weights_make_sense(self) -> Self:
        if self.name == "state":
            raise ValueError("no score may be called state: conditions use the word for states")
        if any(value < 0 or value > 1 for value in self.weights.values()):
            raise ValueError("every weight must lie in [0, 1]")
        if abs(sum(self.weights.values()) - 1) > 1e-9:
            raise ValueError(f"weights must sum to 1, not {sum(self.weights.values()):g}")
        unknown = [name for name in self.optional if name not in self.weights]
        if unknown:
            raise ValueError(f"optional names a score without a weight: {', '.join(unknown)}")
        if len(self.optional) == len(self.weights):
            raise ValueError("not every score can be optional")
        return self


@SCORERS.register("weighted_mean")
class WeightedMean(Scorer):
    """Weighted mean of earlier scores; unmeasured when one that is not optional is unmeasured."""

    Config = WeightedMeanConfig

    _config: WeightedMeanConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return (self._config.name,)

    @property
    def requires(self) -> tuple[str, ...]:
        looked_at = (name for a in self._config.adjustments for name in a.when.names)
        return tuple(dict.fromkeys([*self._config.weights, *looked_at]))

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        config = self._config
        total = weight_sum = 0.0
        for name, weight in config.weights.items():
            value = earlier[name].value
            if value is not None:
                total += weight * value
                weight_sum += weight
            elif name not in config.optional:
                return [Score.unmeasured(config.name, f"{name} was not measured: {earlier[name].reason}")]
        if weight_sum == 0.0:
            return [Score.unmeasured(config.name, "no score with a weight was measured")]
        mean = total / weight_sum
        for adjustment in config.adjustments:
            if adjustment.when.holds(earlier, ()):
                if adjustment.multiply is not None:
                    mean *= adjustment.multiply
                elif adjustment.cap is not None:
                    mean = min(mean, adjustment.cap)
        return [measured(config.name, mean)]


class DisagreementConfig(ScorerConfig):
    """``of``: the scores whose spread is taken."""

    of: tuple[str, ...] = Field(min_length=2)


@SCORERS.register("disagreement")
class Disagreement(Scorer):
    """Population standard deviation of several scores, in [0, 0.5]; unmeasured when one of them is."""

    Config = DisagreementConfig

    _config: DisagreementConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("disagreement",)

    @property
    def requires(self) -> tuple[str, ...]:
        return self._config.of

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        values = []
        for name in self._config.of:
            value = earlier[name].value
            if value is None:
                return [Score.unmeasured("disagreement", f"{name} was not measured")]
            values.append(value)
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        return [measured("disagreement", spread)]
