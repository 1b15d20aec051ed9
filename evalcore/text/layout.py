"""The lines of a text: which hold words, which open something new, which are there only for the look."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

# Repeats are possessive (`*+`, `++`) here and in the other rooms of this package: a match that fails is never
# tried again at a shorter length, which keeps hostile text linear.
_FENCE = re.compile(r"(`{3,}+|~{3,}+)(.*+)", re.DOTALL)
_LAYOUT = re.compile(r"[-=*_|:+~#>•‣◦▪●○–—·\s]++")
_LAYOUT_PROPER = re.compile(r"[-=*_|+~#>•‣◦▪●○·]")
_TABLE_RULER = re.compile(r"(?=[^|]*+\|)(?=[^-]*+-)[-|:+\s]++")
_QUOTE = re.compile(r"(?:>\s*+)++")
_HEADING = re.compile(r"#{1,6}+\s++")
_BULLET = re.compile(r"(?:[-*+•‣◦▪●○–—·]\s++)++(?:\[[ xX]\]\s++)?+")
_BRACKET_NUMBER = re.compile(r"\(?(?:\d{1,3}|[^\W\d_])\)\s++")
_STOP_NUMBER = re.compile(r"(?:(\d{1,3})(?:\.\s++|[、．]\s*+)|([a-z])\.\s++)(?=\S)")
_BOLD = re.compile(r"\*\*[^*]++\*\*:?")
_BOLD = re.compile(r"\*\*[^*]++\*\*:?")
_LABEL = re.compile(r"[^\W\d_][\w ()/-]{0,40}:\s+\S")
_LETTERS = 1000

# One line from its first mark on. `odd` is set when the line may open with a mark or be no prose at all.
_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_LINE = re.compile(rf"(?P<odd>(?=[\W_]|\w{{1,3}}[.)、．]))?+\S[^{_BREAKS}]*+")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, as offsets into the text, after the marks they open with.

    ``whole`` says that the block is one piece, such as a table row or what a code fence holds. ``number`` is
    the list number with a full stop that the block opened with, if any.
    """

    start: int
    end: int
    whole: bool = False
    number: int | None = None


class _Kind(Enum):
    LAYOUT = "layout"
    ROW = "row"
    HEADING = "heading"
    OPENING = "opening"
    RUNNING = "running"


class _Line(NamedTuple):
    """A line that is not blank; ``odd`` says that it may open with a mark or be no prose at all."""

    start: int
    end: int
    after_blank: bool
    odd: bool


def skip_marks(text: str, start: int, end: int) -> int:
    """Where the words begin: after quote, heading and bullet marks and numbers such as ``2)``, repeated."""
    at = -1
    while at != start:
        at = start
        for pattern in (_QUOTE, _HEADING, _BULLET, _BRACKET_NUMBER):
            match = pattern.match(text, start, end)
            if match and match.end() < end:
                start = match.end()
    return start


