"""Opening the database, for the terminal and the console alike."""

from __future__ import annotations

import os
from pathlib import Path

from db.engine import DEFAULT_URL, URL_VARIABLE, Store, StoreInfo
from db.schema import SchemaState, read_file

__all__ = ["Store", "StoreInfo", "database_url", "open_store", "upgrade_store"]

_FILE = "sqlite:///"


def database_url(url: str | None = None) -> str:
    """The database meant: the one given, else ``$PROOFDESK_DB``, else ``proofdesk.db`` in this folder.

    A plain path is taken for a SQLite file.

    Examples
    --------
    >>> database_url("answers.db"), database_url("sqlite:////tmp/a.db")
    ('sqlite:///answers.db', 'sqlite:////tmp/a.db')
    """
    named = url or os.environ.get(URL_VARIABLE) or DEFAULT_URL
    return named if "://" in named else f"{_FILE}{named}"


def open_store(url: str | None = None, *, create: bool = True) -> Store:
    """Open the database; make it if it is not there.

    An older one is not brought up to date in passing: that is ``proofdesk db upgrade``, which sets a copy
    aside first.

    Parameters
    ----------
    url : str, optional
        See :func:`database_url`.
    create : bool
        Whether a missing or empty database is made.

    Raises
    ------
    StoreError
        When it cannot be opened as it is; the message says what to do.
    """
    named = database_url(url)
    file = Path(named.removeprefix(_FILE)) if named.startswith(_FILE) else None
    return Store.open(named, upgrade=create and (file is None or _is_unmade(file)))


def _is_unmade(file: Path) -> bool:
    """Whether a file is missing, or was left without a table by whoever began to make it."""
    if not file.exists():
        return True
    readable = file.is_file() and os.access(file, os.R_OK | os.W_OK)
    return readable and read_file(file).state is SchemaState.EMPTY


def upgrade_store(url: str | None = None) -> Store:
    """Bring the database to this release's schema, or make it; ``set_aside`` on the result names the copy."""
    return Store.open(database_url(url), upgrade=True)
