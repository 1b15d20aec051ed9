"""Intervals by resampling whole documents: answers from one document are not independent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.kappa import Weighting, agreement_weights
from evalcore.stats.pairs import Pairs
from evalcore.stats.values import Estimate, check_level, undefined

Floats = NDArray[np.float64]
FEWEST_DOCUMENTS = 5
"""With fewer there is no interval: their resamples are nearly all the same."""
LARGEST_UNDEFINED = 0.1
"""Share of resamples without a value from which there is no interval."""


def resample(n_documents: int, repeats: int, seed: int) -> NDArray[np.int64]:
    """How often each document is drawn in each repeat, shape (repeats, n_documents)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), size=repeats)


def numbered(names: Sequence[object]) -> NDArray[np.int64]:
    """The same number for the same name, from 0 on, shape (n,)."""
    if names and all(type(name) is int for name in names):
        return np.asarray(np.unique(np.array(names, dtype=np.int64), return_inverse=True)[1])
    places: dict[str, int] = {}
    return np.array([places.setdefault(str(name), len(places)) for name in names], dtype=np.int64)


def interval_of_sums(
    sums: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    repeats: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[float, float] | str:
    """Percentile interval of a statistic of sums over documents, or why there is none.

    Parameters
    ----------
    sums : float array, shape (documents, k)
        What each document adds.
    statistic : callable
        Totals of shape (repeats, k) in, values of shape (repeats,) out, NaN where undefined.
    """
    check_level(level)
    if len(sums) < FEWEST_DOCUMENTS:
        return f"{len(sums)} documents are too few for an interval; {FEWEST_DOCUMENTS} at least"
    # Documents that add the same are alike: how many of each kind are drawn is all that counts.
    kinds, sizes = np.unique(sums, axis=0, return_counts=True)
    values = []
    # In parts, so that many kinds do not ask for all their draws at once.
    part = max(1, min(repeats, 20_000_000 // len(kinds)))
    for number, first in enumerate(range(0, repeats, part)):
        rng = np.random.default_rng(seed + 7919 * number)
        draws = rng.multinomial(len(sums), sizes / len(sums), size=min(part, repeats - first))
        values.append(statistic(draws.astype(np.float64) @ kinds))
    drawn = np.concatenate(values)
    known = drawn[np.isfinite(drawn)]
    if len(known) < (1 - LARGEST_UNDEFINED) * len(drawn):
        return f"{1 - len(known) / len(drawn):.0%} of the resamples have no value"
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def kappa_over_documents(
    pairs: Pairs,
    documents: Sequence[object],
    *,
    weighting: Weighting = "none",
    repeats: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Cohen's kappa with a percentile interval over resampled documents.

    Parameters
    ----------
    pairs : Pairs
    documents : sequence
        The document of every item that was paired, also of those left out.

    Raises
    ------
    InputError
        When there are fewer documents than items.
    """
    n = pairs.n
    if n == 0:
        return undefined("no item was rated by both", 0, left_out=pairs.left_out)
    if len(documents) < int(pairs.kept.max()) + 1:
        raise InputError(
            "one document an item", got=str(len(documents)), expected=str(int(pairs.kept.max()) + 1)
        )
    size = len(pairs.categories)
    weights = agreement_weights(size, weighting)
    of_item = numbered([documents[place] for place in pairs.kept])
    cells = np.zeros((int(of_item.max()) + 1, size * size))
    np.add.at(cells, (of_item, pairs.first * size + pairs.second), 1.0)

    def kappas(totals: Floats) -> Floats:
        tables = totals.reshape(len(totals), size, size)
        tables = tables / tables.sum(axis=(1, 2), keepdims=True)
        observed = np.einsum("rij,ij->r", tables, weights)
        expected = np.einsum("ri,rj,ij->r", tables.sum(axis=2), tables.sum(axis=1), weights)
        left = 1 - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(left > 1e-12, (observed - expected) / left, np.nan)

    value = float(kappas(cells.sum(axis=0)[None, :])[0])
    if not np.isfinite(value):
        return undefined("only one category used", n, left_out=pairs.left_out)
    found = interval_of_sums(cells, kappas, repeats=repeats, seed=seed, level=level)
    if isinstance(found, str):
        return Estimate(value=value, n=n, level=level, left_out=pairs.left_out, reason=found)
    return Estimate(
        value=value,
        n=n,
        low=found[0],
        high=found[1],
        level=level,
        left_out=pairs.left_out,
        method=f"bootstrap over {len(cells)} documents, {repeats} resamples",
    )
