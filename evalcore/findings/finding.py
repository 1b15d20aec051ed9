"""A part of a sentence that the contexts do not hold or contradict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from evalcore.result import FindingKind

Kind: TypeAlias = FindingKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fact about one part of a sentence that a reviewer can check at a glance.

    ``sentence[start:end] == text``, in code points. ``nearest`` is what the contexts say instead, if
    anything there comes near.
    """

    kind: Kind
    start: int
    end: int
    text: str
    message: str
    nearest: str | None = None
