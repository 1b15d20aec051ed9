"""Fit a head to people's labels: logistic regression that stays near the weights it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evalcore.errors import InputError
from evalcore.verifier.head import FEATURES, Head, Weights, sigmoid

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SCALES: Final = (3.0, 2.5, 0.2, 0.25, 0.2, 0.5, 0.6, 0.25, 0.3)
"""How much each feature varies from sentence to sentence: a weight is held back in these units."""
RAISES_SUPPORT: Final = (-1, -1, 1, 1, 1, -1, -1, 1, 1)
"""The direction in which each feature may speak. A fit that would turn one round has met noise."""
STRENGTH = 30.0
"""Worth of the starting weights, in labels."""


@dataclass(frozen=True, kw_only=True)
class LabelledAnswer:
    """The features of an answer's claims, shape (claims, features), and what people said of it.

    ``claims`` says for some of its claims whether they are supported, by their place; empty if nobody said.
    ``document`` names what it was answered from: answers from one document are kept together.
    """

    features: Floats
    supported: bool
    document: str
    claims: tuple[tuple[int, bool], ...] = ()


def fit_weights(
    features: Floats, labels: Flags, prior: Weights, signs: Sequence[int], strength: float, shares: Floats
) -> Weights:
    """Weights of P(label): least log loss plus ``strength`` times the squared distance from ``prior``.

    Parameters
    ----------
    features : float array, shape (n, len(FEATURES))
    labels : bool array, shape (n,)
    prior : Weights
        Where the search begins and what it is drawn to; the constant is drawn a hundred times less.
    signs : sequence of int
        +1 or -1 for each feature: the sign its weight may have.
    strength : float
        Worth of the prior in labels.
    shares : float array, shape (n,)
        Weight of each row.
    """
    scales = np.array([*SCALES, 1.0])
    start = np.array([*(getattr(prior, name) for name in FEATURES), prior.bias]) * scales
    rows = np.column_stack([features, np.ones(len(features))]) / scales
    wanted = np.where(labels, 1.0, -1.0)
    held = np.array([strength] * len(FEATURES) + [strength / 100])

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = wanted * (rows @ weights)
        off = weights - start
        value = float((shares * np.logaddexp(0, -margin)).sum() + (held * off * off).sum() / 2)
        slope = -(shares * wanted * sigmoid(-margin)) @ rows + held * off
        return value, slope

    bounds = [(0.0, None) if sign > 0 else (None, 0.0) for sign in signs] + [(None, None)]
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    values = np.round(found.x / scales, 5)
    return Weights(
        bias=float(values[-1]), **dict(zip(FEATURES, (float(v) + 0.0 for v in values), strict=False))
    )


def fit_head(
    answers: Sequence[LabelledAnswer],
    start: Head,
    *,
    shares: Floats | None = None,
    strength: float = STRENGTH,
    rounds: int = 3,
) -> Head:
    """A head fitted to labelled answers, drawn to ``start``.

    Sentences learn from labelled claims; else from answers: all claims of a supported answer are supported,
    and of an unsupported one the weakest is not (which is the weakest is asked anew each round). The answer's
    risk learns from the answers' labels.

    Raises
    ------
    InputError
        Where all answers have one label, or there is none.
    """
    if len({answer.supported for answer in answers}) < 2:
        raise InputError(
            "labels of both kinds are needed",
            got=f"{len(answers)} answers, {sum(a.supported for a in answers)} of them supported",
            cure="label more answers: some that are supported and some that are not",
        )
    weights = np.ones(len(answers)) if shares is None else shares
    head = start
    for _ in range(rounds):
        rows, labels, parts = [], [], []
        for answer, weight in zip(answers, weights, strict=True):
            told = _claims(answer, head)
            for place, supported in told:
                rows.append(answer.features[place])
                labels.append(supported)
                parts.append(weight / len(told))
        sentence = fit_weights(
            np.array(rows), np.array(labels), start.sentence, RAISES_SUPPORT, strength, np.array(parts)
        )
        head = head.model_copy(update={"sentence": sentence})
    summaries = np.array([head.summary(answer.features) for answer in answers])
    unsupported = np.array([not answer.supported for answer in answers])
    signs = [-sign for sign in RAISES_SUPPORT]
    answer_weights = fit_weights(summaries, unsupported, start.answer, signs, strength, weights)
    return head.model_copy(update={"answer": answer_weights})


def _claims(answer: LabelledAnswer, head: Head) -> tuple[tuple[int, bool], ...]:
    if answer.claims:
        return answer.claims
    if answer.supported:
        return tuple((place, True) for place in range(len(answer.features)))
    return ((int(np.argmin(head.sentence.logits(answer.features))), False),)
