"""Which browser the tests drive, and when apt may be asked for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts.chromium import OVERRIDE, find_chromium, root_prefix
from tests.scripts.programs import write_program


@pytest.mark.skipif(os.name == "nt", reason="the stand-in browsers are shell scripts")
def test_a_browser_counts_only_if_it_starts(tmp_path: Path) -> None:
    write_program(tmp_path / "chromium", "echo 'please install the snap' >&2; exit 1")
    assert find_chromium({"PATH": str(tmp_path)}) is None

    chrome = write_program(tmp_path / "google-chrome", "echo Google Chrome 150")
    assert find_chromium({"PATH": str(tmp_path)}) == chrome
    assert find_chromium({"PATH": str(tmp_path), OVERRIDE: str(tmp_path / "absent")}) is None


def test_root_rights() -> None:
    assert root_prefix(user_id=0, sudo_works=True) == ()
    assert root_prefix(user_id=1000, sudo_works=True) == ("sudo", "-n")
    assert root_prefix(user_id=1000, sudo_works=False) is None
