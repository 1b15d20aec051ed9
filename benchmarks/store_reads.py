"""What is read from the large table of :mod:`benchmarks.store`, and how long each reading takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from sqlalchemy.orm import Session

from db.engine import Store
from db.repositories.compare import Comparison
from db.repositories.counts import Counts
from db.repositories.doubts import Doubts, SentenceFilter
from db.repositories.gold import Golds
from db.repositories.label_list import LabelFilter, LabelList
from db.repositories.queue import Cursor, Order, Queue, QueueFilter
from db.repositories.results import Results
from db.repositories.score_counts import ScoreCounts

REPEATS = 7
ORDERS: tuple[Order, ...] = ("newest", "oldest", "riskiest", "uncertain", "random")
RARE_WORD, COMMON_WORD = "w4000", "w3"

Reading = Callable[[Session], object]


def readings(run_id: int, deep: Cursor) -> Iterator[tuple[str, Reading]]:
    """A name and a reading, for every order and filter."""
    for order in ORDERS:
        yield f"page, {order}", _page(QueueFilter(order=order))
        yield f"page, {order}, any decision", _page(QueueFilter(order=order, decision=None))
    yield "page, newest, 200,000 deep", lambda s: Queue(s).page(QueueFilter(), after=deep)
    for name, where in _filters(run_id):
        for order in ("newest", "riskiest", "random"):
            yield f"page, {order}, {name}", _page(_with_order(where, order))
        yield f"count, {name}", _count(where)
    yield "progress", lambda s: Queue(s).progress(QueueFilter(), 1)
    yield "daily counts, Europe/Berlin", lambda s: Counts(s).by_day("Europe/Berlin")
    yield "hourly counts, Europe/Berlin", lambda s: Counts(s).by_hour("Europe/Berlin")
    first, last = date(2025, 1, 1), date(2025, 3, 31)
    middle = date(2025, 3, 1)
    yield "a score by day", lambda s: ScoreCounts(s).by_day("risk", first, last)
    before = (first, middle - timedelta(days=1))
    yield "every score, reference and window", lambda s: ScoreCounts(s).sides(before, (middle, last))
    yield "totals by decision and failure type", lambda s: Counts(s).totals()
    yield "list of 50 results", lambda s: Results(s).list(limit=50)
    for kind in (None, "number"):
        sentences = SentenceFilter(kind=kind)
        named = f"sentences, {kind or 'any kind'}"
        yield f"{named}: page", lambda s, w=sentences: Doubts(s).page(w)  # type: ignore[misc]
        yield f"{named}: count", lambda s, w=sentences: Doubts(s).count(w)  # type: ignore[misc]
    yield "sentences: groups", lambda s: Doubts(s).groups(SentenceFilter())
    yield (
        "labels: page and count",
        lambda s: (
            LabelList(s).page(LabelFilter(text="wrong")),
            LabelList(s).count(LabelFilter(text="wrong")),
        ),
    )
    yield "labels: figures of reviewers", lambda s: LabelList(s).by_reviewer()
    yield "disagreements", lambda s: Golds(s).disagreements()
    yield "two runs compared: page", lambda s: Comparison(s, run_id, run_id + 1).page()


def _filters(run_id: int) -> Iterator[tuple[str, QueueFilter]]:
    yield "unlabelled", QueueFilter()
    yield "rare failure type", QueueFilter(failure_type="borderline")
    yield "one run", QueueFilter(run_id=run_id)
    yield "one run, rare failure type", QueueFilter(run_id=run_id, failure_type="borderline")
    yield "rare system", QueueFilter(system="phone")
    yield "one day", QueueFilter(since=date(2025, 1, 20), until=date(2025, 1, 20))
    yield "rare word", QueueFilter(text=RARE_WORD)
    yield "common word", QueueFilter(text=COMMON_WORD)
    yield "two common words", QueueFilter(text=f"{COMMON_WORD} w5")
    yield "common word, any decision", QueueFilter(text=COMMON_WORD, decision=None)
    yield "not mine", QueueFilter(scope="not_mine", reviewer_id=1)
    yield "mine", QueueFilter(scope="mine", reviewer_id=1)
    yield "skipped", QueueFilter(scope="skipped", reviewer_id=1)
    yield "open to me", QueueFilter(scope="open", reviewer_id=1)


def _with_order(where: QueueFilter, order: Order) -> QueueFilter:
    fields = {name: getattr(where, name) for name in QueueFilter.__dataclass_fields__}
    return QueueFilter(**fields | {"order": order})


def _page(where: QueueFilter) -> Reading:
    return lambda session: Queue(session).page(where)


def _count(where: QueueFilter) -> Reading:
    return lambda session: Queue(session).count(where)


def timed(store: Store, read: Reading) -> list[float]:
    """Milliseconds of each repeat, a new transaction every time."""
    spent = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        with store.read() as session:
            read(session)
        spent.append((time.perf_counter() - start) * 1000)
    return spent
