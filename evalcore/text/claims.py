"""Whether a sentence claims something about the world, or only greets, leads in, asks back, offers help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from evalcore.text.characters import is_blank
from evalcore.text.lexicon import Lexicon, shipped_lexicons
from evalcore.text.tokens import words

_MAX_CHARACTERS = 300
_MAX_QUERY_CHARACTERS = 4000
_MAX_OWN_HEADING_WORDS = 5
_PLAIN = str.maketrans({"’": "'", "‘": "'", "ё": "е", **dict.fromkeys('*_`#>"“”«»„', " ")})
_GAPS = " ,.!:;…-–—"
_INSIDE = re.compile(r"[.!?:;…–—()\[\]=/|]| - ")
_BOLD = re.compile(r"\*\*[^*]+\*\*:?\Z")
# Smiles and a waving hand; other signs, such as a thumb, may be the answer.
_SMILES = re.compile("[\u263a\U0001f44b\U0001f600-\U0001f64f][\ufe0f\U0001f3fb-\U0001f3ff]?")
_LIST = r"\d{1,3}(?:(?:, ?| ?[&;–-] ?| (?:and|и) )\d{1,3}){0,20}"


@dataclass(frozen=True)
class _Query:
    words: frozenset[str]
    answerable: bool
    """Whether "sure", a bare count or a heading of its own words may be the answer, in any language."""


@dataclass(frozen=True)
class _Talk:
    """The patterns of one language, compiled."""

    openers: re.Pattern[str]
    affirmations: re.Pattern[str]
    courtesies: re.Pattern[str]
    lead_ins: re.Pattern[str]
    counted_lead_ins: re.Pattern[str]
    questions: re.Pattern[str]
    open_questions: re.Pattern[str]
    headings: re.Pattern[str]
    connectors: frozenset[str]
    words: frozenset[str]
    barred: frozenset[str]


def claims_something(sentence: str, query: str = "") -> bool:
    """Whether a sentence claims something that could be held against the contexts.

    Greetings, headings, lead-ins, questions back, citation marks, thanks and offers of help do not, in any
    shipped language. They are known by patterns, and what follows a pattern may be only words of such talk or
    of the query; with any other word, number or name the sentence is a claim, as it is whenever this is in
    doubt. So "Sure!" is a claim where the question could be answered by it.

    Parameters
    ----------
    sentence : str
        With its heading mark, if it has one.
    query : str
        The question that is answered; its words are no claims in a heading or a lead-in.

    Examples
    --------
    >>> claims_something("Based on the given passages, here are the steps:")
    False
    >>> claims_something("Sure, it was built in 1987.")
    True
    """
    if is_blank(sentence):
        return False
    if len(sentence) > _MAX_CHARACTERS:
        return True
    bare = _citations().sub(" ", sentence)
    if is_blank(bare):
        return False
    bare = _SMILES.sub(" ", bare)
    marked = bare.lstrip().startswith("#")
    bold = _BOLD.match(bare.strip()) is not None
    plain = " ".join(bare.translate(_PLAIN).lower().split())
    if is_blank(plain):
        return True
    asked = _asked(query[:_MAX_QUERY_CHARACTERS])
    return not any(_is_talk(bare, plain, asked, talk, marked=marked, bold=bold) for talk in _all_talk())


def _is_talk(bare: str, plain: str, asked: _Query, talk: _Talk, *, marked: bool, bold: bool) -> bool:
    rest = plain.lstrip(_GAPS)
    while rest:
        opener = talk.openers.match(rest) or (None if asked.answerable else talk.affirmations.match(rest))
        if not opener:
            break
        rest = rest[opener.end() :].lstrip(_GAPS)
    body = rest.rstrip(" .,!?:…")
    tail = rest[len(body) :]
    asks, announces = "?" in tail, ":" in tail and "?" not in tail
    if not body or _INSIDE.search(body):
        return not body and not asks
    if after := talk.courtesies.match(body):
        return _known(body[after.end() :], talk.words)
    own = asked.words - talk.barred
    lead = (None if asked.answerable else talk.counted_lead_ins.match(body)) or talk.lead_ins.match(body)
    if lead:
        allowed = talk.words | own if announces else talk.words
        return _known(body[lead.end() :], allowed - talk.barred)
    if asks:
        if after := talk.questions.match(body):
            return _known(body[after.end() :], talk.words | own)
        return talk.open_questions.match(body) is not None and not _names_or_numbers(bare, asked)
    headed = marked or bold or announces
    if headed and (heading := talk.headings.match(body)):
        return _known(body[heading.end() :], talk.connectors | own)
    is_label = (marked or announces) and not asked.answerable and not _names_or_numbers(bare, asked)
    return is_label and len(body.split()) <= _MAX_OWN_HEADING_WORDS and _known(body, talk.connectors | own)


def _known(text: str, allowed: frozenset[str]) -> bool:
    return all(word in allowed for word in words(text))


def _names_or_numbers(sentence: str, asked: _Query) -> bool:
    """Whether a word after the first has a capital or a digit and is not the question's own."""
    for at, word in enumerate(re.findall(r"\w+", sentence)):
        notable = any(c.isdigit() for c in word) or (at > 0 and not word.islower() and word != "I")
        if notable and not asked.words.issuperset(words(word)):
            return True
    return False


@lru_cache(maxsize=256)
def _asked(query: str) -> _Query:
    plain = " ".join(query.translate(_PLAIN).lower().split())
    answerable = any(pattern.search(plain) for pattern in _answerable())
    return _Query(frozenset(word.replace("ё", "е") for word in words(query)), answerable)


@cache
def _answerable() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile("|".join(lexicon.talk.answerable)) for lexicon in shipped_lexicons())


@cache
def _citations() -> re.Pattern[str]:
    """ "[1]", "(Passage 2)", "Source: passages 1 and 3", "[Source: document 4]"."""
    cited = "|".join(
        sorted(re.escape(word) for lexicon in shipped_lexicons() for word in lexicon.citation_words)
    )
    named = rf"(?:{cited}) {_LIST}"
    return re.compile(
        rf"\[\^?{_LIST}\]|[(\[](?:(?:{cited}): ?)?{named}[)\]]|\A\W*(?:{cited}): ?{named}\W*\Z", re.IGNORECASE
    )


@cache
def _all_talk() -> tuple[_Talk, ...]:
    barred = frozenset(word for lexicon in shipped_lexicons() for word in lexicon.talk.barred)
    return tuple(_compiled(lexicon, barred) for lexicon in shipped_lexicons())


def _compiled(lexicon: Lexicon, barred: frozenset[str]) -> _Talk:
    talk = lexicon.talk
    return _Talk(
        openers=_starting(talk.openers),
        affirmations=_starting(talk.affirmations),
        courtesies=_starting(talk.courtesies),
        lead_ins=_starting(talk.lead_ins),
        counted_lead_ins=_starting(talk.counted_lead_ins),
        questions=_starting(talk.questions),
        open_questions=_starting(talk.open_questions),
        headings=_starting(tuple(map(re.escape, sorted(talk.headings, key=len, reverse=True)))),
        connectors=frozenset(talk.connectors),
        words=frozenset(talk.words) | lexicon.stopwords,
        barred=barred,
    )


def _starting(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the patterns, up to the end of a word."""
    return re.compile(rf"(?:{'|'.join(f'(?:{p})' for p in patterns)})(?![\w'])")
