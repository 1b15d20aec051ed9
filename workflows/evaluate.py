"""A file of answers through the gate into the store, able to be killed and started again."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from db.engine import Store
from db.repositories.counts import CountFilter, Counts
from db.repositories.results import Results
from db.repositories.runs import RunCounts, RunRow, Runs, RunSpec
from evalcore.errors import InputError
from evalcore.evaluator import Evaluator
from evalcore.result import EvalResult
from evalcore.sample import Sample
from workflows.ingest import Piece, ReadOptions, Source, open_file, pieces

PIECE = 64
"""Rows a transaction: what a killed run loses at most."""

KEPT_MESSAGES = 1000

Progress = Callable[["FileReport", Source, Piece], None]


class Interrupted(KeyboardInterrupt):
    """A person stopped a run. ``n_stored`` is how many of the file's answers have results in the store."""

    def __init__(self, n_stored: int) -> None:
        self.n_stored = n_stored
        super().__init__(f"{n_stored} answers are stored")


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What is known about where the answers come from; ``name`` is the file's name if not given."""

    name: str | None = None
    system: str = ""
    prompt_version: str = ""
    model: str | None = None
    read: ReadOptions = field(default_factory=ReadOptions)


@dataclass
class FileReport:
    """What became of one file. Grows while the file is read.

    ``n_rows = n_new + n_existing + n_repeats + n_failed``. ``messages`` keeps the first 1,000 of each kind
    by kind (``error``, ``repeat``, ``note``); counts are of all.
    """

    file: str
    profile: str
    fingerprint: str
    columns: str = ""
    run_id: int | None = None
    run: str = ""
    n_rows: int = 0
    n_new: int = 0
    n_existing: int = 0
    n_repeats: int = 0
    n_failed: int = 0
    seconds: float = 0.0
    decisions: Counter[str] = field(default_factory=Counter)
    failure_types: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    messages: dict[str, list[str]] = field(default_factory=lambda: {"error": [], "repeat": [], "note": []})

    @property
    def rate(self) -> float | None:
        """Answers scored a second; None when none was."""
        return self.n_new / self.seconds if self.n_new and self.seconds else None

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "file": self.file,
            "run_id": self.run_id,
            "run": self.run,
            "profile": self.profile,
            "fingerprint": self.fingerprint,
            "columns": self.columns,
            "rows": self.n_rows,
            "new": self.n_new,
            "existing": self.n_existing,
            "repeats": self.n_repeats,
            "failed": self.n_failed,
            "decisions": dict(sorted(self.decisions.items())),
            "failure_types": dict(sorted(self.failure_types.items())),
            "warnings": dict(self.warnings.most_common()),
            "seconds": round(self.seconds, 3),
            "answers_per_second": None if self.rate is None else round(self.rate, 2),
            "errors": self.messages["error"],
            "repeated": self.messages["repeat"],
            "notes": self.messages["note"],
        }


def make_evaluator(profile: str) -> Evaluator:
    """The evaluator of a profile; see :meth:`evalcore.Evaluator.from_profile`."""
    return Evaluator.from_profile(profile)


def evaluate_file(
    store: Store,
    evaluator: Evaluator,
    path: str | Path,
    options: RunOptions | None = None,
    *,
    out: IO[str] | None = None,
    progress: Progress | None = None,
) -> FileReport:
    """Score every row of a file that has no result of this fingerprint yet, and store what is new.

    Rows go in pieces, each in one transaction with its results whole. A run that was killed leaves whole
    pieces; starting it again finishes it. The same file, name and fingerprint are the same run.

    Parameters
    ----------
    store : Store
    evaluator : Evaluator
    path : str or Path
        ``-`` is JSONL on standard input.
    options : RunOptions, optional
    out : text file, optional
        Gets every row's result dict as a line of JSON, in file order, stored earlier or now.
    progress : callable, optional
        Called after each piece with the report so far, the source and the piece.

    Raises
    ------
    InputError
        When the file as a whole cannot be read, or holds no row at all.
    StoreError, EncoderError
        When the store or the model fails; what was stored stays.
    Interrupted
        When a KeyboardInterrupt came; what was stored stays.
    """
    options = options or RunOptions()
    source = open_file(path, options.read)
    fingerprint = evaluator.fingerprint
    report = FileReport(
        file=source.name,
        profile=fingerprint.profile,
        fingerprint=fingerprint.id,
        run=options.name or Path(source.name).name,
    )
    try:
        _take_all(store, evaluator, source, report, options, out, progress)
    except KeyboardInterrupt:
        # Asked of the store: the report may lag behind by the piece under way.
        raise Interrupted(_n_covered(store, report.run_id)) from None
    if report.n_rows == 0:
        raise InputError("no rows", where=source.name, cure="a file without answers cannot be judged")
    if report.run_id is not None:
        with store.write() as session:
            counts = _run_counts(Counts(session), report.run_id, report)
            Runs(session).finish(report.run_id, counts)
    return report


