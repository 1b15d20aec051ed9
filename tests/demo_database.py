"""The demo database, seeded once for all tests of a run; each test gets a copy of its own."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from evalcore.evaluator import Evaluator
from workflows import demo
from workflows.store import open_store


@cache
def seeded(folder: Path) -> Path:
    """The seeded file in a folder that lasts as long as the tests do."""
    path = folder / "seeded.db"
    store = open_store(f"sqlite:///{path}")
    demo.seed(store, Evaluator.from_profile("default"))
    store.close()
    return path


def copied(folder: Path, to: Path) -> str:
    """The URL of a fresh copy."""
    shutil.copyfile(seeded(folder), to)
    return f"sqlite:///{to}"
