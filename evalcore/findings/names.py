"""Names of a text: runs of words that a capital marks as names, and what else may spell them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evalcore.findings.dates import MONTHS, WEEKDAYS
from evalcore.findings.tokens import Token, stopwords
from evalcore.findings.vocabulary import word_set

_JOINS = re.compile(r"(?: |-|‑|\. |\.|'|’| & |&)\Z")
_NO_NAMES: Final = word_set(
    """i mr mrs ms dr prof sir professor president chapter section figure fig table step part passage
    passages source sources document documents context note notes option answer question example
    internet web earth sun moon god january february january north south east west northern southern
    eastern western ok yes no vs etc am pm a.m p.m bc ad ce bce st jr sr ii iii iv vi vii viii ix xi xii
    page line item rule type class level phase grade day tv pc pdf faq url usa us uk eu un id it's i'm
    i've i'll i'd м г н гг им"""
)
_ROMAN = re.compile(r"[IVXLCDM]+\Z")


@dataclass(frozen=True, slots=True)
class Name:
    """A run of name words: ``text[start:end]``. ``initial`` when its first word may be no name."""

    start: int
    end: int
    text: str
    words: tuple[Token, ...]
    initial: bool


def names(text: str, words: Sequence[Token]) -> tuple[Name, ...]:
    """The names of a text, in order.

    Examples
    --------
    >>> from evalcore.findings.tokens import tokens
    >>> text = "We met Anna Keller of NASA."
    >>> [name.text for name in names(text, tokens(text))]
    ['Anna Keller', 'NASA']
    """
    found: list[Name] = []
    run: list[Token] = []
    for token in words:
        wanted = token.text[0].isalpha() and token.capital and not _common(token)
        if run and not (wanted and len(run) < 8 and _JOINS.match(text[run[-1].end : token.start])):
            found.append(_name(text, run))
            run = []
        if wanted:
            run.append(token)
    if run:
        found.append(_name(text, run))
    return tuple(found)


def _name(text: str, run: list[Token]) -> Name:
    start, end = run[0].start, run[-1].end
    return Name(start, end, text[start:end], tuple(run), run[0].initial and not run[0].acronym)


def _common(token: Token) -> bool:
    if token.low in _NO_NAMES or token.low in MONTHS or token.low in WEEKDAYS or _ROMAN.match(token.text):
        return True
    return token.low in stopwords() and not (token.acronym and not token.initial)


ALIASES: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(group.split())
    for group in (
        "us usa america american americans u.s", "uk britain british england english", "eu europe european",
        "france french francais", "spain spanish", "netherlands dutch holland", "greece greek",
        "denmark danish",
        "norway norwegian", "sweden swedish", "switzerland swiss", "wales welsh", "poland polish",
        "turkey turkish",
        "china chinese", "ireland irish", "portugal portuguese", "scotland scottish scots", "thailand thai",
        "philippines filipino", "vietnam vietnamese", "peru peruvian", "israel israeli", "russia russian",
        "germany german", "finland finnish", "iceland icelandic", "czech czechia", "egypt egyptian",
        "россия русский российский рф", "сша америка американский", "москва московский",
        "dna deoxyribonucleic", "tv television", "wwii wwi", "covid coronavirus",
    )
)  # fmt: skip

_TRANSLITERATION = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "й": "i",
        "к": "k",
        "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u",
        "ф": "f", "х": "h",
        "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "i", "ь": "", "э": "e", "ю": "u", "я": "a",
    }
)  # fmt: skip
_SKELETON = str.maketrans({"c": "k", "q": "k", "w": "v", "y": "i", "x": "k", "j": "i"})


def skeleton(low: str) -> str:
    """The consonants of a name in Latin letters, the same for most spellings in either script.

    Examples
    --------
    >>> skeleton("лиссабон"), skeleton("lisbon")
    ('lsbn', 'lsbn')
    """
    latin = low[:60].translate(_TRANSLITERATION).replace("ph", "f").replace("ck", "k").translate(_SKELETON)
    bare = [c for c in latin if c.isalpha() and c not in "aeiouh"]
    return "".join(c for i, c in enumerate(bare) if i == 0 or bare[i - 1] != c)


def same_word(one: str, other: str) -> bool:
    """Whether two folded words may be forms of one name: equal, or apart in a short ending only.

    Examples
    --------
    >>> same_word("japanese", "japan"), same_word("stanford", "stanley")
    (True, False)
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(longer) - len(shorter) > 5 or len(shorter) < 3:
        return False
    shared = 0
    for a, b in zip(shorter, longer, strict=False):
        if a != b:
            break
        shared += 1
    cyrillic = "а" <= one[0] <= "я"
    if cyrillic:
        return shared >= max(3, len(shorter) - 2) and len(longer) - shared <= 4
    if len(shorter) < 4:
        return shared == len(shorter) and longer[shared:] in {"s", "es"}
    return shared >= max(4, len(shorter) - 1, -(-7 * len(shorter) // 10)) and len(longer) - shared <= 4
