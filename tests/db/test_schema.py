"""Migrations: equal to the tables, safe on old files, all or nothing."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from db import schema
from db.engine import Store
from db.repositories.labels import Labels
from db.repositories.results import Results
from db.tables import Base
from evalcore.errors import StoreError

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[2]

# Those of the first release: what must come through every upgrade as it was.
LABEL_COLUMNS = (
    "id, result_id, reviewer_id, verdict, failure_type, note, created_at, supersedes, client_token, seen"
)

# A step to a schema that does not exist yet, so that an upgrade of people's files can be tried today.
NEXT = """
import os, signal
import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "0010"

def upgrade():
    with op.batch_alter_table("results") as batch:
        batch.add_column(sa.Column("weather", sa.Text()))
    op.create_table("kites", sa.Column("id", sa.Integer(), primary_key=True))
    if os.environ.get("KILL_MIDWAY"):
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def old_file(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "schema_0001.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This release with one more migration."""
    migrations = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, migrations)
    (migrations / "versions" / "r9001_next.py").write_text(NEXT)
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    return migrations


def labels_in(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT {LABEL_COLUMNS} FROM labels ORDER BY id").fetchall()


def revision_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(revision)


def objects_in(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master "
        "WHERE sql IS NOT NULL AND type <> 'trigger' AND name <> 'alembic_version'"
    )
    # In a CREATE TABLE the order of constraints is of no account, nor whether a column was added later, nor
    # the quotes round the name of a table that was rebuilt.
    found = {}
    for name, sql in rows:
        lines = re.split(r"\n|, (?=\w+ VARCHAR)", sql.replace("\t", "").replace('"', ""))
        found[name] = ",".join(sorted(line.strip(" ,") for line in lines if line.strip(" ,)")))
    return found


def test_migrations_make_the_tables_the_code_knows(store: Store) -> None:
    with store.read() as session:
        # The word index is no table to SQLAlchemy.
        options = {"include_name": lambda name, *_: not str(name).startswith("sample_texts")}
        context = MigrationContext.configure(session.connection(), opts=options)
        assert compare_metadata(context, Base.metadata) == []


def test_migrations_make_the_same_checks_and_indexes_too(store: Store, path: Path, tmp_path: Path) -> None:
    direct = tmp_path / "direct.db"
    engine = create_engine(f"sqlite:///{direct}")
    Base.metadata.create_all(engine)
    engine.dispose()
    with closing(sqlite3.connect(path)) as migrated, closing(sqlite3.connect(direct)) as created:
        assert objects_in(migrated) == objects_in(created)


def test_old_data_opens_whole(old_file: Path, url: str) -> None:
    store = Store.open(url, upgrade=True)
    with store.read() as session:
        pump, kept = Results(session).find("pump")[0], Labels(session)
        history = kept.history(pump.id)
        whole = Results(session).get(pump.id)
        counts = kept.counts()
    assert [(label.verdict, label.note, label.reviewer) for label in history] == [
        ("accept", "it's fine", "Ada"),
        ("reject", "", "Ada"),
    ]
    assert (counts.rows, counts.current, counts.results) == (3, 2, 2)
    assert whole.sample.contexts == ("Fuse F3 guards the pump.", "Pumps hum.")
    assert whole.result.score("attribution").value == 0.31
    store.close()


def test_old_sentences_stay_and_new_ones_may_claim_nothing(old_file: Path, url: str) -> None:
    with closing(sqlite3.connect(old_file)) as connection:
        before = connection.execute("SELECT * FROM sentences ORDER BY result_id, idx").fetchall()
    Store.open(url, upgrade=True).close()
    with closing(sqlite3.connect(old_file)) as connection:
        assert (
            connection.execute("SELECT * FROM sentences ORDER BY result_id, idx").fetchall() == before != []
        )
        row = "INSERT INTO sentences VALUES (1, ?, 0, 5, 'Sure!', NULL, ?, 0)"
        connection.execute(row, (9, "not_a_claim"))
        with pytest.raises(sqlite3.IntegrityError, match="status"):
            connection.execute(row, (10, "unsure"))


def test_older_file_is_not_opened_without_upgrade(old_file: Path, url: str, next_release: Path) -> None:
    before = old_file.read_bytes()
    with pytest.raises(StoreError, match=r"older release.*0001.*9001.*proofdesk db upgrade"):
        Store.open(url)
    assert old_file.read_bytes() == before


def test_older_file_is_copied_aside_and_upgraded_once(old_file: Path, url: str, next_release: Path) -> None:
    before = labels_in(old_file)
    store = Store.open(url, upgrade=True)
    aside = old_file.with_name("p.db.before-9001")
    assert store.set_aside == aside
    store.close()
    assert (revision_of(old_file), revision_of(aside)) == ("9001", "0001")
    assert labels_in(old_file) == labels_in(aside) == before
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("SELECT weather FROM results").fetchall() == [(None,), (None,)]
    again = Store.open(url, upgrade=True)
    assert again.set_aside is None
    again.close()
    assert sorted(p.name for p in old_file.parent.glob("p.db*")) == ["p.db", "p.db.before-9001"]


def test_copy_set_aside_holds_what_is_still_in_the_log(
    url: str, path: Path, request: pytest.FixtureRequest
) -> None:
    store = Store.open(url, upgrade=True)
    with store.write() as session:
        session.connection().exec_driver_sql(
            "INSERT INTO reviewers (name, name_key, role, created_at) VALUES ('Ada', 'ada', 'lead', '')"
        )
    assert path.with_name("p.db-wal").stat().st_size > 0
    request.getfixturevalue("next_release")
    later = Store.open(url, upgrade=True)
    assert later.set_aside is not None
    with closing(sqlite3.connect(later.set_aside)) as connection:
        assert connection.execute("SELECT name FROM reviewers").fetchall() == [("Ada",)]
    later.close()
    store.close()


def test_copy_set_aside_never_overwrites_one(old_file: Path, url: str, next_release: Path) -> None:
    earlier = old_file.with_name("p.db.before-9001")
    earlier.write_text("precious")
    store = Store.open(url, upgrade=True)
    assert store.set_aside == old_file.with_name("p.db.before-9001.2")
    assert earlier.read_text() == "precious"
    store.close()


def test_killed_upgrade_leaves_the_file_as_it_was(old_file: Path, url: str, next_release: Path) -> None:
    before = labels_in(old_file)
    program = (
        "import sys; from pathlib import Path; from db import schema; from db.engine import Store\n"
        "schema.MIGRATIONS = Path(sys.argv[1]); Store.open(sys.argv[2], upgrade=True)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(next_release), url],
        cwd=ROOT,
        env={"KILL_MIDWAY": "1"},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert revision_of(old_file) == "0001"
    assert labels_in(old_file) == before
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("SELECT * FROM sqlite_master WHERE name = 'kites'").fetchall() == []
    Store.open(url, upgrade=True).close()
    assert revision_of(old_file) == "9001"
    assert labels_in(old_file) == before


def test_lost_version_record_is_written_again(old_file: Path, url: str) -> None:
    with closing(sqlite3.connect(old_file)) as connection:
        connection.execute("DELETE FROM alembic_version")
        connection.commit()
    before = labels_in(old_file)
    with pytest.raises(StoreError, match="older release"):
        Store.open(url)
    store = Store.open(url, upgrade=True)
    assert store.set_aside == old_file.with_name("p.db.before-0010")
    store.close()
    assert revision_of(old_file) == "0010"
    assert labels_in(old_file) == before


@pytest.mark.parametrize("upgrade", [True, False])
def test_newer_file_is_refused_and_not_written(old_file: Path, url: str, upgrade: bool) -> None:
    with closing(sqlite3.connect(old_file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '7777'")
        connection.commit()
    before = old_file.read_bytes()
    with pytest.raises(StoreError, match=r"newer release.*nothing was changed.*7777.*0010"):
        Store.open(url, upgrade=upgrade)
    assert old_file.read_bytes() == before
    assert [p.name for p in old_file.parent.iterdir()] == ["p.db"]


def test_upgrade_that_breaks_a_reference_is_undone(old_file: Path, url: str, next_release: Path) -> None:
    step = next_release / "versions" / "r9001_next.py"
    step.write_text(
        NEXT.split("    with op.batch")[0] + '    op.execute("DELETE FROM samples WHERE id = 1")\n'
    )
    with pytest.raises(StoreError, match="points nowhere; nothing was changed"):
        Store.open(url, upgrade=True)
    assert revision_of(old_file) == "0001"


def test_empty_file_counts_as_a_new_database(url: str, path: Path) -> None:
    path.touch()
    with pytest.raises(StoreError, match=r"empty.*proofdesk db upgrade"):
        Store.open(url)
    store = Store.open(url, upgrade=True)
    assert store.set_aside is None
    store.close()
