"""Orders beyond the newest, and filters: pages neither skip nor repeat, counts agree, indexes serve them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event

from db import search
from db.engine import Store
from db.repositories.labels import Labels, NewLabel
from db.repositories.queue import Cursor, Queue, QueueFilter, QueueItem
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from db.repositories.runs import Runs, RunSpec
from evalcore.errors import StoreError
from evalcore.result import Verdict
from tests.db.build import FINGERPRINT, NOON, make_result, make_sample

ANSWERS = ("The Pümp hums.", "泵由保险丝保护。", 'He said "fuse F3" AND left.', "pump fuse", "Насос гудит.")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("orders") / "p.db"


@pytest.fixture(scope="module")
def filled(file: Path) -> Iterator[Store]:
    """Sixty results of three days, two systems, all decisions, with ties in risk; nobody changes it."""
    store = Store.open(f"sqlite:///{file}", upgrade=True)
    _fill(store)
    yield store
    store.close()


def _fill(store: Store) -> None:
    rng = random.Random(3)
    numbers = iter(range(60))
    for day in range(3):
        with store.write() as session:
            system = "kiosk" if day < 2 else "phone"
            spec = RunSpec(key=str(day), name=str(day), source="-", fingerprint=FINGERPRINT, system=system)
            run = Runs(session).start(spec)
            pairs = []
            for _ in range(20):
                number = next(numbers)
                sample = make_sample(f"n{number}", response=ANSWERS[number % 5])
                result = make_result(
                    sample,
                    verdict=rng.choice(list(Verdict)),
                    final=rng.randrange(11) / 10,
                    failure_type=rng.choice(["off_topic", "vague"]),
                )
                pairs.append((sample, result))
            Results(session).add_many(run.id, pairs, NOON + timedelta(days=day))
    with store.write() as session:
        for name in ("Ada", "Bea"):
            Reviewers(session).ensure(name)
        for number in range(0, 60, 7):
            (item,) = Results(session).find(f"n{number}")
            Labels(session).add(NewLabel(result_id=item.id, reviewer_id=1 + number % 2, verdict="accept"))


def walk(store: Store, where: QueueFilter, limit: int = 7) -> list[QueueItem]:
    """The whole queue, page by page; its count must agree."""
    found: list[QueueItem] = []
    after: Cursor | None = None
    with store.read() as session:
        queue = Queue(session)
        while True:
            page = queue.page(where, after=after, limit=limit)
            found += page.items
            after = page.next_cursor
            if after is None:
                break
        assert queue.count(where) == len(found)
        assert all(queue.holds(where, item.id) for item in found)
    return found


ORDERS = ["newest", "oldest", "riskiest", "uncertain", "random"]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("decision", [None, "REVIEW"])
@pytest.mark.parametrize("run_id", [None, 2])
@pytest.mark.parametrize("text", [None, "pump"])
@pytest.mark.parametrize("limit", [1, 7, 100])
def test_every_order_holds_everything_once(
    filled: Store, order: str, decision: str | None, run_id: int | None, text: str | None, limit: int
) -> None:
    where = QueueFilter(order=order, decision=decision, run_id=run_id, text=text, scope="all")  # type: ignore[arg-type]
    found = walk(filled, where, limit)
    keys = [where.sort_key(item.cursor) for item in found]
    assert keys == sorted(set(keys))
    everything = walk(filled, QueueFilter(decision=decision, run_id=run_id, scope="all"), 100)
    wanted = [i for i in everything if text is None or "mp" in i.response]
    assert {i.id for i in found} == {i.id for i in wanted}


def test_uncertain_is_nearest_the_centre_first(filled: Store) -> None:
    for centre in (0.5, 0.35, 0.0, 1.0):
        where = QueueFilter(order="uncertain", decision=None, scope="all", centre=centre)
        gaps = [round(abs(item.risk - centre), 4) for item in walk(filled, where)]
        assert gaps == sorted(gaps)


def test_oldest_is_newest_backwards(filled: Store) -> None:
    newest = [i.id for i in walk(filled, QueueFilter(decision=None, scope="all"))]
    oldest = [i.id for i in walk(filled, QueueFilter(decision=None, scope="all", order="oldest"))]
    assert oldest == newest[::-1]


def test_a_random_order_is_the_same_again_and_another_under_another_seed(filled: Store) -> None:
    ids = [
        [i.id for i in walk(filled, QueueFilter(decision=None, scope="all", order="random", seed=seed))]
        for seed in (1, 1, 2)
    ]
    assert ids[0] == ids[1]
    assert ids[0] != ids[2]
    assert ids[0] != sorted(ids[0])
    doubled = ids[0] + ids[0]
    assert any(doubled[at : at + len(ids[2])] == ids[2] for at in range(len(ids[0])))


def test_a_random_order_goes_on_where_it_was_when_more_results_come(store: Store) -> None:
    _fill(store)
    where = QueueFilter(decision=None, scope="all", order="random")
    before = [i.id for i in walk(store, where)]
    with store.write() as session:
        more = [make_sample(f"m{n}") for n in range(20)]
        Results(session).add_many(1, [(sample, make_result(sample)) for sample in more], NOON)
    after = [i.id for i in walk(store, where)]
    assert [i for i in after if i in set(before)] == before


def test_filters_by_system_and_days(filled: Store) -> None:
    base = QueueFilter(decision=None, scope="all")
    assert {i.run_id for i in walk(filled, QueueFilter(decision=None, scope="all", system="kiosk"))} == {1, 2}
    assert len(walk(filled, QueueFilter(decision=None, scope="all", system="tablet"))) == 0
    second = date(2025, 6, 3)
    for order in ORDERS:
        for since, until, runs in (
            (second, None, {2, 3}),
            (None, second, {1, 2}),
            (second, second, {2}),
            (date(2026, 1, 1), None, set()),
        ):
            where = QueueFilter(
                decision=None,
                scope="all",
                since=since,
                until=until,
                order=order,  # type: ignore[arg-type]
            )
            assert {i.run_id for i in walk(filled, where)} == runs
    assert len(walk(filled, base)) == 60
    in_run = QueueFilter(
        decision=None, scope="all", run_id=2, since=second, system="kiosk", failure_type="vague"
    )
    assert {i.failure_type for i in walk(filled, in_run)} == {"vague"}


def test_scopes_part_the_queue(filled: Store) -> None:
    def ids(scope: str, reviewer: int | None = 1, **fields: object) -> set[int]:
        where = QueueFilter(decision=None, scope=scope, reviewer_id=reviewer, **fields)  # type: ignore[arg-type]
        return {item.id for item in walk(filled, where)}

    everything = ids("all")
    assert ids("mine") | ids("not_mine") == everything
    assert not ids("mine") & ids("not_mine")
    assert ids("mine") | ids("mine", 2) | ids("unlabelled") == everything
    assert ids("skipped") == set()
    assert ids("open") == ids("unlabelled")
    assert ids("mine", text="pump") == ids("mine") & ids("all", text="pump") != set()
    assert ids("mine", run_id=2) == ids("mine") & ids("all", run_id=2) != set()


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("pump", {0, 3}),
        ("PUMP", {0, 3}),
        ("pum", {0, 3}),
        ("ump", set()),
        ("pump fuse", {0, 3}),
        ("pump left", set()),
        ("fus", {0, 1, 2, 3, 4}),
        ('"fuse F3"', {2}),
        ('"F3 fuse"', set()),
        ("насос", {4}),
        ("保险", {1}),
        ("护 泵", {1}),
        ("丝保", {1}),
        ("险保", set()),
        ("AND", {2}),
        ("Which", {0, 1, 2, 3, 4}),
        ("which hums", {0}),
        ("NEAR(", set()),
        ("response:", set()),
        ('"', set()),
        ("*", set()),
        ("' OR 1=1 --", set()),
        ("left\x00", {2}),
        ("   ", set()),
        ("x" * 5000, set()),
    ],
)
@pytest.mark.parametrize("common", [0, 5_000])
def test_words_are_found_in_question_and_answer(
    filled: Store, text: str, answers: set[int], common: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "COMMON", common)
    where = QueueFilter(decision=None, scope="all", text=text)
    assert {int(item.external_id[1:]) % 5 for item in walk(filled, where)} == answers


def test_progress_follows_the_text(filled: Store) -> None:
    with filled.read() as session:
        progress = Queue(session).progress(QueueFilter(decision=None, text="насос"), 1)
    assert (progress.total, progress.labelled, progress.mine) == (12, 2, 1)


@pytest.mark.parametrize("fields", [{"centre": -0.1}, {"centre": 1.1}, {"scope": "mine"}, {"scope": "open"}])
def test_a_filter_that_means_nothing_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(StoreError):
        QueueFilter(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", ["oldest", "uncertain", "random"])
@pytest.mark.parametrize("run_id", [None, 1])
def test_pages_of_every_order_are_read_from_an_index(filled: Store, order: str, run_id: int | None) -> None:
    with filled.read() as session:
        connection = session.connection()
        statements: list[tuple[str, object]] = []
        event.listen(connection, "before_cursor_execute", lambda *a: statements.append((a[2], a[3])))
        where = QueueFilter(order=order, run_id=run_id, failure_type="vague", since=date(2025, 6, 2))  # type: ignore[arg-type]
        Queue(session).page(where, after=Cursor("2025-06-03", 0.5, 3, "80000000"))
        walks = [(s, v) for s, v in statements if "FROM results" in s]
        assert walks
        for statement, values in walks:
            steps = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert not any("TEMP B-TREE" in step or "SCAN" in step for step in steps), steps
