"""Stand-in programs for tests of what a machine has."""

from __future__ import annotations

from pathlib import Path


def write_program(path: Path, script: str) -> str:
    """Write an executable shell script and return its path."""
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return str(path)
