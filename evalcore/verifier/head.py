"""From a sentence's features to P(supported), and from the sentences to the answer's risk."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

FEATURES: Final = (
    "claim", "piece", "letters", "words", "meaning", "numbers", "details", "stretch", "pairs",
)  # fmt: skip
"""Names of the columns.

- ``claim``, ``piece``: the shipped verifier's logits of "not supported" for the whole sentence and for its
  worst word piece, clipped to [-6, 6];
- ``letters``, ``words``, ``meaning``: the parts of the alignment, in [0, 1] (:mod:`evalcore.alignment`);
- ``numbers``: findings about numbers, units and dates; ``details``: all other findings; 2 at most;
- ``stretch``, ``pairs``: how far the contexts hold it word by word (:mod:`evalcore.verifier.overlap`).
"""


class Weights(BaseModel):
    """A linear model over the sentence features, in logits; ``bias`` is the constant."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    bias: float
    claim: float
    piece: float
    letters: float
    words: float
    meaning: float
    numbers: float
    details: float
    # A head that was fitted before these two were measured goes on without them.
    stretch: float = 0.0
    pairs: float = 0.0

    def logits(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The model's value for each row of ``features``, shape (n,)."""
        values = np.array([getattr(self, name) for name in FEATURES])
        # A sum of products in a fixed order: a matrix product may differ in the last bit between shapes.
        return np.asarray((features * values).sum(axis=1) + self.bias, dtype=np.float64)


class Head(BaseModel):
    """The verifier's last step, a few numbers that labels can refit.

    ``sentence`` gives the logit of P(sentence supported). The ``weakest`` sentences by it stand for the
    answer: ``answer`` over the mean of their features gives the logit of P(answer unsupported).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: Weights
    answer: Weights
    weakest: int = Field(ge=1)

    def support(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(supported) of each sentence, in [0, 1], shape (n,)."""
        return sigmoid(self.sentence.logits(features))

    def summary(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Mean features of the weakest sentences, shape (len(FEATURES),); there must be a sentence."""
        order = np.argsort(self.sentence.logits(features), kind="stable")[: self.weakest]
        return np.asarray(features[order].mean(axis=0), dtype=np.float64)

    def risk(self, features: NDArray[np.float64]) -> float:
        """P(answer unsupported), in [0, 1]."""
        return float(sigmoid(self.answer.logits(self.summary(features)[None, :]))[0])


def sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logistic function, without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(logits / 2)), dtype=np.float64)
