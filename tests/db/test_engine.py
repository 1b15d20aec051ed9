"""Opening the store: settings in force, refusals with a cure, the two kinds of transaction."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from db import dialect
from db.engine import Store
from db.repositories.reviewers import Reviewers
from evalcore.errors import StoreError


def test_every_connection_has_every_pragma_in_force(store: Store) -> None:
    expected = {name: answer for group in dialect.PRAGMAS for name, answer in group.expected.items()}
    with store.read() as first, store.read() as second, store.read() as third:
        for session in (first, second, third):
            assert dialect.pragmas_in_force(session.connection()) == expected
    with store.write() as session:
        assert dialect.pragmas_in_force(session.connection()) == expected
    assert all(group.why for group in dialect.PRAGMAS)


def test_url_comes_from_the_environment(url: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFDESK_DB", url)
    Store.open(upgrade=True).close()
    assert path.exists()


def test_missing_database_is_made_only_when_asked(url: str, path: Path) -> None:
    with pytest.raises(StoreError, match=r"no database yet.*proofdesk db upgrade"):
        Store.open(url)
    assert not path.exists()
    Store.open(url, upgrade=True).close()
    Store.open(url).close()


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"folder is missing.*cure"):
        Store.open(f"sqlite:///{tmp_path / 'no' / 'p.db'}", upgrade=True)


def test_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="a folder, not a database"):
        Store.open(f"sqlite:///{tmp_path}", upgrade=True)


def test_file_of_another_kind_is_refused_untouched(url: str, path: Path) -> None:
    path.write_text("query,response\n" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"not an SQLite database.*cure"):
        Store.open(url, upgrade=True)
    assert path.read_bytes() == before


def test_database_of_another_program_is_refused_untouched(url: str, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not one of Proofdesk's"):
        Store.open(url, upgrade=True)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_file_without_write_right_is_refused(url: str, path: Path) -> None:
    Store.open(url, upgrade=True).close()
    path.chmod(0o444)
    with pytest.raises(StoreError, match=r"no right to write.*cure"):
        Store.open(url)


@pytest.mark.parametrize(
    "bad", ["postgresql://ada:s3cret@host/db", "ada:s3cret@host", "mysql://ada:s3cret@host:x/db", "p.db"]
)
def test_other_urls_are_refused_and_no_password_is_shown(bad: str) -> None:
    with pytest.raises(StoreError, match=r"sqlite:///path/to/file.db") as caught:
        Store.open(bad, upgrade=True)
    assert "s3cret" not in str(caught.value)


def test_memory_database_is_one_for_all_threads() -> None:
    store = Store.open("sqlite://", upgrade=True)
    with store.write() as session:
        Reviewers(session).ensure("Ada")
    seen: list[str] = []

    def look() -> None:
        with store.read() as session:
            seen.extend(reviewer.name for reviewer in Reviewers(session).list())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == ["Ada"]


def test_reading_transaction_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError, match=r"cannot be written.*store.write\(\)"), store.read() as session:
        session.execute(text("DELETE FROM runs"))
    with store.write() as session:
        Reviewers(session).ensure("Ada")


def test_reading_transaction_is_a_snapshot(store: Store) -> None:
    with store.read() as reading:
        assert Reviewers(reading).list() == ()
        with store.write() as writing:
            Reviewers(writing).ensure("Ada")
        assert Reviewers(reading).list() == ()
    with store.read() as reading:
        assert len(Reviewers(reading).list()) == 1


def test_writing_transaction_holds_the_lock_before_it_reads(store: Store, path: Path) -> None:
    impatient = sqlite3.connect(path, timeout=0, isolation_level=None)
    with closing(impatient) as other, store.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")


def test_error_rolls_the_whole_transaction_back(store: Store) -> None:
    def fail() -> None:
        with store.write() as session:
            Reviewers(session).ensure("Ada")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.read() as session:
        assert Reviewers(session).list() == ()


def test_waiting_too_long_is_said_plainly(url: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(url, upgrade=True).close()
    store = Store.open(url)
    with store.read() as session:
        session.connection().exec_driver_sql("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"busy for too long.*try again"), store.write():
            pass
    store.close()


def test_info_counts_rows_and_reads_settings_back(store: Store, path: Path) -> None:
    with store.write() as session:
        Reviewers(session).ensure("Ada")
    info = store.info()
    assert dict(info.rows)["reviewers"] == 1
    assert info.path == path
    assert info.size_bytes is not None
    assert dict(info.pragmas)["journal_mode"] == "wal"
