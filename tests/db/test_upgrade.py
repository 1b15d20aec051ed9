"""Databases of earlier schemas with real content: everything opens after the upgrade and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from db import schema
from db.engine import Store
from db.repositories.doubts import Doubts, SentenceFilter
from db.repositories.labels import Labels, NewLabel
from db.repositories.queue import Queue, QueueFilter
from db.repositories.score_counts import bin_of
from db.repositories.settings import Settings

DATA = Path(__file__).parent / "data"
TABLES = (
    "fingerprints",
    "result_counts",
    "result_documents",
    "results",
    "reviewers",
    "run_results",
    "runs",
    "samples",
    "sentences",
    "labels",
)


@pytest.fixture(params=["0001", "0002"])
def old_file(request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of the first or the second schema; in both, one result has a finding, one label was changed."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "schema_0001.sql").read_text(encoding="utf-8"))
        (text,) = connection.execute("SELECT document FROM result_documents WHERE result_id = 1").fetchone()
        document = json.loads(text)
        document["sentences"][0]["findings"] = [
            {"kind": "number", "start": 0, "end": 3, "text": "The", "message": "m", "nearest": None}
        ] * 2
        connection.execute(
            "UPDATE result_documents SET document = ? WHERE result_id = 1", (json.dumps(document),)
        )
        connection.commit()
    if request.param == "0002":
        with monkeypatch.context() as patch:
            patch.setattr(schema, "head_revision", lambda: "0002")
            patch.setattr(schema.command, "upgrade", _upgrade_to("0002"))
            Store.open(f"sqlite:///{path}", upgrade=True).close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                "INSERT INTO sentences VALUES (1, 1, 27, 27, 'Sure! 泵', NULL, 'not_a_claim', 0)"
            )
            connection.commit()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (request.param,)
    return path


def _upgrade_to(revision: str) -> object:
    original = schema.command.upgrade
    return lambda config, _head: original(config, revision)


def rows(path: Path) -> dict[str, list[dict[str, object]]]:
    """What every table of the first schemas holds."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return {
            name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]
            for name in TABLES
        }


def test_every_row_and_value_is_there_after_the_upgrade(old_file: Path, url: str) -> None:
    before = rows(old_file)
    Store.open(url, upgrade=True).close()
    after = rows(old_file)
    for table in TABLES:
        kept = [
            {name: new[name] for name in old} for old, new in zip(before[table], after[table], strict=True)
        ]
        assert kept == before[table] != []


def test_what_old_labels_could_not_say_has_its_value(old_file: Path, url: str) -> None:
    store = Store.open(url, upgrade=True)
    with store.read() as session:
        history = Labels(session).history(1)
        counts = Labels(session).counts()
        settings = Settings(session).get()
    store.close()
    assert [(la.seen, la.after_reveal, la.picked, la.corrected_answer, la.undoes) for la in history] == [
        ("all", False, "priority", None, None),
        ("all", True, "priority", None, None),
    ]
    assert (counts.rows, counts.current, counts.results) == (3, 2, 2)
    assert (settings.labels_required, settings.blind, settings.show_marks, settings.claim_minutes) == (
        1, True, True, 15,
    )  # fmt: skip


def test_labels_stay_append_only_and_can_be_taken_back(old_file: Path, url: str) -> None:
    store = Store.open(url, upgrade=True)
    with closing(sqlite3.connect(old_file)) as connection:
        for statement in ("UPDATE labels SET note = 'x'", "DELETE FROM labels"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    with store.write() as session:
        undone = [Labels(session).undo(1) for _ in range(2)]
        assert [label.verdict if label else None for label in undone] == ["accept", "withdrawn"]
        again = Labels(session).add(NewLabel(result_id=1, reviewer_id=1, verdict="unsure"))
        assert again.supersedes == 5
    store.close()


def test_old_results_are_found_by_word_in_random_order_and_by_doubtful_sentence(
    old_file: Path, url: str
) -> None:
    store = Store.open(url, upgrade=True)
    with store.read() as session:
        queue = Queue(session)
        base = {"decision": None, "scope": "all"}
        assert len(queue.page(QueueFilter(**base, text="hums")).items) == 2  # type: ignore[arg-type]
        shuffled = queue.page(QueueFilter(**base, order="random")).items  # type: ignore[arg-type]
        assert {item.shuffle for item in shuffled} == {"cf759cd0", "ead857be"}
        in_run = queue.page(QueueFilter(**base, order="random", run_id=1)).items  # type: ignore[arg-type]
        assert in_run == shuffled
        groups = Doubts(session).groups(SentenceFilter(scope="all"))
    store.close()
    assert sorted((g.kind, g.failure_type, g.n) for g in groups) == [
        ("low_confidence", "fabrication", 1),
        ("low_confidence", "low_attribution", 1),
        ("number", "low_attribution", 1),
    ]


def test_old_results_are_counted_by_their_scores(old_file: Path, url: str) -> None:
    store = Store.open(url, upgrade=True)
    with closing(sqlite3.connect(old_file)) as connection:
        by_score = dict(connection.execute("SELECT score, sum(n) FROM score_counts GROUP BY score"))
        for score, n in by_score.items():
            assert connection.execute(f"SELECT count({score}) FROM results").fetchone() == (n,)
        # Counted in bins by the migration as the store counts what comes in now.
        rows = connection.execute("SELECT risk, latency_ms FROM results").fetchall()
        bins = connection.execute("SELECT score, bin FROM score_counts").fetchall()
    store.close()
    assert {"risk", "final", "latency_ms"} <= by_score.keys()
    for name, place in (("risk", 0), ("latency_ms", 1)):
        assert {bin_of(name, row[place]) for row in rows} == {at for score, at in bins if score == name}
