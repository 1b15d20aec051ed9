"""Alignment: an answer is as well grounded as its weakest sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from pydantic import Field

from evalcore.alignment import sentence_alignment
from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, blank_score, grounding_gap, measured
from evalcore.similarity import Similarity


class AlignmentConfig(ScorerConfig):
    """``weakest``: how many of the least aligned sentences are averaged; fewer where there are fewer.
    ``as_risk``: whether ``risk`` is made of it, where no learned verifier gives one."""

    weakest: int = Field(ge=1)
    as_risk: bool = True


@SCORERS.register("alignment")
class Alignment(Scorer):
    """``alignment``: mean alignment of the weakest sentences, in [0, 1]. With ``as_risk``, ``risk``: 1 - it.

    That risk is what the queue sorts by. It orders answers; it is no probability.
    """

    Config = AlignmentConfig
    _config: AlignmentConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("alignment", "risk") if self._config.as_risk else ("alignment",)

    def texts(self, answer: Answer) -> Iterable[str]:
        if grounding_gap(answer):
            return ()
        return (*(s.text for s in answer.sentences), *(w.text for w in answer.windows))

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = grounding_gap(answer)
        if gap:
            # A blank text aligns with nothing: where blanks count as zero, its risk is whole.
            (blank,) = blank_score(("alignment",), answer, gap)
            return self._with_risk(blank)
        weakest = np.sort(sentence_alignment(answer, similarity))[: self._config.weakest]
        alignment = measured("alignment", float(weakest.mean()))
        return self._with_risk(alignment)

    def _with_risk(self, alignment: Score) -> list[Score]:
        return [alignment, _risk(alignment)] if self._config.as_risk else [alignment]


def _risk(alignment: Score) -> Score:
    if alignment.value is None:
        return Score.unmeasured("risk", alignment.reason or "the alignment was not measured")
    return measured("risk", 1 - alignment.value)
