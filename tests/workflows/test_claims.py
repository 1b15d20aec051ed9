"""Claims: one item, one person, unless more were asked for (field cases STO-01, STO-03)."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from evalcore.errors import RoleError, StoreError, TakenError
from evalcore.result import Verdict
from tests.workflows.desk import NOW, fill, people
from workflows import claims
from workflows.claims import Claim, claim_item, claim_next
from workflows.labels import save_label
from workflows.review import QueueFilter, QueueItem, queue_page
from workflows.store import Store

RISKIEST = QueueFilter(order="riskiest")


def label(store: Store, claim: Claim, verdict: str = "accept") -> None:
    save_label(
        store,
        result_id=claim.result_id,
        reviewer_id=claim.reviewer_id,
        verdict=verdict,  # type: ignore[arg-type]
        token=claim.token,
        seen=claim.seen,
    )


def need(claim: Claim | None) -> Claim:
    assert claim is not None
    return claim


def test_two_who_ask_at_once_for_the_last_item_get_it_once(store: Store) -> None:
    (item,) = fill(store, 1)
    reviewers = people(store, *(f"R{n}" for n in range(6)))
    given: list[Claim | None] = []
    threads = [
        threading.Thread(target=lambda who=who: given.append(claim_next(store, who))) for who in reviewers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [claim for claim in given if claim is not None]
    assert [claim.result_id for claim in winners] == [item]
    assert len(given) == 6
    loser = next(who for who in reviewers if who != winners[0].reviewer_id)
    with pytest.raises(TakenError, match="other reviewers have this item"):
        claim_item(store, item, loser)
    label(store, winners[0])
    with pytest.raises(TakenError):
        claim_item(store, item, loser)
    assert all(claim_next(store, who) is None for who in reviewers)


def test_an_item_that_needs_two_labels_is_given_to_two_and_not_to_a_third(store: Store) -> None:
    (item,) = fill(store, 1)
    lead, two, three = people(store, "R1", "R2", "R3")
    claims.change_settings(store, lead, labels_required=2)
    label(store, need(claim_next(store, lead)))
    second = need(claim_next(store, two))
    assert second.result_id == item
    assert claim_next(store, three) is None
    label(store, second, "reject")
    assert claim_next(store, three) is None
    assert claim_next(store, lead) is None


def test_two_under_way_leave_no_room_for_a_third(store: Store) -> None:
    fill(store, 1)
    lead, two, three = people(store, "R1", "R2", "R3")
    claims.change_settings(store, lead, labels_required=2)
    assert claim_next(store, lead) is not None
    assert claim_next(store, two) is not None
    assert claim_next(store, three) is None


def test_a_claim_lapses_and_then_another_may_have_the_item(store: Store) -> None:
    (item,) = fill(store, 1)
    one, two = people(store, "R1", "R2")
    first = claim_item(store, item, one, now=NOW)
    assert first.expires_at == NOW + timedelta(minutes=15)
    assert claim_next(store, two, now=NOW + timedelta(minutes=14)) is None
    taken = need(claim_next(store, two, now=NOW + timedelta(minutes=15)))
    assert taken.result_id == item
    assert taken.token != first.token
    with pytest.raises(TakenError):
        claims.renew(store, first, now=NOW + timedelta(minutes=16))


def test_who_comes_back_gets_the_item_they_had_open_with_what_they_had_typed(store: Store) -> None:
    items = fill(store, 3)
    one, two = people(store, "R1", "R2")
    first = need(claim_next(store, one, RISKIEST))
    assert first.result_id == items[0]
    claims.keep_draft(store, first.result_id, one, {"note": "wrong unit 👩‍🚀"})
    again = need(claim_next(store, one, RISKIEST))
    assert (again.result_id, again.token) == (first.result_id, first.token)
    assert claims.draft(store, items[0], one) == {"note": "wrong unit 👩‍🚀"}
    assert claims.draft(store, items[0], two) == {}
    assert need(claim_next(store, two, RISKIEST)).result_id == items[1]
    label(store, again)
    assert claims.draft(store, items[0], one) == {}
    assert need(claim_next(store, one, RISKIEST)).result_id == items[2]


def test_an_open_item_that_the_filters_leave_out_does_not_come_back(store: Store) -> None:
    fill(store, 1)
    rejected = fill(store, 1, verdict=Verdict.REJECT, prefix="x")
    (one,) = people(store, "R1")
    assert claim_next(store, one) is not None
    found = need(claim_next(store, one, QueueFilter(decision="REJECT")))
    assert found.result_id == rejected[0]
    assert [claim.result_id for claim in claims.open_claims(store, one)] == [rejected[0], 1]


def test_a_draft_outlives_the_claim(store: Store) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    claim_item(store, item, one)
    claims.keep_draft(store, item, one, {"note": "a"})
    claims.keep_draft(store, item, one, {"note": "ab", "failure_type": None})
    claims.release(store, item, one)
    assert claims.draft(store, item, one) == {"note": "ab", "failure_type": None}


@pytest.mark.parametrize("kind", ["skip", "decline"])
def test_what_one_passes_over_goes_to_others(store: Store, kind: claims.SkipKind) -> None:
    (item,) = fill(store, 1)
    one, two = people(store, "R1", "R2")
    first = need(claim_next(store, one))
    for _ in range(2):
        claims.skip(store, item, one, kind=kind, reason="not my field", token="t")
    assert claim_next(store, one) is None
    assert need(claim_next(store, two)).result_id == item
    claims.release(store, item, two)
    again = claim_next(store, one, QueueFilter(scope="skipped", reviewer_id=one))
    assert (again.result_id if again else None) == (item if kind == "skip" else None)
    assert first.token != (again.token if again else "")


def test_a_token_of_another_skip_is_refused(store: Store) -> None:
    items = fill(store, 2)
    (one,) = people(store, "R1")
    claims.skip(store, items[0], one, token="t")
    with pytest.raises(StoreError, match="sent before"):
        claims.skip(store, items[1], one, token="t")


def test_released_items_go_back_at_once(store: Store) -> None:
    (item,) = fill(store, 1)
    one, two = people(store, "R1", "R2")
    claim_item(store, item, one)
    claims.release(store, item, two)
    with pytest.raises(TakenError):
        claim_item(store, item, two)
    claims.release(store, item, one)
    assert claim_item(store, item, two).result_id == item


def test_going_on_from_a_place_wraps_to_what_was_left(store: Store) -> None:
    items = fill(store, 3)
    (one,) = people(store, "R1")
    page = queue_page(store, RISKIEST)
    last: QueueItem = page.items[-1]
    found = need(claim_next(store, one, RISKIEST, after=page.items[0].cursor))
    assert found.result_id == items[1]
    claims.release(store, items[1], one)
    assert need(claim_next(store, one, RISKIEST, after=last.cursor)).result_id == items[0]


@pytest.mark.parametrize(
    ("blind", "show_marks", "picked", "seen"),
    [
        (True, True, "priority", "marks"),
        (True, False, "priority", "blind"),
        (False, True, "priority", "gate"),
        (True, True, "audit", "blind"),
        (False, True, "audit", "blind"),
        (True, True, "random", "marks"),
    ],
)
def test_what_may_be_seen_follows_the_queue_and_how_the_item_was_picked(
    store: Store, blind: bool, show_marks: bool, picked: str, seen: str
) -> None:
    (item,) = fill(store, 1)
    (lead,) = people(store, "R1")
    claims.change_settings(store, lead, blind=blind, show_marks=show_marks)
    claim = claim_item(store, item, lead, picked=picked, inclusion_probability=0.25)  # type: ignore[arg-type]
    assert (claim.seen, claim.inclusion_probability) == (seen, 0.25)
    stored = save_label(
        store, result_id=item, reviewer_id=lead, verdict="accept", token=claim.token, seen=claim.seen
    )
    assert (stored.picked, stored.inclusion_probability, stored.seen) == (picked, 0.25, seen)


def test_settings_are_a_leads_and_kept_in_range(store: Store) -> None:
    lead, other = people(store, "R1", "R2")
    assert claims.queue_settings(store).blind
    assert claims.queue_settings(store).labels_required == 1
    changed = claims.change_settings(store, lead, labels_required=3, claim_minutes=30, name="Night shift")
    assert claims.queue_settings(store) == changed
    with pytest.raises(RoleError, match="only a lead"):
        claims.change_settings(store, other, labels_required=1)
    for wrong in ({"labels_required": 6}, {"labels_required": 0}, {"claim_minutes": 0}, {"name": " "}):
        with pytest.raises(StoreError):
            claims.change_settings(store, lead, **wrong)  # type: ignore[arg-type]
    assert claims.queue_settings(store) == changed


@pytest.mark.parametrize("probability", [0.0, -0.1, 1.1])
def test_what_is_no_probability_is_refused(store: Store, probability: float) -> None:
    (item,) = fill(store, 1)
    (one,) = people(store, "R1")
    with pytest.raises(StoreError, match="not a probability"):
        claim_item(store, item, one, inclusion_probability=probability)


def test_what_does_not_exist_cannot_be_claimed(store: Store) -> None:
    (one,) = people(store, "R1")
    with pytest.raises(StoreError, match="no such result"):
        claim_item(store, 99, one)
