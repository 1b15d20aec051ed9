"""A window of days against a reference, from stored results."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from evalcore.errors import InputError
from evalcore.result import Verdict
from tests.db.build import NOON, OTHER_FINGERPRINT, make_result, make_sample, store_results
from workflows.store import Store
from workflows.trends import periods, trends


def days(store: Store, first: int, last: int, verdict: Verdict, *, a_day: int = 8, **kinds: object) -> None:
    """Results on each day from ``first`` to ``last``, counted from the second of June 2025."""
    for day in range(first, last):
        pairs = []
        for n in range(a_day):
            sample = make_sample(f"{day}-{n}-{len(kinds)}", response=f"Fuse F{day}-{n} guards it.")
            final = 0.9 if verdict is Verdict.ACCEPT else 0.2
            pairs.append((sample, make_result(sample, final=final, verdict=verdict, **kinds)))
        store_results(store, *pairs, run=f"run-{day}-{len(kinds)}", at=NOON + timedelta(days=day))


def test_without_results_there_is_nothing(store: Store) -> None:
    assert trends(store) is None


def test_a_stream_that_turned_has_moved_and_the_day_is_found(store: Store) -> None:
    days(store, 0, 10, Verdict.ACCEPT)
    days(store, 10, 20, Verdict.REJECT)
    found = trends(store)
    assert found is not None

    turned = NOON.date() + timedelta(days=10)
    assert (found.first, found.last) == (NOON.date(), NOON.date() + timedelta(days=19))
    assert (found.n_reference, found.n_window) == (6 * 8, 14 * 8)
    signs = {row.name: row.sign for row in found.rows}
    assert signs == {
        "risk": "moved",
        "final": "moved",
        "attribution": "none",
        "latency_ms": "none",
        "ACCEPT": "moved",
        "REVIEW": "none",
        "REJECT": "moved",
    }
    accept = next(row for row in found.rows if row.name == "ACCEPT")
    assert accept.change is not None
    assert accept.change.value == pytest.approx(4 / 14 - 1)
    assert (found.changed_on, found.before, found.after) == (turned, 1.0, 0.0)
    assert [day.n for day in found.days] == [8] * 20


def test_a_stream_that_stays_has_not(store: Store) -> None:
    days(store, 0, 20, Verdict.ACCEPT)
    found = trends(store)
    assert found is not None
    assert {row.sign for row in found.rows} == {"none"}
    assert found.changed_on is None


def test_few_rows_raise_no_alarm(store: Store) -> None:
    days(store, 0, 1, Verdict.ACCEPT)
    days(store, 1, 2, Verdict.REJECT)
    found = trends(store, window=(date(2025, 6, 3), date(2025, 6, 3)))
    assert found is not None
    assert {row.sign for row in found.rows} == {"few"}
    assert found.changed_on is None


def test_another_profile_does_not_count(store: Store) -> None:
    days(store, 0, 3, Verdict.REJECT, fingerprint=OTHER_FINGERPRINT)
    days(store, 0, 3, Verdict.ACCEPT)
    found = trends(store, profile="classic")
    assert found is not None
    assert (found.profile, sorted(found.profiles)) == ("classic", ["classic", "default"])
    assert found.n_window + found.n_reference == 24


def test_a_window_over_its_reference_is_refused(store: Store) -> None:
    days(store, 0, 3, Verdict.ACCEPT)
    first = NOON.date()
    with pytest.raises(InputError, match="overlap"):
        trends(store, window=(first, first + timedelta(days=1)), reference=(first, first))
    with pytest.raises(InputError, match="backwards"):
        trends(store, window=(first + timedelta(days=1), first))


def test_periods_are_those_of_the_zone(store: Store) -> None:
    days(store, 0, 9, Verdict.ACCEPT)
    first = NOON.date()
    by_day = periods(store, "day", "Pacific/Kiritimati")
    # Noon in UTC is two in the morning of the next day there.
    assert [period.start.date() for period in by_day] == [first + timedelta(days=n) for n in range(1, 10)]
    assert {period.n for period in by_day} == {8}
    assert by_day[0].shares["ACCEPT"].value == 1.0
    low = by_day[0].shares["ACCEPT"].low
    assert low is not None
    assert 0.6 < low < 0.7

    by_week = periods(store, "week")
    assert [(period.start.date(), period.n) for period in by_week] == [
        (date(2025, 6, 2), 7 * 8),
        (date(2025, 6, 9), 2 * 8),
    ]
    by_hour = periods(store, "hour", "Europe/Berlin", since=first, until=first)
    assert [period.n for period in by_hour] == [0] * 14 + [8] + [0] * 9
    assert by_hour[14].start.isoformat() == "2025-06-02T14:00:00+02:00"


def test_periods_of_another_system_are_empty(store: Store) -> None:
    days(store, 0, 2, Verdict.ACCEPT)
    assert periods(store, "day", system="elsewhere") == ()
    assert periods(store, "hour", system="elsewhere") == ()


def test_the_quartiles_of_any_score_can_be_read(store: Store) -> None:
    days(store, 0, 2, Verdict.ACCEPT)
    days(store, 2, 3, Verdict.REJECT)
    found = trends(store, score="final")
    assert found is not None
    assert [day.median for day in found.days] == pytest.approx([0.91, 0.91, 0.21])
    assert set(found.scores) == {"risk", "final", "attribution", "latency_ms"}
    latency = trends(store, score="latency_ms")
    assert latency is not None
    assert latency.days[0].median > 0
