from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore import Evaluator
from workflows.store import Store, open_store


@pytest.fixture(scope="session")
def evaluator() -> Evaluator:
    """The default gate, its model loaded once."""
    return Evaluator.from_profile("default")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    opened = open_store(str(database))
    yield opened
    opened.close()
