"""Has something moved: a window of values against a reference, with the size of the move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.values import Estimate, normal_quantile, undefined

Floats = NDArray[np.float64]
FEWEST: Final = 30
"""Rows on each side below which nothing is said: "not enough rows" is no alarm."""
BINS: Final = 10


@dataclass(frozen=True, kw_only=True)
class Shift:
    """How two samples of one score differ.

    Attributes
    ----------
    n_reference, n_window : int
    ks : float or None
        Kolmogorov and Smirnov's statistic, the largest distance of the two distribution functions, in [0, 1].
    p : float or None
        Its two-sided p-value; None where there are not enough rows, with the ``reason``.
    psi : float or None
        Population stability index over ten bins of the reference. Under 0.1 it is usually called small, over
        0.25 large; the bounds are custom, not theory.
    js : float or None
        Jensen-Shannon divergence over the same bins, in bits, in [0, 1].
    mean_change : float or None
        Mean of the window less that of the reference.
    """

    n_reference: int
    n_window: int
    ks: float | None
    p: float | None
    psi: float | None
    js: float | None
    mean_change: float | None
    reason: str = ""


def shift(
    reference: Sequence[float] | Floats, window: Sequence[float] | Floats, *, fewest: int = FEWEST
) -> Shift:
    """Compare a window of a score with a reference.

    Source: for KS, scipy.stats.ks_2samp; for PSI, B. Yurdakul (2018), Western Michigan University, chapter 2;
    for the divergence J. Lin (1991), IEEE Transactions on Information Theory 37.

    Examples
    --------
    >>> found = shift([0.1, 0.2] * 20, [0.8, 0.9] * 20)
    >>> found.ks, found.p < 1e-9, round(found.mean_change, 2)
    (1.0, True, 0.7)
    >>> shift([0.1], [0.9]).reason
    'not enough rows: 1 and 1, 30 each are needed'
    """
    one, two = _numbers(reference), _numbers(window)
    n, m = len(one), len(two)
    if min(n, m) < fewest:
        return Shift(
            n_reference=n, n_window=m, ks=None, p=None, psi=None, js=None, mean_change=None,
            reason=f"not enough rows: {n} and {m}, {fewest} each are needed",
        )  # fmt: skip
    from scipy.stats import ks_2samp

    found = ks_2samp(one, two)
    expected, actual = _binned(one, two)
    return Shift(
        n_reference=n,
        n_window=m,
        ks=float(found.statistic),
        p=float(found.pvalue),
        psi=psi(expected, actual),
        js=jensen_shannon(expected, actual),
        mean_change=float(two.mean() - one.mean()),
    )


def psi(expected: Floats, actual: Floats) -> float:
    """Population stability index of counts by bin; an empty bin counts as half an observation.

    Examples
    --------
    >>> psi(np.array([50.0, 50.0]), np.array([50.0, 50.0]))
    0.0
    """
    a, b = _shares(expected), _shares(actual)
    return float(((b - a) * np.log(b / a)).sum())


def jensen_shannon(expected: Floats, actual: Floats) -> float:
    """Jensen-Shannon divergence of counts by bin, in bits: 0 for the same shares, 1 for no bin in common.

    Examples
    --------
    >>> jensen_shannon(np.array([10.0, 0.0]), np.array([0.0, 10.0]))
    1.0
    """
    a, b = expected / expected.sum(), actual / actual.sum()
    middle = (a + b) / 2

    def against_middle(x: Floats) -> float:
        used = x > 0
        return float((x[used] * np.log2(x[used] / middle[used])).sum())

    return max(0.0, (against_middle(a) + against_middle(b)) / 2)


def share_change(
    reference: tuple[int, int], window: tuple[int, int], *, level: float = 0.95, fewest: int = FEWEST
) -> Estimate:
    """The change of a share, window less reference, with Newcombe's hybrid score interval.

    ``reference`` and ``window`` are (of these, of all). Source: R. Newcombe (1998), Statistics in Medicine
    17, method 10.

    Examples
    --------
    >>> found = share_change((56, 70), (48, 80))
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
    (-0.2, -0.3339, -0.0524)
    """
    (a, n), (b, m) = reference, window
    if not (0 <= a <= n and 0 <= b <= m):
        raise InputError("a part is larger than its whole", got=f"{a} of {n}, {b} of {m}")
    if min(n, m) < fewest:
        return undefined(f"not enough rows: {n} and {m}, {fewest} each are needed", n + m)
    z = normal_quantile(level)
    p, q = a / n, b / m
    low_p, high_p = _wilson(p, n, z)
    low_q, high_q = _wilson(q, m, z)
    change = q - p
    return Estimate(
        value=change,
        n=n + m,
        low=change - math.hypot(q - low_q, high_p - p),
        high=change + math.hypot(high_q - q, p - low_p),
        level=level,
        method="Newcombe 1998, hybrid score",
    )


def share_p(reference: tuple[int, int], window: tuple[int, int], *, fewest: int = FEWEST) -> float | None:
    """Two-sided p-value of "the two shares are the same", Fisher's exact test; None with too few rows."""
    from scipy.stats import fisher_exact

    (a, n), (b, m) = reference, window
    if min(n, m) < fewest:
        return None
    return float(fisher_exact([[a, n - a], [b, m - b]])[1])


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """p-values corrected for looking at several things at once; None stays None and does not count.

    The chance of any false alarm among them is then at most the level. Source: S. Holm (1979), Scandinavian
    Journal of Statistics 6.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": None})
    {'a': 0.03, 'b': 0.06, 'c': 0.06, 'd': None}
    """
    known = sorted((p, name) for name, p in p_values.items() if p is not None)
    corrected: dict[str, float | None] = dict.fromkeys(p_values)
    largest = 0.0
    for place, (p, name) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - place)))
        corrected[name] = largest
    return corrected


