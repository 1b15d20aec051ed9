"""Agreement of more than two raters, or of raters who did not all rate everything."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.bootstrap import interval_of_sums, numbered
from evalcore.stats.values import Estimate, normal_quantile, undefined

Floats = NDArray[np.float64]
Scale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[float | None]],
    *,
    scale: Scale = "nominal",
    documents: Sequence[object] | None = None,
    repeats: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Krippendorff's alpha: 1 minus observed over expected disagreement.

    Parameters
    ----------
    ratings : sequence of units, each a sequence of one value a rater
        None where a rater did not rate. Categories are given as numbers; of an ordinal scale in its order.
    scale : {"nominal", "ordinal", "interval"}
    documents : sequence, optional
        The document of each unit; resamples are of documents. Units stand alone without it.

    Returns
    -------
    Estimate
        ``n`` counts units with two ratings at least; the others are left out.

    Source: K. Krippendorff, Content Analysis (2004), chapter 11.

    Examples
    --------
    >>> units = [[1, 1, None], [2, 2, 2], [3, 3, 3], [1, 2, 1], [2, None, None]]
    >>> found = krippendorff_alpha(units)
    >>> round(found.value, 3), found.n, found.left_out
    (0.75, 4, {'fewer than two ratings': 1})
    """
    if documents is not None and len(documents) != len(ratings):
        raise InputError("one document a unit", got=str(len(documents)), expected=str(len(ratings)))
    kept = [place for place, unit in enumerate(ratings) if sum(v is not None for v in unit) >= 2]
    left_out = {"fewer than two ratings": len(ratings) - len(kept)} if len(kept) < len(ratings) else {}
    if not kept:
        return undefined("no unit was rated twice", 0, left_out=left_out)
    values = sorted({float(v) for place in kept for v in ratings[place] if v is not None})
    if len(values) < 2:
        return undefined("only one category used", len(kept), left_out=left_out)
    place_of = {value: index for index, value in enumerate(values)}
    size = len(values)
    counts = np.zeros((len(kept), size))
    rated = [(row, place_of[float(v)]) for row, p in enumerate(kept) for v in ratings[p] if v is not None]
    np.add.at(counts, tuple(np.array(rated).T), 1.0)
    # What one unit adds to the coincidence matrix: its pairs of values, over its ratings less one.
    diagonal = counts[:, :, None] * np.eye(size)
    units = counts[:, :, None] * counts[:, None, :] - diagonal
    units /= (counts.sum(axis=1) - 1)[:, None, None]
    numbers = np.array(values)

    def alphas(totals: Floats) -> Floats:
        tables = totals.reshape(len(totals), size, size)
        margins = tables.sum(axis=2)
        n = margins.sum(axis=1)
        distance = _distance(scale, numbers, margins)
        observed = np.einsum("rij,rij->r", tables, distance) / n
        pairs = np.einsum("ri,rj,rij->r", margins, margins, distance)
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = pairs / (n * (n - 1))
            return np.where(expected > 1e-15, 1 - observed / expected, np.nan)

    value = float(alphas(units.sum(axis=0).reshape(1, -1))[0])
    sums = units.reshape(len(kept), -1)
    if documents is not None:
        of_unit = numbered([documents[place] for place in kept])
        grouped = np.zeros((int(of_unit.max()) + 1, size * size))
        np.add.at(grouped, of_unit, sums)
        sums = grouped
    found = interval_of_sums(sums, alphas, repeats=repeats, seed=seed, level=level)
    if isinstance(found, str):
        return Estimate(value=value, n=len(kept), level=level, left_out=left_out, reason=found)
    return Estimate(
        value=value,
        n=len(kept),
        low=found[0],
        high=found[1],
        level=level,
        left_out=left_out,
        method=f"bootstrap over {len(sums)} {'units' if documents is None else 'documents'}",
    )


def _distance(scale: Scale, values: Floats, margins: Floats) -> Floats:
    """Squared difference of each pair of values for each row of margins, shape (rows, values, values)."""
    size = len(values)
    if scale == "nominal":
        return np.broadcast_to(1 - np.eye(size), (len(margins), size, size))
    if scale == "interval":
        apart = (values[:, None] - values[None, :]) ** 2
        return np.broadcast_to(apart, (len(margins), size, size))
    # Ordinal: how many ratings lie between the two values, each end counted half.
    middle = np.cumsum(margins, axis=1) - margins / 2
    return np.asarray((middle[:, :, None] - middle[:, None, :]) ** 2)


def fleiss_kappa(ratings: Sequence[Sequence[object | None]], *, level: float = 0.95) -> Estimate:
    """Fleiss' kappa of units that all have the same number of ratings, by whomever.

    The number of ratings that most units have is taken; units with another number are left out.

    Source: J. Fleiss (1971), Psychological Bulletin 76; for the interval J. Fleiss, J. Nee and R. Landis
    (1979), Psychological Bulletin 86. It is made under the hypothesis of no agreement, and so is rough where
    agreement is high; Krippendorff's alpha has a resampled one.

    Examples
    --------
    >>> round(fleiss_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["a", "b", "b"]]).value, 4)
    0.3333
    """
    units = [[str(v).strip().casefold() for v in unit if v is not None] for unit in ratings]
    sizes = Counter(len(unit) for unit in units if len(unit) >= 2)
    if not sizes:
        return undefined("no unit was rated twice", 0, left_out={"fewer than two ratings": len(units)})
    most = max(sizes, key=lambda size: (sizes[size], size))
    kept = [unit for unit in units if len(unit) == most]
    left_out = {f"not {most} ratings": len(units) - len(kept)} if len(kept) < len(units) else {}
    names = sorted({label for unit in kept for label in unit})
    if len(names) < 2:
        return undefined("only one category used", len(kept), left_out=left_out)
    counts = np.array([[unit.count(name) for name in names] for unit in kept], dtype=np.float64)
    n = len(kept)
    shares = counts.sum(axis=0) / (n * most)
    observed = float(((counts * (counts - 1)).sum(axis=1) / (most * (most - 1))).mean())
    expected = float((shares**2).sum())
    value = (observed - expected) / (1 - expected)
    other = shares * (1 - shares)
    total = float(other.sum())
    spread = total**2 - float((other * (1 - 2 * shares)).sum())
    error = math.sqrt(2 * max(spread, 0.0) / (n * most * (most - 1))) / total
    z = normal_quantile(level)
    return Estimate(
        value=value,
        n=n,
        low=max(value - z * error, -1.0) if n > 1 else None,
        high=min(value + z * error, 1.0) if n > 1 else None,
        level=level,
        left_out=left_out,
        method="Fleiss, Nee and Landis 1979",
        reason="" if n > 1 else "one unit gives no interval",
    )
