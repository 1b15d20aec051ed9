"""Where the public data sets of the project lie; they are never copied into the repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_data_folder() -> Path:
    """The ``data`` folder under ``PROOFDESK_SHARED``, else under ``shared`` beside the repository."""
    return Path(os.environ.get("PROOFDESK_SHARED") or ROOT.parent / "shared") / "data"


def shared_file(name: str) -> Path:
    """The path of a data file; skips the test, saying why, where it is missing."""
    path = shared_data_folder() / name
    if not path.is_file():
        pytest.skip(f"no {name} in {path.parent}; set PROOFDESK_SHARED to the folder that holds data/")
    return path


def shared_rows(name: str) -> list[dict[str, Any]]:
    """The objects of a JSONL data file."""
    with shared_file(name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
