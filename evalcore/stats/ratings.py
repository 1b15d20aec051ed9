"""Ratings on a scale: how two columns go together, and how two judges compare on the same items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.bootstrap import FEWEST_DOCUMENTS, resample
from evalcore.stats.values import Estimate, check_level, normal_quantile, undefined

Floats = NDArray[np.float64]
Correlation = Literal["pearson", "spearman", "kendall"]


def correlation(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    kind: Correlation = "pearson",
    level: float = 0.95,
) -> Estimate:
    """Pearson's r, Spearman's rho or Kendall's tau-b of paired ratings, with Fisher's interval.

    The standard error of the transformed value is ``1/sqrt(n-3)`` for Pearson, ``sqrt((1+rho**2/2)/(n-3))``
    for Spearman and ``sqrt(0.437/(n-4))`` for Kendall.

    Source: R. Fisher (1921), Metron 1; D. Bonett and T. Wright (2000), Psychometrika 65; E. Fieller,
    H. Hartley and E. Pearson (1957), Biometrika 44.

    Examples
    --------
    >>> correlation([4, 4], [1, 5]).reason
    'fewer than 3 pairs'
    """
    a, b, left_out = paired_numbers(first, second)
    n = len(a)
    if n < 3:
        return undefined("fewer than 3 pairs", n, left_out=left_out)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return undefined("no variation in one of the two", n, left_out=left_out)
    from scipy import stats

    if kind == "pearson":
        value, smallest = float(stats.pearsonr(a, b).statistic), 4
    elif kind == "spearman":
        value, smallest = float(stats.spearmanr(a, b).statistic), 4
    else:
        value, smallest = float(stats.kendalltau(a, b).statistic), 5
    if n < smallest:
        return Estimate(
            value=value, n=n, left_out=left_out, reason=f"no interval from fewer than {smallest} pairs"
        )
    low, high = fisher_interval(value, n, kind=kind, level=level)
    return Estimate(
        value=min(max(value, -1.0), 1.0),
        n=n,
        low=low,
        high=high,
        level=level,
        left_out=left_out,
        method="Fisher's transformation",
    )


def fisher_interval(
    value: float, n: int, *, kind: Correlation = "pearson", level: float = 0.95
) -> tuple[float, float]:
    """Fisher's interval of a correlation on ``n`` pairs (4 at least, 5 for Kendall).

    Examples
    --------
    >>> [round(end, 2) for end in fisher_interval(-0.169, 28)]
    [-0.51, 0.22]
    >>> [round(end, 2) for end in fisher_interval(0.192, 28)]
    [-0.2, 0.53]
    """
    z = normal_quantile(level)
    if abs(value) >= 1:
        return (value, value)
    if kind == "pearson":
        error = 1 / math.sqrt(n - 3)
    elif kind == "spearman":
        error = math.sqrt((1 + value**2 / 2) / (n - 3))
    else:
        error = math.sqrt(0.437 / (n - 4))
    middle = math.atanh(value)
    return math.tanh(middle - z * error), math.tanh(middle + z * error)


def mean_difference(
    first: Sequence[float | None], second: Sequence[float | None], *, level: float = 0.95
) -> Estimate:
    """Mean of first minus second, with Student's interval: how much higher the first rates."""
    a, b, left_out = paired_numbers(first, second)
    n = len(a)
    if n == 0:
        return undefined("no item was rated by both", 0, left_out=left_out)
    difference = a - b
    value = float(difference.mean())
    if n == 1:
        return Estimate(value=value, n=1, left_out=left_out, reason="one pair gives no interval")
    from scipy import stats

    check_level(level)
    reach = float(stats.t.ppf((1 + level) / 2, n - 1)) * float(difference.std(ddof=1)) / math.sqrt(n)
    return Estimate(
        value=value,
        n=n,
        low=value - reach,
        high=value + reach,
        level=level,
        left_out=left_out,
        method="Student's t",
    )


@dataclass(frozen=True, kw_only=True)
class JudgesCompared:
    """Two judges against the same people's ratings."""

    first: Estimate
    second: Estimate
    difference: Estimate
    """Correlation of the first less that of the second, over the same resampled documents."""


