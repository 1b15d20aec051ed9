"""Dates of a text in any common form, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evalcore.findings.number_words import read_han

_MONTHS_LISTED = (
    "january jan января январь январе januar",
    "february feb февраля февраль феврале februar",
    "march mar марта март марте märz",
    "april apr апреля апрель апреле",
    "may мая май мае mai",
    "june jun июня июнь июне juni",
    "july jul июля июль июле juli",
    "august aug августа август августе",
    "september sep sept сентября сентябрь сентябре",
    "october oct октября октябрь октябре oktober",
    "november nov ноября ноябрь ноябре",
    "december dec декабря декабрь декабре dezember",
)
MONTHS: Final[Mapping[str, int]] = {
    name: number for number, names in enumerate(_MONTHS_LISTED, 1) for name in names.split()
}
WEEKDAYS: Final[Mapping[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "monday mondays понедельник понедельника понедельникам",
            "tuesday tuesdays вторник вторника вторникам",
            "wednesday wednesdays среду среда среды средам",
            "thursday thursdays четверг четверга четвергам",
            "friday fridays пятница пятницу пятницы пятницам",
            "saturday saturdays суббота субботу субботы субботам",
            "sunday sundays воскресенье воскресенья воскресеньям",
        )
    )
    for name in names.split()
}
_MONTH = "(?i:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
_Y = r"(?:1[0-9]|20|21)\d\d"
_D = r"(?:3[01]|[12]\d|0?[1-9])"
# "5-7 June", "5 to 7 June": the last day is a date of its own.
_LATER = rf"(?:\s?[-–—]\s?|\s(?:to|and|до|и|по)\s)(?P<LAST>{_D})(?!\d)(?:st|nd|rd|th)?"
_FORMS = re.compile(
    rf"(?=[\d〇零一二三四五六七八九JFMASONDjfmasondЯФМАИСОНДяфмаисонд])(?:(?<![\d./-])(?:"
    rf"(?P<y1>{_Y})[-/.](?P<m1>1[0-2]|0?[1-9])[-/.](?P<d1>{_D})(?:T[\d:]{{4,8}}Z?)?"
    rf"|(?P<a>{_D})(?P<sep>[./-])(?P<b>{_D})(?P=sep)(?P<y2>{_Y}|\d\d)"
    rf"|(?P<y3>{_Y})\s?年\s?(?:(?P<m3>1[0-2]|0?[1-9])\s?月\s?(?:(?P<d3>{_D})\s?[日号])?)?"
    rf"|(?P<y8>[〇零一二三四五六七八九]{{4}})(?=\s?年)"
    rf"|(?P<m6>1[0-2]|0?[1-9])\s?月\s?(?P<d6>{_D})\s?[日号]"
    rf"|(?P<d4>{_D})(?:st|nd|rd|th|\.)?(?:{_LATER.replace('LAST', 'e4')})?"
    rf"(?:\s|\u00a0|-)(?:of\s)?(?P<n4>{_MONTH})\b\.?"
    rf"(?:,?\s(?:of\s)?(?P<y4>{_Y})(?!\d))?"
    rf")(?![\d])"
    rf"|\b(?P<n5>{_MONTH})\b\.?\s(?:the\s)?(?P<d5>{_D})(?:st|nd|rd|th)?(?!\d|[.,]\d|:\d|%|\s?%)"
    rf"(?:{_LATER.replace('LAST', 'e5')})?"
    rf"(?:,?\s(?P<y5>{_Y})(?!\d))?"
    rf"|\b(?P<n7>{_MONTH})\b\.?,?\s(?:of\s)?(?P<y7>{_Y})(?!\d))"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date: ``text[start:end]``; None for a part it does not state.

    ``swapped`` says that day and month may stand the other way round.
    """

    start: int
    end: int
    text: str
    year: int | None
    month: int | None
    day: int | None
    swapped: bool = False

    def agrees(self, other: Date) -> bool:
        """Whether the two may be the same day: no part that both state differs."""
        return self._fits(other.year, other.month, other.day) or (
            other.swapped and self._fits(other.year, other.day, other.month)
        )

    def _fits(self, year: int | None, month: int | None, day: int | None) -> bool:
        if self.year is not None and year is not None and self.year != year:
            return False
        orders = [(self.month, self.day)] + ([(self.day, self.month)] if self.swapped else [])
        return any(
            (m is None or month is None or m == month) and (d is None or day is None or d == day)
            for m, d in orders
        )


def dates(text: str) -> tuple[Date, ...]:
    """The dates of a text that state more than a year, a month or a weekday alone, in order.

    Examples
    --------
    >>> [(d.year, d.month, d.day) for d in dates("From 3 March 2024 to 2024-03-30.")]
    [(2024, 3, 3), (2024, 3, 30)]
    """
    return tuple(date for match in _FORMS.finditer(text) for date in _read(match))


def _read(match: re.Match[str]) -> list[Date]:
    part = match.groupdict()
    name = part["n4"] or part["n5"] or part["n7"]
    if name and name.lower() in {"may", "mar", "mai", "jan", "dec"} and name.islower():
        return []
    year = next((int(part[k]) for k in ("y1", "y2", "y3", "y4", "y5", "y7") if part[k]), None)
    if part["y8"]:
        year = read_han(part["y8"])
    month = (
        MONTHS[name.lower()] if name else next((int(part[k]) for k in ("m1", "m3", "m6") if part[k]), None)
    )
    day = next((int(part[k]) for k in ("d1", "d3", "d4", "d5", "d6") if part[k]), None)
    swapped = False
    if part["a"]:
        a, b = int(part["a"]), int(part["b"])
        if a > 12 and b > 12:
            return []
        swapped = a <= 12 and b <= 12 and part["sep"] != "."
        day, month = (b, a) if b > 12 else (a, b)
        if year is not None and year < 100:
            year += 2000 if year < 50 else 1900
    last = part["e4"] or part["e5"]
    days = [day, int(last)] if last else [day]
    return [Date(match.start(), match.end(), match[0], year, month, one, swapped) for one in days]
