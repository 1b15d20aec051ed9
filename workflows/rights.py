"""Reviewers and their roles. What only a lead may do is refused here, whatever a screen offers."""

from __future__ import annotations

from db.engine import Store
from db.repositories.reviewers import ReviewerRow, Reviewers, Role
from evalcore.errors import RoleError, StoreError

__all__ = ["ReviewerRow", "Role", "need_lead", "set_role", "set_role_here", "sign_in"]


def sign_in(store: Store, name: str) -> ReviewerRow:
    """The reviewer of this name, made if new. Whoever signs in while there is no lead becomes one.

    Raises
    ------
    StoreError
        When the name is blank or unusable.
    """
    with store.write() as session:
        people = Reviewers(session)
        person = people.ensure(name)
        return person if people.n_leads() else people.set_role(person.id, "lead")


def need_lead(store: Store, reviewer_id: int) -> ReviewerRow:
    """The reviewer, who is a lead.

    Raises
    ------
    RoleError
        When they are not.
    StoreError
        When there is no such reviewer.
    """
    with store.read() as session:
        person = Reviewers(session).get(reviewer_id)
    if person.role != "lead":
        raise RoleError(
            "only a lead may do this",
            where=person.name,
            got=person.role,
            expected="lead",
            cure="ask a lead, or run `proofdesk reviewers role NAME lead`",
        )
    return person


def set_role(store: Store, by: int, reviewer_id: int, role: Role) -> ReviewerRow:
    """Make somebody a lead or a reviewer.

    Parameters
    ----------
    store : Store
    by : int
        The lead who asks for it.
    reviewer_id : int
    role : str

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    StoreError
        When nobody would be a lead any more, or the reviewer or role is unknown.
    """
    need_lead(store, by)
    return _set_role(store, reviewer_id, role)


def set_role_here(store: Store, name: str, role: Role) -> ReviewerRow:
    """Make somebody a lead or a reviewer, by whoever has the database file itself.

    Raises
    ------
    StoreError
        When there is nobody of this name, or nobody would be a lead any more.
    """
    with store.read() as session:
        person = Reviewers(session).find(name)
    if person is None:
        raise StoreError(
            "there is no such reviewer", got=name[:80], cure="list them: proofdesk reviewers list"
        )
    return _set_role(store, person.id, role)


def _set_role(store: Store, reviewer_id: int, role: Role) -> ReviewerRow:
    with store.write() as session:
        people = Reviewers(session)
        changed = people.set_role(reviewer_id, role)
        if not people.n_leads():
            raise StoreError(
                "somebody has to be a lead", where=changed.name, got=role, cure="make another a lead first"
            )
        return changed
