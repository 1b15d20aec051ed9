"""Making text that others wrote harmless where the browser would read it as HTML or Markdown."""

from __future__ import annotations

import html
import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Streamlit reads shortcodes, mail addresses, web addresses and arrows after Markdown has been parsed, so a
# backslash does not hold them off; a word joiner, which has no width and no glyph, does.
_WORD_JOINER = "\u2060"
_READ_LATER = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=[-<>=~])(?=[-<>=])", re.IGNORECASE)
# Would turn around, or hide, what stands after the text.
_STEERING = re.compile("[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def html_text(text: str) -> str:
    """The text as HTML shows it literally, inside an element or a quoted attribute."""
    return html.escape(text, quote=True)


def markdown(text: str) -> str:
    """The text on one line, as a label, caption, message or toast shows it literally.

    Examples
    --------
    >>> print(markdown("a *b* $c$"))
    a \\*b\\* \\$c\\$
    """
    line = one_line(text)
    return _PUNCTUATION.sub(r"\\\1", _READ_LATER.sub(_WORD_JOINER, line))


def one_line(text: str) -> str:
    """The text without line breaks, control characters and marks that steer the direction of writing."""
    return " ".join(_STEERING.sub(" ", text).split())


def first_words(text: str, length: int) -> str:
    """The beginning of a text on one line, cut between words where it can be.

    Examples
    --------
    >>> first_words("Which fuse protects the pump?", 14), first_words("Which fuse?", 14)
    ('Which fuse…', 'Which fuse?')
    """
    line = one_line(text[: 4 * length])
    if len(line) <= length and len(text) <= 4 * length:
        return line
    cut = line[:length]
    whole = cut.rpartition(" ")[0] if line[length : length + 1].strip() else cut
    return f"{(whole if len(whole) > length // 2 else cut).rstrip()}…"


def words(name: str) -> str:
    """An identifier as words: ``weak_grounding`` is weak grounding."""
    return name.replace("_", " ")
