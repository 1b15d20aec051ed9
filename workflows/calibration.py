"""What the Calibration page shows: reliability, risk against coverage, costs, and what labels would buy."""

from __future__ import annotations

from dataclasses import dataclass

from db.engine import Store
from evalcore.stats.calibration import Reliability, reliability
from evalcore.stats.proportions import labels_for_half_width
from evalcore.stats.risk_control import CurvePoint, risk_coverage
from evalcore.stats.thresholds import (
    Costs,
    Purchase,
    ReadingBand,
    ThresholdCost,
    reading_band,
    threshold_costs,
    what_labels_buy,
)
from workflows.calibrate import fair_sample

__all__ = [
    "CalibrationView",
    "Costs",
    "CurvePoint",
    "Purchase",
    "ReadingBand",
    "Reliability",
    "ThresholdCost",
    "calibration",
    "labels_for_half_width",
]

FEWEST = 10
"""Audited answers from which curves and costs are worth drawing."""


@dataclass(frozen=True, kw_only=True)
class CalibrationView:
    """Everything the page shows of one gate, from its fair sample.

    Attributes
    ----------
    n : int
        Audited answers; ``n_wrong`` of them were rejected, or disputed and not settled.
    reliability : Reliability
        Of P(supported) = 1 - risk.
    curve : tuple of CurvePoint
    costs : tuple of ThresholdCost
        The first passes nothing unread. ``cheapest`` is the one of least total cost with a label under it.
    band : ReadingBand or None
    purchases : tuple of Purchase
        For the threshold ``planned_for``.
    """

    fingerprint: str
    profile: str
    n: int
    n_wrong: int
    n_pending: int
    n_answers: int
    reliability: Reliability
    curve: tuple[CurvePoint, ...]
    costs: tuple[ThresholdCost, ...]
    cheapest: ThresholdCost | None
    band: ReadingBand | None
    purchases: tuple[Purchase, ...]
    planned_for: float


def calibration(
    store: Store,
    costs: Costs,
    *,
    threshold: float | None = None,
    more_labels: int = 100,
    fingerprint: str | None = None,
) -> CalibrationView:
    """Read a gate's fair sample and work everything out.

    Parameters
    ----------
    store : Store
    costs : Costs
    threshold : float, optional
        What labels are planned for; the cheapest threshold if left out, else the middle of the risks.
    more_labels : int
    fingerprint : str, optional
        The gate; that of the latest run if left out.

    Raises
    ------
    InputError
        When there is no run or no answer of this gate.
    """
    found = fair_sample(store, fingerprint)
    risks, wrong, population = found.risks, found.wrong, found.population
    rows = threshold_costs(risks, wrong, population, costs)
    known = [row for row in rows if row.total is not None and (row.n or not row.coverage)]
    cheapest = min(known, key=lambda row: (row.total, row.threshold)) if len(risks) >= FEWEST else None
    planned = threshold
    if planned is None:
        planned = cheapest.threshold if cheapest is not None and cheapest.coverage else None
    if planned is None:
        planned = sorted(population)[len(population) // 2]
    return CalibrationView(
        fingerprint=found.fingerprint,
        profile=found.profile,
        n=len(risks),
        n_wrong=sum(wrong),
        n_pending=found.n_pending,
        n_answers=len(population),
        reliability=reliability([1 - risk for risk in risks], [not bad for bad in wrong]),
        curve=risk_coverage(risks, wrong, population) if len(risks) >= FEWEST else (),
        costs=rows,
        cheapest=cheapest,
        band=reading_band(risks, wrong, population, costs) if len(risks) >= FEWEST else None,
        purchases=what_labels_buy(risks, wrong, population, threshold=planned, n=more_labels),
        planned_for=planned,
    )
