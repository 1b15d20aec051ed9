"""Agreement by week and by group, and what two raters differ on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from db.repositories.labels import Labels, NewLabel
from evalcore.result import Verdict
from tests.workflows.desk import fill, people
from workflows import claims
from workflows.agreement import GATE, mark
from workflows.agreement_detail import by_group, pair_detail, weekly
from workflows.labels import undo_last
from workflows.store import Store

SUNDAY = datetime(2025, 6, 8, 23, 59, tzinfo=UTC)


def _say(store: Store, item: int, who: int, verdict: str, when: datetime) -> None:
    label = NewLabel(result_id=item, reviewer_id=who, verdict=verdict, created_at=when)  # type: ignore[arg-type]
    with store.write() as session:
        Labels(session).add(label)


def test_weeks_begin_on_monday_and_empty_ones_are_gaps(store: Store) -> None:
    accepted = fill(store, 3, verdict=Verdict.ACCEPT, prefix="a")
    doubted = fill(store, 3, prefix="r")
    ada, bea = people(store, "Ada", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    for number, item in enumerate((*accepted[:2], *doubted[:2])):
        _say(store, item, ada, "accept" if number < 2 else "reject", SUNDAY)
    _say(store, accepted[2], ada, "accept", SUNDAY + timedelta(minutes=1))
    _say(store, doubted[2], ada, "accept", SUNDAY + timedelta(days=16))
    _say(store, doubted[0], bea, "unsure", SUNDAY)
    _say(store, accepted[0], bea, "reject", SUNDAY + timedelta(days=16))
    series = weekly(store)

    gate = {week.start: week for week in series.gate}
    assert list(gate) == [date(2025, 6, day) for day in (2, 9, 16, 23)]
    first, second, third, fourth = gate.values()
    assert (first.kappa.value, first.kappa.n, first.observed) == (1.0, 4, 1.0)
    assert (second.kappa.value, second.kappa.n) == (None, 1)
    assert (third.kappa.value, third.kappa.reason) == (None, "no labels in this week")
    assert (fourth.kappa.n, fourth.observed) == (2, 0.0)
    # The pair counts in the week of its second label.
    assert [(week.start, week.kappa.n) for week in series.reviewers] == [(date(2025, 6, 23), 1)]


def test_groups_have_their_shares_and_what_was_taken_back_is_gone(store: Store) -> None:
    accepted = fill(store, 4, verdict=Verdict.ACCEPT, prefix="a")
    doubted = fill(store, 2, prefix="r")
    (ada,) = people(store, "Ada")
    for number, item in enumerate((*accepted, *doubted)):
        _say(store, item, ada, "reject" if number in (0, 4) else "accept", SUNDAY + timedelta(seconds=number))
    undo_last(store, ada)
    (group,) = by_group(store, "system")

    assert group.agreement.n == 5
    assert (group.wrong_accepts.value, group.wrong_accepts.n) == (0.25, 4)
    assert (group.false_alarms.value, group.false_alarms.n) == (0.0, 1)
    assert group.agree.value == pytest.approx(0.8)
    assert sum(row.agreement.n for row in by_group(store, "failure_type")) == 5


def test_two_raters_and_what_they_differ_on(store: Store) -> None:
    items = fill(store, 4, verdict=Verdict.ACCEPT)
    ada, bea = people(store, "Ada", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    before = mark(store)
    for item, one, two in zip(items, "aaru", "aara", strict=True):
        names = {"a": "accept", "r": "reject", "u": "unsure"}
        _say(store, item, ada, names[one], SUNDAY)
        _say(store, item, bea, names[two], SUNDAY)
    assert mark(store) != before
    detail = pair_detail(store, "Ada", GATE)

    assert detail is not None
    assert detail.agreement.n == 3
    assert [(row.result_id, row.first, row.second) for row in detail.differing] == [
        (items[2], "reject", "accept")
    ]
    assert detail.differing[0].external_id == "q-2"
    together = pair_detail(store, "Ada", "Bea")
    assert together is not None
    assert (together.n_differing, together.agreement.kappa.value) == (0, 1.0)
    assert pair_detail(store, "Ada", "Nobody") is None
