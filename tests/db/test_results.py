"""Results: stored once, whole, beside those of other fingerprints; read back equal."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from db.engine import Store
from db.repositories.counts import Counts
from db.repositories.results import AddOutcome, ResultFilter, Results
from db.repositories.runs import Runs
from evalcore.errors import StoreError
from evalcore.result import Score, Verdict
from tests.db.build import (
    FINGERPRINT,
    NOON,
    OTHER_FINGERPRINT,
    make_result,
    make_sample,
    start_run,
    store_results,
)


def many(first: int, last: int) -> list:
    samples = [make_sample(f"s{number}", response=f"Answer {number}.") for number in range(first, last)]
    return [(sample, make_result(sample)) for sample in samples]


def rows(store: Store) -> dict[str, int]:
    return dict(store.info().rows)


def test_storing_twice_adds_nothing(store: Store) -> None:
    for expected in (AddOutcome(1500, 0), AddOutcome(0, 1500)):
        with store.write() as session:
            assert Results(session).add_many(start_run(session), many(0, 1500), NOON) == expected
        assert rows(store) == rows(store) | {
            "runs": 1,
            "results": 1500,
            "sentences": 1500,
            "run_results": 1500,
        }


def test_interrupted_import_is_finished_by_a_rerun(store: Store) -> None:
    with store.write() as session:
        Results(session).add_many(start_run(session), many(0, 40), NOON)

    def killed() -> None:
        with store.write() as session:
            Results(session).add_many(start_run(session), many(40, 80), NOON)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed()
    assert rows(store)["results"] == rows(store)["result_documents"] == 40
    with store.write() as session:
        assert Results(session).add_many(start_run(session), many(0, 100), NOON) == AddOutcome(60, 40)
        assert Counts(session).recount() == ()
    assert rows(store)["results"] == 100


def test_same_sample_twice_in_one_batch_is_stored_once(store: Store) -> None:
    with store.write() as session:
        outcome = Results(session).add_many(start_run(session), many(0, 2) + many(0, 1), NOON)
    assert outcome == AddOutcome(2, 1)


def test_same_id_with_another_content_is_another_sample(store: Store) -> None:
    first, second = make_sample("s", response="One."), make_sample("s", response="Two.")
    store_results(store, (first, make_result(first)), (second, make_result(second)))
    with store.read() as session:
        assert len(Results(session).find("s")) == 2


def test_another_fingerprint_adds_results_beside_the_old(store: Store) -> None:
    sample = make_sample()
    store_results(store, (sample, make_result(sample)))
    store_results(store, (sample, make_result(sample, fingerprint=OTHER_FINGERPRINT)), run="r2")
    with store.read() as session:
        found = Results(session).find("s1")
        assert {item.fingerprint_id for item in found} == {FINGERPRINT.id, OTHER_FINGERPRINT.id}
    assert (rows(store)["samples"], rows(store)["results"]) == (1, 2)


def test_result_of_another_fingerprint_than_the_run_is_refused(store: Store) -> None:
    sample = make_sample()
    other = make_result(sample, fingerprint=OTHER_FINGERPRINT)
    with pytest.raises(StoreError, match="another fingerprint"), store.write() as session:
        Results(session).add_many(start_run(session), [(sample, other)])


def test_result_of_another_sample_is_refused(store: Store) -> None:
    pair = (make_sample("a"), make_result(make_sample("b")))
    with pytest.raises(StoreError, match="another sample"), store.write() as session:
        Results(session).add_many(start_run(session), [pair])


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_score_that_is_no_number_is_refused_and_named(store: Store, value: float) -> None:
    sample = make_sample()
    result = make_result(sample, scores=(Score(name="strange", value=value),))
    with pytest.raises(StoreError, match="s1: strange"), store.write() as session:
        Results(session).add_many(start_run(session), [(sample, result)])
    assert rows(store)["samples"] == 0


def test_metadata_that_is_not_json_is_refused_and_named(store: Store) -> None:
    sample = make_sample(metadata={"when": math.nan})
    with pytest.raises(StoreError, match="sample s1: metadata"), store.write() as session:
        Results(session).add_many(start_run(session), [(sample, make_result(sample))])


HOSTILE = {
    "quotes": '\'"`\\ "; -- /* */',
    "injection": "'); DROP TABLE labels; --",
    "nul": "before\x00after",
    "controls": "\x01\x1b[31m\u202e\u2028\r\n",
    "emoji": "👩‍🚀🇩🇪" * 50,
    "scripts": "Насос 泵 مضخة",
    "parameters": ":name ?1 %s {x} %(y)s",
    "a megabyte": "Длинный ответ. " * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_back_equal(store: Store, name: str) -> None:
    text = HOSTILE[name]
    sample = make_sample(
        text[:500],
        query=text,
        contexts=(text, ""),
        response=text,
        reference=text,
        metadata={text[:99]: [text, None]},
    )
    result = make_result(sample, failure_type=text[:99])
    (result_id,) = store_results(store, (sample, result))
    with store.read() as session:
        stored = Results(session).get(result_id)
        listed = Results(session).list(ResultFilter(failure_type=text[:99])).items
        exported = list(Results(session).iter_documents())
    assert stored.sample == sample
    assert dict(stored.sample.metadata) == dict(sample.metadata)
    assert stored.result == result
    assert [item.id for item in listed] == [result_id]
    assert exported[0].document == result.to_dict()
    assert rows(store)["labels"] == 0


def test_half_a_surrogate_pair_in_metadata_comes_back(store: Store) -> None:
    sample = make_sample(metadata={"broken": "\ud800", "whole": "ж"})
    (result_id,) = store_results(store, (sample, make_result(sample)))
    with store.read() as session:
        assert dict(Results(session).get(result_id).sample.metadata) == {"broken": "\ud800", "whole": "ж"}


def test_whole_result_has_its_run_time_and_risk(store: Store) -> None:
    sample = make_sample()
    (result_id,) = store_results(store, (sample, make_result(sample, final=0.4)))
    with store.read() as session:
        stored = Results(session).get(result_id)
    assert (stored.run.name, stored.created_at, stored.risk, stored.labels) == ("r1", NOON, 0.6, ())
    with store.read() as session, pytest.raises(StoreError, match="no such result"):
        Results(session).get(99)


@pytest.mark.parametrize(
    ("final", "scores", "risk"),
    [
        (0.25, (), 0.75),
        (None, (), 1.0),
        (0.25, (Score(name="risk", value=0.1),), 0.1),
        (0.25, (Score.unmeasured("risk", "not calibrated"),), 0.75),
    ],
)
def test_risk_is_its_own_score_else_the_rest_of_final_else_all(
    store: Store, final: float | None, scores: tuple[Score, ...], risk: float
) -> None:
    sample = make_sample()
    (result_id,) = store_results(store, (sample, make_result(sample, final=final, scores=scores)))
    with store.read() as session:
        assert Results(session).get(result_id).risk == risk


def test_times_of_any_zone_are_kept_in_utc_and_naive_ones_refused(store: Store) -> None:
    sample = make_sample()
    local = datetime.fromisoformat("2025-06-02T00:30:00+05:45")
    (result_id,) = store_results(store, (sample, make_result(sample)), at=local)
    with store.read() as session:
        created = Results(session).get(result_id).created_at
    assert (created, created.tzinfo) == (local, UTC)
    with pytest.raises(StoreError, match="without a time zone"), store.write() as session:
        Results(session).add_many(start_run(session), many(0, 1), datetime(2025, 6, 2))
    with pytest.raises(StoreError, match="without a time zone"), store.write() as session:
        start_run(session, "naive", at=datetime(2025, 6, 2))


def test_known_and_linked_in_pieces(store: Store) -> None:
    items = many(0, 1000)
    keys = [(sample.id, sample.content_hash) for sample, _ in items]
    with store.write() as session:
        Results(session).add_many(start_run(session), items[:900], NOON)
    with store.write() as session:
        results = Results(session)
        assert results.known(keys, FINGERPRINT.id) == set(keys[:900])
        assert results.known(keys, OTHER_FINGERPRINT.id) == set()
        second = start_run(session, "r2")
        assert results.link_existing(second, keys, FINGERPRINT.id) == 900
        assert results.link_existing(second, keys, FINGERPRINT.id) == 900
        assert sum(count.n for count in Counts(session).of_run(second)) == 900
    assert rows(store)["run_results"] == 1800


def test_list_is_paged_latest_first_and_filtered(store: Store) -> None:
    with store.write() as session:
        Results(session).add_many(start_run(session), many(0, 7), NOON)
    odd = make_sample("odd")
    store_results(
        store, (odd, make_result(odd, verdict=Verdict.REJECT)), run="r2", at=NOON + timedelta(days=1)
    )
    with store.read() as session:
        results = Results(session)
        first = results.list(limit=5)
        rest = results.list(after=first.next_after, limit=5)
        assert [item.external_id for item in first.items + rest.items] == [
            "odd", "s6", "s5", "s4", "s3", "s2", "s1", "s0",
        ]  # fmt: skip
        assert rest.next_after is None
        for where in (
            ResultFilter(decision="REJECT"),
            ResultFilter(since=NOON + timedelta(hours=1)),
            ResultFilter(run_id=Runs(session).latest()[0].id, fingerprint_id=FINGERPRINT.id, until=NOON),
        ):
            expected = [] if where.until else ["odd"]
            assert [item.external_id for item in results.list(where).items] == expected


def test_export_streams_in_storing_order_across_pieces(store: Store) -> None:
    with store.write() as session:
        Results(session).add_many(start_run(session), many(0, 1100), NOON)
    with store.read() as session:
        names = [document.sample.id for document in Results(session).iter_documents()]
    assert names == [f"s{number}" for number in range(1100)]
