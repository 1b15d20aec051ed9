"""Files of answers, and what a database that holds only whole results looks like."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

TABLES = (
    "fingerprints",
    "labels",
    "result_counts",
    "result_documents",
    "results",
    "reviewers",
    "run_results",
    "runs",
    "samples",
    "sentences",
)


def answer(number: int, **fields: object) -> dict[str, object]:
    """A short answer of one sentence, unlike every other of another number."""
    return {
        "id": f"a-{number}",
        "question": f"Which fuse guards pump {number}?",
        "contexts": [f"Fuse F{number} guards pump {number}, whose rated flow is {number + 3} litres."],
        "answer": f"Fuse F{number} guards it.",
    } | fields


def write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    """The rows as JSONL; returns the path."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def query(database: Path, sql: str) -> list[tuple[object, ...]]:
    """What a database says; opened for reading only, as another program would."""
    with closing(
        sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=10)
    ) as connection:
        return connection.execute(sql).fetchall()


def count(database: Path, table: str) -> int:
    """How many rows a table has."""
    ((found,),) = query(database, f"SELECT count(*) FROM {table}")
    assert isinstance(found, int)
    return found


def counts(database: Path) -> dict[str, int]:
    """How many rows every table has."""
    return {table: count(database, table) for table in TABLES}


def assert_whole(database: Path) -> None:
    """Every result has its sample, document, sentences, link and count, and none of them hangs loose."""
    assert query(database, "PRAGMA foreign_key_check") == []
    n_results = count(database, "results")
    loose = "SELECT r.id FROM results r LEFT JOIN {0} o ON o.result_id = r.id WHERE o.result_id IS NULL"
    for table in ("result_documents", "run_results"):
        assert query(database, loose.format(table)) == []
    assert count(database, "result_documents") == count(database, "samples") == n_results
    partial = query(
        database,
        "SELECT r.id FROM results r LEFT JOIN sentences s ON s.result_id = r.id "
        "GROUP BY r.id HAVING count(s.result_id) != r.n_sentences",
    )
    assert partial == []
    assert query(database, "SELECT coalesce(sum(n), 0) FROM result_counts") == [(n_results,)]