def compare_judges(
    first: Sequence[float | None],
    second: Sequence[float | None],
    people: Sequence[float | None],
    *,
    documents: Sequence[object] | None = None,
    kind: Literal["pearson", "spearman"] = "pearson",
    repeats: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> JudgesCompared:
    """Which of two judges goes with people, on the items all three rated, by a paired bootstrap."""
    if not len(first) == len(second) == len(people):
        raise InputError(
            "ratings must be of the same items", got=f"{len(first)}, {len(second)}, {len(people)}"
        )
    whole = [
        place
        for place in range(len(people))
        if not any(_is_missing(column[place]) for column in (first, second, people))
    ]
    left_out = {"not rated by all three": len(people) - len(whole)} if len(whole) < len(people) else {}
    columns = (first, second, people)
    x, y, z = (np.array([column[p] for p in whole], dtype=np.float64) for column in columns)
    one, two = (
        correlation(list(x), list(z), kind=kind, level=level),
        correlation(list(y), list(z), kind=kind, level=level),
    )
    if one.value is None or two.value is None:
        reason = one.reason or two.reason
        return JudgesCompared(
            first=one, second=two, difference=undefined(reason, len(whole), left_out=left_out)
        )
    value = one.value - two.value
    names = [str(documents[p]) for p in whole] if documents is not None else [str(p) for p in whole]
    _, of_item = np.unique(names, return_inverse=True)
    groups = int(of_item.max()) + 1
    if groups < FEWEST_DOCUMENTS:
        difference = Estimate(
            value=value, n=len(whole), left_out=left_out, reason=f"{groups} documents are too few"
        )
        return JudgesCompared(first=one, second=two, difference=difference)
    if kind == "spearman":
        from scipy import stats

        x, y, z = (np.asarray(stats.rankdata(column)) for column in (x, y, z))
    draws = resample(groups, repeats, seed)[:, of_item].astype(np.float64)
    drawn = _weighted_r(draws, x, z) - _weighted_r(draws, y, z)
    known = drawn[np.isfinite(drawn)]
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    difference = Estimate(
        value=value,
        n=len(whole),
        low=float(low),
        high=float(high),
        level=level,
        left_out=left_out,
        method=f"paired bootstrap over {groups} documents",
    )
    return JudgesCompared(first=one, second=two, difference=difference)


def best_correlation(between_raters: float, raters: int = 1) -> float | None:
    """The correlation that a judge who gave the truth would have with the mean of ``raters`` raters.

    Under the noise model ``rating = truth + noise`` with equal, independent noise the correlation of two
    raters is the share of variance that is truth. One rater then goes with the truth by its square root, the
    mean of k raters by ``sqrt(k r / (1 + (k - 1) r))``. The correlation of two raters is no ceiling.
    None where it is not above 0: the model then says nothing.

    Source: C. Spearman (1910) and W. Brown (1910), British Journal of Psychology 3.

    Examples
    --------
    >>> round(best_correlation(0.584), 3), round(best_correlation(0.584, raters=2), 3)
    (0.764, 0.859)
    """
    if raters < 1:
        raise InputError("at least one rater", got=str(raters))
    if not 0 < between_raters <= 1:
        return None
    return math.sqrt(raters * between_raters / (1 + (raters - 1) * between_raters))


def paired_numbers(
    first: Sequence[float | None], second: Sequence[float | None]
) -> tuple[Floats, Floats, dict[str, int]]:
    """The pairs in which both are numbers, and how many were left out.

    Raises
    ------
    InputError
        For columns of different lengths.
    """
    if len(first) != len(second):
        raise InputError("two columns must be of the same items", got=f"{len(first)} and {len(second)}")
    kept = [
        (float(str(a)), float(str(b)))
        for a, b in zip(first, second, strict=True)
        if not (_is_missing(a) or _is_missing(b))
    ]
    gone = len(first) - len(kept)
    pairs = np.array(kept, dtype=np.float64).reshape(len(kept), 2)
    return pairs[:, 0], pairs[:, 1], ({"not rated by both": gone} if gone else {})


def _is_missing(value: float | None) -> bool:
    return value is None or not math.isfinite(float(value))


def _weighted_r(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Pearson's r under each row of weights, shape (repeats,)."""
    total = weights.sum(axis=1)
    mean_x, mean_y = weights @ x / total, weights @ y / total
    together = weights @ (x * y) / total - mean_x * mean_y
    of_x, of_y = weights @ (x * x) / total - mean_x**2, weights @ (y * y) / total - mean_y**2
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(of_x * of_y)
        return np.where(spread > 1e-12, together / spread, np.nan)
