"""Every target sets up what it needs, and none deletes a person's work."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    "target", ["demo", "test", "test-slow", "check", "bench", "screenshots", "setup", "lock", "clean"]
)
def test_every_target_but_clean_sets_up_first(target: str) -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    ).stdout

    first = shown.splitlines()[0]
    assert ("scripts/find_python.sh" in first) == (target != "clean")


def test_clean_keeps_databases() -> None:
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\nclean:")[2]

    assert recipe
    assert ".db" not in recipe
