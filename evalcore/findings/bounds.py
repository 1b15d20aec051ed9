"""What the words before a number make of it: a bound, a rounded figure, the number of a thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.findings.quantity import Quantity
from evalcore.findings.tokens import Token, fold, stem
from evalcore.findings.vocabulary import word_set

_AT_LEAST: Final = frozenset(
    phrase.replace("_", " ")
    for phrase in word_set(
        """at_least more_than not_less_than no_less_than no_fewer_than not_fewer_than minimum_of
        minimum over above
        exceeding не_менее не_меньше не_ниже не_ранее не_раньше более больше свыше минимум"""
    )
)
_AT_MOST: Final = frozenset(
    phrase.replace("_", " ")
    for phrase in word_set(
        """at_most up_to less_than fewer_than under below no_more_than not_more_than no_later_than
        not_later_than
        maximum_of maximum within не_более не_больше не_выше не_позднее не_позже менее меньше
        максимум до ниже"""
    )
)
_FILLERS: Final = word_set("чем за на в the a an of")
_HAN_BOUNDS: Final = (("至少", 1), ("超过", 1), ("不少于", 1), ("最多", -1), ("不超过", -1), ("少于", -1))
_DENIERS: Final = word_set("not never cannot no не нельзя")
_APPROXIMATE: Final = word_set(
    """about around approximately approx nearly almost roughly some circa over above near close exceeding
    около примерно почти приблизительно порядка свыше более"""
)
_LABELS: Final = frozenset(
    stem(fold(word))
    for word in word_set(
        """line bus tram route room floor gate platform car version grade level type class model
        group building
        exit track lane channel port unit zone
        маршрут линия кабинет комната этаж автобус трамвай уровень тип класс версия"""
    )
)


def same_breath(text: str, words: Sequence[Token]) -> Sequence[Token]:
    """The last words with no mark between them."""
    at = len(words) - 1
    while at > 0 and not text[words[at - 1].end : words[at].start].strip(" \u00a0-"):
        at -= 1
    return words[max(at, 0) :]


def bound_before(text: str, start: int, before: Sequence[Token]) -> int:
    """1 after "at least", -1 after "at most", 0 else and where a "not" further on may turn it round."""
    if before and text[before[-1].end : start].strip():
        return 0
    if start and "\u3400" <= text[start - 1] <= "\u9fff":
        hits = [(len(phrase), sign) for phrase, sign in _HAN_BOUNDS if text.endswith(phrase, 0, start)]
        return max(hits)[1] if hits else 0
    lows = [w.low for w in before]
    # "More than the 30 days", "не позднее чем за 10 дней"
    while len(lows) > 1 and lows[-1] in _FILLERS and " ".join(lows[-2:]) not in _AT_LEAST | _AT_MOST:
        lows.pop()
    for length in (3, 2, 1):
        phrase = " ".join(lows[-length:])
        sign = 1 if phrase in _AT_LEAST else -1 if phrase in _AT_MOST else 0
        if sign and len(lows) >= length:
            denied = any(low in _DENIERS or low.endswith("n't") for low in lows[:-length])
            return 0 if denied else sign
    return 0


def label_before(quantity: Quantity, before: Sequence[Token]) -> str:
    """The stem of "line" in "line 4"; empty where the number numbers no thing."""
    if not before or not quantity.digits or quantity.start - before[-1].end > 1:
        return ""
    last = before[-1].stem
    return last if last in _LABELS else ""


def is_approximate(before: Sequence[Token]) -> bool:
    """Whether the words before a number say that it is rounded."""
    return any(word.low in _APPROXIMATE for word in before[-2:])
