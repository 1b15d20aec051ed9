"""How fast the store takes results in and gives pages and daily counts back.

``python benchmarks/store.py [--insert 100000] [--rows 1000000]`` prints a table; the databases are made in a
temporary folder and removed. The first goes in through the repository, as an import does; the second,
too large for that to be quick, is written row by row into the tables with short texts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from db import tables
from db.engine import Store
from db.mapping import table_of
from db.repositories.counts import Counts, bucket_of
from db.repositories.labels import Labels, NewLabel
from db.repositories.queue import Queue, QueueFilter
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from db.repositories.runs import Runs, RunSpec
from db.tables import utc_text
from evalcore.result import (
    Decision,
    EvalResult,
    Evidence,
    Fingerprint,
    HallucinationStatus,
    Score,
    SentenceStatus,
    SentenceVerdict,
    Verdict,
)
from evalcore.sample import Sample

BATCH = 2_000
DAYS = 90
LABELS = 2_000
REPEATS = 15
FAILURES = ("none", "low_attribution", "fabricated_detail", "off_topic", "weak_context", "borderline")
SCORES = (
    "attribution",
    "specificity",
    "faithfulness",
    "relevance",
    "context_quality",
    "final",
    "disagreement",
)
FINGERPRINT = Fingerprint(
    profile="bench",
    profile_hash="0" * 64,
    encoder="none",
    weights_hash="0" * 64,
    backend="none",
    precision="none",
    runtime_version="0",
    package_version="0",
)


def make_item(number: int, rng: random.Random) -> tuple[Sample, EvalResult]:
    """A sample of the usual size (two passages, four sentences) with its result."""
    parts = [
        f"Sentence {part} of answer {number} states figure {rng.randrange(10**6)} plainly."
        for part in range(4)
    ]
    passages = tuple(
        f"Passage {part} for question {number}. " + "It says a few things. " * 12 for part in range(2)
    )
    sample = Sample(
        id=f"bench-{number}",
        query=f"What is figure {number}?",
        contexts=passages,
        response=" ".join(parts),
    )
    sentences, start = [], 0
    for index, text in enumerate(parts):
        evidence = Evidence(passage=0, start=0, end=20, text=passages[0][:20], score=0.5)
        low = rng.random() < 0.3
        sentences.append(
            SentenceVerdict(
                index=index,
                start=start,
                end=start + len(text),
                text=text,
                support=0.2 if low else 0.8,
                status=SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED,
                evidence=(evidence,),
            )
        )
        start += len(text) + 1
    result = EvalResult(
        sample_id=sample.id,
        content_hash=sample.content_hash,
        decision=Decision(
            verdict=rng.choice(list(Verdict)),
            rule_id="bench",
            failure_type=rng.choice(FAILURES),
            hallucination_status=HallucinationStatus.NONE,
            next_action="serve_response",
            reason="The answer rests on the passages only in part.",
            why="Part of it was not found.",
            confidence_pct=40,
        ),
        scores=tuple(Score(name=name, value=round(rng.random(), 4)) for name in SCORES),
        sentences=tuple(sentences),
        states=(),
        passed=None,
        needs_review=None,
        used_llm_judge=False,
        fingerprint=FINGERPRINT,
        warnings=(),
        latency_ms=12.5,
    )
    return sample, result


def bench_insert(folder: Path, n: int) -> float:
    """Results a second through the repository, a transaction a batch; making them is not counted."""
    store = Store.open(f"sqlite:///{folder / 'insert.db'}", upgrade=True)
    with store.write() as session:
        run = Runs(session).start(RunSpec(key="bench", name="bench", source="-", fingerprint=FINGERPRINT))
    rng = random.Random(7)
    spent = 0.0
    for first in range(0, n, BATCH):
        items = [make_item(number, rng) for number in range(first, min(first + BATCH, n))]
        start = time.perf_counter()
        with store.write() as session:
            Results(session).add_many(run.id, items)
        spent += time.perf_counter() - start
        say(f"insert {first + len(items):,} of {n:,}")
    store.close()
    return n / spent


def fill(store: Store, n: int) -> None:
    """Write ``n`` results with short texts: a run a day, spread over each day."""
    first_day = datetime(2025, 1, 1, tzinfo=UTC)
    per_day = -(-n // DAYS)
    rng = random.Random(7)
    with store.write() as session:
        runs = [
            Runs(session).start(
                RunSpec(
                    key=str(day),
                    name=f"day {day}",
                    source="-",
                    fingerprint=FINGERPRINT,
                    started_at=first_day + timedelta(days=day),
                )
            )
            for day in range(DAYS)
        ]
    for day, run in enumerate(runs):
        numbers = range(day * per_day + 1, min((day + 1) * per_day, n) + 1)
        start = first_day + timedelta(days=day)
        step = timedelta(seconds=86_000 / per_day)
        rows = list(_short_rows(numbers, run.id, start, step, rng))
        with store.write() as session:
            session.execute(insert(table_of(tables.Sample)), [sample for sample, _, _ in rows])
            session.execute(insert(table_of(tables.Result)), [result for _, result, _ in rows])
            session.execute(insert(table_of(tables.RunResult)), [link for _, _, link in rows])
            keys = (
                (bucket_of(start + step * at), run.id, str(link["decision"]), str(link["failure_type"]))
                for at, (_, _, link) in enumerate(rows)
            )
            Counts(session).record(Counter(keys))
        say(f"fill {numbers[-1] if numbers else n:,} of {n:,}")
    with store.write() as session:
        reviewer = Reviewers(session).ensure("bench")
        labels = Labels(session)
        for item in Queue(session).page(QueueFilter(), limit=LABELS).items:
            labels.add(NewLabel(result_id=item.id, reviewer_id=reviewer.id, verdict="accept"))


def _short_rows(
    numbers: range, run_id: int, start: datetime, step: timedelta, rng: random.Random
) -> Iterator[tuple[dict[str, object], dict[str, object], dict[str, object]]]:
    for at, number in enumerate(numbers):
        moment = start + step * at
        risk = round(rng.random(), 4)
        link: dict[str, object] = {
            "run_id": run_id,
            "result_id": number,
            "decision": rng.choices(tables.DECISIONS, (60, 30, 10))[0],
            "failure_type": rng.choices(FAILURES, (50, 20, 15, 10, 4.9, 0.1))[0],
            "created_day": utc_text(moment)[:10],
            "risk": risk,
        }
        sample: dict[str, object] = {
            "id": number,
            "external_id": f"bench-{number}",
            "content_hash": f"{number:064x}",
            "query": "What is it?",
            "contexts": '["It is this."]',
            "response": "It is this, and that.",
            "metadata": "{}",
            "created_at": moment,
        }
        result = {
            **{name: value for name, value in link.items() if name != "result_id"},
            "id": number,
            "sample_id": number,
            "fingerprint_id": FINGERPRINT.id,
            "rule_id": "bench",
            "hallucination_status": "none",
            "next_action": "serve_response",
            "reason": "Short.",
            "final": round(1 - risk, 4),
            "states": "[]",
            "n_sentences": 1,
            "n_low": 0,
            "latency_ms": 12.5,
            "created_at": moment,
        }
        yield sample, result, link


def bench_reads(store: Store) -> Iterator[tuple[str, list[float]]]:
    """Milliseconds of each reading, a new transaction every time."""
    everything, riskiest = QueueFilter(), QueueFilter(order="riskiest")
    rare = QueueFilter(failure_type="borderline")
    rare_riskiest = QueueFilter(failure_type="borderline", order="riskiest")
    one_run = QueueFilter(run_id=DAYS // 2)
    rare_in_run = QueueFilter(run_id=DAYS // 2, failure_type="borderline", order="riskiest")
    not_mine = QueueFilter(scope="not_mine", reviewer_id=1)
    with store.read() as session:
        deep = Queue(session).page(QueueFilter(scope="all"), limit=200_000).next_cursor
        if deep is None:
            deep = Queue(session).page(QueueFilter(scope="all"), limit=200_000).items[-1].cursor
    cases: list[tuple[str, Callable[[Queue], object]]] = [
        ("queue page, newest, first (past 2,000 labelled)", lambda q: q.page(everything)),
        ("queue page, newest, 200,000 deep", lambda q: q.page(everything, after=deep)),
        ("queue page, riskiest, first", lambda q: q.page(riskiest)),
        ("queue page, not mine", lambda q: q.page(not_mine)),
        ("queue page, one rare failure type", lambda q: q.page(rare)),
        ("queue page, one rare failure type, riskiest", lambda q: q.page(rare_riskiest)),
        ("queue page, one run", lambda q: q.page(one_run)),
        ("queue page, one run, rare failure type, riskiest", lambda q: q.page(rare_in_run)),
        ("queue count", lambda q: q.count(everything)),
        ("queue count, one run", lambda q: q.count(one_run)),
        ("queue progress", lambda q: q.progress(everything, 1)),
    ]
    for name, read in cases:
        yield name, _timed(store, lambda session, read=read: read(Queue(session)))
    yield (
        "daily counts, Europe/Berlin",
        _timed(store, lambda s: Counts(s).by_day("Europe/Berlin")),
    )
    yield "totals by decision and failure type", _timed(store, lambda session: Counts(session).totals())
    yield "list of 50 results", _timed(store, lambda session: Results(session).list(limit=50))


def _timed(store: Store, read: Callable[..., object]) -> list[float]:
    spent = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        with store.read() as session:
            read(session)
        spent.append((time.perf_counter() - start) * 1000)
    return spent


def say(text: str) -> None:
    """Progress, on stderr, over the line before."""
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Run both parts and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--insert", type=int, default=100_000, help="results through the repository")
    parser.add_argument("--rows", type=int, default=1_000_000, help="results in the table that is read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofdesk-bench-") as name:
        folder = Path(name)
        if options.insert:
            rate = bench_insert(folder, options.insert)
            print(f"\n{'insert ' + format(options.insert, ',') + ' results':52} {rate:10,.0f} results/s")
        if options.rows:
            store = Store.open(f"sqlite:///{folder / 'read.db'}", upgrade=True)
            start = time.perf_counter()
            fill(store, options.rows)
            made = time.perf_counter() - start
            print(f"\n{'table of ' + format(options.rows, ',') + ' results made in':52} {made:10.0f} s")
            print(f"\n{'reading':52} {'p50 ms':>10} {'worst ms':>10}")
            for title, spent in bench_reads(store):
                print(f"{title:52} {statistics.median(spent):10.2f} {max(spent):10.2f}")
            store.close()


if __name__ == "__main__":
    main()
