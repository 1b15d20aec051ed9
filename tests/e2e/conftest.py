from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from scripts.screenshots import browsing, serving
from tests.demo_database import copied
from workflows import review
from workflows.store import Store, open_store

_FAILED = pytest.StashKey[bool]()


@dataclass
class Window:
    """A browser window and what it did that nobody may do."""

    page: Page
    base: str
    hosts: set[str] = field(default_factory=set)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with browsing(chromium_path) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = open_store(copied(tmp_path_factory.getbasetemp(), tmp_path / "demo.db"))
    review.sign_in(opened, "Ada")
    yield opened
    opened.close()


@pytest.fixture
def window(
    store: Store, browser: Browser, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Window]:
    """A fresh window on a freshly started console; no test may reach another host or raise a dialog."""
    log = tmp_path / "console.log"
    with serving(f"sqlite:///{tmp_path / 'demo.db'}", log) as base:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.set_default_timeout(15_000)
        opened = Window(page, base)
        page.on("request", lambda sent: opened.hosts.add(urlsplit(sent.url).hostname or ""))
        page.on("websocket", lambda socket: opened.hosts.add(urlsplit(socket.url).hostname or ""))

        def dismiss(dialog: object) -> None:
            opened.dialogs.append(str(dialog))
            dialog.dismiss()  # type: ignore[attr-defined]

        page.on("dialog", dismiss)
        yield opened
        if request.node.stash.get(_FAILED, False):
            picture = tmp_path / "failed.png"
            page.screenshot(path=picture)
            print(f"at {page.url}: see {picture} and {log}")
        context.close()
    assert opened.hosts <= {"127.0.0.1", "localhost", ""}
    assert not opened.dialogs


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport | None]:
    report = yield
    if call.when == "call" and call.excinfo is not None:
        item.stash[_FAILED] = True
    return report
