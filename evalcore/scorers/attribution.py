"""Attribution: is the answer grounded in the contexts?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from evalcore.alignment import window_cosines
from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import (
    SCORERS,
    Earlier,
    Scorer,
    ScorerConfig,
    Weights,
    blank_score,
    grounding_gap,
    measured,
)
from evalcore.similarity import Similarity, overlap, share


class AttributionWeights(Weights):
    """Shares of the two parts."""

    semantic: float
    overlap: float


class AttributionConfig(ScorerConfig):
    """``semantic``: the whole response with all contexts as one text (published), or each sentence with its
    best evidence window, averaged over the sentences. ``overlap``: Jaccard of the word sets (published), or
    the share of the response's words that the contexts hold, which does not fall as contexts grow."""

    semantic: Literal["whole_context", "best_window"]
    overlap: Literal["jaccard", "coverage"]
    weights: AttributionWeights


@SCORERS.register("attribution")
class Attribution(Scorer):
    """``attribution = w_s * semantic + w_o * overlap``, in [0, 1]; higher is better grounded."""

    Config = AttributionConfig

    _config: AttributionConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("attribution",)

    def texts(self, answer: Answer) -> Iterable[str]:
        if grounding_gap(answer):
            return ()
        if self._config.semantic == "whole_context":
            return (answer.context, answer.sample.response)
        return (*(s.text for s in answer.sentences), *(w.text for w in answer.windows))

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = grounding_gap(answer)
        if gap:
            return blank_score(self.produces, answer, gap)
        if self._config.semantic == "whole_context":
            semantic = similarity.between(answer.context, answer.sample.response)
        else:
            semantic = float(np.mean(window_cosines(answer, similarity).max(axis=1)))
        response = frozenset(answer.response_words)
        if self._config.overlap == "jaccard":
            common = overlap(answer.context_words, response)
        else:
            common = share(answer.context_words, response)
        weights = self._config.weights
        return [measured("attribution", weights.semantic * semantic + weights.overlap * common)]
