"""Relevance: does the answer answer the question?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import (
    NO_QUERY,
    NO_RESPONSE,
    SCORERS,
    Earlier,
    Scorer,
    ScorerConfig,
    Weights,
    blank_score,
    measured,
)
from evalcore.similarity import Similarity, overlap


class RelevanceWeights(Weights):
    """Shares of the three parts."""

    whole: float
    best_sentence: float
    overlap: float


class RelevanceConfig(ScorerConfig):
    """``whole``: the response encoded as one text (published), or the pooled vectors of its sentences, which
    are encoded anyway."""

    whole: Literal["text", "pooled_sentences"]
    weights: RelevanceWeights


@SCORERS.register("relevance")
class Relevance(Scorer):
    """``w_w * sim(query, response) + w_b * max sim(query, sentence) + w_o * Jaccard``, in [0, 1]."""

    Config = RelevanceConfig

    _config: RelevanceConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("relevance",)

    def texts(self, answer: Answer) -> Iterable[str]:
        if self._gap(answer):
            return ()
        sentences = _sentence_texts(answer)
        whole = (answer.sample.response,) if self._config.whole == "text" else ()
        return (answer.sample.query, *whole, *sentences)

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = self._gap(answer)
        if gap:
            return blank_score(self.produces, answer, gap)
        query, sentences = answer.sample.query, _sentence_texts(answer)
        best = float(similarity.matrix([query], sentences).max())
        if self._config.whole == "text":
            whole = similarity.between(query, answer.sample.response)
        else:
            whole = similarity.with_pooled(query, sentences)
        weights = self._config.weights
        common = overlap(answer.query_words, frozenset(answer.response_words))
        return [
            measured(
                "relevance", weights.whole * whole + weights.best_sentence * best + weights.overlap * common
            )
        ]

    def _gap(self, answer: Answer) -> str | None:
        if answer.blank_query:
            return NO_QUERY
        return NO_RESPONSE if answer.blank_response else None


def _sentence_texts(answer: Answer) -> list[str]:
    """Sentences of the response; the recipe cuts them here even where it lists none for a blank context."""
    return [s.text for s in answer.cut(answer.sample.response)]
