"""What a threshold of risk costs, where reading pays, and what the next labels would buy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.calibration import isotonic
from evalcore.stats.risk_control import risk_coverage
from evalcore.stats.values import normal_quantile

Floats = NDArray[np.float64]
BINS: Final = 5
"""Equal parts of the answers, by risk, among which labels are planned."""


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What things cost, in any one unit, and how many answers come a day.

    Attributes
    ----------
    wrong_accept : float
        An answer that passed unread and was wrong.
    reading : float
        A person's reading of one answer.
    wrong_reject : float
        A right answer that was withheld unread.
    answers_per_day : float
    """

    wrong_accept: float
    reading: float
    wrong_reject: float
    answers_per_day: float

    def __post_init__(self) -> None:
        for name in ("wrong_accept", "reading", "wrong_reject", "answers_per_day"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise InputError("a cost is a number from 0 on", where=name, got=str(value))


@dataclass(frozen=True, kw_only=True)
class ThresholdCost:
    """A day under a threshold: answers up to it pass unread, the others are read, or withheld above a second.

    ``n`` labels lie under the threshold. ``wrong_accepts``, ``readings``, ``wrong_rejects`` are expected a
    day; ``total`` is what they cost. None where no label lies there.
    """

    threshold: float
    coverage: float
    n: int
    wrong_accepts: float | None
    readings: float
    wrong_rejects: float | None
    total: float | None


@dataclass(frozen=True, kw_only=True)
class ReadingBand:
    """Risks between which reading is cheaper than passing and than withholding.

    ``low`` is the largest risk that passes unread, ``high`` the smallest that is withheld unread; None where
    nothing passes, or is withheld. ``share`` of all answers lie between.
    """

    low: float | None
    high: float | None
    share: float


def threshold_costs(
    risks: Sequence[float],
    wrong: Sequence[bool],
    population: Sequence[float],
    costs: Costs,
    *,
    withheld_from: float | None = None,
    steps: int = 20,
) -> tuple[ThresholdCost, ...]:
    """The cost of a day under each of several thresholds, from cautious to bold; the first passes nothing.

    Parameters
    ----------
    risks, wrong : sequences of the same length
        A fair sample of labelled answers.
    population : sequence of float
        Risks of all answers.
    costs : Costs
    withheld_from : float, optional
        Answers with this risk or more are withheld unread; none if left out.
    """
    x, bad = np.array(risks, dtype=np.float64), np.array(wrong, dtype=bool)
    everyone = np.array(population, dtype=np.float64)
    points = risk_coverage(risks, wrong, population, steps=steps)
    top = math.inf if withheld_from is None else withheld_from
    withheld = float((everyone >= top).mean())
    right_there = float((~bad[x >= top]).mean()) if (x >= top).any() else None
    per_day = costs.answers_per_day
    rows = []
    for threshold, coverage, n, error in [
        (0.0, 0.0, 0, 0.0),
        *((p.threshold, p.coverage, p.n, p.error) for p in points if p.threshold < top),
    ]:
        wrong_accepts = None if error is None else coverage * error * per_day
        wrong_rejects = (
            0.0 if not withheld else None if right_there is None else withheld * right_there * per_day
        )
        readings = max(1 - coverage - withheld, 0.0) * per_day
        total = None
        if wrong_accepts is not None and wrong_rejects is not None:
            total = (
                wrong_accepts * costs.wrong_accept
                + readings * costs.reading
                + wrong_rejects * costs.wrong_reject
            )
        rows.append(
            ThresholdCost(
                threshold=threshold,
                coverage=coverage,
                n=n,
                wrong_accepts=wrong_accepts,
                readings=readings,
                wrong_rejects=wrong_rejects,
                total=total,
            )
        )
    return tuple(rows)


def reading_band(
    risks: Sequence[float], wrong: Sequence[bool], population: Sequence[float], costs: Costs
) -> ReadingBand:
    """Where reading pays: P(wrong) times the harm of passing, and P(right) times that of withholding, exceed
    the cost of reading. P(wrong) is the isotonic map of the labels.

    Examples
    --------
    >>> costs = Costs(wrong_accept=10, reading=1, wrong_reject=4, answers_per_day=100)
    >>> risks = [0.1] * 20 + [0.5] * 20 + [0.9] * 20
    >>> wrong = [False] * 20 + [True, False] * 10 + [True] * 20
    >>> reading_band(risks, wrong, risks, costs)
    ReadingBand(low=0.1, high=0.9, share=0.3333333333333333)
    """
    everyone = np.unique(np.array(population, dtype=np.float64))
    if len(set(map(bool, wrong))) < 2:
        chance = np.full(len(everyone), 1.0 if wrong and wrong[0] else 0.0)
    else:
        chance = isotonic(risks, wrong)(everyone.tolist())
    passing, withholding = chance * costs.wrong_accept, (1 - chance) * costs.wrong_reject
    passes = (passing <= costs.reading) & (passing <= withholding)
    withheld = (withholding <= costs.reading) & ~passes
    low = float(everyone[passes].max()) if passes.any() else None
    high = float(everyone[withheld].min()) if withheld.any() else None
    all_of = np.array(population, dtype=np.float64)
    above = all_of > (-math.inf if low is None else low)
    below = all_of < (math.inf if high is None else high)
    return ReadingBand(low=low, high=high, share=float((above & below).mean()))


@dataclass(frozen=True, kw_only=True)
class Purchase:
    """What ``n`` more labels would buy if drawn this way: half widths of two 95% intervals.

    ``all_answers``: the share wrong among all; ``passing``: among those that would pass unread. ``plan`` are
    the labels in each fifth of the answers, from the lowest risk.
    """

    way: str
    n: int
    plan: tuple[float, ...]
    all_answers: float
    passing: float


def what_labels_buy(
    risks: Sequence[float],
    wrong: Sequence[bool],
    population: Sequence[float],
    *,
    threshold: float,
    n: int,
    level: float = 0.95,
) -> tuple[Purchase, ...]:
    """Expected half widths after ``n`` more labels, drawn in three ways.

    *uniform*: evenly from all answers, which alone earns a guarantee. *stratified*: as many from each fifth
    of the answers by risk. *informative*: where they narrow the interval of the passing answers most
    (Neyman's allocation). Shares in each fifth are those of the labels there are, drawn towards one half.

    Source: J. Neyman (1934), Journal of the Royal Statistical Society 97.
    """
    if n < 0:
        raise InputError("labels are counted from 0 on", got=str(n))
    everyone = np.sort(np.array(population, dtype=np.float64))
    if not len(everyone):
        raise InputError("no answers to draw from")
    x, bad = np.array(risks, dtype=np.float64), np.array(wrong, dtype=np.float64)
    edges = everyone[np.minimum((np.arange(1, BINS) * len(everyone)) // BINS, len(everyone) - 1)]
    place_all = np.searchsorted(edges, everyone, side="right")
    place = np.searchsorted(edges, x, side="right")
    share = np.bincount(place_all, minlength=BINS) / len(everyone)
    there = np.bincount(place, minlength=BINS).astype(np.float64)
    errors = (np.bincount(place, weights=bad, minlength=BINS) + 0.5) / (there + 1)
    spread = errors * (1 - errors)
    passing = np.array(
        [(everyone[place_all == i] <= threshold).mean() if share[i] else 0.0 for i in range(BINS)]
    )
    target = share * passing
    ways = {
        "uniform": share,
        "stratified": (share > 0) / max(int((share > 0).sum()), 1),
        "informative": target * np.sqrt(spread),
    }
    if not ways["informative"].sum():
        ways["informative"] = share
    z = normal_quantile(level)

    def half_width(weights: Floats, more: Floats) -> float:
        if not weights.sum():
            return 0.0
        parts = weights / weights.sum()
        used = parts > 0
        labels = np.maximum(there + more, 0.5)
        return float(z * math.sqrt((parts[used] ** 2 * spread[used] / labels[used]).sum()))

    found = []
    for way, weights in ways.items():
        plan = n * weights / weights.sum()
        found.append(
            Purchase(
                way=way,
                n=n,
                plan=tuple(float(value) for value in plan),
                all_answers=half_width(share, plan),
                passing=half_width(target, plan),
            )
        )
    return tuple(found)
