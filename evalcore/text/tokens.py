"""Words of every script, and the numbers of a text with their offsets."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from evalcore.text.layout import list_number_spans
from evalcore.text.lexicon import shipped_lexicons
from evalcore.text.span import Span

# Scripts written without spaces, one token a character: Han, Kana, Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0e46\u0e81-\u0ec6\u1000-\u102a\u1780-\u17b3"
)
_GROUP_MARKS = "\u00a0\u202f\u2009'’"
# Thousands set off by a no-break or thin space or an apostrophe; a plain space counts from two groups up.
_GROUPED = rf"\d{{1,3}}(?:(?:[{_GROUP_MARKS}]\d{{3}})++|(?: \d{{3}}){{2,}}+)(?!\d)"
_PLAIN = r"\d++(?:[.,．٫٬]\d++)*+"

_PUBLISHED_WORD = re.compile(r"[a-z]+")
_ASCII_WORD = re.compile(rf"[a-z][a-z0-9]*+(?:(?<=\d)(?:\.\d++)++|(?:'[a-z]++)*+)|{_PLAIN}", re.ASCII)
_GROUPED_NUMBER = re.compile(rf"(?<![\d.,]){_GROUPED}")
# Joiners and soft hyphens stand inside words without being part of them.
_JOINERS = re.compile("[\u00ad\u200c\u200d\u2060\ufeff]+")
_APOSTROPHES = str.maketrans("’ʼ", "''")
_COMMA_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})++(?:\.\d++)?\Z")
_DOT_THOUSANDS = re.compile(r"\d{1,3}(?:(?:\.\d{3}){2,}+(?:,\d++)?|(?:\.\d{3})++,\d++)\Z")
_PLAIN_MARKS = {"٫": ".", "٬": ","}
_DECIMAL_COMMA = re.compile(r"(?:\d{1,3},\d++|\d++,\d{1,2})\Z")
_NUMBER = (
    r"(?P<aside>(?:https?|ftp)://[!-~]++|www\.[!-~]++|(?<![\w.%+-])[A-Za-z][\w.%+-]*+@[\w.-]++"
    r"|(?:\[\^?|[(\[](?i:CITED)\s)\d{1,3}(?:(?:[,;–-]\s?| [^\W\d_]{1,3} )\d{1,3}){0,20}[)\]])"
    rf"|(?:(?<![^\s(\[{{=:])[-−])?(?:{_GROUPED}(?:[.,]\d++)?|{_PLAIN})[¼-¾⅐-⅞]?|[¼-¾⅐-⅞]"
)
_PART = re.compile(r"[^,]+")
_CURRENCY_CODE = re.compile(r"(?:[^A-Za-z]|\A)[A-Z]{3}\Z")


def words(text: str) -> list[str]:
    """The words and numbers of a text, in order, folded so that equal words compare equal.

    Case is folded, compatibility forms (full width, ligatures, superscripts) become the plain ones, digits of
    every script become ASCII, and numbers lose their thousands marks: ``1,250,000`` is ``1250000`` and a
    decimal comma is a point. An apostrophe inside a word stays, a hyphen parts words, a combining mark stays
    with its letter. Han, Kana, Thai, Lao, Myanmar and Khmer give one token a character. Punctuation, symbols
    and emoji give none. Where a comma may mean either, three digits after it are thousands.

    Examples
    --------
    >>> words("Don’t pay 1,250,000 for 2.5mg of v1.2.3")
    ["don't", 'pay', '1250000', 'for', '2.5', 'mg', 'of', 'v1.2.3']
    >>> words("额定功率 ５ кВт")
    ['额', '定', '功', '率', '5', 'квт']
    """
    text = _GROUPED_NUMBER.sub(_ungroup, text)
    if text.isascii():
        found = _ASCII_WORD.findall(text.lower())
    else:
        word, long_marks = _unicode_patterns()
        # Normalising sorts a run of combining marks in quadratic time, so runs are kept short.
        text = long_marks.sub(r"\1", text)
        text = unicodedata.normalize("NFKC", _JOINERS.sub("", text)).casefold().translate(_APOSTROPHES)
        found = word.findall(text)
    if not any("," in token or "." in token or token.isdecimal() for token in found):
        return found
    plain: list[str] = []
    for token in found:
        if token[0].isdecimal():
            plain.extend(_plain_numbers(token))
        else:
            plain.append(token)
    return plain


def published_words(text: str) -> list[str]:
    """The tokens of the published recipe: every maximal run of the letters a to z after lower-casing.

    Examples
    --------
    >>> published_words("How's hybrid_score 2?")
    ['how', 's', 'hybrid', 'score']
    """
    return _PUBLISHED_WORD.findall(text.lower())


def numbers(text: str) -> tuple[Span, ...]:
    """The numbers a text states, in order.

    A span holds digits of any script with their decimal and thousands marks, a vulgar fraction and a minus
    sign that stands free before them; currency signs, percent signs and units are left out. Left out
    altogether: list numbers at the start of a line, digits in web and e-mail addresses, citation marks such
    as ``[1]`` and ``(Passage 2)``, and digits that belong to a name, such as ``F3`` or ``v1.2.3``. Dates and
    ranges give one span a part. Numbers written in words give none.

    Examples
    --------
    >>> [s.text for s in numbers("1. Revenue rose 12.5% to $1,250,000 [1]")]
    ['12.5', '1,250,000']
    """
    found: list[Span] = []
    marks = list_number_spans(text)
    mark = 0
    for match in _number_pattern().finditer(text):
        start, end = match.span()
        while mark < len(marks) and marks[mark][1] <= start:
            mark += 1
        if match["aside"] or (mark < len(marks) and marks[mark][0] <= start) or _in_name(text, start):
            continue
        if "," in match[0] and not _is_one_number(match[0].lstrip("-−")):
            found.extend(Span(start + m.start(), start + m.end(), m[0]) for m in _PART.finditer(match[0]))
        else:
            found.append(Span(start, end, match[0]))
    return tuple(found)


@cache
def _number_pattern() -> re.Pattern[str]:
    cited = {re.escape(word) for lexicon in shipped_lexicons() for word in lexicon.citation_words}
    return re.compile(_NUMBER.replace("CITED", "|".join(sorted(cited))))


def _in_name(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start]
    last = before[-1:]
    # Scripts without case do not part a number from the word before it.
    return (last == "_" or last.lower() != last.upper()) and not _CURRENCY_CODE.search(before)


def _is_one_number(surface: str) -> bool:
    return any(p.match(surface) for p in (_COMMA_THOUSANDS, _DOT_THOUSANDS, _DECIMAL_COMMA))


def _ungroup(match: re.Match[str]) -> str:
    return "".join(c for c in match[0] if c.isdecimal())


def _plain_numbers(token: str) -> list[str]:
    if token.isdecimal() and token.isascii():
        return [token]
    if not token.isascii():
        token = "".join(_PLAIN_MARKS.get(c) or str(unicodedata.decimal(c, c)) for c in token)
    if "," not in token and token.count(".") < 2:
        return [token]
    if _COMMA_THOUSANDS.match(token):
        return [token.replace(",", "")]
    if _DOT_THOUSANDS.match(token):
        return [token.replace(".", "").replace(",", ".")]
    if _DECIMAL_COMMA.match(token):
        return [token.replace(",", ".")]
    return token.split(",")


@cache
def _unicode_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    marks = _mark_ranges()
    letter, letter_or_digit = rf"[^\W\d_{_UNSPACED}]", rf"[^\W_{_UNSPACED}]"
    word = re.compile(
        rf"{letter}(?:{letter_or_digit}++|[{marks}]++)*+"
        rf"(?:(?<=\d)(?:\.\d++)++|(?:'{letter}(?:{letter_or_digit}++|[{marks}]++)*+)*+)"
        rf"|{_PLAIN}|[{_UNSPACED}][{marks}]*+"
    )
    return word, re.compile(rf"([{marks}]{{30}})[{marks}]++")


def _mark_ranges() -> str:
    # The re module has no class for combining marks; they lie in the first two planes and in one far block.
    ranges: list[list[int]] = []
    for code in (*range(0x300, 0x1F000), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in ranges)
