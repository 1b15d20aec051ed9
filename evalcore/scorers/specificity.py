"""Specificity: is the answer concrete, or does it hedge?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import (
    NO_RESPONSE,
    SCORERS,
    Earlier,
    Scorer,
    ScorerConfig,
    Weights,
    blank_score,
    measured,
)
from evalcore.similarity import Similarity
from evalcore.text import load_lexicon


class SpecificityWeights(Weights):
    """Shares of the two parts."""

    length: float
    variety: float


class SpecificityConfig(ScorerConfig):
    """``full_length``: words at which length counts in full. ``hedge_penalty`` a hedge, ``max_penalty`` in
    all. ``lexicons`` and ``hedge_list`` name the phrases that count as hedges."""

    weights: SpecificityWeights
    full_length: int = Field(ge=1)
    hedge_penalty: float = Field(ge=0, le=1)
    max_penalty: float = Field(ge=0, le=1)
    lexicons: tuple[str, ...]
    hedge_list: Literal["published_hedges", "hedges"]


@SCORERS.register("specificity")
class Specificity(Scorer):
    """``clamp(w_l * min(1, n / full_length) + w_v * distinct / n - penalty)``, in [0, 1].

    n counts the response's words; the penalty counts each hedge phrase once, however often it stands there.
    """

    Config = SpecificityConfig

    def __init__(self, config: SpecificityConfig) -> None:
        super().__init__(config)
        self._hedges = tuple(
            dict.fromkeys(
                phrase
                for lang in config.lexicons
                for phrase in getattr(load_lexicon(lang), config.hedge_list)
            )
        )

    @property
    def produces(self) -> tuple[str, ...]:
        return ("specificity",)

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        config = self._config
        if answer.blank_response or (answer.config.blank == "zero" and answer.blank_contexts):
            return blank_score(self.produces, answer, NO_RESPONSE)
        words = answer.response_words
        n = len(words)
        variety = len(set(words)) / n if n else 0.0
        lowered = answer.sample.response.lower()
        hedges = sum(phrase in lowered for phrase in self._hedges)
        value = (
            config.weights.length * min(1.0, n / config.full_length)
            + config.weights.variety * variety
            - min(config.max_penalty, config.hedge_penalty * hedges)
        )
        return [measured("specificity", min(1.0, max(0.0, value)))]
