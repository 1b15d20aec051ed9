"""Which answers may pass unread: a threshold of risk below which few are wrong, with a stated confidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.proportions import binomial_lower, binomial_upper

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Method = Literal["learn_then_test", "conformal"]
STEPS = 40
"""Thresholds that are tried: quantiles of the risks of all answers."""
CAUTIOUS: Final = 1.0
BOLD: Final = 1.3
MANY: Final = 3.5
QUARTER: Final = 0.25
VERY_MANY: Final = 20.0
_BETS: Final = tuple(np.geomspace(0.02, 0.98, 16))


@dataclass(frozen=True, kw_only=True)
class AutoAccept:
    """A threshold for passing answers unread, or why there is none.

    Attributes
    ----------
    threshold : float or None
        Answers with this risk or less may pass; None where no threshold can be guaranteed.
    alpha, delta : float
        At most ``alpha`` of the passed answers are wrong, with confidence ``1 - delta``. Under
        ``conformal``: on average over samples of labels at most ``alpha`` of all answers pass and are wrong.
    coverage : float or None
        Share of all answers that pass.
    n : int
        Labels of the fair sample; ``n_passed`` lie under the threshold, ``n_wrong`` of those are wrong.
    error, error_bound : float or None
        Estimated share of wrong among passed, and its one-sided upper bound at ``1 - delta``.
    more_labels : int or None
        Where there is no threshold: about so many more labels are needed, if the share of wrong answers
        stays as it is; None where no number would do.
    reason : str
    """

    threshold: float | None
    alpha: float
    delta: float
    method: Method
    n: int
    n_passed: int
    n_wrong: int
    coverage: float | None
    error: float | None
    error_bound: float | None
    more_labels: int | None
    reason: str


def auto_accept(
    risks: Sequence[float],
    wrong: Sequence[bool],
    population: Sequence[float],
    *,
    alpha: float,
    delta: float = 0.05,
    probabilities: Sequence[float] | None = None,
    method: Method = "learn_then_test",
) -> AutoAccept:
    """The largest threshold of risk that can be guaranteed from a fair sample of labels.

    *learn_then_test*: thresholds are quantiles of all risks, fixed before a label is read. Tests go from
    cautious to bold and stop at the first failure. A test is the exact binomial one, or, where
    labels were drawn with unequal probabilities, a test by betting on weighted labels; both hold for any
    number of labels. *conformal*: the average-case alternative.

    Parameters
    ----------
    risks, wrong : sequences of the same length
        Risk and truth of the labelled answers. They must be a random sample of all answers (an audit): labels
        that were picked by their risk have no place here.
    population : sequence of float
        Risks of all answers the threshold is for, the labelled among them.
    alpha, delta : float
        In (0, 1).
    probabilities : sequence of float, optional
        Inclusion probability of each label; all alike if left out.

    Source: A. Angelopoulos and others, "Learn then Test" (2021), arXiv:2110.01052, and "Conformal Risk
    Control" (2022), arXiv:2208.02814; for betting I. Waudby-Smith and A. Ramdas (2024), Journal of the Royal
    Statistical Society B 86.
    """
    x, bad, everyone, chances = _checked(risks, wrong, population, probabilities, alpha, delta)
    grid = np.unique(np.quantile(everyone, np.linspace(1 / STEPS, 1, STEPS), method="higher"))
    found = (
        _conformal(x, bad, chances, grid, alpha)
        if method == "conformal"
        else _sequences(x, bad, chances, everyone, grid, alpha, delta)
    )
    if found is None:
        best, more = _more_labels(x, bad, everyone, grid, alpha, delta)
        reason = (
            f"not reachable with {len(x)} labels of a fair sample: about {more} more are needed"
            if more is not None
            else f"not reachable: even among the safest answers about {best:.0%} are wrong"
        )
        return AutoAccept(
            threshold=None, alpha=alpha, delta=delta, method=method, n=len(x), n_passed=0, n_wrong=0,
            coverage=None, error=None, error_bound=None, more_labels=more, reason=reason,
        )  # fmt: skip
    passed = x <= found
    weights = (1 / chances)[passed]
    n_passed, n_wrong = int(passed.sum()), int(bad[passed].sum())
    return AutoAccept(
        threshold=float(found),
        alpha=alpha,
        delta=delta,
        method=method,
        n=len(x),
        n_passed=n_passed,
        n_wrong=n_wrong,
        coverage=float((everyone <= found).mean()),
        error=float((weights * bad[passed]).sum() / weights.sum()) if n_passed else None,
        error_bound=binomial_upper(n_wrong, n_passed, delta) if n_passed and _alike(chances) else None,
        more_labels=None,
        reason="",
    )


def binomial_p(wrong: int, n: int, alpha: float) -> float:
    """P(at most ``wrong`` of ``n``) if a share ``alpha`` were wrong: small where fewer are.

    Examples
    --------
    >>> round(binomial_p(0, 29, 0.1), 4)
    0.0471
    """
    from scipy import special

    return float(special.bdtr(wrong, n, alpha))


def betting_p(wrong: Flags, chances: Floats, alpha: float, smallest: float) -> float:
    """p-value of "a share ``alpha`` or more is wrong" from labels drawn with unequal probabilities.

    ``smallest`` is the smallest probability of the design, not only of these labels.

    The mean capital of players who each bet a fixed part on "fewer are wrong"; under the hypothesis no player
    wins in the long run.
    """
    stakes = smallest / chances
    outcomes = (wrong.astype(np.float64) - alpha) * stakes
    capital = np.mean([np.exp(np.log1p(-bet / (1 - alpha) * outcomes).sum()) for bet in _BETS])
    return float(min(1.0, 1 / capital)) if capital > 0 else 1.0


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """What a threshold does: the share that passes, and how many of those are wrong, by labels."""

    threshold: float
    coverage: float
    n: int
    error: float | None


def risk_coverage(
    risks: Sequence[float],
    wrong: Sequence[bool],
    population: Sequence[float],
    *,
    probabilities: Sequence[float] | None = None,
    steps: int = STEPS,
) -> tuple[CurvePoint, ...]:
    """Error among passed answers against the share that passes, from cautious to bold."""
    x, bad, everyone, chances = _checked(risks, wrong, population, probabilities, 0.5, 0.5)
    points = []
    for threshold in np.unique(np.quantile(everyone, np.linspace(1 / steps, 1, steps), method="higher")):
        passed = x <= threshold
        weights = (1 / chances)[passed]
        points.append(
            CurvePoint(
                threshold=float(threshold),
                coverage=float((everyone <= threshold).mean()),
                n=int(passed.sum()),
                error=float((weights * bad[passed]).sum() / weights.sum()) if passed.any() else None,
            )
        )
    return tuple(points)


def _sequences(
    x: Floats, bad: Flags, chances: Floats, everyone: Floats, grid: Floats, alpha: float, delta: float
) -> float | None:
    """The largest threshold that a sequence of tests reaches before its first failure."""
    alike = _alike(chances)
    shares = np.array([(everyone <= threshold).mean() for threshold in grid])
    reached = None
    for labels, level in _starts(len(x), alpha, delta):
        for threshold in grid[shares * len(x) >= labels]:
            passed = x <= threshold
            p = (
                binomial_p(int(bad[passed].sum()), int(passed.sum()), alpha)
                if alike
                else betting_p(bad[passed], chances[passed], alpha, float(chances.min()))
            )
            if p > level:
                break
            reached = float(threshold) if reached is None else max(reached, float(threshold))
    return reached


def _starts(n: int, alpha: float, delta: float) -> tuple[tuple[float, float], ...]:
    """At how many expected labels each sequence starts, and its part of delta; known from ``n`` alone.

    The first test should forgive a wrong label or two: at the number of labels that a test without a wrong
    one needs where there are few, a little later or at a quarter of all where there are more. Of very many
    labels a second, more cautious sequence takes a fifth of delta.
    """
    fewest = math.log(delta) / math.log(1 - alpha)
    if n < MANY * fewest:
        return ((CAUTIOUS * fewest, delta),)
    start = max(BOLD * fewest, QUARTER * n)
    if n < VERY_MANY * fewest:
        return ((start, delta),)
    return ((start, 0.8 * delta), (QUARTER * start, 0.2 * delta))


def _conformal(x: Floats, bad: Flags, chances: Floats, grid: Floats, alpha: float) -> float | None:
    weights = 1 / chances
    total = float(weights.sum())
    largest = float(weights.max()) if len(weights) else 1.0
    reached = None
    for threshold in grid:
        lost = float((weights * (bad & (x <= threshold))).sum())
        if (lost + largest) / (total + largest) <= alpha:
            reached = float(threshold)
    return reached


def _more_labels(
    x: Floats, bad: Flags, everyone: Floats, grid: Floats, alpha: float, delta: float
) -> tuple[float, int | None]:
    """The least estimated error over the thresholds, and how many more labels would do, or None.

    None where the labels show, at every threshold and with 95% confidence, that more than alpha are wrong.
    """
    fewest = math.ceil(math.log(delta) / math.log(1 - alpha))
    best, needed = 1.0, None
    for threshold in grid:
        passed = x <= threshold
        n, wrong = int(passed.sum()), int(bad[passed].sum())
        share = float((everyone <= threshold).mean())
        # Half a wrong label added: none among few is not none among many.
        error = (wrong + 0.5) / (n + 1)
        best = min(best, error)
        if binomial_lower(wrong, n, 0.05) > alpha:
            continue
        # Too few labels to tell: as if half of what is allowed were wrong.
        likely = error if error < alpha else alpha / 2
        size = next(
            (
                size
                for size in range(fewest, 200 * fewest, max(1, fewest // 4))
                if binomial_p(math.ceil(likely * size), size, alpha) <= delta
            ),
            None,
        )
        if size is not None:
            # Where so many are there already, chance was against them: a quarter more is the next try.
            more = max(math.ceil(size / share) - len(x), math.ceil(len(x) / 4), 1)
            needed = more if needed is None else min(needed, more)
    return best, needed


def _alike(chances: Floats) -> bool:
    return len(chances) == 0 or float(np.ptp(chances)) < 1e-12


def _checked(
    risks: Sequence[float],
    wrong: Sequence[bool],
    population: Sequence[float],
    probabilities: Sequence[float] | None,
    alpha: float,
    delta: float,
) -> tuple[Floats, Flags, Floats, Floats]:
    x, bad = np.array(risks, dtype=np.float64), np.array(wrong, dtype=np.bool_)
    everyone = np.array(population, dtype=np.float64)
    chances = np.ones(len(x)) if probabilities is None else np.array(probabilities, dtype=np.float64)
    if not len(x) == len(bad) == len(chances):
        raise InputError("one truth and one probability a risk", got=f"{len(x)}, {len(bad)}, {len(chances)}")
    if not (np.isfinite(x).all() and np.isfinite(everyone).all()):
        raise InputError("a risk that is no number", cure="leave out what was not measured")
    if not len(everyone):
        raise InputError("no answers to choose a threshold for")
    if not ((chances > 0) & (chances <= 1)).all():
        raise InputError("an inclusion probability lies above 0 and is 1 at most")
    for name, value in (("alpha", alpha), ("delta", delta)):
        if not 0 < value < 1:
            raise InputError(f"{name} lies between 0 and 1", got=str(value))
    return x, bad, everyone, chances
