"""Reviewers: the people who label."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from db import tables
from db.dialect import insert_new
from db.mapping import table_of
from evalcore.errors import StoreError

_REVIEWERS = table_of(tables.Reviewer)

Role: TypeAlias = Literal["reviewer", "lead"]

NAME_LENGTH = 80


@dataclass(frozen=True, kw_only=True)
class ReviewerRow:
    """A person who labels, under the name as first written."""

    id: int
    name: str
    role: str
    created_at: datetime


def tidy_name(name: str) -> str:
    """A name as it is stored: composed Unicode, no space around it, single spaces inside.

    Raises
    ------
    StoreError
        When it is blank, longer than 80 characters, or holds something that does not print.

    Examples
    --------
    >>> tidy_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy:
        raise StoreError("a reviewer needs a name", where="name", got="blank", cure="type a name")
    if len(tidy) > NAME_LENGTH:
        raise StoreError(
            "the name is too long",
            where="name",
            got=f"{len(tidy)} characters",
            expected=f"{NAME_LENGTH} at most",
        )
    if not tidy.isprintable():
        raise StoreError("the name holds a character that does not print", where="name", got=ascii(tidy))
    return tidy


class Reviewers:
    """Reviewers in a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def ensure(self, name: str, role: Role = "reviewer") -> ReviewerRow:
        """The reviewer of this name, made if new; case and spacing do not make another person.

        Somebody already known keeps the role and the spelling they have.

        Raises
        ------
        StoreError
            When the name is blank, too long or does not print, or the role is unknown.
        """
        _check_role(role)
        tidy = tidy_name(name)
        key = tidy.casefold()
        row = {"name": tidy, "name_key": key, "role": role, "created_at": datetime.now(UTC)}
        self._session.execute(insert_new(self._session, _REVIEWERS), [row])
        found = self.find(tidy)
        if found is None:
            raise StoreError("the reviewer could not be stored", got=tidy)
        return found

    def get(self, reviewer_id: int) -> ReviewerRow:
        """The reviewer of this id.

        Raises
        ------
        StoreError
            When there is none.
        """
        row = self._session.execute(_select().where(_REVIEWERS.c.id == reviewer_id)).mappings().first()
        if row is None:
            raise StoreError("there is no such reviewer", got=str(reviewer_id))
        return ReviewerRow(**row)

    def set_role(self, reviewer_id: int, role: Role) -> ReviewerRow:
        """Give a reviewer a role.

        Raises
        ------
        StoreError
            When the reviewer or the role is unknown.
        """
        _check_role(role)
        self._session.execute(update(_REVIEWERS).where(_REVIEWERS.c.id == reviewer_id).values(role=role))
        return self.get(reviewer_id)

    def n_leads(self) -> int:
        """How many leads there are."""
        query = select(func.count()).select_from(_REVIEWERS).where(_REVIEWERS.c.role == "lead")
        return int(self._session.execute(query).scalar_one())

    def find(self, name: str) -> ReviewerRow | None:
        """The reviewer of this name, if known.

        Raises
        ------
        StoreError
            When no reviewer can have such a name.
        """
        query = _select().where(_REVIEWERS.c.name_key == tidy_name(name).casefold())
        row = self._session.execute(query).mappings().first()
        return None if row is None else ReviewerRow(**row)

    def list(self) -> tuple[ReviewerRow, ...]:
        """Everybody, by name."""
        query = _select().order_by(_REVIEWERS.c.name_key)
        return tuple(ReviewerRow(**row) for row in self._session.execute(query).mappings())


def _check_role(role: str) -> None:
    if role not in tables.ROLES:
        raise StoreError("no such role", where="role", got=str(role), expected=" or ".join(tables.ROLES))


def _select() -> Select[tuple[int, str, str, datetime]]:
    return select(_REVIEWERS.c.id, _REVIEWERS.c.name, _REVIEWERS.c.role, _REVIEWERS.c.created_at)
