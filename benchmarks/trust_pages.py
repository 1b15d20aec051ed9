"""What the pages Agreement and Calibration read, on 100,000 labelled answers.

``python -m benchmarks.trust_pages [--labels N]``: fills a database with ready results and labels of five
reviewers, and prints how long each part of the pages takes, intervals by bootstrap included.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from rich.console import Console
from sqlalchemy import insert, select

from db.mapping import table_of
from db.repositories.results import Results
from db.repositories.runs import Runs, RunSpec
from db.tables import Label, Result
from evalcore.evaluator import Evaluator
from evalcore.result import Verdict
from evalcore.sample import Sample
from evalcore.stats.thresholds import Costs
from workflows import agreement, agreement_detail, calibrate, calibration, review
from workflows.store import Store, open_store

_CHUNK = 2_000
_REVIEWERS = ("Ada", "Bea", "Cem", "Dia", "Eli")
_FIRST = datetime(2025, 1, 6, tzinfo=UTC)
_COSTS = Costs(wrong_accept=20, reading=1, wrong_reject=5, answers_per_day=1000)


def main() -> None:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trust_pages", description=__doc__)
    parser.add_argument("--labels", type=int, default=100_000, help="labelled answers")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{Path(folder) / 'trust.db'}")
        begun = time.perf_counter()
        n_labels = fill(store, arguments.labels)
        spent = time.perf_counter() - begun
        console.print(f"{arguments.labels:,} answers with {n_labels:,} labels, filled in {spent:.0f} s")
        parts: tuple[tuple[str, Callable[[], object]], ...] = (
            ("agreement, 1,000 resamples", lambda: agreement.agreement_report(store, repeats=1_000)),
            ("kappa by week (two queries)", lambda: agreement_detail.weekly(store)),
            ("by failure type", lambda: agreement_detail.by_group(store, "failure_type")),
            ("two raters and where they differ", lambda: agreement_detail.pair_detail(store, "Ada", "Bea")),
            ("guarantee", lambda: calibrate.guarantee(store, alpha=0.1)),
            ("calibration", lambda: calibration.calibration(store, _COSTS)),
            ("whether anything is new", lambda: agreement.mark(store)),
        )
        for name, run in parts:
            times = []
            for _ in range(3):
                begun = time.perf_counter()
                run()
                times.append(time.perf_counter() - begun)
            console.print(f"{name}: {min(times):.3f} s best, {max(times):.3f} s worst of 3")
        store.close()


def fill(store: Store, n: int) -> int:
    """Ready results, one made and then varied; one label each, two on every fifth. Gives the labels."""
    rng = np.random.default_rng(0)
    gate = Evaluator.from_profile("default")
    text = "It is 5 m long."
    made = gate.evaluate(query="How long is it?", contexts=[text], response=text)
    people = [review.sign_in(store, name).id for name in _REVIEWERS]
    spec = RunSpec(key="all", name="all", source="-", fingerprint=gate.fingerprint, system="helpdesk")
    with store.write() as session:
        run = Runs(session).start(spec).id
    for start in range(0, n, _CHUNK):
        pairs = []
        for number in range(start, min(start + _CHUNK, n)):
            context = f"Document {number // 3}. {text}"
            sample = Sample(id=f"a{number}", query="How long is it?", contexts=(context,), response=text)
            risk = round(float(rng.random()), 4)
            result = replace(
                made,
                sample_id=sample.id,
                content_hash=sample.content_hash,
                scores=tuple(replace(s, value=risk) if s.name == "risk" else s for s in made.scores),
                decision=replace(made.decision, verdict=Verdict.ACCEPT if risk < 0.6 else Verdict.REVIEW),
            )
            pairs.append((sample, result))
        with store.write() as session:
            Results(session).add_many(run, pairs)
    results = table_of(Result)
    with store.write() as session:
        stored = session.execute(select(results.c.id, results.c.risk).order_by(results.c.id)).all()
        rows = []
        for place, (result_id, risk) in enumerate(stored):
            wrong = rng.random() < risk**2
            for reviewer in rng.permutation(people)[: 2 if place % 5 == 0 else 1]:
                rows.append(
                    {
                        "result_id": result_id,
                        "reviewer_id": int(reviewer),
                        "verdict": "reject" if wrong != (rng.random() < 0.1) else "accept",
                        "note": "",
                        "created_at": _FIRST + timedelta(minutes=3 * place),
                        "seen": "blind",
                        "picked": "audit",
                    }
                )
        session.execute(insert(table_of(Label)), rows)
    return len(rows)


if __name__ == "__main__":
    main()
