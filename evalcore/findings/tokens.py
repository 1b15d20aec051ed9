"""Words of a text with their offsets, their stems and whether a capital there means a name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from evalcore.findings.vocabulary import word_set
from evalcore.text import shipped_lexicons

# Scripts without spaces give one token a character.
HAN: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(
    rf"[{HAN}]|[^\W\d_{HAN}](?:[^\W_{HAN}]|['’](?=[^\W\d_{HAN}]))*+|\d++(?:[.,]\d++)*+(?:(?i:st|nd|rd|th|s)\b)?"
)
# A capital after these marks is there for the layout or the quotation.
_OPENERS = frozenset('.!?:"“”„«»‘(—–•*|[。！？：…;')
_LONGEST_STEMMED = 40

_RU_ENDINGS = tuple(
    sorted(
        [
            "иями",
            "ями",
            "ами",
            "ого",
            "его",
            "ому",
            "ему",
            "ыми",
            "ими",
            "ать",
            "ять",
            "еть",
            "ить",
            "ила",
            "ыла",
            "ена",
            "ите",
            "или",
            "ыли",
            "уют",
            "ует",
            "ают",
            "яют",
            "ает",
            "яет",
            "ится",
            "ется",
            "утся",
            "ются",
            "ены",
            "ено",
            "ана",
            "ано",
            "аны",
            "ей",
            "ий",
            "ый",
            "ой",
            "ая",
            "яя",
            "ое",
            "ее",
            "ые",
            "ие",
            "ов",
            "ев",
            "ам",
            "ям",
            "ах",
            "ях",
            "ом",
            "ем",
            "ую",
            "юю",
            "ых",
            "их",
            "ую",
            "ет",
            "ут",
            "ют",
            "ит",
            "ат",
            "ят",
            "ла",
            "ло",
            "ли",
            "но",
            "на",
            "ен",
            "ан",
            "ть",
            "ия",
            "ию",
            "ии",
            "а",
            "я",
            "о",
            "е",
            "ы",
            "и",
            "у",
            "ю",
            "й",
            "ь",
            "л",
            "н",
        ],
        key=len,
        reverse=True,
    )
)
_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "took": "take", "taken": "take",
    "gave": "give", "given": "give", "went": "go", "gone": "go", "made": "make", "said": "say", "paid": "pay",
    "held": "hold", "kept": "keep", "led": "lead", "left": "leave", "lost": "lose", "sold": "sell",
    "began": "begin", "begun": "begin", "built": "build", "bought": "buy", "found": "find", "grew": "grow",
    "grown": "grow", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "wrote": "write",
    "written": "write", "chosen": "choose", "chose": "choose", "became": "become", "knew": "know",
    "known": "know", "saw": "see", "seen": "see", "met": "meet", "won": "win", "ran": "run", "has": "have",
    "had": "have", "does": "do", "did": "do", "done": "do", "is": "be", "are": "be", "was": "be",
    "were": "be", "been": "be", "being": "be", "am": "be",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a run of digits: ``text[start:end]``.

    ``low`` is case-folded, without accents and possessive ending; ``initial`` says that a capital here may be
    there for the layout.
    """

    start: int
    end: int
    text: str
    low: str
    initial: bool

    @property
    def stem(self) -> str:
        """The word without its inflection, about."""
        return stem(self.low)

    @property
    def capital(self) -> bool:
        """Whether the word begins with a capital or holds two."""
        if self.text.islower():
            return False
        return self.text[0].isupper() or sum(c.isupper() for c in self.text[:24]) >= 2

    @property
    def acronym(self) -> bool:
        """Two capitals or more and no small letters but a plural s, digits allowed."""
        if self.text[1:].islower():
            return False
        body = self.text[:-1] if self.text[-1:] == "s" else self.text
        return sum(c.isupper() for c in body[:24]) >= 2 and not any(c.islower() for c in body)


def tokens(text: str) -> tuple[Token, ...]:
    """The words and digit runs of a text, in order.

    Examples
    --------
    >>> [(t.low, t.initial) for t in tokens("Anna’s car")]
    [('anna', True), ('car', False)]
    """
    found = []
    last_end = 0
    first = True
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        between = text[last_end:start]
        opens = first or (between != " " and ("\n" in between or not _OPENERS.isdisjoint(between)))
        found.append(Token(start, end, match[0], fold(match[0]), opens))
        last_end = end
        first = False
    return tuple(found)


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Case-folded, accents off, possessive ending off."""
    low = word.casefold().replace("’", "'").replace("ё", "е")
    low = low.removesuffix("'s").removesuffix("'")
    if low.isascii():
        return low
    # The Cyrillic short i is a letter, not an accent.
    parts = (c if c == "й" else unicodedata.normalize("NFKD", c) for c in low[:200])
    return "".join(c for part in parts for c in part if not unicodedata.combining(c))


@lru_cache(maxsize=65536)
def stem(low: str) -> str:
    """A folded word without its inflection; crude, and equal for the forms of most words."""
    if len(low) > _LONGEST_STEMMED or len(low) < 3:
        return _IRREGULAR.get(low, low)
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if "а" <= low[0] <= "я":
        low = low.removesuffix("ся").removesuffix("сь")
        for ending in _RU_ENDINGS:
            if low.endswith(ending) and len(low) - len(ending) >= 3:
                return low[: -len(ending)]
        return low
    return _english_stem(low)


def _english_stem(low: str) -> str:
    for ending, put in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("edly", ""),
                        ("ed", ""), ("es", ""), ("s", ""), ("ly", "")):  # fmt: skip
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith(("ss", "us", "is")):
            low = low[: -len(ending)] + put
            break
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "aeoslz":
        low = low[:-1]
    return low[:-1] if low.endswith("e") and len(low) > 3 else low


@cache
def stopwords() -> frozenset[str]:
    """Function words of every shipped language, folded."""
    listed = frozenset().union(*(lexicon.stopwords for lexicon in shipped_lexicons()))
    starters = frozenset().union(*(lexicon.sentence_starters for lexicon in shipped_lexicons()))
    return frozenset(fold(word) for word in listed | starters) | _MORE_STOPWORDS


_MORE_STOPWORDS = word_set(
    """may might must shall cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't
    shouldn't couldn't hasn't haven't hadn't never none within without upon per via among whether either
    neither nor yet it's that's there's let's also however therefore thus still even ever"""
)
