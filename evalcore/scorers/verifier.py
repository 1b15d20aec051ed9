"""Risk: the learned probability that the contexts do not hold the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from evalcore.answer import Answer
from evalcore.result import Score
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, blank_score, grounding_gap, measured
from evalcore.similarity import SENTENCE_SUPPORT, Similarity
from evalcore.verifier.features import sentence_features
from evalcore.verifier.head import Head
from evalcore.verifier.shipped import Model, ShippedVerifier, shipped_head, shipped_verifier


class VerifierConfig(ScorerConfig):
    """Which verifier reads the sentences, and from what weights its features become probabilities."""

    model: Model = "shipped"
    """``multilingual`` needs the extra of that name and goes with the encoder of that name."""
    head: Literal["shipped"] | Head
    """As shipped with the model, or as refitted to a team's labels."""


@SCORERS.register("verifier")
class VerifierScorer(Scorer):
    """``risk``: P(answer unsupported). ``weakest_support``: P(supported) of its weakest sentence. In [0, 1].

    Sentences that claim nothing are left out, unless there is no other.
    """

    Config = VerifierConfig
    _config: VerifierConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("weakest_support", "risk")

    @property
    def weights_hash(self) -> str:
        return self.verifier.info.weights_hash

    @property
    def head(self) -> Head:
        """The head in use."""
        return shipped_head(self._config.model) if self._config.head == "shipped" else self._config.head

    @property
    def verifier(self) -> ShippedVerifier:
        """What reads sentence and evidence together."""
        return shipped_verifier(self._config.model)

    def texts(self, answer: Answer) -> Iterable[str]:
        if grounding_gap(answer):
            return ()
        return (*(s.text for s in answer.sentences), *(w.text for w in answer.windows))

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        gap = grounding_gap(answer)
        if gap:
            (blank,) = blank_score(("weakest_support",), answer, gap)
            # Nothing supports a blank text: where blanks count as zero, its risk is whole.
            risk = Score.unmeasured("risk", gap) if blank.value is None else measured("risk", 1.0)
            return [blank, risk]
        features = sentence_features(answer, similarity, self.verifier)
        support = similarity.once(SENTENCE_SUPPORT, lambda: self.head.support(features))
        claims = np.array(answer.claims)
        return [
            measured("weakest_support", float(support[claims].min())),
            measured("risk", self.head.risk(features[claims])),
        ]
