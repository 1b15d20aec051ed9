"""Errors say what, where, what was found, what was expected and the cure; all have one root."""

from __future__ import annotations

import pytest

from evalcore.errors import ConfigError, EncoderError, InputError, ProofdeskError, StoreError


@pytest.mark.parametrize("kind", [ConfigError, EncoderError, InputError, StoreError])
def test_one_root(kind: type[ProofdeskError]) -> None:
    with pytest.raises(ProofdeskError, match="it broke"):
        raise kind("it broke")


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({}, "wrong"),
        ({"where": "a.csv:3, score"}, "wrong (a.csv:3, score)"),
        ({"got": "x", "cure": "use y"}, "wrong; got: x; cure: use y"),
        (
            {"where": "w", "got": "g", "expected": "e", "cure": "c"},
            "wrong (w); got: g; expected: e; cure: c",
        ),
    ],
)
def test_what_it_says(parts: dict[str, str], text: str) -> None:
    error = ProofdeskError("wrong", **parts)

    assert str(error) == text
    assert (error.what, error.where, error.cure) == ("wrong", parts.get("where"), parts.get("cure"))
