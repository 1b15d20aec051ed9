"""Weakest support: an answer is as well grounded as its worst sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, blank_score, grounding_gap, measured
from evalcore.similarity import Similarity


@SCORERS.register("weakest_support")
class WeakestSupport(Scorer):
    """Smallest, over the sentences, of the best similarity with any evidence window, in [0, 1]."""

    Config = ScorerConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("weakest_support",)

    def texts(self, answer: Answer) -> Iterable[str]:
        if grounding_gap(answer):
            return ()
        return (*(s.text for s in answer.sentences), *(w.text for w in answer.windows))

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = grounding_gap(answer)
        if gap:
            return blank_score(self.produces, answer, gap)
        best = similarity.matrix([s.text for s in answer.sentences], [w.text for w in answer.windows])
        return [measured("weakest_support", float(best.max(axis=1).min()))]
