"""Numbers in other forms than a run of digits: clock times, shares, words, Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evalcore.findings.measured import with_unit
from evalcore.findings.number_words import (
    ALONE_AS_SHARE,
    CARDINALS,
    DENOMINATORS,
    HAN_DIGITS,
    read_cardinal,
    read_han,
)
from evalcore.findings.quantity import CLOCK, SHARE, Quantity
from evalcore.findings.tokens import Token, fold
from evalcore.findings.units import HAN_UNITS, find_unit
from evalcore.findings.vocabulary import word_set

# "The second half" is a stretch, no share.
_PART_NAMES: Final = word_set("first second other latter last better early opening closing the its")
_CLOCK_TIME = re.compile(
    r"(?<![\d.:,/])(?P<h>[01]?\d|2[0-4])(?:(?P<sep>[:.])(?P<m>[0-5]\d))?(?:[:.][0-5]\d)?"
    r"(?:\s?(?P<half>[ap])(?:m\b|\.\s?m\b\.?))?(?![\d:]|[.,]\d)",
    re.IGNORECASE,
)
_HAN_WORDS: Final = word_set("公斤 公里 厘米 毫米 毫克 毫升 小时 美元 欧元 英镑 星期 百分")
_HAN_NUMBER = re.compile(rf"(?<![第每])[{HAN_DIGITS}十百千万亿]{{1,16}}")
_FRACTION = re.compile(r"(?<![\d/.,])(\d{1,3})/(\d{1,4})(?![\d/])")
_WHOLE = re.compile(
    r"\b(?:[Ii]n|[Oo]f|из) (?:(?:every|each|the|all) )?(?P<b>\d{1,5}(?![\d.,]\d)|[^\W\d_]{2,12})\b"
)
_PART = re.compile(r"(?<![\d.,\w])(?P<a>\d{1,4}|[^\W\d_]{2,12}) (?P<out>out )?\Z")


def clock_times(text: str) -> list[Quantity]:
    """Times of day, in minutes; both halves of the day where it is not said which."""
    found = []
    matches = list(_CLOCK_TIME.finditer(text))
    # One hour past noon shows that all are counted to 24.
    whole_day = any(match["sep"] == ":" and int(match["h"]) > 12 for match in matches)
    for match in matches:
        if match["half"] is None and match["sep"] != ":":
            continue
        hour, minute = int(match["h"]), int(match["m"] or 0)
        after = match["half"].lower() if match["half"] else ""
        values: tuple[float, ...] = (hour * 60 + minute,)
        if after and hour <= 12:
            values = ((hour % 12 + (12 if after == "p" else 0)) * 60 + minute,)
        elif hour <= 12 and not whole_day:
            values = (hour % 12 * 60 + minute, (hour % 12 + 12) * 60 + minute)
        found.append(Quantity(match.start(), match.end(), match[0], values, CLOCK))
    return found


def shares(text: str) -> list[Quantity]:
    """Fractions such as "3/4" and parts of a count such as "one in four", in per cent."""
    found = []
    for match in _FRACTION.finditer(text):
        if int(match[1]) < int(match[2]) <= 100:
            share = 100 * int(match[1]) / int(match[2])
            found.append(Quantity(match.start(), match.end(), match[0], (share,), SHARE, 1.0))
    for match in _WHOLE.finditer(text):
        whole = _count(match["b"])
        before = _PART.search(text[max(0, match.start() - 20) : match.start()]) if whole else None
        part = _count(before["a"]) if before else 0
        if before is None or not 0 < part < whole or (whole > 100 and match[0][0] in "iI"):
            continue
        start = match.start() - len(before[0])
        # "One of the four" picks one and states no share.
        picks = match[0][0] not in "iI" and not before["out"]
        found.append(
            Quantity(
                start, match.end(), text[start : match.end()], (100 * part / whole,), SHARE, digits=False,
                implicit=picks,
            )
        )  # fmt: skip
    return found


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else CARDINALS.get(fold(word), 0)


def worded(text: str, words: Sequence[Token]) -> list[Quantity]:
    """Numbers in English and Russian words."""
    found = []
    at = 0
    while at < len(words):
        share = _worded_share(text, words, at)
        if share is not None:
            quantity, at = share
            found.append(quantity)
            continue
        read = read_cardinal(words, at)
        if read is None:
            at += 1
            continue
        value, following = read
        one_word = following == at + 1
        end = words[following - 1].end
        values: tuple[float, ...] = (float(value),)
        # "one and a half hours"
        if [w.low for w in words[following : following + 3]] == ["and", "a", "half"]:
            values = (value + 0.5,)
            end = words[following + 2].end
            following += 3
        quantity_or_none = with_unit(text, words[at].start, end, values, 1.0, digits=False)
        if quantity_or_none is not None and not (
            one_word and value == 1 and not quantity_or_none.unit.dimension
        ):
            found.append(quantity_or_none)
        at = following
    return found


def _worded_share(text: str, words: Sequence[Token], at: int) -> tuple[Quantity, int] | None:
    low = words[at].low
    if at and words[at - 1].low in _PART_NAMES:
        return None
    after = words[at + 1].low if at + 1 < len(words) else ""
    then = words[at + 2].low if at + 2 < len(words) else ""
    part = 1 if low == "a" else CARDINALS.get(low, 0)
    end = 0
    share = 0.0
    if 0 < part < 20 and after in DENOMINATORS and part < DENOMINATORS[after]:
        # "a third" may be an ordinal, "a quarter" three months: only with "of".
        if low == "a" and after not in {"half"} and then not in {"of", "the"}:
            return None
        share, end = part / DENOMINATORS[after], at + 2
    elif low in ALONE_AS_SHARE and (low != "half" or after in {"of", "the", "a", "an", "all"}):
        share, end = 1 / DENOMINATORS[low], at + 1
    if not end:
        return None
    # "half an hour": a quantity of that unit, not a share.
    if low in {"half", "a", "one", "three"} and end < len(words):
        unit_at = end + 1 if words[end].low in {"an", "a"} else end
        unit_at += 1 if unit_at < len(words) and words[unit_at].low == "of" else 0
        if unit_at < len(words) and (unit_at > end):
            unit = find_unit(words[unit_at].low)
            if unit is not None and unit.dimension == "time" and words[end].low != "of":
                start, stop = words[at].start, words[unit_at].end
                return Quantity(start, stop, text[start:stop], (share,), unit, digits=False), unit_at + 1
    start, stop = words[at].start, words[end - 1].end
    return Quantity(start, stop, text[start:stop], (share * 100,), SHARE, 1.0, digits=False), end


def han(text: str) -> list[Quantity]:
    """Numerals in Chinese characters that stand before a unit or a measure word."""
    if text.isascii():
        return []
    found = []
    for match in _HAN_NUMBER.finditer(text):
        numeral = match[0]
        # "5千瓦": the characters after a digit are scale or unit, read with it.
        if text[match.start() - 1 : match.start()].isdecimal():
            continue
        following = text[match.end() : match.end() + 2]
        if (
            numeral[0] not in HAN_DIGITS + "十"
            or not following
            or not (following[0] in HAN_UNITS or following in _HAN_WORDS)
        ):
            continue
        value = read_han(numeral)
        if value is None or (value == 1 and following[0] in "次个些位件本台种条名"):
            continue
        quantity = with_unit(text, match.start(), match.end(), (float(value),), 1.0, digits=False)
        if quantity is not None:
            found.append(quantity)
    return found