def _take_all(
    store: Store,
    evaluator: Evaluator,
    source: Source,
    report: FileReport,
    options: RunOptions,
    out: IO[str] | None,
    progress: Progress | None,
) -> None:
    """Read a source to its end, a piece at a time, and tell the report."""
    started = time.perf_counter()
    for piece in pieces(source, options.read, size=PIECE):
        report.n_rows += piece.n_rows
        report.n_failed += len(piece.errors)
        report.n_repeats += len(piece.repeats)
        for kind, texts in (("error", piece.errors), ("repeat", piece.repeats), ("note", piece.notes)):
            kept = report.messages[kind]
            kept.extend(texts[: max(0, KEPT_MESSAGES - len(kept))])
        if piece.samples:
            if report.run_id is None:
                report.run_id = _start(store, evaluator, source, report.run, options).id
            _take(store, evaluator, report, report.run_id, piece.samples, out)
        report.seconds = time.perf_counter() - started
        report.columns = str(source.mapping or "")
        if progress is not None:
            progress(report, source, piece)


def _n_covered(store: Store, run_id: int | None) -> int:
    """How many answers a run has results of."""
    if run_id is None:
        return 0
    with store.read() as session:
        return sum(row.n for row in Counts(session).of_run(run_id))


def _start(store: Store, evaluator: Evaluator, source: Source, name: str, options: RunOptions) -> RunRow:
    identity = [
        name,
        source.source_hash or uuid.uuid4().hex,
        evaluator.fingerprint.id,
        options.system,
        options.prompt_version,
        options.model,
    ]
    spec = RunSpec(
        key=hashlib.sha256(json.dumps(identity).encode("utf-8")).hexdigest(),
        name=name,
        source=source.name,
        source_hash=source.source_hash,
        fingerprint=evaluator.fingerprint,
        system=options.system,
        prompt_version=options.prompt_version,
        model=options.model,
    )
    with store.write() as session:
        return Runs(session).start(spec)


def _take(
    store: Store,
    evaluator: Evaluator,
    report: FileReport,
    run_id: int,
    samples: Sequence[Sample],
    out: IO[str] | None,
) -> None:
    """Score what is new among some samples, store it, and count it all."""
    keys = [(sample.id, sample.content_hash) for sample in samples]
    with store.read() as session:
        known = Results(session).known(keys, report.fingerprint)
    new = [sample for sample, key in zip(samples, keys, strict=True) if key not in known]
    results = list(evaluator.evaluate_many(new))
    made = {(r.sample_id, r.content_hash): r for r in results}
    with store.write() as session:
        n_new = Results(session).add_many(run_id, list(zip(new, results, strict=True))).stored
        if known:
            Results(session).link_existing(run_id, sorted(known), report.fingerprint)
    # Another process may have stored some of them meanwhile: what is in the store counts.
    earlier = sorted(known) if n_new == len(new) else keys
    with store.read() as session:
        stored = Results(session).by_keys(earlier, report.fingerprint) if earlier else {}
    for key in keys:
        result = stored.get(key) or made[key]
        _count(report, result)
        if out is not None:
            out.write(json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
    report.n_new += n_new
    report.n_existing += len(keys) - n_new


def _count(report: FileReport, result: EvalResult) -> None:
    report.decisions[str(result.decision.verdict)] += 1
    report.failure_types[result.decision.failure_type] += 1
    report.warnings.update(_kind(warning) for warning in result.warnings)


def _kind(warning: str) -> str:
    """A warning without its numbers, so that equal ones count together."""
    return "text truncated at the model's window" if warning.startswith("text truncated") else warning


def _run_counts(counts: Counts, run_id: int, report: FileReport) -> RunCounts:
    """Counts of the run as a whole, however often it was started."""
    stored = sum(row.n for row in counts.totals(CountFilter(run_id=run_id)))
    covered = sum(row.n for row in counts.of_run(run_id))
    return RunCounts(
        n_rows=report.n_rows,
        n_stored=stored,
        n_existing=covered - stored,
        n_failed=report.n_failed,
    )
