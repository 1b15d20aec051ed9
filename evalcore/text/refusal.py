"""Whether an answer only declines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evalcore.text.characters import is_blank
from evalcore.text.lexicon import Lexicon, shipped_lexicons
from evalcore.text.sentences import sentences

MAX_REFUSAL_CHARACTERS = 2000
_MAX_CLAUSE_CHARACTERS = 400
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "*": " ", "_": " "})
_EDGES = " \"'«»“”()[].,!:;—–-…\u200b"


@dataclass(frozen=True)
class _Patterns:
    lead: re.Pattern[str]
    core: re.Pattern[str]
    courtesy: re.Pattern[str]
    clause_gap: re.Pattern[str]


def is_refusal(text: str) -> bool:
    """Whether an answer declines and states nothing else, in any shipped language.

    Every clause of it has to decline, apologise or offer help, and at least one has to decline. A clause ends
    with its sentence, at a semicolon or dash, and before a word such as "but". So "The report does
    not say who paid, but the bridge cost 4 million euros" is no refusal. Texts of more than
    ``MAX_REFUSAL_CHARACTERS`` characters are none either.

    Examples
    --------
    >>> is_refusal("I'm sorry, but the documents do not mention Malta. Could you rephrase?")
    True
    >>> is_refusal("The documents do not expire.")
    False
    """
    if len(text) > MAX_REFUSAL_CHARACTERS or is_blank(text):
        return False
    pieces = [s.text for s in sentences(text) if not is_blank(s.text)]
    return any(_declines(pieces, patterns) for patterns in _all_patterns())


def _declines(pieces: list[str], patterns: _Patterns) -> bool:
    declined = False
    for piece in pieces:
        plain = " ".join(piece.translate(_PLAIN).lower().split())
        for clause in patterns.clause_gap.split(plain):
            clause = clause.strip(_EDGES)
            if not clause:
                continue
            if len(clause) > _MAX_CLAUSE_CHARACTERS:
                return False
            kind = _kind(clause, patterns)
            if kind is None:
                return False
            declined = declined or kind
    return declined


def _kind(clause: str, patterns: _Patterns) -> bool | None:
    # True for a clause that declines, False for a courtesy or a bare lead, None for one that says something.
    starts = [0]
    while lead := patterns.lead.match(clause, starts[-1]):
        if lead.end() == len(clause):
            return False
        starts.append(lead.end())
    if any(patterns.core.match(clause, at) for at in starts):
        return True
    return False if any(patterns.courtesy.match(clause, at) for at in starts) else None


@cache
def _all_patterns() -> tuple[_Patterns, ...]:
    return tuple(_compiled(lexicon) for lexicon in shipped_lexicons())


def _compiled(lexicon: Lexicon) -> _Patterns:
    refusals = lexicon.refusals
    contrasts, openers = (
        "|".join(map(re.escape, words)) for words in (refusals.contrasts, refusals.clause_openers)
    )
    return _Patterns(
        lead=re.compile(rf"(?:{'|'.join(refusals.leads)})(?:[ ,:]+|$)"),
        core=re.compile("|".join(f"(?:{p})" for p in refusals.cores)),
        courtesy=re.compile("|".join(f"(?:{p})" for p in refusals.courtesies)),
        clause_gap=re.compile(rf"[;—–]| - |,? (?=(?:{contrasts})\b)|, (?=(?:{openers})\b)"),
    )
