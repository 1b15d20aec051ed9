from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.demo_database import copied
from workflows.store import Store, open_store

APP = Path(__file__).resolve().parents[2] / "app.py"

OpenPage = Callable[..., AppTest]


@pytest.fixture
def url(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """A demo database of this test's own, which the console opens."""
    made = copied(tmp_path_factory.getbasetemp(), tmp_path / "demo.db")
    monkeypatch.setenv("PROOFDESK_DB", made)
    return made


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """Opens the console at a page with these query parameters."""
    monkeypatch.chdir(APP.parent)

    def opened(page: str = "overview", **parameters: str) -> AppTest:
        test = AppTest.from_file(str(APP), default_timeout=30)
        test.run()
        test.switch_page(f"pages/{page}.py")
        for name, value in parameters.items():
            test.query_params[name] = value
        return test.run()

    return opened
