from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from db.engine import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store.open(url, upgrade=True)
    yield opened
    opened.close()
