"""Quantifiers and bounds of a sentence that its evidence does not grant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.findings.clauses import Clause
from evalcore.findings.compared import closest_clauses, next_stem, own_clauses, shared
from evalcore.findings.finding import Finding
from evalcore.findings.opposites import LEVELS, NOT, ONLY
from evalcore.findings.quantities import quantities
from evalcore.findings.quantity import Quantities
from evalcore.findings.tokens import Token

_OVERLAP: Final = 0.7
_MOST_CHECKED: Final = 200


def quantifier_findings(sentence: str, said: Quantities, evidence: Sequence[str]) -> list[Finding]:
    """Quantifiers the evidence does not grant: "all" for "some", "at least" for "at most"."""
    found = []
    held = closest_clauses(evidence)
    for clause in own_clauses(sentence):
        close = [c for c in held if shared(clause, c) >= _OVERLAP]
        for at, word in enumerate(clause.words):
            own = LEVELS.get(word.low)
            if own is None:
                continue
            theirs = [
                (w, level) for c in close for w, level in _quantified(c, own[0], next_stem(clause.words, at))
            ]
            if theirs and all(_stronger(own[1], level) for _, level in theirs):
                found.append(_wrong_quantifier(sentence, word.start, word.end, theirs[0][0].text))
        found.extend(_only(sentence, clause, close))
    return found + _bounds(sentence, said, evidence)


def _only(sentence: str, clause: Clause, close: Sequence[Clause]) -> list[Finding]:
    """Where the sentence says "not only the owner" and the evidence "only the owner"."""
    found = []
    theirs: dict[str, list[Token]] = {}
    denied: set[str] = set()
    for other in close:
        for at, word in enumerate(other.words):
            if word.low in ONLY:
                following = next_stem(other.words, at)
                theirs.setdefault(following, []).append(word)
                if at and other.words[at - 1].low in NOT:
                    denied.add(following)
    for at, word in enumerate(clause.words[1:], 1):
        before = clause.words[at - 1]
        following = next_stem(clause.words, at) if word.low in ONLY and before.low in NOT else ""
        if following and following in theirs and following not in denied:
            found.append(_wrong_quantifier(sentence, before.start, word.end, theirs[following][0].text))
    return found


def _quantified(clause: Clause, group: str, following: str) -> list[tuple[Token, int]]:
    return [
        (word, LEVELS[word.low][1])
        for at, word in enumerate(clause.words)
        if word.low in LEVELS and LEVELS[word.low][0] == group and next_stem(clause.words, at) == following
    ]


def _stronger(said: int, held: int) -> bool:
    return said > held or (said == 0 and held > 0) or (said <= 1 and held >= 3)


def _bounds(sentence: str, said: Quantities, evidence: Sequence[str]) -> list[Finding]:
    held = [q for text in evidence for q in quantities(text).numbers[:_MOST_CHECKED]]
    found = []
    for quantity in said.numbers[:_MOST_CHECKED]:
        if not quantity.bound:
            continue
        same = [q for q in held if q.unit == quantity.unit and q.values == quantity.values]
        if same and all(q.bound == -quantity.bound for q in same):
            opposite = "at least" if quantity.bound < 0 else "at most"
            found.append(
                _wrong_quantifier(sentence, quantity.start, quantity.end, f"{opposite} {same[0].text}")
            )
    return found


def _wrong_quantifier(sentence: str, start: int, end: int, nearest: str) -> Finding:
    text = sentence[start:end]
    return Finding(
        kind="quantifier", start=start, end=end, text=text, nearest=nearest,
        message=f"says '{text}', the evidence says '{nearest}'",
    )  # fmt: skip
