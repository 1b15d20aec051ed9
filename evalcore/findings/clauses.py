"""Clauses of a sentence with what each says: content words, names, numbers, what is negated."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from evalcore.findings.names import Name, names
from evalcore.findings.quantities import quantities
from evalcore.findings.quantity import Quantity
from evalcore.findings.tokens import Token, stem, stopwords, tokens
from evalcore.findings.vocabulary import word_set

_EDGE = re.compile(
    r"[;；]|[,，、](?=\s|[\u3400-\u9fff])|(?<=\s)[—–-](?=\s)|[。！？!?](?=\s|\Z|[\u3400-\u9fff])|\.(?=\s)|:(?=\s)|\n"
    r"|\b(?:and|but|while|whereas|although|though|because|и|а|но|тогда как|хотя)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS: Final = 2
_VERBS: Final = frozenset({"has", "have", "is", "are", "was"})
NEGATORS = word_set(
    """not never no none cannot without neither nor hardly не нет никогда без ни нельзя 不 没 未 无"""
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence with a statement of its own: ``sentence[start:end] == text``."""

    start: int
    end: int
    text: str
    words: tuple[Token, ...]
    names: tuple[Name, ...]
    numbers: tuple[Quantity, ...]
    stems: frozenset[str]
    """Content words without names, numbers and negators, as stems."""


def content_stems(words: Iterable[Token]) -> frozenset[str]:
    """Stems of the words that carry meaning: no function words, no digits."""
    common = stopwords()
    return frozenset(
        stem(w.low)
        for w in words
        if w.low not in common and w.low not in NEGATORS and not w.text[0].isdecimal()
    )


@lru_cache(maxsize=2048)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """Cut a sentence into clauses; a piece of one word joins the one before it.

    Examples
    --------
    >>> [c.text for c in clauses("Lisbon has 17 staff and Oslo has 24.")]
    ['Lisbon has 17 staff ', ' Oslo has 24.']
    """
    words = tokens(sentence)
    common = stopwords()
    cuts = [0]
    seen = content = 0
    for match in _EDGE.finditer(sentence):
        while seen < len(words) and words[seen].end <= match.start():
            content += words[seen].low not in common or words[seen].low in _VERBS
            seen += 1
        ahead = any(w.low not in common for w in words[seen : seen + 8])
        if content >= _FEWEST_WORDS and ahead:
            cuts.extend((match.start(), match.end()))
            content = 0
    cuts.append(len(sentence))
    found_names, found_numbers = names(sentence, words), quantities(sentence).numbers
    pieces = zip(cuts[::2], cuts[1::2], strict=True)
    return tuple(
        _clause(
            sentence[start:end], start, end, _within(words, start, end), _within(found_names, start, end),
            _within(found_numbers, start, end),
        )
        for start, end in pieces
    )  # fmt: skip


_Placed = TypeVar("_Placed", Token, Name, Quantity)


def _within(placed: Sequence[_Placed], start: int, end: int) -> tuple[_Placed, ...]:
    first = bisect_left(placed, start, key=lambda one: one.start)
    return tuple(placed[first : bisect_left(placed, end, lo=first, key=lambda one: one.start)])


def _clause(
    text: str,
    start: int,
    end: int,
    words: tuple[Token, ...],
    own_names: tuple[Name, ...],
    numbers: tuple[Quantity, ...],
) -> Clause:
    # The first word of a sentence has a capital whatever it is, so alone it may be a word like any other.
    in_names = {w.start for n in own_names if not n.initial or len(n.words) > 1 for w in n.words}
    stems = content_stems(w for w in words if w.start not in in_names)
    return Clause(start, end, text, words, own_names, numbers, stems)
