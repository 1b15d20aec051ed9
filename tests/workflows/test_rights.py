"""Roles: the first to sign in leads, leads make leads, and somebody always leads."""

from __future__ import annotations

import pytest

from evalcore.errors import RoleError, StoreError
from tests.workflows.desk import people
from workflows.rights import need_lead, set_role, set_role_here, sign_in
from workflows.store import Store


def test_the_first_to_sign_in_is_the_lead_and_stays_it(store: Store) -> None:
    assert [sign_in(store, name).role for name in ("Ada", "Bea", " ADA ")] == ["lead", "reviewer", "lead"]


def test_only_a_lead_gives_roles(store: Store) -> None:
    ada, bea = people(store, "Ada", "Bea")
    with pytest.raises(RoleError, match=r"only a lead.*Bea.*reviewer"):
        set_role(store, bea, bea, "lead")
    assert set_role(store, ada, bea, "lead").role == "lead"
    assert need_lead(store, bea).name == "Bea"
    assert set_role(store, bea, ada, "reviewer").role == "reviewer"


def test_somebody_has_to_lead(store: Store) -> None:
    ada, _ = people(store, "Ada", "Bea")
    with pytest.raises(StoreError, match="somebody has to be a lead"):
        set_role(store, ada, ada, "reviewer")
    assert need_lead(store, ada).role == "lead"


def test_whoever_has_the_file_may_give_a_role_by_name(store: Store) -> None:
    people(store, "Ada", "Bea")
    assert set_role_here(store, " bea ", "lead").role == "lead"
    with pytest.raises(StoreError, match="no such reviewer"):
        set_role_here(store, "Cy", "lead")
    with pytest.raises(StoreError, match="no such reviewer"):
        need_lead(store, 99)
