"""Opening the store, and the two kinds of transaction everything else works in."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Engine, StaticPool, create_engine, func, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError, StatementError
from sqlalchemy.orm import Session

from db import dialect, schema
from db.schema import SchemaState
from db.tables import Base
from evalcore.errors import StoreError

DEFAULT_URL = "sqlite:///proofdesk.db"
URL_VARIABLE = "PROOFDESK_DB"


@dataclass(frozen=True)
class StoreInfo:
    """What ``proofdesk db info`` tells: where, which schema, how large, how many rows, which settings.

    ``pragmas`` are read back from a connection, not copied from the code.
    """

    url: str
    path: Path | None
    revision: str
    size_bytes: int | None
    rows: tuple[tuple[str, int], ...]
    pragmas: tuple[tuple[str, str | int], ...]


class Store:
    """An open database. Make one with :meth:`open`; safe to share between threads.

    Examples
    --------
    >>> store = Store.open("sqlite://", upgrade=True)
    >>> dict(store.info().rows)["results"]
    0
    >>> store.close()
    """

    def __init__(self, engine: Engine, *, path: Path | None, set_aside: Path | None) -> None:
        self._reader = engine
        self._writer = dialect.writer(engine)
        self.path = path
        self.set_aside = set_aside
        # Threads that share the one connection of a database in memory take turns.
        self._turn: AbstractContextManager[object] = threading.RLock() if path is None else nullcontext()

    @classmethod
    def open(cls, url: str | None = None, *, upgrade: bool = False) -> Store:
        """Open the database at ``url``, else at ``$PROOFDESK_DB``, else ``proofdesk.db`` in this folder.

        Parameters
        ----------
        url : str, optional
            ``sqlite:///relative.db``, ``sqlite:////absolute.db``, or ``sqlite://`` for one in memory.
        upgrade : bool
            Create a missing database and bring an older one to this release's schema. Before an older one
            is touched, a copy is set aside beside it: ``store.set_aside`` names it.

        Raises
        ------
        StoreError
            When there is no usable database there: the message says what to do. A file of a newer release
            or of another program is left untouched.
        """
        parsed = _parse(url if url is not None else os.environ.get(URL_VARIABLE) or DEFAULT_URL)
        path = _path(parsed)
        if path is None and not upgrade:
            raise StoreError("a database in memory starts empty", cure="open it with upgrade=True")
        state = SchemaState.EMPTY if path is None else _look(path, upgrade=upgrade)
        engine = _engine(parsed, path)
        try:
            set_aside = None
            if state is not SchemaState.CURRENT:
                with _told_plainly(path):
                    set_aside = schema.upgrade(engine, path)
            store = cls(engine, path=path, set_aside=set_aside)
            with store.read() as session:
                session.connection()
        except BaseException:
            engine.dispose()
            raise
        return store

    @property
    def url(self) -> str:
        """The URL, a password in it hidden."""
        return self._reader.url.render_as_string(hide_password=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one snapshot and cannot write.

        Raises
        ------
        StoreError
            When the database cannot be read, or something inside tried to write.
        """
        with self._turn, _told_plainly(self.path), Session(self._reader) as session, session.begin():
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that holds the write lock from its start, commits at the end, rolls back on any error.

        Raises
        ------
        StoreError
            When the lock was not to be had in 10 s, a constraint is broken or the disk refuses. Nothing of
            the transaction is kept then.
        """
        with self._turn, _told_plainly(self.path), Session(self._writer) as session, session.begin():
            session.connection()
            yield session

    def pragmas(self) -> dict[str, str | int]:
        """The settings in force, read back from a connection."""
        with self.read() as session:
            return dialect.pragmas_in_force(session.connection())

    def info(self) -> StoreInfo:
        """Where the data is and what is in it. Counts every table: seconds on a very large one."""
        with self.read() as session:
            rows = tuple(
                (table.name, session.execute(select(func.count()).select_from(table)).scalar_one())
                for table in Base.metadata.sorted_tables
            )
            pragmas = tuple(dialect.pragmas_in_force(session.connection()).items())
        return StoreInfo(
            url=self.url,
            path=self.path,
            revision=schema.head_revision(),
            size_bytes=self.path.stat().st_size if self.path else None,
            rows=rows,
            pragmas=pragmas,
        )

    def close(self) -> None:
        """Close every idle connection; the write-ahead log is folded into the file."""
        self._reader.dispose()


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Not shown: what cannot be parsed may still hold a password.
        raise StoreError(
            "the database URL cannot be read",
            where=f"--db or {URL_VARIABLE}",
            expected="sqlite:///path/to/file.db",
        ) from None
    if parsed.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise StoreError(
            "this release keeps its data in SQLite only",
            got=parsed.render_as_string(hide_password=True),
            expected="sqlite:///path/to/file.db",
        )
    if parsed.query or (parsed.database or "").startswith("file:"):
        raise StoreError(
            "options in the database URL are not supported",
            got=parsed.render_as_string(hide_password=True),
            expected="sqlite:///path/to/file.db",
        )
    return parsed


def _path(url: URL) -> Path | None:
    return None if url.database in (None, "", ":memory:") else Path(str(url.database))


def _engine(url: URL, path: Path | None) -> Engine:
    # A database in memory lives in its connection: every thread must get the same one.
    if path is None:
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url)
    dialect.install(engine)
    return engine


def _look(path: Path, *, upgrade: bool) -> SchemaState:
    """The state of the file before anything opens it for writing; raises where it must not be opened."""
    if not path.parent.is_dir():
        raise StoreError(
            "the database's folder is missing", where=str(path.parent), cure="make it, or name another path"
        )
    if path.is_dir():
        raise StoreError("a folder, not a database", where=str(path), cure="name a file in it")
    if not path.exists():
        if not upgrade:
            raise StoreError(
                "there is no database yet", where=str(path), cure=f"{schema.UPGRADE} to make one"
            )
        _need_rights(path.parent)
        return SchemaState.EMPTY
    _need_rights(path)
    # SQLite keeps its write-ahead log beside the file.
    _need_rights(path.parent)
    found = schema.read_file(path)
    schema.refuse_unknown(found, str(path))
    if found.state is not SchemaState.CURRENT and not upgrade:
        is_empty = found.state is SchemaState.EMPTY
        raise StoreError(
            "the database is empty" if is_empty else "the database was written by an older release",
            where=str(path),
            got=f"schema {found.revision or 'without a version'}",
            expected=f"schema {schema.head_revision()}",
            cure=schema.UPGRADE if is_empty else f"{schema.UPGRADE}; a copy is set aside first",
        )
    return found.state


def _need_rights(path: Path) -> None:
    if not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(
            "no right to write here", where=str(path), cure="change the file's rights, or name another path"
        )


@contextmanager
def _told_plainly(path: Path | None) -> Iterator[None]:
    where = str(path or "memory")
    try:
        yield
    except UnicodeEncodeError as error:
        raise StoreError(
            "text that UTF-8 cannot carry; nothing was stored", where=where, got=ascii(error.object[:80])
        ) from error
    except DBAPIError as error:
        cause = str(error.orig)
        if isinstance(error.orig, sqlite3.OperationalError) and "locked" in cause:
            raise StoreError(
                "another process kept the database busy for too long; nothing was stored",
                where=where,
                cure="try again",
            ) from error
        if "readonly" in cause:
            raise StoreError(
                "the database cannot be written here",
                where=where,
                got=cause,
                cure="write inside store.write(), and check the file's rights",
            ) from error
        if isinstance(error.orig, sqlite3.IntegrityError):
            raise StoreError(
                "the database refused a row; nothing was stored", where=where, got=cause
            ) from error
        raise StoreError(
            "the database failed; nothing was stored",
            where=where,
            got=cause,
            cure="check the disk's room and the file's rights",
        ) from error
    except StatementError as error:
        # Raised while values are bound, before the database is asked; a StoreError of ours may be inside.
        if isinstance(error.orig, StoreError):
            raise error.orig from None
        raise StoreError("a value the database cannot hold", where=where, got=str(error.orig)) from error
