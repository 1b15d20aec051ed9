"""All findings of a sentence, in the order of their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.findings.clauses import content_stems
from evalcore.findings.facts import ContextFacts, facts_of
from evalcore.findings.finding import Finding
from evalcore.findings.name_checks import name_findings
from evalcore.findings.negation_checks import negation_findings
from evalcore.findings.number_checks import date_findings, number_findings
from evalcore.findings.quantifier_checks import quantifier_findings
from evalcore.findings.quantities import quantities
from evalcore.findings.role_checks import role_findings
from evalcore.findings.tokens import tokens
from evalcore.text import is_blank

_LONGEST: Final = 20_000


def find_findings(
    sentence: str, passages: Sequence[str], *, evidence: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """The parts of a sentence that the passages do not hold or contradict.

    Parameters
    ----------
    sentence : str
        A sentence of the answer; any text.
    passages : sequence of str
        The whole context. With no text in it there is nothing to check against.
    evidence : sequence of str, optional
        The sentences or windows of the passages that best hold the sentence. The closest sentences by
        shared words are always looked at too.

    Returns
    -------
    tuple of Finding
        By place; empty where nothing can be called wrong.

    Examples
    --------
    >>> [f.message for f in find_findings("It opened in 1987.", ["The museum opened in 1978."])]
    ['1987 is not in the context (nearest: 1978)']
    """
    return findings(sentence, facts_of(tuple(passages)), evidence)


def findings(sentence: str, facts: ContextFacts, evidence: Sequence[str] = ()) -> tuple[Finding, ...]:
    """As :func:`find_findings`, with the facts of the contexts gathered before.

    Time grows in line with the sentence; only its first 20,000 characters are read.
    """
    sentence = sentence[:_LONGEST]
    if is_blank(sentence) or not facts.words:
        return ()
    words = tokens(sentence)
    near = tuple(
        dict.fromkeys((*(e[:_LONGEST] for e in evidence), *facts.closest_sentences(content_stems(words))))
    )
    said = quantities(sentence)
    # "USD" in "USD 5" is a unit and no name.
    units = {position for q in said.numbers for position in range(q.start, q.end)}
    found = [
        *number_findings(sentence, said, facts, near),
        *date_findings(sentence, said, words, facts, near),
        *(f for f in name_findings(sentence, words, facts, near) if f.start not in units),
        *negation_findings(sentence, near),
        *quantifier_findings(sentence, said, near),
        *role_findings(sentence, near),
    ]
    return tuple(sorted(found, key=lambda f: (f.start, f.end, f.kind)))
