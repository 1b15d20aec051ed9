"""Risk from a published verifier that a team has the weights of, in place of the shipped one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from pydantic import Field

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, blank_score, grounding_gap, measured
from evalcore.similarity import SENTENCE_SUPPORT, Similarity
from evalcore.verifier.base import Verifier
from evalcore.verifier.features import claim_pairs
from evalcore.verifier.published import PublishedVerifier, load_verifier


class PublishedVerifierConfig(ScorerConfig):
    """``verifier``: which model (:class:`evalcore.verifier.published.PublishedVerifier`). ``weakest``: of how
    many of the least supported sentences the mean makes the risk; fewer where there are fewer."""

    verifier: PublishedVerifier
    weakest: int = Field(ge=1)


@SCORERS.register("published_verifier")
class PublishedVerifierScorer(Scorer):
    """``risk``: 1 - the mean P(supported) of the weakest sentences. ``weakest_support``: that of the weakest.

    Both in [0, 1]. The risk orders answers; it is calibrated as far as the published model is. Sentences that
    claim nothing are left out, unless there is no other.
    """

    Config = PublishedVerifierConfig
    _config: PublishedVerifierConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("weakest_support", "risk")

    @property
    def weights_hash(self) -> str:
        return self._verifier.info.weights_hash

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = grounding_gap(answer)
        if gap:
            (blank,) = blank_score(("weakest_support",), answer, gap)
            # Nothing supports a blank text: where blanks count as zero, its risk is whole.
            risk = Score.unmeasured("risk", gap) if blank.value is None else measured("risk", 1.0)
            return [blank, risk]
        support = similarity.once(SENTENCE_SUPPORT, lambda: self._verifier.verify(claim_pairs(answer)))
        weakest = np.sort(support[np.array(answer.claims)])[: self._config.weakest]
        return [measured("weakest_support", float(weakest[0])), measured("risk", float(1 - weakest.mean()))]

    @cached_property
    def _verifier(self) -> Verifier:
        return load_verifier(self._config.verifier)
