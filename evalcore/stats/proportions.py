"""Shares with intervals: of a plain sample, of one drawn with unequal chances, and corrected by labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.values import Estimate, check_level, normal_quantile, undefined

Floats = NDArray[np.float64]


def wilson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A share with Wilson's interval, which stays in [0, 1] and has a width at 0% and at 100%.

    Source: E. Wilson (1927), Journal of the American Statistical Association 22.

    Examples
    --------
    >>> found = wilson(12, 12)
    >>> round(found.low, 4), found.high
    (0.7575, 1.0)
    >>> wilson(0, 0).reason
    'no cases'
    """
    _check_counts(successes, n)
    z = normal_quantile(level)
    if n == 0:
        return undefined("no cases", 0)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Estimate(
        value=share,
        n=n,
        low=0.0 if successes == 0 else max(middle - reach, 0.0),
        high=1.0 if successes == n else min(middle + reach, 1.0),
        level=level,
        method="Wilson",
    )


def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A share with the exact interval: it covers at least at its level, whatever the share.

    Source: C. Clopper and E. Pearson (1934), Biometrika 26.

    Examples
    --------
    >>> found = clopper_pearson(1, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0025, 0.445)
    """
    _check_counts(successes, n)
    check_level(level)
    if n == 0:
        return undefined("no cases", 0)
    tail = (1 - level) / 2
    return Estimate(
        value=successes / n,
        n=n,
        low=binomial_lower(successes, n, tail),
        high=binomial_upper(successes, n, tail),
        level=level,
        method="Clopper-Pearson",
    )


def binomial_upper(successes: int, n: int, delta: float) -> float:
    """The exact one-sided upper bound of a share: exceeded by the truth with probability ``delta`` at most.

    Examples
    --------
    >>> round(binomial_upper(0, 59, 0.05), 4)
    0.0495
    """
    from scipy import stats

    _check_counts(successes, n)
    return 1.0 if successes >= n else float(stats.beta.ppf(1 - delta, successes + 1, n - successes))


def binomial_lower(successes: int, n: int, delta: float) -> float:
    """The exact one-sided lower bound of a share."""
    from scipy import stats

    _check_counts(successes, n)
    return 0.0 if successes == 0 else float(stats.beta.ppf(delta, successes, n - successes + 1))


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """A part of all items: its size, how many of it were labelled at random, and how many of those hold."""

    size: int
    labelled: int
    successes: int


def stratified(strata: Sequence[Stratum], *, level: float = 0.95) -> Estimate:
    """Share over all items from a random sample within each part.

    The variance of each part is of its share with half a success added on either side (Agresti and Coull), so
    that a part without a single failure still counts as uncertain.

    Examples
    --------
    >>> parts = [Stratum(size=900, labelled=30, successes=30), Stratum(size=100, labelled=20, successes=10)]
    >>> round(stratified(parts).value, 4)
    0.95
    """
    for part in strata:
        _check_counts(part.successes, part.labelled)
        if part.labelled > part.size:
            raise InputError("more labels than items in a stratum", got=f"{part.labelled} of {part.size}")
    total = sum(part.size for part in strata)
    n = sum(part.labelled for part in strata)
    if total == 0:
        return undefined("no cases", 0)
    if any(part.size and not part.labelled for part in strata):
        return undefined("a part has no label", n)
    value = variance = 0.0
    for part in strata:
        if not part.size:
            continue
        weight = part.size / total
        share = part.successes / part.labelled
        smooth = (part.successes + 0.5) / (part.labelled + 1)
        left = 1 - part.labelled / part.size
        value += weight * share
        variance += weight**2 * smooth * (1 - smooth) / part.labelled * left
    reach = normal_quantile(level) * math.sqrt(variance)
    return Estimate(
        value=value,
        n=n,
        low=max(value - reach, 0.0),
        high=min(value + reach, 1.0),
        level=level,
        method=f"stratified, {len(strata)} parts",
    )


def inverse_probability(
    outcomes: Sequence[bool], probabilities: Sequence[float], *, level: float = 0.95
) -> Estimate:
    """Share over all items from labels that were drawn with known, unequal probabilities.

    The ratio estimator of Hajek: each label stands for ``1/probability`` items. The variance is of its
    linearisation.

    Source: J. Hajek (1971), Foundations of Statistical Inference.

    Examples
    --------
    >>> round(inverse_probability([True, True, False], [0.1, 0.1, 1.0]).value, 4)
    0.9524
    """
    if len(outcomes) != len(probabilities):
        raise InputError("one probability a label", got=f"{len(outcomes)} and {len(probabilities)}")
    chances = np.array(probabilities, dtype=np.float64)
    if len(chances) and not ((chances > 0) & (chances <= 1)).all():
        raise InputError("an inclusion probability lies above 0 and is 1 at most", got=str(chances.min()))
    n = len(chances)
    if n == 0:
        return undefined("no labels", 0)
    weights, held = 1 / chances, np.array(outcomes, dtype=np.float64)
    total = float(weights.sum())
    value = float((weights * held).sum()) / total
    if n == 1:
        return Estimate(value=value, n=1, reason="one label gives no interval")
    # Half a label of either kind, of mean weight: a sample of one kind only is not certain.
    near = (float((weights * held).sum()) + total / n / 2) / (total + total / n)
    spread = weights**2 * (held - near) ** 2
    reach = normal_quantile(level) * math.sqrt(float(spread.sum()) * n / (n - 1)) / total
    return Estimate(
        value=value,
        n=n,
        low=max(value - reach, 0.0),
        high=min(value + reach, 1.0),
        level=level,
        method="inverse probability, Hajek",
    )


def prediction_powered(
    labels: Sequence[float],
    gate_on_labelled: Sequence[float],
    gate_on_rest: Sequence[float],
    *,
    level: float = 0.95,
) -> Estimate:
    """Mean of the truth from few labels and many decisions of the gate (prediction-powered inference).

    The gate's mean on the unlabelled items, corrected by how far it is off on the labelled ones. How far it
    is trusted (the factor of PPI++) is estimated, so the interval is about as narrow as that of the labels
    alone where the gate knows nothing. Labels must be a random sample of all items.

    Parameters
    ----------
    labels, gate_on_labelled : sequences of float, shape (n,)
        Truth and gate on the labelled items, in [0, 1].
    gate_on_rest : sequence of float, shape (m,)

    Source: A. Angelopoulos and others (2023), Science 382; PPI++, arXiv:2311.01453.
    """
    y, f, rest = (np.array(part, dtype=np.float64) for part in (labels, gate_on_labelled, gate_on_rest))
    if len(y) != len(f):
        raise InputError("one decision of the gate a label", got=f"{len(y)} and {len(f)}")
    n, m = len(y), len(rest)
    if n < 2 or m < 2:
        return undefined("two labelled and two unlabelled items at least", n)
    everything = np.concatenate([f, rest])
    spread = float(everything.var())
    covariance = float(((y - y.mean()) * (f - f.mean())).mean())
    factor = 0.0 if spread == 0 else min(max(covariance / spread / (1 + n / m), 0.0), 1.0)
    value = float(factor * rest.mean() + (y - factor * f).mean())
    variance = factor**2 * float(rest.var(ddof=1)) / m + float((y - factor * f).var(ddof=1)) / n
    if variance == 0.0:
        reason = "all labels are alike: take an exact interval of the labels alone"
        return Estimate(value=min(max(value, 0.0), 1.0), n=n, level=level, reason=reason)
    reach = normal_quantile(level) * math.sqrt(variance)
    return Estimate(
        value=min(max(value, 0.0), 1.0),
        n=n,
        low=min(max(value - reach, 0.0), 1.0),
        high=max(min(value + reach, 1.0), 0.0),
        level=level,
        method=f"prediction-powered, factor {factor:.2f}, {m} unlabelled",
    )


def rogan_gladen(
    positives: int, n: int, *, hits: int, true: int, false_alarms: int, false: int, level: float = 0.95
) -> Estimate:
    """True share from the gate's share, its sensitivity and its specificity.

    Parameters
    ----------
    positives, n : int
        Items the gate accepts, of all.
    hits, true : int
        Of ``true`` labelled supported items the gate accepts ``hits``.
    false_alarms, false : int
        Of ``false`` labelled unsupported items it accepts ``false_alarms``.

    Source: W. Rogan and B. Gladen (1978), American Journal of Epidemiology 107; the interval is by the delta
    method on shares with half a case added on either side.

    Examples
    --------
    >>> found = rogan_gladen(620, 1000, hits=90, true=100, false_alarms=20, false=100)
    >>> round(found.value, 3)
    0.6
    """
    for part, whole in ((positives, n), (hits, true), (false_alarms, false)):
        _check_counts(part, whole)
    labelled = true + false
    if n == 0 or true == 0 or false == 0:
        return undefined("labels of both kinds and decisions are needed", labelled)
    share, sensitivity, alarm = positives / n, hits / true, false_alarms / false
    power = sensitivity - alarm
    if power <= 0:
        return undefined("the gate tells the two kinds no better than chance", labelled)
    value = (share - alarm) / power
    clipped = min(max(value, 0.0), 1.0)
    smooth = [
        (part + 0.5) / (whole + 1) for part, whole in ((positives, n), (hits, true), (false_alarms, false))
    ]
    p, s, a = smooth
    if s - a <= 0:
        return Estimate(value=clipped, n=labelled, reason="too few labels for an interval")
    near = min(max((p - a) / (s - a), 0.0), 1.0)
    variance = (p * (1 - p) / n + near**2 * s * (1 - s) / true + (1 - near) ** 2 * a * (1 - a) / false) / (
        s - a
    ) ** 2
    reach = normal_quantile(level) * math.sqrt(variance)
    return Estimate(
        value=clipped,
        n=labelled,
        low=min(max(value - reach, 0.0), clipped),
        high=max(min(value + reach, 1.0), clipped),
        level=level,
        method="Rogan-Gladen",
    )


def labels_for_half_width(half_width: float, *, share: float = 0.5, level: float = 0.95) -> int:
    """Labels of a random sample after which Wilson's interval of about ``share`` has this half width.

    Examples
    --------
    >>> labels_for_half_width(0.05), labels_for_half_width(0.1)
    (381, 93)
    """
    if not 0 < half_width < 0.5:
        raise InputError("a half width lies between 0 and 0.5", got=str(half_width))
    if not 0 <= share <= 1:
        raise InputError("a share lies between 0 and 1", got=str(share))
    z = normal_quantile(level)

    def reach(n: int) -> float:
        return z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))

    low, high = 1, 1
    while reach(high) > half_width:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reach(middle) <= half_width else (middle + 1, high)
    return low


def _check_counts(part: int, whole: int) -> None:
    if not 0 <= part <= whole:
        raise InputError("a count lies between 0 and the number of cases", got=f"{part} of {whole}")
