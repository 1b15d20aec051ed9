"""Sentences with exact offsets, in one pass, for any text. See docs/decisions/002."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache

from evalcore.text.layout import Block, blocks
from evalcore.text.lexicon import Abbreviations, shipped_lexicons
from evalcore.text.span import Span

_NARROW = ".!?…"
_WIDE = "。！？｡．؟۔।॥։።။។"
_CLOSERS = "\"'”’»›）】」』〉》〕］)\\]}*_`⁰¹²³⁴-⁹"
# "[1]", "[2, 3]", "(Passage 2)", "(Source 1 and 3)".
_CITED = r"\d{1,3}(?:(?:[,;–-] ?| [^\W\d_]{1,3} )\d{1,3}){0,20}"
_CITATIONS = rf"(?:\s?(?:\[\^?{_CITED}\]|[(\[][^\W\d_]{{3,12}} {_CITED}[)\]])){{0,20}}+"
# A run of stops with what closes after it. A wide stop needs no space after it; a narrow one needs a space, a
# Han or Kana letter or, for text that lost its spaces, a capital. The look-behind keeps a long run from being
# read again from each of its stops.
_STOP = re.compile(
    rf"(?<![{_NARROW}{_WIDE}])"
    rf"(?:(?=[{_NARROW}]*+[{_WIDE}])[{_NARROW}{_WIDE}]++[{_CLOSERS}]*+{_CITATIONS}"
    rf"|[{_NARROW}]++[{_CLOSERS}]*+{_CITATIONS}(?=\s|[A-ZА-Я぀-ヿ㐀-鿿]))"
)
_RUN = re.compile(rf"[{_NARROW}{_WIDE}]++")
_AFTER = re.compile(r"(\s*+)(?:[\"'“‘„«‹(\[{（【「『〈《*_`¿¡]++\s?)*+")
_INLINE_NUMBER = re.compile(r"([:;]\s{1,3}|\A\s{0,3})(\d{1,3})\Z")
_WIDE_STOPS = frozenset(_WIDE)
_LINE_BREAK = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NEXT_WORD = re.compile(r"[^\W_]{1,24}")
_MIXED_CASE = re.compile(r"[a-z]{1,3}[A-Z]")
_LONG_WORD = re.compile(r"[^\W\d_]{6,}+\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)++[^\W\d_]\Z")
_AFTER_DIGITS = re.compile(r"(\d[\d.,]*+)([^\W\d_].*+)\Z", re.DOTALL)
_NUMBER = re.compile(r"(?:[\d.,–-]*\d|[ivxlcdm]+(?:[–-][ivxlcdm]+)?)\Z", re.IGNORECASE)
_CONTENT = re.compile(r"[^\W_]")
_PUBLISHED_GAP = re.compile(r"(?<=[.!?])\s++")
_WORD_EDGE = "\"'“‘„«‹([{（【「『〈《*_`¿¡-–—/"
_LOOK_BACK = 48


def sentences(text: str) -> tuple[Span, ...]:
    """Cut a text into sentences.

    A list item, a heading, a table row and the whole of a code block count as sentences too. Abbreviations
    are those of every shipped language at once.

    Parameters
    ----------
    text : str
        Any text, with control characters and halves of surrogate pairs too.

    Returns
    -------
    tuple of Span
        In order, not overlapping, none blank, none with white space at its ends, and
        ``text[span.start:span.end] == span.text``. Everything but white space is in some span, except the
        marks at the start of a line (list, quotation, heading), table rulers, horizontal rules and code fence
        lines. Empty for a text that holds nothing else. Time grows in line with the text's length, whatever
        the text.

    Examples
    --------
    >>> [s.text for s in sentences("Dr. Lee took 2.5 mg. It helped")]
    ['Dr. Lee took 2.5 mg.', 'It helped']
    >>> sentences("- Range: 40 km")
    (Span(start=2, end=14, text='Range: 40 km'),)
    """
    found: list[Span] = []
    uncased = text.islower()
    for block in blocks(text):
        if block.whole:
            found.append(_span(text, block.start, block.end))
        else:
            found.extend(_cut(text, block, uncased=uncased))
    return tuple(found)


def published_sentences(text: str) -> tuple[Span, ...]:
    """Cut a text as the published recipe does: at white space that follows ``.``, ``!`` or ``?``.

    The pieces are trimmed and empty ones dropped. Offsets are exact, as in :func:`sentences`.

    Examples
    --------
    >>> [s.text for s in published_sentences("Dr. Lee agreed. Yes")]
    ['Dr.', 'Lee agreed.', 'Yes']
    """
    found = []
    start = 0
    for gap in _PUBLISHED_GAP.finditer(text):
        found.append(_span(text, start, gap.start()))
        start = gap.end()
    found.append(_span(text, start, len(text)))
    return tuple(span for span in found if span.text)


def _cut(text: str, block: Block, *, uncased: bool) -> list[Span]:
    found: list[Span] = []
    start, number = block.start, block.number
    checked, has_content = start, False
    for stop in _STOP.finditer(text, block.start, block.end):
        end = stop.end()
        # A piece without a letter or digit is not cut off: it stays with what follows.
        if not has_content:
            has_content = _CONTENT.search(text, checked, end) is not None
            checked = end
        if not has_content or end >= block.end:
            continue
        mark = _inline_number(text, start, stop.start(), end, number)
        if mark is not None:
            number = mark
        elif _ends(text, start, stop.start(), end, block.end, uncased=uncased):
            found.append(_span(text, start, end))
            start = checked = end
            has_content = False
    if found and not has_content and not _CONTENT.search(text, checked, block.end):
        # What trails without a word, such as ":)", stays with the sentence before it.
        found[-1] = _span(text, found[-1].start, block.end)
    else:
        found.append(_span(text, start, block.end))
    return found


def _span(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    body = piece.strip()
    start += len(piece) - len(piece.lstrip()) if body else 0
    return Span(start, start + len(body), body)


def _inline_number(text: str, start: int, stop: int, end: int, last: int | None) -> int | None:
    # A list run together on one line: "Steps: 1. Open the valve. 2. Wait." A sentence of its own that is the
    # next number, or any number after a colon, stays with what follows.
    if end != stop + 1 or not text[stop - 1].isdecimal():
        return None
    match = _INLINE_NUMBER.search(text[start:stop] if stop - start < 8 else text[stop - 8 : stop])
    if match is None:
        return None
    value = int(match[2])
    continues = value == (last or 0) + 1 and stop - start < 8
    return value if continues or match[1].strip() else None


def _ends(text: str, start: int, stop: int, end: int, limit: int, *, uncased: bool) -> bool:
    after = _AFTER.match(text, end, limit)
    if after is None or after.end() >= limit:
        return False
    at = after.end()
    following = text[at]
    if following in ",;:)]}，、；：":
        return False
    bare = end == stop + 1 and text[stop] == "."
    run = "." if bare else _run(text, stop, end)
    if not run.isascii() and not _WIDE_STOPS.isdisjoint(run):
        # A dot of full width may be a decimal point; a Japanese particle goes on after a quotation.
        decimal = run == "．" and text[stop - 1 : stop].isdecimal() and following.isdecimal()
        return not decimal and not (end > stop + len(run) and following in "とっ")
    gap = after[1]
    if not gap:
        return _ends_without_space(text, stop, at, run)
    starts = uncased or not following.islower() or _MIXED_CASE.match(text, at, limit) is not None
    new_line = gap != " " and _LINE_BREAK.search(gap) is not None
    if run == ".":
        return _full_stop_ends(text, start, stop, at, starts=starts, new_line=new_line)
    if "!" in run or "?" in run:
        return starts or new_line or ("?" in run and end == stop + len(run))
    return starts


def _ends_without_space(text: str, stop: int, at: int, run: str) -> bool:
    before = text[stop - 1 : stop]
    if not text[at].isupper():
        return run[-1] in "!?" or not before.isdecimal()
    # "It closed.The line" but not "System.Text" or "U.S.A".
    word = _NEXT_WORD.match(text, at)
    return word is not None and word[0].istitle() and word[0].lower() in _starters() and not before.isupper()


def _run(text: str, stop: int, end: int) -> str:
    match = _RUN.match(text, stop, end)
    return match[0] if match else ""


def _full_stop_ends(text: str, start: int, stop: int, at: int, *, starts: bool, new_line: bool) -> bool:
    known = _abbreviations()
    before = text[max(start, stop - _LOOK_BACK) : stop]
    tokens = ["", *before.rsplit(None, 2)] if before[-1:].strip() else ["", ""]
    previous, word = tokens[-2], tokens[-1].lstrip(_WORD_EDGE)
    if word[:1].isdecimal() and (attached := _AFTER_DIGITS.match(word)):
        previous, word = attached[1], attached[2]
    short = word.lower()
    number_follows = text[at].isdecimal()
    if short in known.before_number and number_follows:
        return False
    if short in known.after_number:
        return starts and not number_follows and _NUMBER.match(previous) is not None
    if short in known.never_end:
        return False
    if short in known.may_end:
        return starts
    initial = len(word) == 1 and word.isupper()
    if initial or short in known.in_names or ("." in word and _DOTTED.match(word)):
        following = _NEXT_WORD.match(text, at)
        opens = following is not None and following[0].lower() in _starters()
        return starts and (opens or (new_line and not initial))
    return starts or new_line or _LONG_WORD.match(word) is not None


@cache
def _abbreviations() -> Abbreviations:
    every = [lexicon.abbreviations for lexicon in shipped_lexicons()]
    return Abbreviations(
        **{f.name: frozenset().union(*(getattr(one, f.name) for one in every)) for f in fields(Abbreviations)}
    )


@cache
def _starters() -> frozenset[str]:
    return frozenset().union(*(lexicon.sentence_starters for lexicon in shipped_lexicons()))
