"""Reviewers are one person a name; runs are one row a key."""

from __future__ import annotations

from datetime import timedelta

import pytest

from db.engine import Store
from db.repositories.reviewers import Reviewers
from db.repositories.runs import RunCounts, Runs
from evalcore.errors import StoreError
from tests.db.build import FINGERPRINT, NOON, OTHER_FINGERPRINT, start_run


@pytest.mark.parametrize("again", ["Ёлка Иванова", "  ёлка   ИВАНОВА ", "Е\u0308лка Иванова"])
def test_case_spacing_and_composition_do_not_make_another_person(store: Store, again: str) -> None:
    with store.write() as session:
        first = Reviewers(session).ensure("Ёлка Иванова", "lead")
        assert Reviewers(session).ensure(again) == first
        assert Reviewers(session).list() == (first,)
    assert first.role == "lead"


@pytest.mark.parametrize(
    ("name", "message"),
    [("", "needs a name"), (" \t\n", "needs a name"), ("x" * 81, "too long"), ("a\x00b", "does not print")],
)
def test_name_nobody_can_have_is_refused(store: Store, name: str, message: str) -> None:
    with pytest.raises(StoreError, match=message), store.write() as session:
        Reviewers(session).ensure(name)


def test_unknown_role_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="no such role"), store.write() as session:
        Reviewers(session).ensure("Ada", "king")


def test_run_of_the_same_key_is_opened_again(store: Store) -> None:
    with store.write() as session:
        runs = Runs(session)
        run_id = start_run(session)
        finished = runs.finish(run_id, RunCounts(n_rows=3, n_stored=2, n_failed=1), NOON + timedelta(hours=1))
        assert (finished.counts.n_stored, finished.finished_at) == (2, NOON + timedelta(hours=1))
        assert start_run(session, at=NOON + timedelta(days=1)) == run_id
        again = runs.get(run_id)
    assert (again.started_at, again.finished_at, again.counts.n_rows) == (NOON, None, 3)
    assert (again.fingerprint, again.profile) == (FINGERPRINT, "default")


def test_run_of_the_same_key_and_another_fingerprint_is_refused(store: Store) -> None:
    with store.write() as session:
        start_run(session)
    with pytest.raises(StoreError, match="another fingerprint"), store.write() as session:
        start_run(session, fingerprint=OTHER_FINGERPRINT)


def test_latest_runs_come_first(store: Store) -> None:
    with store.write() as session:
        for number in range(4):
            start_run(session, f"r{number}", at=NOON + timedelta(hours=number))
        assert [run.key for run in Runs(session).latest(2)] == ["r3", "r2"]


def test_unknown_run_is_refused(store: Store) -> None:
    with store.write() as session:
        with pytest.raises(StoreError, match="no such run"):
            Runs(session).get(9)
        with pytest.raises(StoreError, match="no such run"):
            Runs(session).finish(9, RunCounts())