@dataclass(frozen=True, kw_only=True)
class ChangePoint:
    """Where a series of daily shares or means changed: before ``at`` it was one, from there on the other."""

    at: int
    before: float
    after: float
    p: float


def change_point(
    values: Sequence[float], sizes: Sequence[int] | None = None, *, repeats: int = 2000, seed: int = 0
) -> ChangePoint | None:
    """The one place where a series most likely changed its mean; None where chance would do as well.

    The largest weighted CUSUM; its p-value is from the same series shuffled. ``sizes`` are the rows behind
    each value.

    Source: E. Page (1954), Biometrika 41; for the permutation W. Taylor (2000), Change-point analysis.
    """
    x = _numbers(values)
    w = np.ones(len(x)) if sizes is None else np.array(sizes, dtype=np.float64)
    if len(w) != len(x):
        raise InputError("one size a value", got=f"{len(w)} and {len(x)}")
    if len(x) < 6 or not (w > 0).any():
        return None
    rng = np.random.default_rng(seed)
    own, at = _cusum(x, w)
    if own == 0:
        return None
    orders = np.argsort(rng.random((repeats, len(x))), axis=1)
    beaten = sum(_cusum(x[order], w[order])[0] >= own for order in orders)
    p = (beaten + 1) / (repeats + 1)
    if p > 0.05:
        return None
    return ChangePoint(
        at=at,
        before=float(np.average(x[:at], weights=w[:at])),
        after=float(np.average(x[at:], weights=w[at:])),
        p=p,
    )


def _cusum(x: Floats, w: Floats) -> tuple[float, int]:
    mean = np.average(x, weights=w)
    sums = np.abs(np.cumsum(w * (x - mean)))[:-1]
    place = int(sums.argmax())
    return float(sums[place]), place + 1


def _binned(reference: Floats, window: Floats) -> tuple[Floats, Floats]:
    """Counts in bins that hold equal parts of the reference, ties kept together."""
    edges = np.unique(np.quantile(reference, np.linspace(0, 1, BINS + 1)[1:-1]))
    places = [np.searchsorted(edges, values, side="right") for values in (reference, window)]
    one, two = (np.bincount(place, minlength=len(edges) + 1).astype(np.float64) for place in places)
    return one, two


def _shares(counts: Floats) -> Floats:
    kept = np.maximum(counts, 0.5)
    return np.asarray(kept / kept.sum())


def _wilson(p: float, n: int, z: float) -> tuple[float, float]:
    middle = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    whole = 1 + z * z / n
    return (middle - spread) / whole, (middle + spread) / whole


def _numbers(values: Sequence[float] | Floats) -> Floats:
    found = np.array(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise InputError("a value that is no number", cure="leave out what was not measured")
    return found
