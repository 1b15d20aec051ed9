"""What the `browser` marker means: such a test drives a real Chromium, or skips and says why."""

from __future__ import annotations

import importlib.util

import pytest

from scripts.chromium import OVERRIDE, find_chromium


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium that starts; skip the test where there is none."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip(f"no Chromium on this machine: install chromium, or set {OVERRIDE} to one")
    return path


@pytest.fixture(autouse=True)
def _browser_or_skip(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("browser") is not None:
        request.getfixturevalue("chromium_path")
