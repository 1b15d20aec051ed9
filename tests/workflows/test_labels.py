"""Labels with all they carry; the last taken back; histories (field cases STO-02, STO-04)."""

from __future__ import annotations

import pytest

from evalcore.errors import StoreError
from tests.workflows.desk import fill, people
from workflows import review
from workflows.claims import claim_item, claim_next
from workflows.labels import Change, history, save_label, undo_last
from workflows.overview import overview
from workflows.review import QueueFilter
from workflows.store import Store


def test_the_same_form_again_stores_nothing_and_counts_once(store: Store) -> None:
    items = fill(store, 2)
    (one,) = people(store, "R1")
    where = QueueFilter(scope="not_mine", reviewer_id=one)
    claim = claim_item(store, items[0], one)
    sent = [
        save_label(
            store, result_id=items[0], reviewer_id=one, verdict="reject", token=claim.token, sentences=said
        )
        for said in ({0: "unsupported"}, {0: "supported"}, {0: "supported"})  # type: ignore[dict-item]
    ]
    assert sent[0] == sent[1] == sent[2]
    assert overview(store).labels.rows == 1
    assert review.progress(store, where, one).mine == 1
    following = claim_next(store, one)
    assert following is not None
    assert following.result_id == items[1]


def test_a_form_of_another_item_is_refused(store: Store) -> None:
    items = fill(store, 2)
    one, two = people(store, "R1", "R2")
    claim = claim_item(store, items[0], one)
    for item, who in ((items[1], one), (items[0], two)):
        with pytest.raises(StoreError, match="this form is of another item"):
            save_label(store, result_id=item, reviewer_id=who, verdict="accept", token=claim.token)
    save_label(store, result_id=items[0], reviewer_id=one, verdict="accept", token=claim.token)
    with pytest.raises(StoreError, match="sent before, for another result"):
        save_label(store, result_id=items[1], reviewer_id=one, verdict="accept", token=claim.token)
    assert overview(store).labels.rows == 1


def test_a_label_carries_all_that_was_said(store: Store) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    label = save_label(
        store,
        result_id=item,
        reviewer_id=one,
        verdict="reject",
        failure_type="off_topic",
        note="wrong unit",
        corrected_answer="Fuse F1.\n",
        seen="marks",
    )
    assert (label.corrected_answer, label.note, label.failure_type) == (
        "Fuse F1.\n",
        "wrong unit",
        "off_topic",
    )
    assert (label.seen, label.after_reveal, label.picked, label.inclusion_probability) == (
        "marks", False, "priority", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    "wrong", [{"seen": "everything"}, {"corrected_answer": "x" * 200_001}, {"corrected_answer": "\ud800"}]
)
def test_what_cannot_be_stored_says_why(store: Store, wrong: dict[str, str]) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    with pytest.raises(StoreError, match=r"no such value|too long|UTF-8"):
        save_label(store, result_id=item, reviewer_id=one, verdict="accept", **wrong)  # type: ignore[arg-type]


def test_a_change_after_the_reveal_is_marked_so_whatever_the_form_says(store: Store) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    first = save_label(store, result_id=item, reviewer_id=one, verdict="accept", seen="blind")
    second = save_label(
        store, result_id=item, reviewer_id=one, verdict="reject", seen="blind", replaces=first.id
    )
    assert (first.seen, first.after_reveal) == ("blind", False)
    assert (second.seen, second.after_reveal) == ("all", True)
    undo_last(store, one)
    undo_last(store, one)
    third = save_label(store, result_id=item, reviewer_id=one, verdict="reject", seen="blind")
    assert (third.seen, third.after_reveal) == ("all", True)


def test_undo_of_a_change_leaves_what_was_said_before_and_four_events(store: Store) -> None:
    (item,) = fill(store, 1)
    one, two = people(store, "R1", "R2")
    first = save_label(store, result_id=item, reviewer_id=one, verdict="accept", note="fine")
    changed = save_label(
        store, result_id=item, reviewer_id=one, verdict="reject", note="no", replaces=first.id
    )
    undone = undo_last(store, one)
    assert undone is not None
    assert (undone.verdict, undone.note, undone.undoes) == ("accept", "fine", changed.id)
    save_label(store, result_id=item, reviewer_id=two, verdict="unsure")
    standing = review.current_labels(review.item(store, item))
    assert [(label.reviewer, label.verdict) for label in standing] == [("R1", "accept"), ("R2", "unsure")]
    events = history(store, item)
    assert [(e.label.reviewer, e.kind) for e in events] == [
        ("R1", "first"), ("R1", "change"), ("R1", "undo"), ("R2", "first"),
    ]  # fmt: skip
    assert events[1].changes == (Change("verdict", "accept", "reject"), Change("note", "fine", "no"))
    assert [e.label.created_at for e in events] == sorted(e.label.created_at for e in events)
    counts = overview(store).labels
    assert (counts.rows, counts.current, counts.results) == (4, 2, 1)
    assert counts.by_verdict == (("accept", 1), ("unsure", 1))


def test_a_withdrawn_label_counts_as_none_everywhere(store: Store) -> None:
    items = fill(store, 2)
    (one,) = people(store, "R1")
    where = QueueFilter(reviewer_id=one)
    waiting = review.queue_page(store, where).items
    save_label(store, result_id=items[0], reviewer_id=one, verdict="accept")
    assert len(review.queue_page(store, where).items) == 1
    undone = undo_last(store, one)
    assert undone is not None
    assert undone.is_withdrawn
    assert review.queue_page(store, where).items == waiting
    assert review.current_label(store, items[0], one) is None
    assert review.current_labels(review.item(store, items[0])) == ()
    progress = review.progress(store, where, one)
    assert (progress.total, progress.labelled, progress.mine) == (2, 0, 0)
    counts = overview(store).labels
    assert (counts.rows, counts.current, counts.results, counts.by_reviewer) == (2, 0, 0, ())
    assert claim_item(store, items[0], one).result_id == items[0]


def test_a_label_can_be_given_again_after_it_was_taken_back(store: Store) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    save_label(store, result_id=item, reviewer_id=one, verdict="accept")
    undone = undo_last(store, one)
    again = save_label(store, result_id=item, reviewer_id=one, verdict="reject")
    assert undone is not None
    assert again.supersedes == undone.id
    with pytest.raises(StoreError, match="already labelled"):
        save_label(store, result_id=item, reviewer_id=one, verdict="accept")


def test_undo_goes_back_one_label_at_a_time_and_never_over_anothers(store: Store) -> None:
    items = fill(store, 3)
    one, two = people(store, "R1", "R2")
    for item in items:
        save_label(store, result_id=item, reviewer_id=one, verdict="accept")
        save_label(store, result_id=item, reviewer_id=two, verdict="reject")
    undone = [undo_last(store, one) for _ in range(4)]
    assert [label.result_id if label else None for label in undone] == [*reversed(items), None]
    assert overview(store).labels.by_reviewer == ((two, "R2", 3),)


def test_undo_pressed_twice_by_one_click_takes_back_one(store: Store) -> None:
    items = fill(store, 2)
    one, two = people(store, "R1", "R2")
    for item in items:
        save_label(store, result_id=item, reviewer_id=one, verdict="accept")
    assert undo_last(store, one, token="u") == undo_last(store, one, token="u")
    assert overview(store).labels.current == 1
    with pytest.raises(StoreError, match="something else"):
        undo_last(store, two, token="u")
