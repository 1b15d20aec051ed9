"""A test of the audit stream that may be looked at every day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

_BETS: Final = tuple(np.geomspace(0.02, 0.9, 12))


@dataclass(frozen=True, kw_only=True)
class AuditTest:
    """Whether more than ``alpha`` of the audited answers are wrong.

    Attributes
    ----------
    evidence : float array, shape (n,)
        After each label: 1 at the start, large where too many are wrong. If the guarantee holds it ever
        reaches ``1/delta`` with probability ``delta`` at most, however often one looks.
    alarm_at : int or None
        Labels after which it did; None if never.
    """

    alpha: float
    delta: float
    evidence: NDArray[np.float64]
    alarm_at: int | None


def audit_test(
    wrong: Sequence[bool],
    *,
    alpha: float,
    delta: float = 0.05,
    probabilities: Sequence[float] | None = None,
    smallest_probability: float | None = None,
) -> AuditTest:
    """Test a stream of audit labels, in the order they were drawn.

    The mean capital of players who each bet a fixed part of theirs on "wrong". Labels of unequal inclusion
    probability count by it; ``smallest_probability`` is the smallest that the design allows.

    Source: I. Waudby-Smith and A. Ramdas (2024), Journal of the Royal Statistical Society B 86; J. Ville,
    Etude critique de la notion de collectif (1939).

    Examples
    --------
    >>> audit_test([False] * 200, alpha=0.05).alarm_at is None
    True
    >>> audit_test([True] * 10, alpha=0.05).alarm_at
    2
    """
    for name, value in (("alpha", alpha), ("delta", delta)):
        if not 0 < value < 1:
            raise InputError(f"{name} lies between 0 and 1", got=str(value))
    bad = np.array(wrong, dtype=np.float64)
    stakes = np.ones(len(bad))
    if probabilities is not None:
        chances = np.array(probabilities, dtype=np.float64)
        if len(chances) != len(bad):
            raise InputError("one probability a label", got=f"{len(chances)} and {len(bad)}")
        if not ((chances > 0) & (chances <= 1)).all():
            raise InputError("an inclusion probability lies above 0 and is 1 at most")
        smallest = float(chances.min()) if smallest_probability is None else smallest_probability
        if len(chances) and smallest > chances.min():
            raise InputError("a label of smaller probability than the design allows", got=str(chances.min()))
        stakes = smallest / chances
    steps = (bad - alpha) * stakes
    # A bet of 1/alpha would lose everything with one right label; these keep some.
    logs = np.array([np.cumsum(np.log1p(bet / alpha * steps)) for bet in _BETS])
    evidence = np.exp(np.minimum(logs, 700)).mean(axis=0)
    over = np.flatnonzero(evidence >= 1 / delta)
    return AuditTest(
        alpha=alpha, delta=delta, evidence=evidence, alarm_at=int(over[0]) + 1 if len(over) else None
    )
