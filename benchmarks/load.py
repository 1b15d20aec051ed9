"""Reviewers, an import and sudden death on one file: nothing labelled twice, nothing lost.

``python -m benchmarks.load [--reviewers 8] [--items 2000] [--imports 20000] [--kill-every 3]`` starts that
many reviewer processes on a fresh database and one that imports ready results beside them. Every few seconds
one of them is killed with SIGKILL and started again. Reviewers keep a journal of what they are about to send
and of what the store has confirmed; they click twice and click late. In the end journals and store must
agree: exit code 1 when they do not.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.store import FINGERPRINT, make_item
from db.engine import Store
from db.repositories.counts import Counts
from db.repositories.label_list import LabelFilter, LabelList
from db.repositories.results import Results
from db.repositories.runs import Runs, RunSpec
from evalcore.errors import ProofdeskError
from evalcore.result import EvalResult, Verdict
from evalcore.sample import Sample
from workflows import claims, labels, review
from workflows.rights import sign_in

BATCH = 64
IMPORTER = "importer"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How much of everything. ``kill_every`` seconds; ``most_kills`` None for as long as it takes."""

    reviewers: int = 8
    items: int = 2_000
    imports: int = 20_000
    kill_every: float = 3.0
    most_kills: int | None = None
    longest: float = 1_800.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of it; ``broken`` names each promise that was not kept."""

    seconds: float
    kills: int
    n_labels: int
    n_imported: int
    confirmed: int
    label_ms: tuple[float, ...]
    broken: tuple[str, ...]


def run(plan: Plan, folder: Path) -> Outcome:
    """Run a plan on a fresh database in a folder, and check what is left."""
    url = f"sqlite:///{folder / 'load.db'}"
    store = Store.open(url, upgrade=True)
    sign_in(store, "lead")
    _store(store, "work", [_item(n, Verdict.REVIEW) for n in range(plan.items)])
    names = [f"reviewer-{n}" for n in range(plan.reviewers)]
    started = time.monotonic()
    running = {name: _start(url, name, folder, plan) for name in (*names, IMPORTER)}
    kills = 0
    failures: list[str] = []
    due = started + plan.kill_every
    rng = random.Random(11)
    while running and time.monotonic() - started < plan.longest:
        time.sleep(0.05)
        for name, process in list(running.items()):
            if process.poll() is not None:
                del running[name]
                if process.returncode != 0:
                    failures.append(f"{name} ended with code {process.returncode}")
        # Only those past their start: killing an interpreter that still imports tells nothing.
        alive = [name for name in running if (folder / f"{name}.journal").exists()]
        is_time = time.monotonic() >= due and (plan.most_kills is None or kills < plan.most_kills)
        if is_time and alive:
            name = rng.choice(alive)
            running[name].send_signal(signal.SIGKILL)
            running[name].wait()
            kills += 1
            running[name] = _start(url, name, folder, plan)
            due = time.monotonic() + plan.kill_every
    failures += [f"{name} did not finish" for name in running]
    for process in running.values():
        process.kill()
        process.wait()
    seconds = time.monotonic() - started
    outcome = _check(store, names, plan, folder)
    store.close()
    return replace(outcome, seconds=seconds, kills=kills, broken=(*failures, *outcome.broken))


def _start(url: str, name: str, folder: Path, plan: Plan) -> subprocess.Popen[bytes]:
    amount = plan.imports if name == IMPORTER else plan.items
    command = [sys.executable, "-m", "benchmarks.load", "--worker", name, url, str(folder), str(amount)]
    with (folder / f"{name}.err").open("ab") as errors:
        return subprocess.Popen(command, stderr=errors, cwd=Path(__file__).parents[1])


def work(name: str, url: str, folder: Path, amount: int) -> None:
    """One reviewer's, or the importer's, process."""
    store = Store.open(url)
    with (folder / f"{name}.journal").open("a", encoding="utf-8") as journal:
        journal.write('{"kind": "start"}\n')
        journal.flush()
        if name == IMPORTER:
            # Pieces are whole or not there, so a run that was killed goes on after its last one.
            with store.read() as session:
                stored = sum(row.n for row in Counts(session).of_run(2))
            for first in range(stored, amount, BATCH):
                numbers = range(first, min(first + BATCH, amount))
                _store(store, "import", [_item(10**6 + n, None) for n in numbers])
            return
        _review(store, name, amount, journal)


def _review(store: Store, name: str, items: int, journal: object) -> None:
    def note(kind: str, **fields: object) -> None:
        journal.write(json.dumps({"kind": kind, **fields}) + "\n")  # type: ignore[attr-defined]
        journal.flush()  # type: ignore[attr-defined]

    rng = random.Random()
    me = sign_in(store, name).id
    where = review.QueueFilter(run_id=1, order=rng.choice(("riskiest", "newest", "random", "uncertain")))
    before: tuple[int, str] | None = None
    while True:
        begun = time.perf_counter()
        claim = claims.claim_next(store, me, where)
        if claim is None:
            if review.progress(store, where, me).labelled >= items:
                return
            time.sleep(0.05)
            continue
        sample = review.item(store, claim.result_id).sample
        if before is not None and rng.random() < 0.1:
            # A late click: the form of the item before, sent for this one.
            try:
                labels.save_label(
                    store, result_id=claim.result_id, reviewer_id=me, verdict="reject", token=before[1]
                )
            except ProofdeskError:
                pass
            else:
                note("late", result=claim.result_id)
        note("about", result=claim.result_id, token=claim.token, id=sample.id)
        for _ in range(1 + (rng.random() < 0.2)):
            label = labels.save_label(
                store,
                result_id=claim.result_id,
                reviewer_id=me,
                verdict="accept",
                note=sample.id,
                token=claim.token,
                seen=claim.seen,
                sentences={0: "supported"},
            )
        note("done", result=claim.result_id, label=label.id, ms=(time.perf_counter() - begun) * 1000)
        before = claim.result_id, claim.token


def _item(number: int, verdict: Verdict | None) -> tuple[Sample, EvalResult]:
    sample, result = make_item(number, random.Random(number))
    if verdict is not None:
        result = replace(result, decision=replace(result.decision, verdict=verdict))
    return sample, result


def _store(store: Store, key: str, items: Sequence[tuple[Sample, EvalResult]]) -> None:
    with store.write() as session:
        spec = RunSpec(key=key, name=key, source="-", fingerprint=FINGERPRINT)
        Results(session).add_many(Runs(session).start(spec).id, items)


def _check(store: Store, names: Sequence[str], plan: Plan, folder: Path) -> Outcome:
    broken = []
    journals = {name: _journal(folder / f"{name}.journal") for name in names}
    for name in (*names, IMPORTER):
        said = (folder / f"{name}.err").read_text(encoding="utf-8").strip()
        if said:
            broken.append(f"{name} was shown an error: {said.splitlines()[-1][:200]}")
    with store.read() as session:
        stored = list(LabelList(session).iterate(LabelFilter(current=False)))
        imported = sum(row.n for row in Counts(session).of_run(2))
        miscounts = Counts(session).recount()
        counts = LabelList(session).count(LabelFilter())
    by_item = Counter((entry.label.result_id, entry.label.reviewer_id) for entry in stored)
    if any(n > 1 for n in by_item.values()):
        broken.append("an item was labelled twice by one reviewer")
    if len({entry.label.result_id for entry in stored}) != len(stored):
        broken.append("an item that needs one label was labelled by two reviewers")
    if any(entry.label.note != entry.external_id or entry.label.verdict != "accept" for entry in stored):
        broken.append("a label is on another item than its reviewer saw")
    by_id = {entry.label.id: entry.label for entry in stored}
    sent = {
        (name, row["result"], row["token"])
        for name in names
        for row in journals[name]
        if row["kind"] == "about"
    }
    for name in names:
        for row in journals[name]:
            if row["kind"] == "done":
                label = by_id.get(row["label"])
                if label is None or (label.result_id, label.reviewer) != (row["result"], name):
                    broken.append(f"{name} was told that label {row['label']} is stored, and it is not")
            if row["kind"] == "late":
                broken.append(f"{name}'s late click labelled result {row['result']}")
    for label in by_id.values():
        if (label.reviewer, label.result_id, label.client_token) not in sent:
            broken.append(f"label {label.id} was never sent")
    for what, found, expected in (
        ("labels", len(stored), plan.items),
        ("labels that stand", counts, plan.items),
        ("imported results", imported, plan.imports),
        ("quarters of an hour miscounted", len(miscounts), 0),
    ):
        if found != expected:
            broken.append(f"{what}: {found}, not {expected}")
    done = [row["ms"] for rows in journals.values() for row in rows if row["kind"] == "done"]
    return Outcome(
        seconds=0.0,
        kills=0,
        n_labels=len(stored),
        n_imported=imported,
        confirmed=len(done),
        label_ms=tuple(done),
        broken=tuple(broken),
    )


def _journal(path: Path) -> list[dict[str, Any]]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            # The line a killed process was writing; what it told is in the store or is not.
            continue
    return rows


def main() -> None:
    """Run the plan, print its figures, exit with 1 when a promise was broken."""
    if sys.argv[1:2] == ["--worker"]:
        name, url, folder, amount = sys.argv[2:6]
        work(name, url, Path(folder), int(amount))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviewers", type=int, default=8)
    parser.add_argument("--items", type=int, default=2_000)
    parser.add_argument("--imports", type=int, default=20_000)
    parser.add_argument("--kill-every", type=float, default=3.0)
    options = parser.parse_args()
    plan = Plan(
        reviewers=options.reviewers,
        items=options.items,
        imports=options.imports,
        kill_every=options.kill_every,
    )
    with tempfile.TemporaryDirectory(prefix="proofdesk-load-") as name:
        outcome = run(plan, Path(name))
    times = outcome.label_ms or (0.0,)
    print(f"{plan.reviewers} reviewers, {outcome.kills} kills, {outcome.seconds:.0f} s")
    print(f"labels stored               {outcome.n_labels:>8,} of {plan.items:,}")
    print(f"of these confirmed          {outcome.confirmed:>8,}")
    print(f"results imported meanwhile  {outcome.n_imported:>8,} of {plan.imports:,}")
    print(f"claim, read and label       {statistics.median(times):>8.0f} ms p50, {max(times):.0f} ms worst")
    for promise in outcome.broken:
        print(f"BROKEN: {promise}")
    sys.exit(1 if outcome.broken else 0)


if __name__ == "__main__":
    main()
