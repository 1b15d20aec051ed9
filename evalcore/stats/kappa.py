"""Agreement of two raters beyond chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.pairs import Pairs, pair_up
from evalcore.stats.values import Estimate, normal_quantile, undefined

Weighting = Literal["none", "linear", "quadratic"]
Floats = NDArray[np.float64]
SKEWED = 0.6
"""Prevalence index from which kappa is low although raters agree on most items; the result then says so."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How two raters agree. ``table`` has the first rater's categories as rows.

    Attributes
    ----------
    observed, expected : float or None
        Share of agreeing pairs and what chance would give from the raters' own shares; weighted where
        ``weighting`` is not ``none``.
    kappa : Estimate
        Cohen's kappa with the large-sample interval.
    ac1 : Estimate
        Gwet's AC1, which does not fall with skewed categories; unweighted.
    prevalence_index, bias_index : float or None
        Of two categories: how unlike the two categories are in frequency, and how unlike the raters are.
    by_category : dict
        Specific agreement of each category, in [0, 1]; None for one nobody used.
    word : str
        The Landis-Koch word for kappa. Its bounds are arbitrary.
    notes : tuple of str
        What a reader should know before the number is believed.
    """

    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    n: int
    left_out: dict[str, int]
    weighting: Weighting
    observed: float | None
    expected: float | None
    kappa: Estimate
    ac1: Estimate
    prevalence_index: float | None
    bias_index: float | None
    by_category: dict[str, float | None]
    word: str
    notes: tuple[str, ...]


def agreement(
    first: Sequence[object],
    second: Sequence[object],
    *,
    weighting: Weighting = "none",
    order: Sequence[str] | None = None,
    level: float = 0.95,
) -> Agreement:
    """Agreement of two raters on the same items.

    Weighted kappa needs the order of the scale: names in alphabetical order are no scale.

    Raises
    ------
    InputError
        For labels of different items, or weights without an order.

    Source: J. Cohen (1960), Educational and Psychological Measurement 20; for the interval J. Fleiss,
    J. Cohen and B. Everitt (1969), Psychological Bulletin 72; for the indices T. Byrt, J. Bishop and
    J. Carlin (1993), Journal of Clinical Epidemiology 46; for AC1 K. Gwet (2008), British Journal of
    Mathematical and Statistical Psychology 61.

    Examples
    --------
    >>> found = agreement(["a"] * 60 + ["r"] * 40, ["a"] * 55 + ["r"] * 5 + ["a"] * 15 + ["r"] * 25)
    >>> found.observed, round(found.expected, 2), round(found.kappa.value, 3)
    (0.8, 0.54, 0.565)
    """
    if weighting != "none" and order is None:
        raise InputError(
            "weighted kappa needs the order of the scale",
            cure="name the categories from the lowest to the highest",
        )
    return agreement_of(pair_up(first, second, order=order), weighting=weighting, level=level)


def agreement_of(pairs: Pairs, *, weighting: Weighting = "none", level: float = 0.95) -> Agreement:
    """Agreement from paired labels; see :func:`agreement`."""
    table = pairs.table
    used = [i for i in range(len(table)) if table[i].sum() or table[:, i].sum()]
    weights = agreement_weights(len(table), weighting)
    observed, expected = chance_corrected(table, weights) if pairs.n else (None, None)
    kappa = _kappa(table, weights, pairs, level)
    ac1 = _ac1(table, pairs, level)
    prevalence = bias = None
    if pairs.n and len(used) <= 2 and len(table) >= 2:
        one, two = (used + [i for i in range(len(table)) if i not in used])[:2]
        prevalence = abs(int(table[one, one]) - int(table[two, two])) / pairs.n
        bias = abs(int(table[one, two]) - int(table[two, one])) / pairs.n
    by_category = {
        name: (2 * int(table[i, i]) / both if (both := int(table[i].sum() + table[:, i].sum())) else None)
        for i, name in enumerate(pairs.categories)
    }
    return Agreement(
        categories=pairs.categories,
        table=tuple(tuple(int(count) for count in row) for row in table),
        n=pairs.n,
        left_out=pairs.left_out,
        weighting=weighting,
        observed=observed,
        expected=expected,
        kappa=kappa,
        ac1=ac1,
        prevalence_index=prevalence,
        bias_index=bias,
        by_category=by_category,
        word=landis_koch(kappa.value) if kappa.value is not None else "",
        notes=_notes(prevalence, kappa, weighting, pairs.categories),
    )


def agreement_weights(size: int, weighting: Weighting) -> Floats:
    """Worth of each pair of categories, 1 on the diagonal, shape (size, size)."""
    places = np.arange(size, dtype=np.float64)
    distance = np.abs(places[:, None] - places[None, :]) / max(size - 1, 1)
    if weighting == "linear":
        return np.asarray(1 - distance)
    if weighting == "quadratic":
        return np.asarray(1 - distance**2)
    return np.eye(size)


def chance_corrected(table: NDArray[np.int64], weights: Floats) -> tuple[float, float]:
    """Observed and expected weighted agreement of a table with at least one pair, each in [0, 1]."""
    shares = table / table.sum()
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    return float((weights * shares).sum()), float((weights * expected).sum())


def landis_koch(kappa: float) -> str:
    """The word of Landis and Koch (1977) for a kappa. Its bounds were, in their own words, arbitrary.

    Examples
    --------
    >>> landis_koch(0.565)
    'moderate'
    """
    if kappa < 0:
        return "poor"
    bounds = ((0.20, "slight"), (0.40, "fair"), (0.60, "moderate"), (0.80, "substantial"))
    return next((word for bound, word in bounds if kappa <= bound), "almost perfect")


def _kappa(table: NDArray[np.int64], weights: Floats, pairs: Pairs, level: float) -> Estimate:
    n = pairs.n
    if n == 0:
        return undefined("no item was rated by both", 0, left_out=pairs.left_out)
    observed, expected = chance_corrected(table, weights)
    if 1 - expected < 1e-12:
        return undefined("only one category used", n, left_out=pairs.left_out)
    value = (observed - expected) / (1 - expected)
    if n == 1:
        return Estimate(value=None, n=1, left_out=pairs.left_out, reason="one item says nothing about chance")
    shares = table / n
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    # Mean weight of each category against the other rater's shares.
    row_mean, column_mean = weights @ columns, weights.T @ rows
    inner = weights - (row_mean[:, None] + column_mean[None, :]) * (1 - value)
    variance = float((shares * inner**2).sum()) - (value - expected * (1 - value)) ** 2
    error = math.sqrt(max(variance, 0.0) / n) / (1 - expected)
    z = normal_quantile(level)
    if error == 0.0:
        reason = "raters agree on every item: the large-sample interval has no width; take the bootstrap's n"
        return Estimate(value=value, n=n, level=level, left_out=pairs.left_out, reason=reason)
    return Estimate(
        value=value,
        n=n,
        low=max(value - z * error, -1.0),
        high=min(value + z * error, 1.0),
        level=level,
        left_out=pairs.left_out,
        method="large-sample, Fleiss, Cohen and Everitt 1969",
    )


def _ac1(table: NDArray[np.int64], pairs: Pairs, level: float) -> Estimate:
    n = pairs.n
    if n == 0:
        return undefined("no item was rated by both", 0, left_out=pairs.left_out)
    size = len(table)
    if size < 2:
        return undefined("only one category used", n, left_out=pairs.left_out)
    shares = table / n
    mean = (shares.sum(axis=1) + shares.sum(axis=0)) / 2
    expected = float((mean * (1 - mean)).sum()) / (size - 1)
    observed = float(np.trace(shares))
    value = (observed - expected) / (1 - expected)
    if n == 1:
        return Estimate(value=None, n=1, left_out=pairs.left_out, reason="one item says nothing about chance")
    # Variance over items, Gwet 2008: each item's own chance part is in it.
    places = np.arange(size)
    agree = (places[:, None] == places[None, :]).astype(np.float64)
    own = (agree - expected) / (1 - expected)
    chance = ((1 - mean)[:, None] + (1 - mean)[None, :]) / (2 * (size - 1))
    spread = own - 2 * (1 - value) * (chance - expected) / (1 - expected)
    variance = float((shares * (spread - value) ** 2).sum()) / (n - 1)
    z = normal_quantile(level)
    error = math.sqrt(variance)
    return Estimate(
        value=value,
        n=n,
        low=max(value - z * error, -1.0) if error else None,
        high=min(value + z * error, 1.0) if error else None,
        level=level,
        left_out=pairs.left_out,
        method="Gwet 2008",
        reason="" if error else "raters agree on every item: the interval has no width",
    )


def _notes(
    prevalence: float | None, kappa: Estimate, weighting: Weighting, categories: tuple[str, ...]
) -> tuple[str, ...]:
    notes = []
    if prevalence is not None and prevalence >= SKEWED:
        notes.append(
            "skewed categories: kappa is low even where raters agree on most items; read AC1 beside it"
        )
    if weighting != "none":
        notes.append(f"{weighting} weights over the order {' < '.join(categories)}")
    if kappa.value is not None:
        notes.append("the word is by Landis and Koch, whose bounds are arbitrary")
    return tuple(notes)
