"""How importers word what is wrong with a file, so that every message stays on one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evalcore.errors import InputError


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn the system's word on a file (missing, a directory, no permission) into an InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(
            "the file cannot be read",
            where=one_line(name),
            got=error.strerror or type(error).__name__,
            cure="check the path and its permissions",
        ) from error


def empty_file(name: str) -> InputError:
    """The error for a file without any text."""
    return InputError(
        "file is empty",
        where=one_line(name),
        expected="at least one row",
        cure="check the export that wrote it",
    )


def utf8_only(name: str, encoding: str | None) -> None:
    """Refuse an ``encoding`` for a format that has only one.

    Raises
    ------
    InputError
        When it is given and is not a name of UTF-8.
    """
    if encoding is not None and encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
        raise InputError(
            "this format is always UTF-8",
            where=one_line(name),
            got=f"encoding={encoding!r}",
            cure="leave encoding out; it is for CSV and TSV files",
        )


def one_line(text: str) -> str:
    """``text`` with line breaks, control characters and direction marks written as escapes.

    Examples
    --------
    >>> one_line("two\\nlines")
    'two\\\\nlines'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def quoted(text: str, limit: int = 60) -> str:
    """The first ``limit`` characters of ``text`` in quotes, on one line.

    Examples
    --------
    >>> quoted("two\\nlines"), quoted("abcdef", 3)
    ("'two\\\\nlines'", "'abc'... (6 characters)")
    """
    if len(text) <= limit:
        return repr(text)
    return f"{text[:limit]!r}... ({len(text)} characters)"
