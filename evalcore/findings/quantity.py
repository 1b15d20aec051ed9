"""A number with its unit, and all that a text states in numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evalcore.findings.dates import Date
from evalcore.findings.units import RATIO, Unit

BARE: Final = Unit("", 1.0)
SHARE: Final = Unit(RATIO, 0.01)
CLOCK: Final = Unit("clock", 1.0)
_YEAR = re.compile(r"(?:1[0-9]|20|21)\d\d")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: ``text[start:end]``.

    ``values`` are the readings of the number, its scale word in it; more than one where a mark may part
    thousands or decimals. ``step`` is the size of its last digit. ``bound`` is 1 after "at least", -1 after
    "at most". ``loose`` says that the number is rounded, ``digits`` that it is not in words. ``noun`` is the
    stem of the word after it, ``label`` of a word such as "line" or "room" that it numbers.
    """

    start: int
    end: int
    text: str
    values: tuple[float, ...]
    unit: Unit
    step: float = 1.0
    bound: int = 0
    loose: bool = False
    digits: bool = True
    noun: str = ""
    label: str = ""
    scaled: bool = False
    implicit: bool = False

    @property
    def year(self) -> int | None:
        """The number as a year, if it may be one."""
        bare = self.digits and not self.unit.dimension and not self.scaled
        return int(self.text) if bare and _YEAR.fullmatch(self.text) else None


@dataclass(frozen=True, slots=True)
class Quantities:
    """What a text states in numbers: quantities and dates, in order."""

    numbers: tuple[Quantity, ...]
    dates: tuple[Date, ...]
