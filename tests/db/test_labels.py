"""Labels: one current label a reviewer and result, an append-only history, no double from one form."""

from __future__ import annotations

import threading

import pytest

from db.engine import Store
from db.repositories.labels import LabelRow, Labels, NewLabel
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from evalcore.errors import StoreError
from tests.db.build import make_result, make_sample, store_results


@pytest.fixture
def result_id(store: Store) -> int:
    sample = make_sample()
    with store.write() as session:
        for name in ("Ada", "Bea"):
            Reviewers(session).ensure(name)
    return store_results(store, (sample, make_result(sample)))[0]


def add(
    store: Store, result_id: int, reviewer_id: int = 1, verdict: str = "accept", **fields: object
) -> LabelRow:
    with store.write() as session:
        return Labels(session).add(
            NewLabel(result_id=result_id, reviewer_id=reviewer_id, verdict=verdict, **fields)
        )


def test_label_is_stored_with_its_reviewer(store: Store, result_id: int) -> None:
    label = add(store, result_id, note="wrong unit", failure_type="fabrication", seen="marks")
    with store.read() as session:
        assert Labels(session).current(result_id) == (label,)
        assert Results(session).get(result_id).labels == (label,)
    assert (label.reviewer, label.note, label.seen, label.supersedes) == (
        "Ada", "wrong unit", "marks", None,
    )  # fmt: skip


def test_same_form_twice_stores_one_label(store: Store, result_id: int) -> None:
    first = add(store, result_id, client_token="f1")
    assert add(store, result_id, verdict="reject", client_token="f1") == first
    with store.read() as session:
        assert Labels(session).counts().rows == 1


def test_double_click_from_two_threads_stores_one_label(store: Store, result_id: int) -> None:
    stored: list[LabelRow] = []
    threads = [
        threading.Thread(target=lambda: stored.append(add(store, result_id, client_token="f1")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stored) == 8
    assert len(set(stored)) == 1


def test_token_of_another_form_is_refused(store: Store, result_id: int) -> None:
    add(store, result_id, client_token="f1")
    with pytest.raises(StoreError, match="sent before"):
        add(store, result_id, reviewer_id=2, client_token="f1")


def test_second_first_label_is_refused_and_names_the_first(store: Store, result_id: int) -> None:
    first = add(store, result_id)
    with pytest.raises(StoreError, match=f"already labelled by Ada.*label {first.id} says accept"):
        add(store, result_id, verdict="reject")


def test_change_of_mind_is_a_new_row(store: Store, result_id: int) -> None:
    first = add(store, result_id)
    second = add(store, result_id, verdict="reject", replaces=first.id)
    third = add(store, result_id, verdict="accept", replaces=second.id)
    other = add(store, result_id, reviewer_id=2, verdict="unsure")
    with store.read() as session:
        labels = Labels(session)
        assert labels.current(result_id) == (third, other)
        assert labels.history(result_id) == (first, second, third, other)
        counts = labels.counts()
        pairs = labels.pairs()
    assert (counts.rows, counts.current, counts.results) == (4, 2, 1)
    assert counts.by_verdict == (("accept", 1), ("unsure", 1))
    assert counts.by_reviewer == ((1, "Ada", 1), (2, "Bea", 1))
    assert [(p.external_id, p.decision, p.reviewer_id, p.verdict) for p in pairs] == [
        ("s1", "REVIEW", 1, "accept"),
        ("s1", "REVIEW", 2, "unsure"),
    ]


def test_two_changes_of_one_label_leave_one_winner(store: Store, result_id: int) -> None:
    first = add(store, result_id)
    outcomes: list[str] = []

    def change(verdict: str) -> None:
        try:
            outcomes.append(add(store, result_id, verdict=verdict, replaces=first.id).verdict)
        except StoreError as error:
            outcomes.append(error.what)

    threads = [threading.Thread(target=change, args=(verdict,)) for verdict in ("reject", "unsure")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "the label changed meanwhile" in outcomes
    assert len(set(outcomes) & {"reject", "unsure"}) == 1


def test_only_ones_own_current_label_can_be_replaced(store: Store, result_id: int) -> None:
    first = add(store, result_id)
    for fields in (
        {"reviewer_id": 2, "replaces": first.id},
        {"replaces": 99},
        {"reviewer_id": 2, "replaces": 99},
    ):
        with pytest.raises(StoreError, match="changed meanwhile"):
            add(store, result_id, **fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"verdict": "great"}, "no such verdict"),
        ({"note": "x" * 20_001}, "note is too long"),
        ({"note": "\ud800"}, "UTF-8 cannot carry"),
        ({"reviewer_id": 99}, "no such reviewer"),
        ({"result_id": 99}, "no such result"),
    ],
)
def test_label_that_cannot_be_stored_says_why(
    store: Store, result_id: int, fields: dict[str, object], message: str
) -> None:
    with pytest.raises(StoreError, match=message):
        add(store, **({"result_id": result_id} | fields))


def test_hostile_note_comes_back_equal(store: Store, result_id: int) -> None:
    note = "'); DROP TABLE labels; --\x00<script>👩‍🚀"
    assert add(store, result_id, note=note).note == note
