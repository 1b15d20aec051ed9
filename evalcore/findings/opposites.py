"""Word lists of negations, opposites and quantifiers in English and Russian."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evalcore.findings.tokens import stem
from evalcore.findings.vocabulary import word_set

NEGATORS: Final = word_set("not never no none cannot nor neither не нет никогда нельзя")
NOT: Final = word_set("not не")
ONLY: Final = word_set("only только лишь")
# Said in the clause that has no negator, these may deny the same thing in another way.
SOFT_NEGATORS: Final = word_set(
    """without unlikely lack lacks lacking fail fails failed failing unable hardly rarely seldom barely few
    little avoid avoids prevent prevents refuse refused rather instead only unless until if except
    away stop stopped
    difficult hard impossible absence absent against otherwise denied deny nothing nobody whether
    без если кроме только лишь отсутствие отсутствует вместо невозможно"""
)
# These deny the next words only, the others the whole clause.
NEARBY_NEGATORS: Final = word_set("without only few little rather instead без только лишь")
# What a negator skips to reach the word it denies.
SKIPPED: Final = word_set(
    """be been being have has had do does did the a an any to such of very so yet it they we you i he she that
    this longer also ever быть был была было были"""
)
# Each pair: what says yes, what says no.
_PAIRS = (
    ("allow",
     "allowed permitted allow permit allows permits разрешено разрешается разрешены разрешен можно",
     "forbidden prohibited banned disallowed forbids prohibits запрещено запрещается запрещены запрещен "
     "нельзя"),
    ("accept", "accepted accept accepts принимаются принимается",
     "rejected reject rejects refused отклоняются отклоняется"),
    ("increase", "increase increased increases rise rises grew grow",
     "decrease decreased decreases decline declined fell fall drop dropped"),
    ("open", "open opens opened открыт открыта открыто открыты",
     "closed close closes shut закрыт закрыта закрыто закрыты"),
    ("include", "included includes include включает включен", "excluded excludes exclude исключает исключен"),
    ("require", "required mandatory compulsory обязателен обязательно обязательна",
     "optional необязателен необязательно"),
    ("start", "starts begins started began", "ends ended stops stopped"),
    ("safe", "safe", "unsafe dangerous"), ("possible", "possible", "impossible"), ("able", "able", "unable"),
    ("legal", "legal", "illegal"), ("free", "free", "chargeable"), ("true", "true", "false"),
    ("enable", "enabled", "disabled"), ("before", "before", "after"), ("pass", "passed", "failed"),
    ("buy", "bought", "sold"), ("win", "won", "lost"), ("high", "higher highest", "lower lowest"),
    ("large", "larger largest", "smaller smallest"), ("with", "with", "without"), ("above", "above", "below"),
    ("indoor", "indoors indoor", "outdoors outdoor"), ("max", "maximum", "minimum"),
)  # fmt: skip
# The pair of a stem, and 1 or -1 for its side.
ANTONYMS: Final[Mapping[str, tuple[str, int]]] = {
    stem(word): (key, sign)
    for key, yes, no in _PAIRS
    for sign, words in ((1, yes), (-1, no))
    for word in words.split()
}
# Prepositions: what they stand before must be the same too.
RELATIONS: Final = word_set("before with above")
# How much of the whole a quantifier claims, from 0 to 4, among those of how many or of how often.
LEVELS: Final[Mapping[str, tuple[str, int]]] = {
    word: (group, level)
    for group, level, words in (
        ("many", 4, "all every each both entire everyone"),
        ("many", 4, "все всех всем каждый каждая каждое каждого каждой любой любые"),
        ("many", 3, "most большинство большинства"),
        ("many", 2, "many многие многих"),
        ("many", 1, "some someone several few certain некоторые некоторых несколько отдельные"),
        ("many", 0, "none никто"),
        ("often", 4, "always всегда"),
        ("often", 3, "usually generally typically mostly normally often frequently обычно часто"),
        ("often", 1, "sometimes occasionally rarely seldom иногда редко"),
        ("often", 0, "never никогда"),
    )
    for word in words.split()
}  # fmt: skip
