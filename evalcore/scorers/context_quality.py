"""Context quality: was retrieval the cause?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import (
    NO_CONTEXTS,
    NO_QUERY,
    SCORERS,
    Earlier,
    Scorer,
    ScorerConfig,
    Weights,
    blank_score,
    grounding_gap,
    measured,
)
from evalcore.similarity import Similarity, share


class ContextQualityWeights(Weights):
    """Shares of the two parts."""

    f1: float
    semantic: float


class ContextQualityConfig(ScorerConfig):
    """``recall``: as published the same share as precision, or the share of the contexts' words that the
    response uses. ``semantic``: contexts with response (published), or query with its best window."""

    recall: Literal["published", "context_used"]
    semantic: Literal["response", "query"]
    weights: ContextQualityWeights


@SCORERS.register("context_quality")
class ContextQuality(Scorer):
    """Word precision, recall and F1 between contexts and response, and how near the contexts are.

    ``context_precision``: share of the response's distinct words that the contexts hold.
    ``context_recall``: share of the contexts' distinct words that the response uses.
    ``context_f1``: their harmonic mean. ``context_relevance``: similarity of the query with its best window,
    unmeasured where the profile compares with the response. ``context_quality = w_f * f1 + w_s * semantic``.
    """

    Config = ContextQualityConfig

    _config: ContextQualityConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("context_precision", "context_recall", "context_f1", "context_relevance", "context_quality")

    def texts(self, answer: Answer) -> Iterable[str]:
        if self._config.semantic == "query":
            if answer.blank_contexts or answer.blank_query:
                return ()
            return (answer.sample.query, *(w.text for w in answer.windows))
        return () if grounding_gap(answer) else (answer.context, answer.sample.response)

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        relevance = self._relevance(answer, similarity)
        gap = grounding_gap(answer)
        if gap:
            words = ("context_precision", "context_recall", "context_f1")
            return [
                *blank_score(words, answer, gap),
                relevance,
                *blank_score(("context_quality",), answer, gap),
            ]
        response = frozenset(answer.response_words)
        precision = share(answer.context_words, response)
        recall = precision if self._config.recall == "published" else share(response, answer.context_words)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        semantic = (
            similarity.between(answer.context, answer.sample.response)
            if self._config.semantic == "response"
            else relevance.value
        )
        weights = self._config.weights
        quality = (
            Score.unmeasured("context_quality", relevance.reason or NO_QUERY)
            if semantic is None
            else measured("context_quality", weights.f1 * f1 + weights.semantic * semantic)
        )
        return [
            measured("context_precision", precision),
            measured("context_recall", recall),
            measured("context_f1", f1),
            relevance,
            quality,
        ]

    def _relevance(self, answer: Answer, similarity: Similarity) -> Score:
        name = "context_relevance"
        if self._config.semantic != "query":
            return Score.unmeasured(name, "this profile does not compare the query with the contexts")
        if answer.blank_contexts or answer.blank_query:
            return Score.unmeasured(name, NO_CONTEXTS if answer.blank_contexts else NO_QUERY)
        windows = [w.text for w in answer.windows]
        return measured(name, float(similarity.matrix([answer.sample.query], windows).max()))
