"""A stretch of a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: ``source[start:end] == text``, in code points, ``end`` not included."""

    start: int
    end: int
    text: str
