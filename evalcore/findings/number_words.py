"""Numbers written in words: English, Russian, Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evalcore.findings.tokens import Token

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " \
      "sixteen seventeen eighteen nineteen"  # fmt: skip
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_RU: dict[int, str] = {
    0: "ноль нуля", 1: "один одна одно одного одной одному одним одну", 2: "два две двух двум двумя",
    3: "три трех трем тремя", 4: "четыре четырех четырем четырьмя", 5: "пять пяти пятью",
    6: "шесть шести шестью",
    7: "семь семи семью", 8: "восемь восьми восемью", 9: "девять девяти девятью", 10: "десять десяти десятью",
    11: "одиннадцать одиннадцати", 12: "двенадцать двенадцати", 13: "тринадцать тринадцати",
    14: "четырнадцать четырнадцати", 15: "пятнадцать пятнадцати", 16: "шестнадцать шестнадцати",
    17: "семнадцать семнадцати", 18: "восемнадцать восемнадцати", 19: "девятнадцать девятнадцати",
    20: "двадцать двадцати", 30: "тридцать тридцати", 40: "сорок сорока", 50: "пятьдесят пятидесяти",
    60: "шестьдесят шестидесяти", 70: "семьдесят семидесяти", 80: "восемьдесят восьмидесяти",
    90: "девяносто девяноста", 100: "сто ста", 200: "двести двухсот", 300: "триста трехсот",
    400: "четыреста четырехсот", 500: "пятьсот пятисот", 600: "шестьсот шестисот", 700: "семьсот семисот",
    800: "восемьсот восьмисот", 900: "девятьсот девятисот",
}  # fmt: skip
CARDINALS: Final[Mapping[str, int]] = {
    **{word: value for value, word in enumerate(_EN.split())},
    **{word: 10 * value for value, word in enumerate(_EN_TENS.split(), 2)},
    **{word: value for value, forms in _RU.items() for word in forms.split()},
    "dozen": 12,
}
_MULTIPLIERS: Mapping[str, int] = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "тысяча": 1000, "тысячи": 1000, "тысяч": 1000, "тысячу": 1000,
    "миллион": 10**6, "миллиона": 10**6, "миллионов": 10**6, "миллиард": 10**9, "миллиарда": 10**9,
}  # fmt: skip
_ONE_OF = frozenset({"тысяча", "тысячу", "миллион", "миллиард"})
ORDINALS: Final[Mapping[str, int]] = {
    **{
        word: value
        for value, word in enumerate(
            [
                "first",
                "second",
                "third",
                "fourth",
                "fifth",
                "sixth",
                "seventh",
                "eighth",
                "ninth",
                "tenth",
                "eleventh",
                "twelfth",
                "thirteenth",
                "fourteenth",
                "fifteenth",
                "sixteenth",
                "seventeenth",
                "eighteenth",
                "nineteenth",
                "twentieth",
            ],
            1,
        )
    },
    **{
        stem: value
        for value, stem in enumerate(
            ["перв", "втор", "трет", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят"], 1
        )
    },
}
# What "one ..." or "three ..." is a share of; also alone for the halves and quarters.
DENOMINATORS: Final[Mapping[str, int]] = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "eighth": 8, "eighths": 8, "ninth": 9,
    "tenth": 10, "tenths": 10, "twelfth": 12, "twentieth": 20, "hundredth": 100, "hundredths": 100,
    "половина": 2, "половину": 2, "половины": 2, "половине": 2, "треть": 3, "трети": 3, "третьих": 3,
    "четверть": 4, "четверти": 4, "четвертых": 4, "пятая": 5, "пятую": 5, "пятых": 5, "шестая": 6,
    "восьмая": 8, "восьмую": 8, "восьмых": 8, "десятая": 10, "десятую": 10, "десятых": 10,
}  # fmt: skip
ALONE_AS_SHARE: Final = frozenset({"half", "половина", "половину", "половины", "треть", "четверть"})
HAN_DIGITS: Final = "〇零一二两三四五六七八九"
_HAN_VALUES: Mapping[str, int] = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5,
                                  "六": 6, "七": 7, "八": 8, "九": 9}  # fmt: skip
_HAN_POWERS: Mapping[str, int] = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS: Mapping[str, int] = {"万": 10**4, "亿": 10**8}


def read_cardinal(words: Sequence[Token], at: int) -> tuple[int, int] | None:
    """The number in words that begins at a token, and the token after it; None where none begins.

    Examples
    --------
    >>> from evalcore.findings.tokens import tokens
    >>> read_cardinal(tokens("two hundred and forty-one cases"), 0)
    (241, 5)
    """
    if not begins_number(words, at):
        return None
    total = 0
    # "Миллион двести тысяч", "a hundred": one of them.
    group = 0 if words[at].low in CARDINALS else 1
    last = 10**3
    end = at
    position = at
    while position < len(words) and position - at < 16:
        low = words[position].low
        if low in CARDINALS:
            value = CARDINALS[low]
            # "two three" are two numbers; "sixty three" and "сто двадцать" are one.
            if position > at and not (value < last and last >= 20 and len(str(value)) < len(str(last))):
                break
            if low == "dozen" and position > at:
                break
            group += value
            last = value
        elif low in _MULTIPLIERS:
            factor = _MULTIPLIERS[low]
            if factor == 100:
                group *= 100
                last = 100
            else:
                total += group * factor
                group = 0
                last = 10**3
        elif not (low == "and" and end == position and words[position - 1].low in _MULTIPLIERS
                  and position + 1 < len(words) and words[position + 1].low in CARDINALS):  # fmt: skip
            break
        position += 1
        end = position
    if end < len(words) and words[end].low == "dozen" and total + group < 100:
        return (total + group) * 12, end + 1
    return total + group, end


def begins_number(words: Sequence[Token], at: int) -> bool:
    """Whether a number in words begins at a token: a cardinal, or a multiplier that stands for one of it."""
    low = words[at].low
    if low in CARDINALS:
        return True
    before = words[at - 1] if at else None
    if low in _ONE_OF:
        return before is None or not (before.low in CARDINALS or before.text[0].isdecimal())
    return low in _MULTIPLIERS and low.isascii() and before is not None and before.low == "a"


def read_han(numeral: str) -> int | None:
    """The value of a numeral in Chinese characters; None for a run that is none.

    Examples
    --------
    >>> read_han("三百二十五"), read_han("二〇二四")
    (325, 2024)
    """
    if all(c in _HAN_VALUES for c in numeral):
        return int("".join(str(_HAN_VALUES[c]) for c in numeral)) if len(numeral) <= 12 else None
    total = group = digit = 0
    for character in numeral[:24]:
        if character in _HAN_VALUES:
            digit = _HAN_VALUES[character]
        elif character in _HAN_POWERS:
            group += (digit or 1) * _HAN_POWERS[character]
            digit = 0
        else:
            total = (total + group + digit) * _HAN_MYRIADS[character]
            group = digit = 0
    return total + group + digit
