"""Whether a probability means what it says, and maps that make it so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Answers whose probability lies in [low, high), the last bin with 1: how many, said, and was."""

    low: float
    high: float
    n: int
    said: float | None
    was: float | None


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """Reliability of probabilities.

    Attributes
    ----------
    bins : tuple of Bin
    ece : float or None
        Expected calibration error: mean distance of said and was over the bins, weighted by their answers.
    brier : float or None
        Mean squared error, which is ``reliability - resolution + uncertainty + within``.
    reliability, resolution, uncertainty, within : float or None
        Murphy's parts of the Brier score over these bins; ``within`` is what binning adds (spread of the
        probabilities inside a bin).
    """

    n: int
    bins: tuple[Bin, ...]
    ece: float | None
    brier: float | None
    reliability: float | None
    resolution: float | None
    uncertainty: float | None
    within: float | None


def reliability(probabilities: Sequence[float], outcomes: Sequence[bool], *, bins: int = 10) -> Reliability:
    """Bins of equal width and the errors over them.

    Source: A. Murphy (1973), Journal of Applied Meteorology 12; D. Stephenson, C. Coelho and I. Jolliffe
    (2008), Weather and Forecasting 23 (parts within bins).

    Examples
    --------
    >>> found = reliability([0.1, 0.1, 0.9, 0.9], [False, False, True, False])
    >>> round(found.ece, 2), round(found.brier, 3)
    (0.25, 0.21)
    """
    p, y = _checked(probabilities, outcomes)
    if bins < 1:
        raise InputError("one bin at least", got=str(bins))
    n = len(p)
    place = np.minimum((p * bins).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins)
    said = np.bincount(place, weights=p, minlength=bins)
    was = np.bincount(place, weights=y, minlength=bins)
    rows = tuple(
        Bin(
            low=i / bins,
            high=(i + 1) / bins,
            n=int(counts[i]),
            said=float(said[i] / counts[i]) if counts[i] else None,
            was=float(was[i] / counts[i]) if counts[i] else None,
        )
        for i in range(bins)
    )
    if n == 0:
        return Reliability(
            n=0,
            bins=rows,
            ece=None,
            brier=None,
            reliability=None,
            resolution=None,
            uncertainty=None,
            within=None,
        )
    used = counts > 0
    mean_said, mean_was = said[used] / counts[used], was[used] / counts[used]
    weight = counts[used] / n
    base = float(y.mean())
    brier = float(((p - y) ** 2).mean())
    off = float((weight * (mean_said - mean_was) ** 2).sum())
    resolution = float((weight * (mean_was - base) ** 2).sum())
    uncertainty = base * (1 - base)
    return Reliability(
        n=n,
        bins=rows,
        ece=float((weight * np.abs(mean_said - mean_was)).sum()),
        brier=brier,
        reliability=off,
        resolution=resolution,
        uncertainty=uncertainty,
        within=brier - (off - resolution + uncertainty),
    )


@dataclass(frozen=True, kw_only=True)
class StepMap:
    """An isotonic map: probability ``values[i]`` from score ``scores[i]`` on, straight lines between."""

    scores: tuple[float, ...]
    values: tuple[float, ...]

    def __call__(self, scores: Sequence[float]) -> Floats:
        """Probabilities of scores, shape (n,); beyond the ends the value of the end."""
        return np.asarray(np.interp(np.array(scores, dtype=np.float64), self.scores, self.values))


def isotonic(scores: Sequence[float], outcomes: Sequence[bool]) -> StepMap:
    """The rising map from scores to probabilities with the least squared error.

    Source: R. Barlow and others, Statistical Inference under Order Restrictions (1972).

    Examples
    --------
    >>> fitted = isotonic([0.1, 0.2, 0.3, 0.4], [False, True, False, True])
    >>> fitted([0.1, 0.25, 0.4]).tolist()
    [0.0, 0.5, 1.0]
    """
    from scipy.optimize import isotonic_regression

    x, y = _numbers(scores), np.array(outcomes, dtype=np.float64)
    _check_both(x, y)
    distinct, place = np.unique(x, return_inverse=True)
    counts = np.bincount(place)
    means = np.bincount(place, weights=y) / counts
    fitted = isotonic_regression(means, weights=counts).x
    return StepMap(
        scores=tuple(float(v) for v in distinct), values=tuple(float(min(max(v, 0.0), 1.0)) for v in fitted)
    )


@dataclass(frozen=True, kw_only=True)
class LogisticMap:
    """Platt's map: P = 1 / (1 + exp(-(slope * score + constant)))."""

    slope: float
    constant: float

    def __call__(self, scores: Sequence[float]) -> Floats:
        """Probabilities of scores, shape (n,)."""
        logits = self.slope * np.array(scores, dtype=np.float64) + self.constant
        return np.asarray(0.5 * (1 + np.tanh(logits / 2)))


def platt(scores: Sequence[float], outcomes: Sequence[bool]) -> LogisticMap:
    """Platt's map with his targets, which keep a separable sample from an infinite slope.

    Source: J. Platt (1999), Advances in Large Margin Classifiers; H. Lin, C. Lin and R. Weng (2007), Machine
    Learning 68.
    """
    from scipy.optimize import minimize

    x, y = _numbers(scores), np.array(outcomes, dtype=np.float64)
    _check_both(x, y)
    positive = float(y.sum())
    negative = len(y) - positive
    target = np.where(y > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    middle, spread = float(x.mean()), float(x.std()) or 1.0
    z = (x - middle) / spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = weights[0] * z + weights[1]
        off = 0.5 * (1 + np.tanh(logits / 2)) - target
        value = float((np.logaddexp(0, logits) - target * logits).sum())
        return value, np.array([float((off * z).sum()), float(off.sum())])

    start = np.array([0.0, float(np.log((positive + 1) / (negative + 1)))])
    found = minimize(loss, start, jac=True, method="BFGS").x
    slope = float(found[0]) / spread
    return LogisticMap(slope=slope, constant=float(found[1]) - slope * middle)


def _checked(probabilities: Sequence[float], outcomes: Sequence[bool]) -> tuple[Floats, Floats]:
    p, y = _numbers(probabilities), np.array(outcomes, dtype=np.float64)
    if len(p) != len(y):
        raise InputError("one outcome a probability", got=f"{len(p)} and {len(y)}")
    if len(p) and not ((p >= 0) & (p <= 1)).all():
        raise InputError("a probability lies between 0 and 1", got=str(float(p[(p < 0) | (p > 1)][0])))
    return p, y


def _numbers(values: Sequence[float]) -> Floats:
    found = np.array(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise InputError("a score that is no number", cure="leave out what was not measured")
    return found


def _check_both(x: Floats, y: Floats) -> None:
    if len(x) != len(y):
        raise InputError("one outcome a score", got=f"{len(x)} and {len(y)}")
    if len(np.unique(y)) < 2:
        raise InputError("outcomes of both kinds are needed", got=f"{len(y)} of one kind")
