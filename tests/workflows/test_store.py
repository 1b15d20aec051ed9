"""Which database is meant, and when one is made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evalcore.errors import StoreError
from workflows.store import database_url, open_store, upgrade_store


@pytest.mark.parametrize(
    ("named", "variable", "url"),
    [
        ("a.db", "b.db", "sqlite:///a.db"),
        ("/x/a.db", None, "sqlite:////x/a.db"),
        ("sqlite:///a.db", None, "sqlite:///a.db"),
        (None, "b.db", "sqlite:///b.db"),
        (None, "sqlite:////b.db", "sqlite:////b.db"),
        (None, "", "sqlite:///proofdesk.db"),
        (None, None, "sqlite:///proofdesk.db"),
        ("c:odd.db", None, "sqlite:///c:odd.db"),
    ],
)
def test_the_named_database_comes_before_the_variable_before_the_default(
    named: str | None, variable: str | None, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROOFDESK_DB", raising=False)
    if variable is not None:
        monkeypatch.setenv("PROOFDESK_DB", variable)
    assert database_url(named) == url


def test_a_missing_one_is_made_only_when_asked_for(database: Path) -> None:
    with pytest.raises(StoreError, match="there is no database yet"):
        open_store(str(database), create=False)
    assert not database.exists()
    open_store(str(database)).close()
    open_store(str(database), create=False).close()


@pytest.mark.parametrize("begun", [False, True])
def test_one_that_was_begun_and_never_made_is_made(begun: bool, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        if begun:
            connection.execute("PRAGMA journal_mode = WAL")
    database.touch()
    with pytest.raises(StoreError, match="the database is empty"):
        open_store(str(database), create=False)
    store = open_store(str(database))
    assert store.set_aside is None
    store.close()


def test_an_older_one_is_not_upgraded_in_passing(database: Path) -> None:
    dump = Path(__file__).parents[1] / "db" / "data" / "schema_0001.sql"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        connection.execute("DELETE FROM alembic_version")
        connection.commit()
    before = database.read_bytes()
    with pytest.raises(StoreError, match="older release"):
        open_store(str(database))
    assert database.read_bytes() == before
    store = upgrade_store(str(database))
    assert store.set_aside is not None
    store.close()
    open_store(str(database)).close()


def test_one_in_memory_can_be_used(database: Path) -> None:
    store = open_store("sqlite://")
    assert dict(store.info().rows)["results"] == 0
    store.close()
