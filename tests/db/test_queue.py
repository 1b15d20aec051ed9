"""The queue: order, scopes, filters, pages that neither skip nor repeat, counts that agree."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from db.engine import Store
from db.repositories.labels import Labels, NewLabel
from db.repositories.queue import Cursor, Progress, Queue, QueueFilter
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from evalcore.errors import StoreError
from evalcore.result import Verdict
from tests.db.build import FINGERPRINT, NOON, make_result, make_sample, start_run, store_results


@pytest.fixture
def filled(store: Store) -> Store:
    """Two days, six to review with a tie in risk, one rejected, two reviewers."""
    for day, finals in enumerate([(0.2, 0.5, 0.5), (0.4, 0.1, None)]):
        pairs = []
        for number, final in enumerate(finals):
            sample = make_sample(f"d{day}n{number}", query="q" * 300, response="r" * 300)
            failure_type = "off_topic" if number == 0 else "low_attribution"
            pairs.append((sample, make_result(sample, final=final, failure_type=failure_type)))
        store_results(store, *pairs, run=f"r{day}", at=NOON + timedelta(days=day))
    rejected = make_sample("rejected")
    store_results(store, (rejected, make_result(rejected, verdict=Verdict.REJECT)))
    with store.write() as session:
        for name in ("Ada", "Bea"):
            Reviewers(session).ensure(name)
    return store


def label(store: Store, name: str, reviewer_id: int) -> None:
    with store.write() as session:
        (item,) = Results(session).find(name)
        Labels(session).add(NewLabel(result_id=item.id, reviewer_id=reviewer_id, verdict="accept"))


def names(store: Store, limit: int = 2, **fields: object) -> list[str]:
    """The whole queue, page by page; its count must agree."""
    where = QueueFilter(**fields)
    found: list[str] = []
    after: Cursor | None = None
    with store.read() as session:
        queue = Queue(session)
        while True:
            page = queue.page(where, after=after, limit=limit)
            found += [item.external_id for item in page.items]
            after = page.next_cursor
            if after is None:
                break
        assert queue.count(where) == len(found)
    return found


NEWEST = ["d1n2", "d1n1", "d1n0", "d0n0", "d0n2", "d0n1"]
RISKIEST = ["d1n2", "d1n1", "d0n0", "d1n0", "d0n2", "d0n1"]


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 50])
def test_pages_neither_skip_nor_repeat(filled: Store, limit: int) -> None:
    assert names(filled, limit) == NEWEST
    assert names(filled, limit, order="riskiest") == RISKIEST


def test_filters_narrow_the_queue(filled: Store) -> None:
    assert names(filled, run_id=1) == ["d0n0", "d0n2", "d0n1"]
    assert names(filled, run_id=2, order="riskiest") == ["d1n2", "d1n1", "d1n0"]
    assert names(filled, failure_type="off_topic") == ["d1n0", "d0n0"]
    assert names(filled, failure_type="off_topic", order="riskiest") == ["d0n0", "d1n0"]
    assert names(filled, failure_type="off_topic", run_id=1) == ["d0n0"]
    assert names(filled, decision="REJECT") == ["rejected"]
    assert names(filled, failure_type="none") == []


def test_run_shows_also_what_an_earlier_run_stored(filled: Store) -> None:
    sample = make_sample("d0n0", query="q" * 300, response="r" * 300)
    with filled.write() as session:
        third = start_run(session, "r3")
        key = (sample.id, sample.content_hash)
        assert Results(session).link_existing(third, [key], FINGERPRINT.id) == 1
    assert names(filled, run_id=third) == ["d0n0"]


def test_scopes_leave_out_what_was_labelled(filled: Store) -> None:
    label(filled, "d1n2", 1)
    label(filled, "d0n0", 2)
    assert names(filled) == ["d1n1", "d1n0", "d0n2", "d0n1"]
    assert names(filled, scope="not_mine", reviewer_id=1) == ["d1n1", "d1n0", "d0n0", "d0n2", "d0n1"]
    assert names(filled, scope="not_mine", reviewer_id=1, run_id=2) == ["d1n1", "d1n0"]
    assert names(filled, scope="all") == NEWEST


def test_changed_label_counts_once(filled: Store) -> None:
    label(filled, "d1n2", 1)
    with filled.write() as session:
        labels = Labels(session)
        (item,) = Results(session).find("d1n2")
        (first,) = labels.current(item.id)
        labels.add(NewLabel(result_id=item.id, reviewer_id=1, verdict="reject", replaces=first.id))
    assert len(names(filled)) == 5
    label(filled, "d1n2", 2)
    label(filled, "d0n0", 2)
    with filled.read() as session:
        queue = Queue(session)
        assert queue.progress(QueueFilter(), 1) == Progress(total=6, labelled=2, mine=1)
        assert queue.progress(QueueFilter(run_id=1), 2) == Progress(total=3, labelled=1, mine=1)
        assert queue.progress(QueueFilter(failure_type="off_topic")) == Progress(total=2, labelled=1, mine=0)
        item = queue.page(QueueFilter(scope="all", reviewer_id=1), limit=1).items[0]
    assert item.n_labels == 2
    assert item.mine is not None
    assert item.mine.verdict == "reject"


def test_place_in_the_queue_holds_while_others_label(filled: Store) -> None:
    with filled.read() as session:
        first = Queue(session).next_after(QueueFilter(), None)
    assert first is not None
    label(filled, first.external_id, 1)
    label(filled, "d1n1", 2)
    with filled.read() as session:
        following = Queue(session).next_after(QueueFilter(), first.cursor)
        assert following is not None
        assert following.external_id == "d1n0"
        last = Cursor("2025-06-02", 0.5, 1)
        assert Queue(session).next_after(QueueFilter(), last) is None


def test_items_are_previews(filled: Store) -> None:
    with filled.read() as session:
        item = Queue(session).page(QueueFilter()).items[0]
    assert (len(item.query), len(item.response)) == (200, 200)


def test_not_mine_needs_a_reviewer() -> None:
    with pytest.raises(StoreError, match="whose labels"):
        QueueFilter(scope="not_mine")


@pytest.mark.parametrize(
    ("fields", "index"),
    [
        ({}, "ix_results_newest"),
        ({"order": "riskiest"}, "ix_results_riskiest"),
        ({"failure_type": "x"}, "ix_results_failure_newest"),
        ({"run_id": 1}, "ix_run_results_newest"),
        ({"run_id": 1, "failure_type": "x", "order": "riskiest"}, "ix_run_results_riskiest"),
        ({"scope": "not_mine", "reviewer_id": 1}, "ix_results_newest"),
    ],
)
def test_page_is_read_in_order_from_an_index(
    filled: Store, path: Path, fields: dict[str, object], index: str
) -> None:
    with filled.read() as session:
        connection = session.connection()
        statements: list[tuple[str, object]] = []
        event.listen(connection, "before_cursor_execute", lambda *a: statements.append((a[2], a[3])))
        Queue(session).page(QueueFilter(**fields), after=Cursor("2025-06-03", 0.5, 3))
        statement, values = statements[0]
        steps = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert any(f"INDEX {index} " in step for step in steps), steps
    assert not any("TEMP B-TREE" in step or "SCAN" in step for step in steps), steps
    # Two queries a page, however long it is.
    assert len([s for s, _ in statements if s.startswith("SELECT")]) == 2


def test_a_search_is_counted_so_far_and_says_that_there_is_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = [make_sample(f"s{n}", response=f"Fuse F{n} guards it.") for n in range(6)]
    store_results(store, *((sample, make_result(sample)) for sample in samples), run="r")
    wanted = QueueFilter(text="fuse")
    with store.read() as session:
        found = Queue(session).progress(wanted)
        assert (found.total, found.is_more, Queue(session).count(wanted)) == (6, False, 6)
        monkeypatch.setattr("db.repositories.queue.MOST_COUNTED", 4)
        found = Queue(session).progress(wanted)
        assert (found.total, found.is_more) == (4, True)
        # All that no word narrows is counted from the roll-up, however much it is.
        assert Queue(session).progress(QueueFilter()).total == 6
