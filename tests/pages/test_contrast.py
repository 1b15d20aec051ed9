"""Colours of the style sheet on both themes: text at 4.5 to 1, lines that mean something at 3 (WCAG AA)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pages.components.style import CSS

Colour = tuple[float, float, float]
_CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))[
    "theme"
]
THEMES = {name: (_CONFIG[name]["textColor"], _CONFIG[name]["backgroundColor"]) for name in ("light", "dark")}
LINES = ("#3b82c4", "#b8436b", "#c9861a")


def _rgb(text: str) -> Colour:
    return tuple(int(text[place : place + 2], 16) / 255 for place in (1, 3, 5))  # type: ignore[return-value]


def _over(colour: Colour, alpha: float, below: Colour) -> Colour:
    return tuple(alpha * c + (1 - alpha) * b for c, b in zip(colour, below, strict=True))  # type: ignore[return-value]


def _luminance(colour: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Colour, two: Colour) -> float:
    high, low = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_quiet_text_can_be_read(theme: str) -> None:
    text, ground = (_rgb(colour) for colour in THEMES[theme])
    (share,) = re.findall(r"\.pd-quiet \{ color: color-mix\(in srgb, currentColor (\d+)%, transparent\)", CSS)

    assert _contrast(_over(text, int(share) / 100, ground), ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_text_on_every_tinted_ground_can_be_read(theme: str) -> None:
    text, ground = (_rgb(colour) for colour in THEMES[theme])
    tints = re.findall(r"background: rgba\((\d+), (\d+), (\d+), \.(\d+)\)", CSS)
    assert len(tints) >= 5
    for red, green, blue, alpha in tints:
        tint: Colour = (int(red) / 255, int(green) / 255, int(blue) / 255)
        assert _contrast(text, _over(tint, float(f"0.{alpha}"), ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("line", LINES)
def test_lines_that_mean_something_can_be_seen(theme: str, line: str) -> None:
    assert line in CSS
    assert _contrast(_rgb(line), _rgb(THEMES[theme][1])) >= 3