def stop_number(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A list number with a full stop at ``start``: its value and where its words begin. None without one.

    Letters (``a.``) count from 1001, so that neighbours are neighbours and never meet the numbers.
    """
    match = _STOP_NUMBER.match(text, start, end)
    if match is None:
        return None
    return int(match[1]) if match[1] else _LETTERS + ord(match[2]) - ord("a") + 1, match.end()


def blocks(text: str) -> Iterator[Block]:
    """Cut a text at blank lines and before each list item, heading, quotation, table row and label.

    Table rulers, horizontal rules, code fence lines and marks without words are in no block. What a code
    fence holds is one whole block; a fence that is never closed holds the rest of the text.
    """
    lines = _lines(text)
    numbers = _list_numbers(text, lines)
    pending: Block | None = None
    quoted = in_table = False
    at = 0
    while at < len(lines):
        line = lines[at]
        if pending and line.after_blank:
            yield pending
            pending = None
        fence = _opening_fence(text, line)
        if fence:
            if pending:
                yield pending
            pending = None
            closing = _closing_fence(text, lines, at + 1, fence)
            if closing > at + 1:
                yield Block(lines[at + 1].start, lines[closing - 1].end, whole=True)
            at = closing + 1
            continue
        ruled = _is_table_ruler(text, line) or (at + 1 < len(lines) and _is_table_ruler(text, lines[at + 1]))
        has_cells = text.find("|", line.start, line.end) >= 0
        in_table = has_cells and (ruled or (in_table and not line.after_blank))
        kind, words, number = _read(text, line, numbers, quoted=quoted, in_table=in_table)
        if kind is _Kind.RUNNING and pending:
            pending = Block(pending.start, line.end, number=pending.number)
        else:
            if pending:
                yield pending
            pending = None
            if kind in (_Kind.ROW, _Kind.HEADING):
                yield Block(words, line.end, whole=kind is _Kind.ROW)
            elif kind is not _Kind.LAYOUT:
                pending = Block(words, line.end, number=number)
        quoted = text[line.start] == ">"
        at += 1
    if pending:
        yield pending


def list_number_spans(text: str) -> list[tuple[int, int]]:
    """Where the marks at the start of lines are, list numbers among them, up to where the words begin."""
    lines = _lines(text)
    numbers = _list_numbers(text, lines)
    spans = ((line.start, _words_after(text, line, numbers)[0]) for line in lines if line.odd)
    return [(start, words) for start, words in spans if words > start]


def _lines(text: str) -> list[_Line]:
    found = []
    last = 0
    for match in _LINE.finditer(text):
        start = match.start()
        gap = text[last:start]
        after_blank = gap != "\n" and len((gap + "x").splitlines()) > 2
        last = start + len(match[0].rstrip())
        found.append(_Line(start, last, after_blank, match["odd"] is not None))
    return found


def _list_numbers(text: str, lines: Sequence[_Line]) -> frozenset[int]:
    # "42. That is how many work there." answers a question: a number opens a list item only when it is a
    # first number or a neighbour of it opens another line.
    found = set()
    for line in lines:
        if line.odd and (number := stop_number(text, skip_marks(text, line.start, line.end), line.end)):
            found.add(number[0])
    return frozenset(n for n in found if n in (0, 1, _LETTERS + 1) or n - 1 in found or n + 1 in found)


def _words_after(text: str, line: _Line, numbers: frozenset[int]) -> tuple[int, int | None]:
    words = skip_marks(text, line.start, line.end)
    number = stop_number(text, words, line.end)
    if number and number[0] in numbers:
        return skip_marks(text, number[1], line.end), number[0]
    return words, None


def _read(
    text: str, line: _Line, numbers: frozenset[int], *, quoted: bool, in_table: bool
) -> tuple[_Kind, int, int | None]:
    start, end = line.start, line.end
    if not line.odd:
        opens = not text[start].islower() and _LABEL.match(text, start, end)
        return _Kind.ROW if in_table else _Kind.OPENING if opens else _Kind.RUNNING, start, None
    if _is_layout(text, line):
        return _Kind.LAYOUT, end, None
    if in_table or text[start] == "|":
        return _Kind.ROW, start, None
    words, number = _words_after(text, line, numbers)
    quote = _QUOTE.match(text, start, end)
    inside = quote.end() if quote else start
    if _BOLD.fullmatch(text, inside, end) or _HEADING.match(text, inside, end):
        return _Kind.HEADING, words, number
    # A quotation goes on over the marks of its lines.
    opens_item = words > (inside if quote and quoted else start)
    return _Kind.OPENING if opens_item else _Kind.RUNNING, words, number


def _is_layout(text: str, line: _Line) -> bool:
    start, end = line.start, line.end
    return bool(_LAYOUT.fullmatch(text, start, end) and _LAYOUT_PROPER.search(text, start, end))


def _is_table_ruler(text: str, line: _Line) -> bool:
    return line.odd and _TABLE_RULER.fullmatch(text, line.start, line.end) is not None


def _opening_fence(text: str, line: _Line) -> str:
    match = _FENCE.match(text, line.start, line.end) if line.odd else None
    # Three back-ticks that close on the same line are code within prose.
    return match[1] if match and not (match[1][0] == "`" and "`" in match[2]) else ""


def _closing_fence(text: str, lines: Sequence[_Line], at: int, fence: str) -> int:
    for number in range(at, len(lines)):
        if text.startswith(fence, lines[number].start):
            line = text[lines[number].start : lines[number].end]
            if not line.strip(fence[0]):
                return number
    return len(lines)
