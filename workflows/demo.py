"""The demo database: the seed answers through the gate, with their dates and the demo reviewers' labels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from db.engine import Store
from db.repositories.labels import Labels, NewLabel
from db.repositories.results import Results
from db.repositories.reviewers import Reviewers
from db.repositories.runs import RunCounts, Runs, RunSpec
from evalcore.errors import StoreError
from evalcore.evaluator import Evaluator
from seed_data import SeedSample, load_labels, load_samples
from workflows.store import upgrade_store

DEMO_DATABASE = "demo.db"


def seed(store: Store, evaluator: Evaluator, *, progress: Callable[[int, int], None] | None = None) -> int:
    """Put the seed answers and labels into a store, a run a week; seeding twice adds nothing.

    Parameters
    ----------
    store : Store
    evaluator : Evaluator
    progress : callable, optional
        Called with answers done and answers in all.

    Returns
    -------
    int
        How many results were new.
    """
    samples = load_samples()
    new = done = 0
    for (_, prompt), group in groupby(samples, key=_week):
        week = list(group)
        new += _seed_week(store, evaluator, week, prompt)
        done += len(week)
        if progress is not None:
            progress(done, len(samples))
    _seed_labels(store, evaluator.fingerprint.id)
    return new


def demo_store(folder: str | Path) -> tuple[Path, int]:
    """The demo database in a folder, seeded if it is not yet.

    What a visitor has labelled there stays. A database of an older release is brought up to date; results
    of another fingerprint stay beside the new ones.

    Returns
    -------
    path : Path
    new : int
        Answers scored now.

    Raises
    ------
    StoreError
        When the folder cannot be made or the database there cannot be used.
    """
    path = Path(folder).resolve() / DEMO_DATABASE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            "the folder cannot be made", where=str(path.parent), got=error.strerror, cure="name another"
        ) from error
    store = upgrade_store(f"sqlite:///{path}")
    try:
        return path, seed(store, Evaluator.from_profile("default"))
    finally:
        store.close()


def _week(seeded: SeedSample) -> tuple[str, str]:
    year, week, _ = seeded.created_at.isocalendar()
    return f"{year}-W{week:02d}", seeded.prompt_version


def _seed_week(store: Store, evaluator: Evaluator, week: list[SeedSample], prompt: str) -> int:
    first = week[0]
    name = f"{first.system} {_week(first)[0]} ({prompt})"
    fingerprint = evaluator.fingerprint
    keys = [(seeded.sample.id, seeded.sample.content_hash) for seeded in week]
    with store.read() as session:
        known = Results(session).known(keys, fingerprint.id)
    missing = [seeded for seeded, key in zip(week, keys, strict=True) if key not in known]
    results = list(evaluator.evaluate_many(seeded.sample for seeded in missing))
    stored = 0
    with store.write() as session:
        runs = Runs(session)
        run = runs.start(
            RunSpec(
                key=f"seed:{name}:{fingerprint.id}",
                name=name,
                source="seed_data/samples.jsonl",
                fingerprint=fingerprint,
                system=first.system,
                prompt_version=prompt,
                model=first.model,
                started_at=first.created_at,
            )
        )
        Results(session).link_existing(run.id, sorted(known), fingerprint.id)
        for seeded, result in zip(missing, results, strict=True):
            outcome = Results(session).add_many(run.id, [(seeded.sample, result)], seeded.created_at)
            stored += outcome.stored
        counts = RunCounts(n_rows=len(week), n_stored=len(week))
        runs.finish(run.id, counts, week[-1].created_at)
    return stored


def _seed_labels(store: Store, fingerprint_id: str) -> None:
    with store.write() as session:
        results, reviewers, labels = Results(session), Reviewers(session), Labels(session)
        for label in load_labels():
            found = [r for r in results.find(label.sample_id) if r.fingerprint_id == fingerprint_id]
            reviewer = reviewers.ensure(label.reviewer)
            for result in found:
                labels.add(
                    NewLabel(
                        result_id=result.id,
                        reviewer_id=reviewer.id,
                        verdict=label.verdict,
                        failure_type=label.failure_type,
                        note=label.note,
                        created_at=label.created_at,
                        client_token=f"seed:{fingerprint_id}:{reviewer.id}:{label.sample_id}",
                    )
                )
