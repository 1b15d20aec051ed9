"""Two runs item by item: what flipped comes first, pages neither skip nor repeat."""

from __future__ import annotations

import pytest

from evalcore.errors import StoreError
from evalcore.result import Verdict
from tests.db.build import OTHER_FINGERPRINT, make_result, make_sample, store_results
from workflows.compare import compare_page, compare_runs
from workflows.store import Store


@pytest.fixture
def filled(store: Store) -> Store:
    old = [
        ("a", 0.5, Verdict.REVIEW),
        ("b", 0.5, Verdict.REVIEW),
        ("c", 0.2, Verdict.REJECT),
        ("only", 0.1, Verdict.REJECT),
    ]
    new = [
        ("a", 0.6, Verdict.REVIEW),
        ("b", 0.9, Verdict.ACCEPT),
        ("c", 0.3, Verdict.REVIEW),
        ("d", 0.1, Verdict.REJECT),
    ]
    before = [(make_sample(n), make_result(make_sample(n), final=f, verdict=v)) for n, f, v in old]
    store_results(store, *before, run="old")
    after = []
    for name, final, verdict in new:
        sample = make_sample(name, response="It is F3." if name == "c" else "The pump is fused. It hums.")
        result = make_result(sample, final=final, verdict=verdict, fingerprint=OTHER_FINGERPRINT)
        after.append((sample, result))
    store_results(store, *after, run="new")
    return store


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_flipped_decisions_come_first_then_the_largest_change_of_risk(filled: Store, limit: int) -> None:
    pairs = []
    place = None
    while True:
        page = compare_page(filled, 1, 2, place=place, limit=limit)
        pairs += page.items
        place = page.next_after
        if place is None:
            break
    assert [(p.external_id, p.flipped, p.gap, p.same_content) for p in pairs] == [
        ("b", True, 0.4, True), ("c", True, 0.1, False), ("a", False, 0.1, True),
    ]  # fmt: skip
    assert (pairs[0].before_decision, pairs[0].after_decision) == ("REVIEW", "ACCEPT")
    assert (pairs[0].before_risk, pairs[0].after_risk, pairs[0].query) == (0.5, 0.1, "Which fuse?")


def test_numbers_count_only_what_both_runs_hold(filled: Store) -> None:
    found = compare_runs(filled, 1, 2)
    assert (found.n_both, found.n_flipped) == (3, 2)
    assert [(f.before, f.after, f.n) for f in found.flips] == [
        ("REJECT", "REVIEW", 1), ("REVIEW", "ACCEPT", 1), ("REVIEW", "REVIEW", 1),
    ]  # fmt: skip
    assert (found.before.name, found.after.name) == ("old", "new")
    same = compare_runs(filled, 1, 1)
    assert (same.n_both, same.n_flipped) == (4, 0)


def test_a_run_that_is_not_there_is_said(filled: Store) -> None:
    with pytest.raises(StoreError, match="no such run"):
        compare_runs(filled, 1, 99)
