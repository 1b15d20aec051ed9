"""How fast the store takes results in and gives pages and daily counts back.

``python benchmarks/store.py [--insert 100000] [--rows 1000000] [--keep FILE]`` prints a table; the databases
are made in a temporary folder and removed. The first goes in through the repository, as an import does; the
second, too large for that to be quick, is written row by row into the tables with short texts.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from benchmarks.store_reads import readings, timed
from db import tables
from db.engine import Store
from db.mapping import table_of
from db.repositories.claims import Claims
from db.repositories.counts import Counts, bucket_of
from db.repositories.labels import Labels, NewLabel
from db.repositories.queue import Queue, QueueFilter
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from db.repositories.runs import Runs, RunSpec
from db.repositories.score_counts import ScoreCounts
from db.search import add_texts
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
from workflows.export import export_results

WORDS = tuple(f"w{number}" for number in range(1, 5_001))
# The nth word as often as 1/n of the first, as in any language.
WEIGHTS = tuple(1 / number for number in range(1, 5_001))
BATCH = 2_000
DAYS = 90
LABELS = 2_000
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


def bench_insert(folder: Path, n: int) -> tuple[float, float]:
    """Results a second through the repository, and the seconds that writing them as JSONL takes.

    A transaction a batch goes in; making the results is not counted.
    """
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
    start = time.perf_counter()
    with (folder / "export.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(export_results(store, form="jsonl"))
    exported = time.perf_counter() - start
    store.close()
    return n / spent, exported


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
                    system="phone" if day == DAYS // 3 else "kiosk",
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
            add_texts(session, ((int(str(row["id"])), _text_of(row)) for row, _, _ in rows))
            doubted = [result for _, result, _ in rows if result["n_low"]]
            session.execute(insert(table_of(tables.Sentence)), [_sentence(row) for row in doubted])
            session.execute(insert(table_of(tables.SentenceDoubt)), [d for r in doubted for d in _doubts(r)])
            keys = (
                (bucket_of(start + step * at), run.id, str(link["decision"]), str(link["failure_type"]))
                for at, (_, _, link) in enumerate(rows)
            )
            Counts(session).record(Counter(keys))
            ScoreCounts(session).record(run.id, [result for _, result, _ in rows])
        say(f"fill {numbers[-1] if numbers else n:,} of {n:,}")
    with store.write() as session:
        first, second = (Reviewers(session).ensure(name).id for name in ("bench", "other"))
        labels, claims = Labels(session), Claims(session)
        for order in ("newest", "riskiest"):
            for item in Queue(session).page(QueueFilter(order=order), limit=LABELS).items:
                labels.add(NewLabel(result_id=item.id, reviewer_id=first, verdict="accept", note="wrong"))
                if item.id % 5 == 0:
                    labels.add(NewLabel(result_id=item.id, reviewer_id=second, verdict="reject"))
        for item in Queue(session).page(QueueFilter(order="random"), limit=LABELS).items:
            claims.skip(item.id, first, "skip", reason="", token=None, now=first_day)


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
            "shuffle": f"{rng.getrandbits(32):08x}",
        }
        sample: dict[str, object] = {
            "id": number,
            "external_id": f"bench-{number}",
            "content_hash": f"{number:064x}",
            "query": "What is it?",
            "contexts": '["It is this."]',
            "response": " ".join(rng.choices(WORDS, WEIGHTS, k=30)),
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
            "n_low": int(rng.random() < 0.3),
            "latency_ms": 12.5,
            "created_at": moment,
        }
        yield sample, result, link


def _text_of(row: dict[str, object]) -> Sample:
    return Sample(query=str(row["query"]), contexts=(), response=str(row["response"]), id="-")


def _sentence(result: dict[str, object]) -> dict[str, object]:
    return {
        "result_id": result["id"],
        "idx": 0,
        "start": 0,
        "end": 5,
        "text": "Short",
        "support": 0.1,
        "status": "low_confidence",
        "n_evidence": 0,
    }


def _doubts(result: dict[str, object]) -> Iterator[dict[str, object]]:
    number = int(str(result["id"]))
    for kind in ("low_confidence", "number") if number % 2 else ("low_confidence",):
        yield {
            "kind": kind,
            "result_id": number,
            "idx": 0,
            "failure_type": result["failure_type"],
            "text_key": f"{number % 5000:016x}",
        }


def bench_reads(store: Store) -> Iterator[tuple[str, list[float]]]:
    """Milliseconds of each reading, a new transaction every time."""
    with store.read() as session:
        page = Queue(session).page(QueueFilter(scope="all"), limit=200_000)
    for name, read in readings(DAYS // 2, page.next_cursor or page.items[-1].cursor):
        yield name, timed(store, read)


def say(text: str) -> None:
    """Progress, on stderr, over the line before."""
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Run both parts and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--insert", type=int, default=100_000, help="results through the repository")
    parser.add_argument("--rows", type=int, default=1_000_000, help="results in the table that is read")
    parser.add_argument("--keep", type=Path, help="the file of the table that is read; made once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proofdesk-bench-") as name:
        folder = Path(name)
        if options.insert:
            rate, exported = bench_insert(folder, options.insert)
            print(f"\n{'insert ' + format(options.insert, ',') + ' results':52} {rate:10,.0f} results/s")
            print(f"{'export them as JSONL':52} {exported:10.1f} s")
        if options.rows:
            file = options.keep or folder / "read.db"
            begun = file.exists()
            store = Store.open(f"sqlite:///{file}", upgrade=True)
            start = time.perf_counter()
            if not begun:
                fill(store, options.rows)
                made = time.perf_counter() - start
                print(f"\n{'table of ' + format(options.rows, ',') + ' results made in':52} {made:10.0f} s")
            print(f"\n{'reading':52} {'p50 ms':>10} {'worst ms':>10}")
            for title, spent in bench_reads(store):
                print(f"{title:52} {statistics.median(spent):10.2f} {max(spent):10.2f}")
            store.close()


if __name__ == "__main__":
    main()
