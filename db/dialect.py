"""Everything that is particular to one database system, so that another can follow.

Pragmas, how a transaction begins, inserts that skip what is there, and triggers. Nothing else in this room
knows which database it speaks to.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from types import MappingProxyType

from sqlalchemy import ColumnElement, Connection, Dialect, Engine, Insert, Table, event
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session

BUSY_TIMEOUT_MS = 10_000

# Keys in one IN list: two variables a key stay under the 999 of older SQLite builds.
KEYS_PER_QUERY = 400

_ACCESS = "proofdesk_access"


@dataclass(frozen=True)
class PragmaGroup:
    """Settings that serve one purpose, with the reason.

    ``expected`` is what ``PRAGMA name`` answers once the setting is in force.
    """

    name: str
    why: str
    settings: Mapping[str, str]
    expected: Mapping[str, str | int]


def _group(name: str, why: str, **settings: tuple[str, str | int]) -> PragmaGroup:
    return PragmaGroup(
        name,
        why,
        MappingProxyType({key: value for key, (value, _) in settings.items()}),
        MappingProxyType({key: answer for key, (_, answer) in settings.items()}),
    )


# In the order they are set: the wait comes first, because switching the journal may have to wait.
PRAGMAS: tuple[PragmaGroup, ...] = (
    _group(
        "waiting",
        "SQLite gives up at once by default; the console and an import share the file, so wait for the lock",
        busy_timeout=(str(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS),
    ),
    _group(
        "journal",
        "write-ahead: readers and the writer do not block each other; NORMAL keeps the file whole after a "
        "power cut; an import folds the log back every 32 MiB instead of after each of its transactions, and "
        "the log file is cut short afterwards",
        journal_mode=("WAL", "wal"),
        synchronous=("NORMAL", 1),
        wal_autocheckpoint=("8192", 8192),
        journal_size_limit=(str(64 * 2**20), 64 * 2**20),
    ),
    _group(
        "integrity",
        "SQLite checks no foreign key unless told to; without recursive triggers INSERT OR REPLACE would "
        "slip past the triggers that make labels append-only",
        foreign_keys=("ON", 1),
        recursive_triggers=("ON", 1),
    ),
    _group(
        "memory",
        "64 MiB of pages a connection keep the indexes warm during an import; sorting never touches the disk",
        cache_size=(str(-64 * 2**10), -64 * 2**10),
        temp_store=("MEMORY", 2),
    ),
)


def install(engine: Engine) -> None:
    """Set the pragmas on every new connection and take over how transactions begin.

    The sqlite3 driver's own BEGIN is switched off (it comes late and never for DDL). A transaction for
    writing is BEGIN IMMEDIATE: a deferred one that reads first and writes later fails with "database is
    locked" however long it may wait. One for reading is a plain BEGIN, a snapshot, and cannot write.
    """

    @event.listens_for(engine, "connect")
    def connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for group in PRAGMAS:
            for name, value in group.settings.items():
                _set_pragma(connection, name, value)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get(_ACCESS) == "write"
        connection.exec_driver_sql(f"PRAGMA query_only = {0 if write else 1}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _set_pragma(connection: sqlite3.Connection, name: str, value: str) -> None:
    # The busy timeout does not cover a change of journal mode, so that wait is ours.
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute(f"PRAGMA {name} = {value}").fetchall()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def writer(engine: Engine) -> Engine:
    """The same engine and pool, whose transactions are for writing."""
    return engine.execution_options(**{_ACCESS: "write"})


def pragmas_in_force(connection: Connection) -> dict[str, str | int]:
    """What the connection answers for each pragma of :data:`PRAGMAS`."""
    names = [name for group in PRAGMAS for name in group.settings]
    return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names}


def insert_new(session: Session, table: Table) -> Insert:
    """INSERT that passes over rows whose unique key is there already."""
    return _insert_new(_name(session), table)


def _insert_new(dialect_name: str, table: Table) -> Insert:
    if dialect_name == "postgresql":
        return postgresql_insert(table).on_conflict_do_nothing()
    return sqlite_insert(table).on_conflict_do_nothing()


def insert_rows(session: Session, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Store many rows, passing over those whose unique key is there already.

    The rows hold values as they are stored (times as text) and all have the same columns, two at least.
    They go straight to the driver: SQLAlchemy's handling of each value costs more than SQLite's insert.
    """
    if rows:
        connection = session.connection()
        statement, columns = _bulk_insert(connection.dialect, table, tuple(rows[0]))
        if columns:
            connection.exec_driver_sql(statement, list(map(itemgetter(*columns), rows)))
        else:
            connection.exec_driver_sql(statement, list(rows))


@lru_cache(maxsize=64)
def _bulk_insert(dialect: Dialect, table: Table, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement and the columns in the order of its parameters; none where parameters have names."""
    compiled = _insert_new(dialect.name, table).compile(dialect=dialect, column_keys=list(columns))
    return str(compiled), tuple(getattr(compiled, "positiontup", None) or ())


def insert_adding(session: Session, table: Table, *, key: Sequence[str], amount: str) -> Insert:
    """INSERT that adds ``amount`` to the row of the same ``key`` if there is one."""
    total: ColumnElement[int] = table.c[amount]
    if _name(session) == "postgresql":
        on_postgresql = postgresql_insert(table)
        return on_postgresql.on_conflict_do_update(
            index_elements=list(key), set_={amount: total + on_postgresql.excluded[amount]}
        )
    on_sqlite = sqlite_insert(table)
    return on_sqlite.on_conflict_do_update(
        index_elements=list(key), set_={amount: total + on_sqlite.excluded[amount]}
    )


def insert_over(session: Session, table: Table, *, key: Sequence[str], when: ColumnElement[bool]) -> Insert:
    """INSERT that takes the place of the row of the same ``key``, but only ``when`` that row allows it."""
    others = [column.name for column in table.c if column.name not in key]
    if _name(session) == "postgresql":
        on_postgresql = postgresql_insert(table)
        return on_postgresql.on_conflict_do_update(
            index_elements=list(key), set_={n: on_postgresql.excluded[n] for n in others}, where=when
        )
    on_sqlite = sqlite_insert(table)
    return on_sqlite.on_conflict_do_update(
        index_elements=list(key), set_={n: on_sqlite.excluded[n] for n in others}, where=when
    )


def append_only_triggers(table: str, dialect_name: str) -> Iterator[str]:
    """DDL after which UPDATE and DELETE on ``table`` fail."""
    for verb in ("UPDATE", "DELETE"):
        name = f"{table}_no_{verb.lower()}"
        if dialect_name == "postgresql":
            yield (
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
            )
            yield f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
        else:
            yield (
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def _name(session: Session) -> str:
    return session.connection().dialect.name
