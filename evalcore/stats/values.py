"""What a statistic gives back: a value with its interval, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

from evalcore.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value, its interval and what both stand on.

    Attributes
    ----------
    value : float or None
        None where it is undefined; ``reason`` then says why.
    low, high : float or None
        The interval at ``level``; None where there is none.
    n : int
        Items that took part.
    left_out : mapping
        Why items took no part, and how many.
    method : str
        How the interval was made.
    reason : str
        Why there is no value, or why there is no interval; empty where there are both.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    left_out: Mapping[str, int] = field(default_factory=dict)
    method: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        for name in ("value", "low", "high"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} of an estimate is {number}; an undefined one is None")

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def undefined(reason: str, n: int, *, left_out: Mapping[str, int] | None = None) -> Estimate:
    """An estimate without a value."""
    return Estimate(value=None, n=n, left_out=left_out or {}, reason=reason)


def normal_quantile(level: float) -> float:
    """The z that a two-sided interval at ``level`` takes.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    check_level(level)
    return NormalDist().inv_cdf((1 + level) / 2)


def check_level(level: float) -> None:
    """Refuse a level that is no probability between 0 and 1.

    Raises
    ------
    InputError
    """
    if not 0 < level < 1:
        raise InputError("a level lies between 0 and 1", got=str(level), expected="for instance 0.95")
