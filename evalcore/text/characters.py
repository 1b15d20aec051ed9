"""What a text is made of: its scripts, and whether it says anything at all."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

# First code point of each range and the script from there on; "Other" fills the spaces between.
_STARTS: tuple[tuple[int, str], ...] = (
    (0x0000, "Latin"), (0x0250, "Latin"), (0x02B0, "Other"), (0x0370, "Greek"), (0x0400, "Cyrillic"),
    (0x0530, "Other"), (0x0590, "Hebrew"), (0x0600, "Arabic"), (0x0700, "Other"), (0x0750, "Arabic"),
    (0x0780, "Other"), (0x0860, "Other"), (0x0870, "Arabic"), (0x0900, "Devanagari"), (0x0980, "Other"),
    (0x0E00, "Thai"), (0x0E80, "Other"), (0x1100, "Hangul"), (0x1200, "Other"), (0x1C80, "Cyrillic"),
    (0x1C90, "Other"), (0x1D00, "Latin"), (0x1D26, "Greek"), (0x1D2B, "Cyrillic"), (0x1D2C, "Latin"),
    (0x1F00, "Greek"), (0x2000, "Other"), (0x2071, "Latin"), (0x20A0, "Other"), (0x212A, "Latin"),
    (0x212C, "Other"), (0x2C60, "Latin"), (0x2C80, "Other"), (0x2DE0, "Cyrillic"), (0x2E00, "Other"),
    (0x3005, "Han"), (0x3031, "Kana"), (0x3038, "Han"), (0x303D, "Other"), (0x3041, "Kana"),
    (0x3100, "Other"), (0x3131, "Hangul"), (0x3190, "Other"), (0x31F0, "Kana"), (0x3200, "Other"),
    (0x3400, "Han"), (0x4DC0, "Other"), (0x4E00, "Han"), (0xA000, "Other"), (0xA640, "Cyrillic"),
    (0xA6A0, "Other"), (0xA722, "Latin"), (0xA800, "Other"), (0xA8E0, "Devanagari"), (0xA900, "Other"),
    (0xA960, "Hangul"), (0xA980, "Other"), (0xAB30, "Latin"), (0xAB70, "Other"), (0xAC00, "Hangul"),
    (0xD800, "Other"), (0xF900, "Han"), (0xFB00, "Latin"), (0xFB13, "Other"), (0xFB1D, "Hebrew"),
    (0xFB50, "Arabic"), (0xFE00, "Other"), (0xFE70, "Arabic"), (0xFF00, "Latin"), (0xFF66, "Kana"),
    (0xFFA0, "Hangul"), (0xFFE0, "Other"), (0x1AFF0, "Kana"), (0x1B170, "Other"), (0x1EE00, "Arabic"),
    (0x1EF00, "Other"), (0x20000, "Han"), (0x33480, "Other"),
)  # fmt: skip
_POINTS = [start for start, _ in _STARTS]

# Letters, digits and emoji. The four fillers are letters by name and invisible on the page.
_CONTENT = re.compile(
    "[^\\W_\u115f\u1160\u3164\uffa0]"
    "|[\u231a\u231b\u23e9-\u23f3\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff]"
)


def scripts(text: str) -> dict[str, float]:
    """The share of each script among the letters of a text, largest first.

    Names are Latin, Cyrillic, Han, Kana, Hangul, Arabic, Hebrew, Devanagari, Greek, Thai and Other. The
    shares sum to 1; a text without letters gives an empty dict.

    Examples
    --------
    >>> scripts("Мост Rio")
    {'Cyrillic': 0.5714285714285714, 'Latin': 0.42857142857142855}
    """
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            counts[_STARTS[bisect_right(_POINTS, ord(character)) - 1][1]] += count
    total = counts.total()
    return {
        name: count / total for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    }


def is_blank(text: str) -> bool:
    """Whether a text has no letter, no digit and no emoji: white space, invisible marks, punctuation only.

    Examples
    --------
    >>> is_blank("\\u200b ..."), is_blank("👍")
    (True, False)
    """
    return _CONTENT.search(text) is None
