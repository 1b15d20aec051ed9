"""Numbers a text states, with their units, in one comparable form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from evalcore.findings.bounds import bound_before, is_approximate, label_before, same_breath
from evalcore.findings.dates import dates
from evalcore.findings.measured import readings, step_of, with_unit
from evalcore.findings.number_forms import clock_times, han, shares, worded
from evalcore.findings.number_words import ORDINALS
from evalcore.findings.quantity import BARE, CLOCK, Quantities, Quantity
from evalcore.findings.tokens import Token, stem, tokens
from evalcore.findings.units import MONEY, SCALES, Unit
from evalcore.text import Span, numbers

_LONGEST: Final = 30
_REMEMBERED: Final = 2000
_THOUSANDS = re.compile(r"[1-9]\d{0,2} \d\d0")
_IDENTIFIER = re.compile(r"[^\W\d_㐀-鿿][-‑]\Z")
_RANGE = re.compile(r"\s?(?:-|–|—|−|~|to|and|or|bis|до|и|или|至|到)\s?\Z")
_AFTER_YEAR = re.compile(r"(?<!\d)\d{4}[-–—/]\Z")


def quantities(text: str) -> Quantities:
    """The numbers and dates a text states.

    List numbers, citation marks, digits in links and in names such as ``F3`` are none.

    Examples
    --------
    >>> [(q.text, q.values, q.unit.dimension) for q in quantities("€1.25m, one eighth, 5 km").numbers]
    [('€1.25m', (1250000.0,), 'money:EUR'), ('one eighth', (12.5,), 'ratio'), ('5 km', (5.0,), 'length')]
    """
    return _remembered(text) if len(text) <= _REMEMBERED else _read(text)


def _read(text: str) -> Quantities:
    words = tokens(text)
    found_dates = dates(text)
    taken = _Taken([(date.start, date.end) for date in found_dates])
    found: list[Quantity] = []
    for special in (clock_times(text), shares(text), worded(text, words), han(text)):
        for quantity in special:
            if taken.free(quantity.start, quantity.end):
                taken.add(quantity.start, quantity.end)
                found.append(quantity)
    for start, end, digits in _spaced(text, numbers(text)):
        if taken.free(start, end) and len(digits) <= _LONGEST and not _is_part_of_a_name(text, start, end):
            plain = with_unit(text, start, end, readings(digits), step_of(digits))
            if plain is not None:
                found.append(plain)
    found.sort(key=lambda q: q.start)
    return Quantities(tuple(_finished(text, found, words)), found_dates)


# Several checks read the same sentence and its evidence; a long passage is not worth the memory.
_remembered = lru_cache(maxsize=512)(_read)


def _spaced(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, int, str]]:
    """Each number as (start, end, digits), with "150 000" as one: a plain space may part thousands."""
    at = 0
    while at < len(spans):
        span = spans[at]
        start, end, digits = span.start, span.end, span.text
        following = spans[at + 1] if at + 1 < len(spans) else None
        if (
            following is not None
            and following.start == end + 1
            and text[end] == " "
            and _THOUSANDS.fullmatch(text, start, following.end)
        ):
            end, digits, at = following.end, f"{digits}{following.text}", at + 1
        yield start, end, digits
        at += 1


class _Taken:
    """Spans that are read already, looked up by position."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._at: set[int] = set()
        for start, end in spans:
            self.add(start, end)

    def free(self, start: int, end: int) -> bool:
        return start not in self._at and end - 1 not in self._at

    def add(self, start: int, end: int) -> None:
        self._at.update(range(start, min(end, start + 200)))


def _finished(text: str, found: Sequence[Quantity], words: Sequence[Token]) -> list[Quantity]:
    """Give each quantity its bound, its noun and, in a range, the unit and scale of its neighbour."""
    done: list[Quantity] = []
    word = 0
    for position, quantity in enumerate(found):
        while word < len(words) and words[word].start < quantity.end:
            word += 1
        first = word
        while first and words[first - 1].start >= quantity.start:
            first -= 1
        before = same_breath(text, words[max(0, first - 8) : first])
        bound = bound_before(text, quantity.start, before)
        noun = ""
        # "16th century": the ending belongs to the number.
        end = max(quantity.end, words[word - 1].end) if word else quantity.end
        gap = text[end : words[word].start] if word < len(words) else "."
        if gap.strip() in {"", "-"} and words[word].text[0].isalpha():
            noun = stem(words[word].low)
        following = found[position + 1] if position + 1 < len(found) else None
        if following is not None and not _is_range(text, quantity, following):
            following = None
        previous = done[-1] if done and _is_range(text, done[-1], quantity) else None
        values = quantity.values
        if following is not None and following.scaled and not quantity.scaled:
            values = (*values, *(v * _scale(following) for v in values))
        done.append(
            replace(
                quantity, bound=bound, loose=bound != 0 or is_approximate(before), noun=noun, values=values,
                label=label_before(quantity, before), unit=_unit_in_range(previous, quantity, following),
            )
        )  # fmt: skip
    return done


def _is_range(text: str, one: Quantity, other: Quantity) -> bool:
    gap = text[one.end : other.start]
    return len(gap) <= 8 and _RANGE.fullmatch(gap) is not None


def _unit_in_range(previous: Quantity | None, own: Quantity, following: Quantity | None) -> Unit:
    if own.unit != BARE:
        return own.unit
    if following is not None and following.unit != CLOCK and not following.unit.dimension.startswith(MONEY):
        return following.unit
    if previous is not None and previous.unit.dimension.startswith(MONEY):
        return previous.unit
    return BARE


def _is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Digits of "WA-2", "the 60s" and, after a year, "2018-19"."""
    if _IDENTIFIER.search(text[max(0, start - 2) : start]):
        return True
    if end - start == 2 and _AFTER_YEAR.search(text[max(0, start - 6) : start]):
        return True
    return end - start == 2 and text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalnum()


def _scale(quantity: Quantity) -> float:
    return next((SCALES[w.text] for w in tokens(quantity.text) if w.text in SCALES), 1.0)


def ordinals(words: Sequence[Token]) -> set[int]:
    """The ordinals in words of a text, such as "third"."""
    return {ORDINALS[w] for token in words if (w := token.low) in ORDINALS} | {
        ORDINALS[s] for token in words if (s := token.stem) in ORDINALS
    }
