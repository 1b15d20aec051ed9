"""How word lists are written in this package."""

from __future__ import annotations


def word_set(listed: str) -> frozenset[str]:
    """The words of a list that is parted by blanks."""
    return frozenset(listed.split())
