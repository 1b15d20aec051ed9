"""A run of digits, or a number in words, with the unit, scale word and currency next to it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from evalcore.findings.quantity import BARE, Quantity
from evalcore.findings.units import MONEY_SCALES, SCALES, Unit, find_unit

_CURRENCY_BEFORE = re.compile(
    r"(?:(US\$|[$€£₽₹])|(?<![A-Za-z])(USD|EUR|GBP|RUB|JPY|CNY|INR|CHF)|¥|(?<![A-Za-z])[A-Z]{1,2}\$)\s?\Z"
)
_LETTERS = r"[^\W\d_㐀-鿿]"
_DAY_KINDS = r"(?:(?:working|business|calendar|consecutive|full|рабочи[хй]|календарны[хй]|полны[хй])\s)?"
_WORD_UNIT = rf"{_LETTERS}{{1,20}}(?:/{_LETTERS}{{1,3}}(?!{_LETTERS})|[²³]|[23](?!\d))?"
_HAN_UNIT = (
    "千瓦时|千瓦|平方米|摄氏度|百分点|星期|小时|分钟|个月|公里|千米|厘米|毫米|公斤"
    "|千克|毫克|毫升|美元|欧元|英镑|日元|[㐀-鿿]"
)
_AFTER_NUMBER = re.compile(
    rf"[\s\u00a0\u202f]{{0,2}}[-‑–]?{_DAY_KINDS}"
    rf"(?P<unit>[%％‰$€£₽¢]|per\scent(?![a-z])|°\s?[CF]?|[℃℉]|{_WORD_UNIT}|{_HAN_UNIT})"
)
# With a hyphen these are letters; before a small word they are words of their own.
_LETTERS_WITH_HYPHEN: Final = frozenset("AsthdVвВсА")
_ALSO_WORDS: Final = frozenset("AАвс")


def readings(digits: str) -> tuple[float, ...]:
    """The values a run of digits may have: two where a mark may part thousands or decimals."""
    negative = digits[0] in "-−"
    body = digits.lstrip("-−")
    fraction = 0.0
    if body and not body[-1].isdecimal():
        fraction = float(unicodedata.numeric(body[-1], 0.0))
        body = body[:-1]
    plain = re.sub(r"[\s\u00a0\u202f\u2009'’]", "", body).replace("٫", ".").replace("٬", ",") or "0"
    texts = {plain.replace(",", "")} if plain.count(".") <= 1 else {plain.replace(".", "").replace(",", ".")}
    if re.fullmatch(r"\d{1,3}[.,]\d{3}", plain):
        texts = {re.sub("[.,]", "", plain), plain.replace(",", ".")}
    elif re.fullmatch(r"\d+,\d{1,2}|\d{1,3},\d{4,}|0,\d+", plain):
        texts = {plain.replace(",", ".")}
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+", plain):
        texts = {plain.replace(".", "").replace(",", ".")}
    values = []
    for one in sorted(texts):
        try:
            value = float(one) + fraction
        except ValueError:
            continue
        values.append(-value if negative else value)
    return tuple(values)


def step_of(digits: str) -> float:
    """The size of the last digit."""
    _, mark, decimals = digits.replace(",", ".").rpartition(".")
    return 10.0 ** -len(decimals) if mark and len(decimals) != 3 and decimals.isdecimal() else 1.0


def with_unit(
    text: str, start: int, end: int, values: tuple[float, ...], step: float, *, digits: bool = True
) -> Quantity | None:
    """The number at ``text[start:end]`` with currency, scale word and unit; None where it is no number."""
    if not values:
        return None
    before = _CURRENCY_BEFORE.search(text[max(0, start - 5) : start])
    money = find_unit(before[1] or before[2] or "") if before else None
    unit = money or BARE
    scaled = False
    if before:
        start -= len(before[0])
    factor = 1.0
    number_end = end
    for _ in range(3):
        match = _AFTER_NUMBER.match(text, end)
        if match is None:
            break
        spelling = match["unit"]
        tight = match.start("unit") == end
        scale = SCALES.get(spelling) or (SCALES.get(spelling.lower()) if len(spelling) > 2 else None)
        if scale is not None and len(spelling) == 1 and spelling.isascii() and not tight:
            scale = None
        if scale is None and before and tight:
            scale = MONEY_SCALES.get(spelling.lower())
        if scale is not None and unit in (BARE, money):
            factor *= scale
            scaled = True
            end = match.end()
            if text[end : end + 1] == "." and spelling in {"тыс", "млн", "млрд", "Mio", "mio", "Mrd", "mln"}:
                end += 1
            continue
        found = _unit_here(text, spelling, match)
        if found is not None and unit is BARE:
            unit = found
            end = match.end()
        break
    if end == number_end and text[end : end + 1] == "‑":
        return None
    return Quantity(
        start, end, text[start:end], tuple(v * factor for v in values), unit, step * factor, digits=digits,
        scaled=scaled,
    )  # fmt: skip


def _unit_here(text: str, spelling: str, match: re.Match[str]) -> Unit | None:
    found = find_unit(re.sub(r"\s", "", spelling))
    if found is None or (spelling == "s" and match.start("unit") == match.start()):
        return None
    gap = text[match.start() : match.start("unit")]
    if spelling in _LETTERS_WITH_HYPHEN and "-" in gap:
        return None
    if spelling in _ALSO_WORDS and re.match(r"\s[^\W\d_A-ZА-Я]", text[match.end() : match.end() + 2]):
        return None
    return found
