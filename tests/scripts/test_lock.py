"""The lock is exact, complete, and true of the environment that runs the tests."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.lock import clean_lines

ROOT = Path(__file__).resolve().parents[2]


LOCK_TEXT = (ROOT / "requirements.lock").read_text("utf-8")
PINS = {
    canonicalize_name(pin.name): pin
    for pin in (Requirement(line) for line in LOCK_TEXT.splitlines() if not line.startswith("#"))
}


def test_the_lock_pins_exactly_and_names_no_place_and_no_gpu_library() -> None:
    assert "://" not in LOCK_TEXT
    assert "--" not in LOCK_TEXT.replace("--no-deps", "")
    for name, pin in PINS.items():
        assert re.fullmatch(r"==[^*,]+", str(pin.specifier)), name
        assert not name.startswith(("nvidia-", "cuda-", "triton"))
    assert clean_lines(LOCK_TEXT) == [line for line in LOCK_TEXT.splitlines() if not line.startswith("#")]


def test_the_lock_meets_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    for text in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
        wanted = Requirement(text)
        pinned = str(PINS[canonicalize_name(wanted.name)].specifier).removeprefix("==")
        assert wanted.specifier.contains(pinned), text


def test_the_environment_holds_what_the_lock_says_and_the_lock_all_that_it_needs() -> None:
    for name, pin in PINS.items():
        if pin.marker is not None and not pin.marker.evaluate():
            continue
        found = metadata.distribution(name)
        assert pin.specifier.contains(found.version), f"{name} {found.version} is installed, not {pin}"
        for text in found.requires or []:
            need = Requirement(text)
            applies = need.marker is None or need.marker.evaluate()
            from_gpu_build = name == "torch" and need.name.startswith(("nvidia-", "cuda-", "triton"))
            if applies and not from_gpu_build:
                assert canonicalize_name(need.name) in PINS, f"{name} needs {need.name}"
