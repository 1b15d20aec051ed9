from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.pages.conftest import OpenPage


@pytest.mark.parametrize("page", ["overview", "queue"])
def test_a_missing_folder_is_told_with_its_cure(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/nowhere/a.db")
    test = open_page(page)

    assert "folder is missing" in test.error[0].value
    assert "What to do" in test.error[0].value
    assert not test.exception


def test_a_file_of_another_kind_is_told(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(b"not a database at all, only some text that is long enough" * 20)
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{path}")
    test = open_page()

    assert test.error
    assert not test.exception


def test_a_newer_database_is_told(url: str, tmp_path: Path, open_page: OpenPage) -> None:
    with sqlite3.connect(tmp_path / "demo.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    test = open_page()

    assert "newer" in test.error[0].value
    assert not test.exception


def test_a_database_that_breaks_while_open_is_told(url: str, tmp_path: Path, open_page: OpenPage) -> None:
    test = open_page()
    assert not test.error
    with sqlite3.connect(tmp_path / "demo.db") as connection:
        connection.execute("DROP TABLE result_counts")
    test.run()

    assert "The database failed" in test.error[0].value
    assert not test.exception
