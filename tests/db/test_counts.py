"""Daily counts: days of the asked zone, zeros included, equal to what is stored."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from db.engine import Store
from db.repositories.counts import CountFilter, Counts, DecisionCount, Miscount
from db.repositories.score_counts import ScoreCounts
from evalcore.errors import StoreError
from evalcore.result import Verdict
from tests.db.build import FINGERPRINT, OTHER_FINGERPRINT, make_result, make_sample, store_results

# Field case STO-07: clocks in Berlin went forward on 30 March 2025 at 01:00 UTC.
EVENTS = ("2025-03-29T23:30:00Z", "2025-03-30T00:30:00Z", "2025-03-30T21:59:00Z", "2025-03-30T22:01:00Z")


def store_at(store: Store, *moments: str, run: str = "r1", **fields: object) -> None:
    for number, moment in enumerate(moments):
        sample = make_sample(f"{run}-{number}")
        store_results(
            store, (sample, make_result(sample, **fields)), run=run, at=datetime.fromisoformat(moment)
        )


def days(store: Store, zone: str, **options: object) -> dict[date, int]:
    found: dict[date, int] = {}
    with store.read() as session:
        for count in Counts(session).by_day(zone, **options):
            found[count.day] = found.get(count.day, 0) + count.n
    return found


def test_days_are_those_of_the_zone_across_a_clock_change(store: Store) -> None:
    store_at(store, *EVENTS)
    march = {"since": date(2025, 3, 29), "until": date(2025, 3, 31)}
    assert list(days(store, "Europe/Berlin", **march).values()) == [0, 3, 1]
    assert list(days(store, "UTC", **march).values()) == [1, 3, 0]
    assert days(store, "UTC") == {date(2025, 3, 29): 1, date(2025, 3, 30): 3}
    assert days(store, "Europe/Berlin") == {date(2025, 3, 30): 3, date(2025, 3, 31): 1}


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Asia/Kathmandu", "2025-06-01T18:14:59Z", date(2025, 6, 1)),
        ("Asia/Kathmandu", "2025-06-01T18:15:00Z", date(2025, 6, 2)),
        ("Asia/Kolkata", "2025-06-01T18:30:00Z", date(2025, 6, 2)),
        ("America/Los_Angeles", "2025-06-02T06:59:59Z", date(2025, 6, 1)),
        ("Pacific/Kiritimati", "2025-06-01T10:00:00Z", date(2025, 6, 2)),
        # Midnight of this day did not exist: clocks went from 24:00 to 01:00.
        ("Africa/Cairo", "2025-04-24T22:00:00Z", date(2025, 4, 25)),
        ("Africa/Cairo", "2025-04-24T21:59:59Z", date(2025, 4, 24)),
    ],
)
def test_result_falls_on_the_day_of_its_zone(store: Store, zone: str, moment: str, day: date) -> None:
    store_at(store, moment)
    assert days(store, zone) == {day: 1}


def test_days_without_results_are_zero_and_long_spans_come_in_pieces(store: Store) -> None:
    store_at(store, "2023-01-01T12:00:00Z", "2025-01-01T12:00:00Z")
    found = days(store, "Europe/Berlin")
    assert (len(found), sum(found.values())) == (732, 2)
    assert (found[date(2023, 1, 1)], found[date(2024, 6, 1)], found[date(2025, 1, 1)]) == (1, 0, 1)


def test_span_outside_the_data_is_all_zero(store: Store) -> None:
    span = {"since": date(2030, 1, 1), "until": date(2030, 1, 3)}
    assert days(store, "UTC") == {}
    assert list(days(store, "UTC", **span).values()) == [0, 0, 0]
    store_at(store, *EVENTS)
    assert list(days(store, "UTC", **span).values()) == [0, 0, 0]


def test_every_decision_has_a_row_for_every_day(store: Store) -> None:
    store_at(store, *EVENTS[:1])
    with store.read() as session:
        counts = Counts(session).by_day("UTC")
    assert [(c.decision, c.n) for c in counts] == [("ACCEPT", 0), ("REVIEW", 1), ("REJECT", 0)]


def test_counts_are_narrowed_by_run_profile_and_fingerprint(store: Store) -> None:
    store_at(store, *EVENTS)
    store_at(store, *EVENTS[:1], run="r2", fingerprint=OTHER_FINGERPRINT, verdict=Verdict.ACCEPT)
    for where, n in (
        (CountFilter(run_id=1), 4),
        (CountFilter(profile="classic"), 1),
        (CountFilter(fingerprint_id=FINGERPRINT.id), 4),
        (CountFilter(profile="classic", run_id=1), 0),
    ):
        assert sum(days(store, "UTC", where=where).values()) == n
    with store.read() as session:
        assert Counts(session).totals() == (
            DecisionCount("REVIEW", "low_attribution", 4),
            DecisionCount("ACCEPT", "low_attribution", 1),
        )


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "\x00"])
def test_unknown_zone_is_refused(store: Store, zone: str) -> None:
    with pytest.raises(StoreError, match="no such time zone"), store.read() as session:
        Counts(session).by_day(zone)


def test_span_that_runs_backwards_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="not a span"), store.read() as session:
        Counts(session).by_day("UTC", since=date(2025, 1, 2), until=date(2025, 1, 1))


def test_recount_finds_what_differs(store: Store) -> None:
    store_at(store, *EVENTS)
    with store.write() as session:
        assert Counts(session).recount() == ()
        session.connection().exec_driver_sql(
            "UPDATE result_counts SET n = 5 WHERE bucket = '2025-03-30 22:00'"
        )
        assert Counts(session).recount() == (
            Miscount("2025-03-30 22:00", 1, "REVIEW", "low_attribution", recorded=5, counted=1),
        )


def test_an_hour_that_clocks_show_twice_is_there_twice_and_a_missing_one_is_not(store: Store) -> None:
    store_at(store, "2025-10-26T00:10:00Z", "2025-10-26T01:10:00Z", "2025-10-26T01:50:00Z")
    autumn, spring = date(2025, 10, 26), date(2025, 3, 30)
    with store.read() as session:
        counts = Counts(session)
        long = counts.by_hour("Europe/Berlin", since=autumn, until=autumn)
        short = counts.by_hour("Europe/Berlin", since=spring, until=spring)
        halved = counts.by_hour("Asia/Kolkata", since=autumn, until=autumn)
    assert (len(long), len(short), len(halved)) == (25, 23, 24)
    twice = [(hour.isoformat(), found["REVIEW"]) for hour, found in long if hour.hour == 2]
    assert twice == [("2025-10-26T02:00:00+02:00", 1), ("2025-10-26T02:00:00+01:00", 2)]
    assert [hour.hour for hour, _ in short][:4] == [0, 1, 3, 4]
    assert [(hour.isoformat(), found["REVIEW"]) for hour, found in halved if found["REVIEW"]] == [
        ("2025-10-26T05:00:00+05:30", 1),
        ("2025-10-26T06:00:00+05:30", 1),
        ("2025-10-26T07:00:00+05:30", 1),
    ]


def test_scores_are_counted_with_every_insert_and_narrowed(store: Store) -> None:
    store_at(store, *EVENTS, final=0.35)
    store_at(store, *EVENTS[:1], run="r2", fingerprint=OTHER_FINGERPRINT, final=0.99)
    # The same results once more count once.
    store_at(store, *EVENTS, final=0.35)
    whole = (date(2025, 1, 1), date(2025, 12, 31))
    with store.read() as session:
        counts = ScoreCounts(session)
        assert counts.by_day("final", *whole, CountFilter(profile="default")) == [
            (date(2025, 3, 29), 17, 1),
            (date(2025, 3, 30), 17, 3),
        ]
        assert counts.by_day("final", *whole, CountFilter(run_id=2)) == [(date(2025, 3, 29), 49, 1)]
        sides = counts.sides((whole[0], date(2025, 3, 29)), (date(2025, 3, 30), whole[1]))
        assert [cell for cell in sides if cell.score == "final"] == [
            ("final", False, 17, 1),
            ("final", False, 49, 1),
            ("final", True, 17, 3),
        ]
        with pytest.raises(StoreError, match="no such score"):
            counts.by_day("beauty", *whole)
