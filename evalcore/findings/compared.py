"""How much two clauses have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.findings.clauses import Clause, clauses
from evalcore.findings.opposites import ANTONYMS, LEVELS
from evalcore.findings.tokens import Token, stopwords

_MOST_CLAUSES: Final = 60


def own_clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence, the first sixty: comparisons are by pairs."""
    return clauses(sentence)[:_MOST_CLAUSES]


def closest_clauses(evidence: Sequence[str]) -> list[Clause]:
    """The clauses of the evidence, best evidence first, not more than can be compared."""
    return [clause for text in evidence for clause in own_clauses(text)][: 2 * _MOST_CLAUSES]


def keys_of(clause: Clause) -> frozenset[str]:
    """What a clause speaks of: stems, with one key for both sides of an antonym pair, and words of names."""
    return frozenset(ANTONYMS[s][0] if s in ANTONYMS else s for s in clause.stems) | {
        w.low for name in clause.names for w in name.words
    }


def shared(clause: Clause, other: Clause) -> float:
    """The share of what a clause speaks of that the other speaks of too, from 0 to 1."""
    own = keys_of(clause)
    return len(own & keys_of(other)) / len(own) if own else 0.0


def next_stem(words: Sequence[Token], at: int) -> str:
    """The stem of the next word of meaning after a word; empty without one."""
    for word in words[at + 1 : at + 5]:
        if word.low not in stopwords() or word.low in LEVELS:
            return word.stem
    return ""
