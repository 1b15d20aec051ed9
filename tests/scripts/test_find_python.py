"""Which Python runs the set-up, and what is said where none can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts.programs import write_program

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "find_python.sh"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell script")


def _find(folder: Path, python: str = "") -> subprocess.CompletedProcess[str]:
    shell = shutil.which("sh") or "/bin/sh"
    (folder / "head").symlink_to(shutil.which("head") or "/usr/bin/head")
    return subprocess.run(
        [shell, str(SCRIPT)],
        env={"PATH": str(folder), "PYTHON": python},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_name_that_does_not_start_is_passed_over(tmp_path: Path) -> None:
    write_program(tmp_path / "python3.14", "echo 'pyenv: python3.14: command not found' >&2; exit 127")
    write_program(tmp_path / "python3.12", "echo is Python 3.12 without the module ensurepip; exit 1")
    good = write_program(tmp_path / "python3", f'exec "{sys.executable}" "$@"')

    assert _find(tmp_path).stdout == f"{good}\n"


def test_only_an_old_python(tmp_path: Path) -> None:
    write_program(tmp_path / "python3", "echo is Python 3.9; exit 1")
    finished = _find(tmp_path)

    assert (finished.returncode, finished.stdout) == (1, "")
    assert f"{tmp_path}/python3: is Python 3.9" in finished.stderr
    assert "Needed: Python 3.11, 3.12, 3.13 or 3.14" in finished.stderr


def test_a_python_without_venv_names_debians_package(tmp_path: Path) -> None:
    write_program(tmp_path / "python3", "echo is Python 3.11 without the module ensurepip; exit 1")

    assert "apt install python3-venv)" in _find(tmp_path).stderr


def test_no_python_at_all(tmp_path: Path) -> None:
    assert "none is on PATH" in _find(tmp_path).stderr


def test_the_users_choice_comes_first(tmp_path: Path) -> None:
    write_program(tmp_path / "python3", f'exec "{sys.executable}" "$@"')

    assert _find(tmp_path, python=sys.executable).stdout == f"{sys.executable}\n"
