"""How well a risk tells unsupported answers from supported ones.

Every function takes ``risk`` (floats, higher is worse) and ``unsupported`` (booleans), both of shape (n,),
and returns None where the measure is undefined: one class only, or nothing to count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Measure = Callable[[NDArray[np.intp]], float | None]


def auroc(risk: Floats, unsupported: Flags) -> float | None:
    """Probability that an unsupported answer has the higher risk, ties counting half.

    Examples
    --------
    >>> auroc(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    positives = int(unsupported.sum())
    negatives = len(unsupported) - positives
    if not positives or not negatives:
        return None
    ranks = rankdata(risk)
    return float((ranks[unsupported].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def average_precision(risk: Floats, unsupported: Flags) -> float | None:
    """Area under precision over recall of ``unsupported``, without interpolation; tied risks go together.

    Examples
    --------
    >>> round(average_precision(np.array([0.9, 0.8, 0.1]), np.array([True, False, True])), 4)
    0.8333
    """
    positives = int(unsupported.sum())
    if not positives or positives == len(unsupported):
        return None
    order = np.argsort(-risk, kind="stable")
    found = np.cumsum(unsupported[order])
    last = np.flatnonzero(np.append(np.diff(risk[order]) != 0, True))
    precision = found[last] / (last + 1)
    gained = np.diff(np.append(0, found[last])) / positives
    return float(precision @ gained)


def balanced_accuracy(flagged: Flags, unsupported: Flags) -> float | None:
    """Mean of the shares of each class that ``flagged`` gets right."""
    positives, negatives = unsupported.sum(), (~unsupported).sum()
    if not positives or not negatives:
        return None
    return float(
        ((flagged & unsupported).sum() / positives + (~flagged & ~unsupported).sum() / negatives) / 2
    )


def f1(flagged: Flags, unsupported: Flags) -> float | None:
    """Harmonic mean of precision and recall of ``unsupported``; None where nothing is flagged or to be."""
    total = flagged.sum() + unsupported.sum()
    return float(2 * (flagged & unsupported).sum() / total) if total else None


def coverage_at_precision(risk: Floats, unsupported: Flags, precision: float = 0.95) -> float | None:
    """Largest share of answers, lowest risks first, of which at least ``precision`` are supported.

    Examples
    --------
    >>> coverage_at_precision(np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, False, True, False]), 0.7)
    1.0
    """
    if not len(risk):
        return None
    order = np.argsort(risk, kind="stable")
    right = np.cumsum(~unsupported[order])
    last = np.flatnonzero(np.append(np.diff(risk[order]) != 0, True))
    good = right[last] >= precision * (last + 1) - 1e-12
    return float((last[good][-1] + 1) / len(risk)) if good.any() else 0.0


def calibration_error(risk: Floats, unsupported: Flags, bins: int = 10) -> float | None:
    """Expected calibration error of 1 - risk as P(supported), over equal-width bins.

    Source: M. P. Naeini et al., "Obtaining Well Calibrated Probabilities Using Bayesian Binning", AAAI 2015.
    """
    if not len(risk):
        return None
    place = np.minimum((risk * bins).astype(int), bins - 1)
    count = np.bincount(place, minlength=bins)
    gap = np.abs(np.bincount(place, risk, bins) - np.bincount(place, unsupported.astype(float), bins))
    return float(gap[count > 0].sum() / len(risk))


def best_threshold(risk: Floats, unsupported: Flags) -> float | None:
    """The risk from which flagging gives the highest balanced accuracy; the lowest of equals."""
    if unsupported.all() or not unsupported.any():
        return None
    cuts = np.unique(risk)
    if len(cuts) > 500:
        cuts = np.unique(np.quantile(risk, np.linspace(0, 1, 500)))
    scores = [balanced_accuracy(risk >= cut, unsupported) or 0.0 for cut in cuts]
    return float(cuts[int(np.argmax(scores))])


@dataclass(frozen=True)
class Estimate:
    """A measure with its 95% interval; ``value`` None where undefined, the bounds None where none or most
    resamples are."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        if self.low is None or self.high is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.2f}, {self.high:.2f}]"


def bootstrap(documents: Sequence[str], measure: Measure, *, repeats: int, seed: int = 0) -> Estimate:
    """A measure and its percentile interval over resampled documents.

    Parameters
    ----------
    documents : sequence of str, length n
        The document of each answer; whole documents are drawn, since their answers hang together.
    measure : callable
        Takes the indices of the answers drawn, with repeats.
    repeats : int
        Resamples.
    """
    groups: dict[str, list[int]] = {}
    for index, document in enumerate(documents):
        groups.setdefault(document, []).append(index)
    members = [np.array(group) for group in groups.values()]
    value = measure(np.arange(len(documents)))
    if value is None or len(members) < 2:
        return Estimate(value)
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(repeats):
        chosen = random.integers(len(members), size=len(members))
        again = measure(np.concatenate([members[i] for i in chosen]))
        if again is not None:
            drawn.append(again)
    if not drawn or len(drawn) < repeats / 2:
        return Estimate(value)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(value, float(low), float(high))
