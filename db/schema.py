"""Which schema a file has, and bringing it to this release's: all or nothing, with a copy set aside."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect

from db import dialect
from evalcore.errors import StoreError

MIGRATIONS = Path(__file__).parent / "migrations"

# What the first schema held. A file with these tables and no version record is of that schema: the record
# was lost, not the data.
_FIRST_SCHEMA = "0001"
_FIRST_TABLES = frozenset(
    {"fingerprints", "labels", "result_documents", "results", "reviewers", "runs", "samples", "sentences"}
)

UPGRADE = "run `proofdesk db upgrade`"


class SchemaState(StrEnum):
    """How a file's schema stands to the one this release knows."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"
    FOREIGN = "foreign"


@dataclass(frozen=True)
class Schema:
    """A file's schema: its revision (None if it has no record of one) and what that means here."""

    revision: str | None
    state: SchemaState


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    # ConfigParser reads % as interpolation.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def head_revision() -> str:
    """The schema revision this release reads and writes."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise StoreError(
            "this installation has no migrations", where=str(MIGRATIONS), cure="install it again"
        )
    return head


def schema_of(tables: frozenset[str], revisions: list[str]) -> Schema:
    """Judge a database by its table names and the rows of its version table."""
    if revisions:
        known = [step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()]
        revision = revisions[0]
        if len(revisions) > 1 or revision not in known:
            return Schema(", ".join(revisions), SchemaState.NEWER)
        return Schema(revision, SchemaState.CURRENT if revision == known[0] else SchemaState.OLDER)
    if tables >= _FIRST_TABLES:
        return Schema(None, SchemaState.OLDER)
    return Schema(None, SchemaState.EMPTY if tables <= {"alembic_version"} else SchemaState.FOREIGN)


def read_file(path: Path) -> Schema:
    """The schema of an SQLite file, found without writing a byte to it.

    Raises
    ------
    StoreError
        When it is not an SQLite file or cannot be read.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute(f"PRAGMA busy_timeout = {dialect.BUSY_TIMEOUT_MS}")
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = frozenset(name for (name,) in names)
            revisions: list[str] = []
            if "alembic_version" in tables:
                rows = connection.execute("SELECT version_num FROM alembic_version")
                revisions = [revision for (revision,) in rows]
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise StoreError(
                "not an SQLite database",
                where=str(path),
                cure="name another file in --db or PROOFDESK_DB",
            ) from error
        raise StoreError(
            "the database cannot be read",
            where=str(path),
            got=str(error),
            cure="check the file and its rights",
        ) from error
    return schema_of(tables, revisions)


def refuse_unknown(schema: Schema, where: str) -> None:
    """Raise for a file this release must not touch.

    Raises
    ------
    StoreError
        For a schema newer than this release, or a database of something else.
    """
    if schema.state is SchemaState.NEWER:
        raise StoreError(
            "the database was written by a newer release of Proofdesk; nothing was changed",
            where=where,
            got=f"schema {schema.revision}",
            expected=f"schema {head_revision()} or older",
            cure="install that release, or name another file",
        )
    if schema.state is SchemaState.FOREIGN:
        raise StoreError(
            "an SQLite database, but not one of Proofdesk's; nothing was changed",
            where=where,
            cure="name another file in --db or PROOFDESK_DB",
        )


def upgrade(engine: Engine, path: Path | None) -> Path | None:
    """Bring the database to this release's schema; returns the copy set aside, None if none was needed.

    One transaction holds the lock, the copy, every step and the version record: a process killed anywhere
    in it leaves the database as it was, and a second process that waited finds nothing left to do.

    Raises
    ------
    StoreError
        When the file is of a newer release or of something else, or the copy cannot be made.
    """
    with dialect.writer(engine).connect() as connection:
        # Rebuilding a table drops the old one, which would cascade; the check below makes up for it. The
        # setting is ignored inside a transaction, so it goes to the driver before one begins.
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                return _upgrade_locked(connection, path)
        finally:
            driver.execute("PRAGMA foreign_keys = ON")


def _upgrade_locked(connection: Connection, path: Path | None) -> Path | None:
    tables = frozenset(inspect(connection).get_table_names())
    revisions: list[str] = []
    if "alembic_version" in tables:
        revisions = list(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())
    schema = schema_of(tables, revisions)
    refuse_unknown(schema, str(path or "memory"))
    if schema.state is SchemaState.CURRENT:
        return None
    aside = _set_aside(path) if path and schema.state is SchemaState.OLDER else None
    config = _config(connection)
    if schema.state is SchemaState.OLDER and schema.revision is None:
        command.stamp(config, _FIRST_SCHEMA)
    command.upgrade(config, "head")
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(
            "the upgrade would leave a row that points nowhere; nothing was changed",
            where=str(path or "memory"),
            got=f"table {broken[0]}, row {broken[1]}, towards {broken[2]}",
            cure="keep the file and report this",
        )
    return aside


def _set_aside(path: Path) -> Path:
    """Copy the database through SQLite itself, so that what is still in the write-ahead log comes along."""
    # The write lock is held, so no other process of ours is at these names.
    part = path.with_name(f"{path.name}.copying")
    try:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
            # A single file, readable anywhere, with no log beside it.
            target.execute("PRAGMA journal_mode = DELETE")
        stem = f"{path.name}.before-{head_revision()}"
        names = itertools.chain([stem], (f"{stem}.{number}" for number in itertools.count(2)))
        # An older copy is never overwritten.
        copy = next(place for name in names if not (place := path.with_name(name)).exists())
        return part.rename(copy)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            "no copy could be set aside before the upgrade; nothing was changed",
            where=str(path),
            got=str(error),
            cure="make room in the folder and allow writing to it",
        ) from error
