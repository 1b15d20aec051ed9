"""Writes requirements.lock from pyproject.toml: one file for Python 3.11 to 3.14 on every system.

Needs the tool uv. Pins already in the lock are kept unless pyproject.toml rules them out or their
packages are named: ``make lock UPGRADE="streamlit plotly"``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
HEADER = """\
# Every dependency, development tools included, for Python 3.11 to 3.14. Written by `make lock`.
# Installed with --no-deps, so nothing that is not here comes in. torch has its own order of sources and
# its CUDA libraries are left out on purpose: docs/decisions/001-layout-and-setup.md.
"""
# Only the CUDA build of torch asks for these, and pip fetches them itself where that build is wanted.
LEFT_OUT = re.compile(r"^(nvidia-|cuda-|triton==)|sys_platform == 'emscripten'")


def clean_lines(resolved: str) -> list[str]:
    """Return the pins of a resolver's output that belong in the lock.

    Examples
    --------
    >>> clean_lines("# note\\nnumpy==2.4.6\\ntriton==3.7.1 ; sys_platform == 'linux'\\n")
    ['numpy==2.4.6']
    """
    lines = (line.strip() for line in resolved.splitlines())
    return [line for line in lines if line and not line.startswith("#") and not LEFT_OUT.search(line)]


def main(packages_to_upgrade: list[str]) -> int:
    """Resolve, clean, and replace the lock."""
    uv = shutil.which("uv") or shutil.which("uv", path=str(ROOT / ".venv" / "bin"))
    if uv is None:
        print(
            "requirements.lock was not written: uv is not on PATH. Cure: .venv/bin/pip install uv",
            file=sys.stderr,
        )
        return 1
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / LOCK.name
        # uv prefers the pins that its output file already holds.
        output.write_text(LOCK.read_text("utf-8") if LOCK.exists() else "", "utf-8")
        command = [uv, "pip", "compile", "pyproject.toml", "--extra", "dev", "--universal"]
        command += ["--python-version", "3.11", "--no-header", "--no-annotate", "--no-emit-index-url"]
        command += ["--no-emit-find-links", "--quiet", "--output-file", str(output)]
        for package in packages_to_upgrade:
            command += ["--upgrade-package", package]
        if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            print("requirements.lock was not written: uv found no solution (above)", file=sys.stderr)
            return 1
        pins = clean_lines(output.read_text("utf-8"))
    LOCK.write_text(HEADER + "\n".join(pins) + "\n", "utf-8")
    print(f"requirements.lock: {len(pins)} pins")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
