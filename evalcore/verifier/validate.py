"""Whether a refitted head is better, told from documents it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.verifier.fit import LabelledAnswer, fit_head
from evalcore.verifier.head import Head

Floats = NDArray[np.float64]
_SMALLEST = 1e-4
MIN_DOCUMENTS = 10


@dataclass(frozen=True, kw_only=True)
class Validation:
    """The present head against refitted ones, each answer judged by a head fitted without its document.

    ``before`` and ``after`` are the risks, shape (n,). ``gain`` is how much the mean log loss fell, in nats,
    with the bounds of its 95% interval by bootstrap over documents.
    """

    before: Floats
    after: Floats
    unsupported: NDArray[np.bool_]
    n_documents: int
    gain: float
    gain_low: float
    gain_high: float

    @property
    def is_better(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.gain_low > 0


def cross_validate(
    answers: Sequence[LabelledAnswer], start: Head, *, folds: int = 5, repeats: int = 1000, seed: int = 0
) -> Validation:
    """Refit with each fold of documents left out in turn and judge the fold.

    Raises
    ------
    InputError
        With fewer than ten documents, or where the labels of a fold's rest are all of one kind.
    """
    documents = sorted({answer.document for answer in answers})
    if len(documents) < MIN_DOCUMENTS:
        raise InputError(
            "too few documents to tell whether a refit is better",
            got=f"{len(answers)} labelled answers from {len(documents)} documents",
            expected=f"at least {MIN_DOCUMENTS} documents",
            cure="label answers from more documents",
        )
    random = np.random.default_rng(seed)
    fold_of = dict(zip(documents, random.permutation(len(documents)) % folds, strict=True))
    before = np.array([start.risk(answer.features) for answer in answers])
    after = np.zeros(len(answers))
    for fold in range(folds):
        rest = [answer for answer in answers if fold_of[answer.document] != fold]
        head = fit_head(rest, start)
        for place, answer in enumerate(answers):
            if fold_of[answer.document] == fold:
                after[place] = head.risk(answer.features)
    unsupported = np.array([not answer.supported for answer in answers])
    gains = _log_loss(before, unsupported) - _log_loss(after, unsupported)
    low, high = _interval(gains, [answer.document for answer in answers], repeats, random)
    return Validation(
        before=before, after=after, unsupported=unsupported, n_documents=len(documents),
        gain=float(gains.mean()), gain_low=low, gain_high=high,
    )  # fmt: skip


def _log_loss(risk: Floats, unsupported: NDArray[np.bool_]) -> Floats:
    said = np.where(unsupported, risk, 1 - risk)
    return np.asarray(-np.log(np.maximum(said, _SMALLEST)), dtype=np.float64)


def _interval(
    values: Floats, documents: Sequence[str], repeats: int, random: np.random.Generator
) -> tuple[float, float]:
    """The 95% percentile interval of the mean over resampled documents."""
    names, place = np.unique(documents, return_inverse=True)
    sums = np.bincount(place, values)
    counts = np.bincount(place).astype(float)
    drawn = random.integers(len(names), size=(repeats, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
