"""What reviewers disagree on goes to a lead; gold labels come of agreement and of settlement."""

from __future__ import annotations

import dataclasses

import pytest

from evalcore.errors import RoleError, StoreError
from tests.workflows.desk import fill, people
from workflows import adjudication
from workflows.claims import change_settings
from workflows.labels import save_label, undo_last
from workflows.store import Store


def say(store: Store, item: int, who: int, verdict: str, **fields: object) -> None:
    save_label(store, result_id=item, reviewer_id=who, verdict=verdict, **fields)  # type: ignore[arg-type]


@pytest.fixture
def desk(store: Store) -> tuple[Store, list[int], list[int]]:
    """Five items, three reviewers, two labels an item asked for."""
    items = fill(store, 5)
    who = people(store, "Lead", "Bea", "Cy")
    change_settings(store, who[0], labels_required=2)
    return store, items, who


def test_only_accept_against_reject_goes_to_the_lead_once_enough_have_labelled(
    desk: tuple[Store, list[int], list[int]],
) -> None:
    store, items, (lead, bea, cy) = desk
    firsts = ("accept", "accept", "accept", "reject", "accept")
    seconds = ("reject", "accept", "unsure", "reject", "")
    for item, first, second in zip(items, firsts, seconds, strict=True):
        say(store, item, bea, first)
        if second:
            say(store, item, cy, second)
    assert [d.result_id for d in adjudication.disagreements(store, lead)] == [items[0]]
    assert adjudication.n_disagreements(store) == 1
    gold = {g.result_id: (g.verdict, g.source, g.n_labels) for g in adjudication.gold_labels(store)}
    assert gold == {items[1]: ("accept", "agreement", 2), items[3]: ("reject", "agreement", 2)}
    undo_last(store, cy)
    assert adjudication.gold_label(store, items[3]) is None
    change_settings(store, lead, labels_required=1)
    assert {g.result_id for g in adjudication.gold_labels(store)} == set(items[1:])


def test_a_lead_sees_both_opinions_unnamed_and_settles(desk: tuple[Store, list[int], list[int]]) -> None:
    store, items, (lead, bea, cy) = desk
    say(store, items[0], bea, "reject", note="wrong unit", failure_type="off_topic")
    say(store, items[0], cy, "accept", note="fine", corrected_answer="F0.")
    case = adjudication.case_of(store, lead, items[0])
    assert [(o.verdict, o.note) for o in case.opinions] == [("accept", "fine"), ("reject", "wrong unit")]
    assert not {"reviewer", "reviewer_id"} & {f.name for f in dataclasses.fields(case.opinions[0])}
    assert case.settled is None
    settled = [
        adjudication.settle(
            store, lead, items[0], "reject", token="t", failure_type="off_topic", note="Bea is right"
        )
        for _ in range(2)
    ]
    assert settled[0] == settled[1]
    gold = adjudication.gold_label(store, items[0])
    assert gold is not None
    assert (gold.verdict, gold.source, gold.failure_type) == ("reject", "adjudication", "off_topic")
    assert adjudication.n_disagreements(store) == 0
    assert adjudication.case_of(store, lead, items[0]).settled == settled[0]


def test_a_settlement_is_changed_only_by_name_and_its_history_kept(
    desk: tuple[Store, list[int], list[int]],
) -> None:
    store, items, (lead, bea, cy) = desk
    say(store, items[0], bea, "reject")
    say(store, items[0], cy, "accept")
    first = adjudication.settle(store, lead, items[0], "reject", token="1")
    with pytest.raises(StoreError, match="settled already"):
        adjudication.settle(store, lead, items[0], "accept", token="2")
    second = adjudication.settle(store, lead, items[0], "accept", token="3", replaces=first.id)
    with pytest.raises(StoreError, match="settled already"):
        adjudication.settle(store, lead, items[0], "accept", token="4", replaces=first.id)
    assert adjudication.settlements(store, items[0]) == (first, second)
    gold = adjudication.gold_label(store, items[0])
    assert gold is not None
    assert gold.verdict == "accept"
    with pytest.raises(StoreError, match="sent before"):
        adjudication.settle(store, lead, items[1], "accept", token="1")


def test_what_nobody_labelled_cannot_be_settled(desk: tuple[Store, list[int], list[int]]) -> None:
    store, items, (lead, *_) = desk
    with pytest.raises(StoreError, match="nobody has labelled this"):
        adjudication.settle(store, lead, items[0], "accept", token="1")
    with pytest.raises(StoreError, match="no such verdict"):
        adjudication.settle(store, lead, items[0], "unsure", token="1")  # type: ignore[arg-type]


def test_the_failure_type_is_gold_only_where_all_name_the_same(
    desk: tuple[Store, list[int], list[int]],
) -> None:
    store, items, (_, bea, cy) = desk
    for item, other in ((items[0], "off_topic"), (items[1], "vague"), (items[2], None)):
        say(store, item, bea, "reject", failure_type="off_topic")
        say(store, item, cy, "reject", failure_type=other)
    found = {g.result_id: g.failure_type for g in adjudication.gold_labels(store)}
    assert found == {items[0]: "off_topic", items[1]: None, items[2]: None}


def test_reviewers_may_not_settle(desk: tuple[Store, list[int], list[int]]) -> None:
    store, items, (_, bea, _cy) = desk
    say(store, items[0], bea, "reject")
    for forbidden in (
        lambda: adjudication.settle(store, bea, items[0], "accept", token="1"),
        lambda: adjudication.case_of(store, bea, items[0]),
        lambda: adjudication.disagreements(store, bea),
    ):
        with pytest.raises(RoleError, match="only a lead"):
            forbidden()
    assert adjudication.settlements(store, items[0]) == ()
