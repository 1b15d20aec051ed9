"""Statements of a sentence that its evidence denies, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from evalcore.findings.clauses import Clause
from evalcore.findings.compared import closest_clauses, keys_of, next_stem, own_clauses, shared
from evalcore.findings.finding import Finding
from evalcore.findings.opposites import ANTONYMS, NEARBY_NEGATORS, NEGATORS, RELATIONS, SKIPPED, SOFT_NEGATORS
from evalcore.findings.tokens import Token, stem, stopwords

_OVERLAP: Final = 0.6
_OVERLAP_BACK: Final = 0.4
# Antonyms alone need more in common.
_ANTONYM_OVERLAP: Final = 0.75
_ANTONYM_OVERLAP_BACK: Final = 0.5
# Clauses this much less close than the closest have no say.
_AS_CLOSE: Final = 0.15
# Up to this many words of meaning two in common will do.
_SHORT: Final = 4
_QUOTED: Final = 120
# Words that look like a negator and deny nothing, or deny a part only.
_NO_NEGATION = re.compile(
    r"\b(?:not (?:only|just|necessarily|merely|simply|all|every|everyone|always|sure|more|less|fewer|later"
    r"|earlier|least|even|to mention|until|yet|limited|exactly|quite|too|very|uncommon|unusual)"
    r"|no (?:more|less|fewer|later|earlier|longer|matter|doubt|one|other|sooner)|whether or not|or not"
    r"|if not|why not"
    r"|не (?:только|более|менее|больше|меньше|позднее|позже|ранее|раньше|обязательно|всегда|все|просто)"
    r"|never mind|no\.? \d)\b|\A\W*(?:no|нет|nein)\b(?=[,.;:!—–-])",
    re.IGNORECASE,
)


class _Sign(NamedTuple):
    """Whether a clause says a word or denies it; ``negated``: by a negator."""

    sign: int
    start: int
    end: int
    negated: bool


@lru_cache(maxsize=4096)
def _signs(clause: Clause) -> dict[str, _Sign | None]:
    """The sign of each content word, by stem or by the name of its antonym pair; None where it has both."""
    found: dict[str, _Sign | None] = {}
    negated: dict[int, Token] = {}
    idle = [match.span() for match in _NO_NEGATION.finditer(clause.text)]
    for at, word in enumerate(clause.words):
        place = word.start - clause.start
        if (word.low in NEGATORS or word.low.endswith("n't")) and not any(s <= place < e for s, e in idle):
            head = _head(clause.words, at)
            if head is not None:
                negated[head] = word
    for at, word in enumerate(clause.words):
        listed = ANTONYMS.get(word.stem)
        if listed is None and word.low in stopwords():
            continue
        key, sign = listed or (word.stem, 1)
        negator = negated.get(at)
        start = min(word.start, negator.start) if negator else word.start
        mark = _Sign(-sign if negator else sign, start, word.end, negator is not None)
        first = found.setdefault(key, mark)
        if first is not None and first.sign != mark.sign:
            found[key] = None
    return found


def _head(words: Sequence[Token], at: int) -> int | None:
    """The word a negator denies: the next one of meaning, not far away."""
    for ahead in range(at + 1, min(at + 6, len(words))):
        low = words[ahead].low
        if low not in SKIPPED and (low not in stopwords() or stem(low) in ANTONYMS):
            return ahead
    return None


def negation_findings(sentence: str, evidence: Sequence[str]) -> list[Finding]:
    """Words that the sentence says and its evidence denies, or the other way round."""
    if sentence.rstrip().endswith(("?", "？")):
        return []
    held = closest_clauses(evidence)
    found = []
    for clause in own_clauses(sentence):
        if len(clause.stems) < 2:
            continue
        close = [(c, share) for c in held if (share := shared(clause, c)) >= _OVERLAP]
        near = [(c, (share + shared(c, clause)) / 2) for c, share in close]
        said = _signs(clause)
        for key, mark in said.items():
            if mark is None:
                continue
            verdicts = [(other, c, s) for c, s in near if (other := _signs(c).get(key)) is not None]
            best = max((s for _, _, s in verdicts), default=0.0)
            verdicts = [v for v in verdicts if v[2] >= best - _AS_CLOSE]
            against = [v for v in verdicts if v[0].sign != mark.sign]
            if not against or len(against) < len(verdicts) or _mixed(key, close):
                continue
            other, where, _ = max(against, key=lambda v: v[2])
            if not _matches(clause, where, mark, other) or (
                key in RELATIONS and _following(clause, mark) != _following(where, other)
            ):
                continue
            found.append(_negation(sentence, mark, other, where))
            break
    return found


def _mixed(key: str, close: Sequence[tuple[Clause, float]]) -> bool:
    return any(key in (signs := _signs(c)) and signs[key] is None for c, _ in close)


def _matches(clause: Clause, where: Clause, said: _Sign, held: _Sign) -> bool:
    """Whether the two clauses say the same apart from the sign: antonyms alone need more in common."""
    if said.negated or held.negated:
        if said.negated == held.negated:
            return False
        plain, other, mark = (where, clause, held) if said.negated else (clause, where, said)
        if _denies(plain, other, mark):
            return False
        one, other_keys = keys_of(clause), keys_of(where)
        fewest = 2 if max(len(one), len(other_keys)) <= _SHORT else 3
        return len(one & other_keys) >= fewest and shared(where, clause) >= _OVERLAP_BACK
    return (
        shared(clause, where) >= _ANTONYM_OVERLAP
        and shared(where, clause) >= _ANTONYM_OVERLAP_BACK
        and len(clause.stems & where.stems) >= 2
    )


def _following(clause: Clause, mark: _Sign) -> str:
    at = next(i for i, w in enumerate(clause.words) if w.end == mark.end)
    return next_stem(clause.words, at)


def _denies(plain: Clause, other: Clause, mark: _Sign) -> bool:
    """Whether the clause without a negator at this word denies it in another way, shortly before it."""
    if any(sign is not None and sign.negated for sign in _signs(plain).values()):
        return True
    own = {w.low for w in plain.words} - {w.low for w in other.words}
    if not SOFT_NEGATORS.isdisjoint(own - NEARBY_NEGATORS):
        return True
    at = next(i for i, w in enumerate(plain.words) if w.end == mark.end)
    return not NEARBY_NEGATORS.isdisjoint(own & {w.low for w in plain.words[max(0, at - 3) : at + 2]})


def _negation(sentence: str, said: _Sign, held: _Sign, where: Clause) -> Finding:
    quote = where.text.strip(" .,;:")[:_QUOTED]
    if held.negated:
        message = f"the evidence negates this: '{quote}'"
    elif said.negated:
        message = f"negates what the evidence says: '{quote}'"
    else:
        message = f"the evidence says the opposite: '{quote}'"
    return Finding(
        kind="negation", start=said.start, end=said.end, text=sentence[said.start : said.end],
        message=message, nearest=quote,
    )  # fmt: skip
