"""What the sentences of an answer state: which of them claim something, their premises, their findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from evalcore.text import Span, claims_something, words
from evalcore.verifier.premise import Bags

if TYPE_CHECKING:
    from evalcore.findings import Finding

PREMISE_WINDOWS: Final = 3
"""Windows that make the premise of a sentence."""

_BORNE_BY_QUERIES: Final = frozenset({"number", "unit", "date", "name"})
# Marks that change a number and that words leave out.
_SIGNED = re.compile(r"\A\s*[-−+]|[%‰$€£¥₽]")
_HEADING_MARK = re.compile(r"#{1,6}\s{1,8}\Z")
_LONGEST_MARK = 14


def claims_of(response: str, sentences: Sequence[Span], query: str) -> tuple[bool, ...]:
    """Whether each sentence claims something; all do where none would, so that empty talk is judged too."""
    found = tuple(claims_something(_with_mark(response, sentence), query) for sentence in sentences)
    return found if any(found) else (True,) * len(found)


def premises_of(sentences: Sequence[list[str]], windows: Sequence[list[str]]) -> tuple[tuple[int, ...], ...]:
    """For each sentence, given as words, the indices of up to three windows that hold its words best."""
    bags = Bags.of(windows)
    chosen: dict[frozenset[str], tuple[int, ...]] = {}
    for sentence in map(frozenset, sentences):
        if sentence not in chosen:
            chosen[sentence] = tuple(bags.best(sentence, PREMISE_WINDOWS))
    return tuple(chosen[frozenset(sentence)] for sentence in sentences)


def findings_of(
    sentences: Sequence[str], contexts: Sequence[str], evidence: Sequence[Sequence[str]], query: str
) -> tuple[tuple[Finding, ...], ...]:
    """The findings of each sentence, without the numbers, dates and names that the query itself brought."""
    # Loaded by the first profile that asks for findings: a start without them does not pay for it.
    from evalcore.findings import ContextFacts, findings

    facts = ContextFacts.of(contexts)
    asked, asked_words = query.casefold(), _spaced(query)
    found: dict[str, tuple[Finding, ...]] = {}
    for sentence, near in zip(sentences, evidence, strict=True):
        if sentence not in found:
            found[sentence] = tuple(
                finding
                for finding in findings(sentence, facts, near)
                if finding.kind not in _BORNE_BY_QUERIES or not _stands_in(finding.text, asked, asked_words)
            )
    return tuple(found[sentence] for sentence in sentences)


def _stands_in(text: str, query: str, query_words: str) -> bool:
    if _SIGNED.search(text) and text.strip().casefold() not in query:
        return False
    own = _spaced(text)
    return bool(own.strip()) and own in query_words


def _spaced(text: str) -> str:
    """The words of a text between single spaces, so that whole words can be looked for in it."""
    return f" {' '.join(word.removesuffix(chr(39) + 's') for word in words(text))} "


def _with_mark(response: str, sentence: Span) -> str:
    """The sentence with the heading mark that its span leaves out."""
    before = response[max(0, sentence.start - _LONGEST_MARK) : sentence.start]
    mark = _HEADING_MARK.search(before)
    return mark[0] + sentence.text if mark else sentence.text
