"""What the schema itself refuses, whoever writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db.engine import Store
from db.repositories.labels import Labels, NewLabel
from db.repositories.reviewers import Reviewers
from tests.db.build import make_result, make_sample, store_results


@pytest.fixture
def raw(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    """A bare connection to a database with one result and one label."""
    sample = make_sample()
    (result_id,) = store_results(store, (sample, make_result(sample)))
    with store.write() as session:
        ada = Reviewers(session).ensure("Ada")
        Labels(session).add(
            NewLabel(result_id=result_id, reviewer_id=ada.id, verdict="accept", client_token="t1")
        )
        Reviewers(session).ensure("Bea")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        yield connection


LABEL = "INSERT INTO labels (result_id, reviewer_id, verdict, created_at, supersedes, client_token) VALUES "


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE results SET decision = 'MAYBE'", "CHECK"),
        ("UPDATE results SET hallucination_status = 'perhaps'", "CHECK"),
        ("UPDATE results SET risk = 1.5", "CHECK"),
        ("UPDATE results SET risk = NULL", "NOT NULL"),
        ("UPDATE results SET confidence_pct = 101", "CHECK"),
        ("UPDATE results SET n_low = 2", "CHECK"),
        ("UPDATE results SET created_day = '2025-06-03'", "CHECK"),
        ("UPDATE results SET fingerprint_id = 'none'", "FOREIGN KEY"),
        ("UPDATE results SET run_id = 99", "FOREIGN KEY"),
        ("UPDATE sentences SET support = -0.1", "CHECK"),
        ("UPDATE sentences SET status = 'fine'", "CHECK"),
        ("UPDATE sentences SET \"end\" = -1", "CHECK"),
        ("UPDATE run_results SET decision = 'x'", "CHECK"),
        ("UPDATE run_results SET result_id = 99", "FOREIGN KEY"),
        ("UPDATE result_counts SET n = 0", "CHECK"),
        ("UPDATE runs SET n_failed = -1", "CHECK"),
        ("UPDATE reviewers SET role = 'king'", "CHECK"),
        ("UPDATE reviewers SET name = ''", "CHECK"),
        ("UPDATE reviewers SET name_key = 'ada'", "UNIQUE"),
        ("DELETE FROM samples", "FOREIGN KEY"),
        ("INSERT INTO samples SELECT 9, external_id, content_hash, query, contexts, response, reference, "
         "metadata, created_at FROM samples", "UNIQUE"),
        ("INSERT INTO result_documents VALUES (99, '{}')", "FOREIGN KEY"),
        ("UPDATE labels SET note = 'changed'", "append-only"),
        ("DELETE FROM labels", "append-only"),
        ("REPLACE INTO labels SELECT * FROM labels", "append-only"),
        (LABEL + "(1, 1, 'accept', '', NULL, NULL)", "UNIQUE"),
        (LABEL + "(1, 2, 'great', '', NULL, NULL)", "CHECK"),
        (LABEL + "(1, 2, 'accept', '', NULL, 't1')", "UNIQUE"),
        (LABEL + "(1, 2, 'accept', '', 1, NULL)", "FOREIGN KEY"),
        (LABEL + "(9, 2, 'accept', '', NULL, NULL)", "FOREIGN KEY"),
        (LABEL + "(1, 9, 'accept', '', NULL, NULL)", "FOREIGN KEY"),
        (LABEL + "(1, 1, 'accept', '', 1, NULL), (1, 1, 'accept', '', 1, NULL)", "UNIQUE"),
    ],
)  # fmt: skip
def test_schema_refuses(raw: sqlite3.Connection, statement: str, message: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=message):
        raw.execute(statement)


def test_label_may_be_superseded_by_its_own_reviewer(raw: sqlite3.Connection) -> None:
    raw.execute(LABEL + "(1, 1, 'reject', '', 1, NULL)")
    assert raw.execute("SELECT count(*) FROM labels").fetchone() == (2,)
