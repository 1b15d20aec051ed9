"""Files scored in the background, so that whoever asked for it may leave and come back."""

from __future__ import annotations

import csv
import io
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from evalcore.config import profile_names
from evalcore.errors import InputError, ProofdeskError
from evalcore.sample import Sample
from workflows.evaluate import FileReport, Interrupted, RunOptions, evaluate_file, make_evaluator
from workflows.ingest import FieldMapping, Piece, ReadOptions, Source, open_file, pieces
from workflows.store import open_store

__all__ = [
    "FieldMapping",
    "Job",
    "Jobs",
    "Preview",
    "State",
    "errors_csv",
    "preview",
    "profiles",
    "save_upload",
]

State: TypeAlias = Literal["running", "done", "cancelled", "failed"]

PREVIEW_ROWS = 5
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ENDINGS = (".jsonl", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True, kw_only=True)
class Preview:
    """How a file is understood: its columns, its first answers, and what is wrong with the first rows."""

    mapping: FieldMapping | None
    samples: tuple[Sample, ...]
    errors: tuple[str, ...]


@dataclass
class Job:
    """One file on its way through the gate.

    ``position`` of ``total`` says how far it has been read, ``total`` is None where that is not known.
    Threads other than the job's own only read it.
    """

    id: str
    name: str
    profile: str
    state: State = "running"
    report: FileReport | None = None
    position: int = 0
    total: int | None = None
    problem: str = ""
    started: float = field(default_factory=time.monotonic)
    _stop: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def share(self) -> float:
        """How much of the file has been read, in [0, 1]."""
        if self.state == "done":
            return 1.0
        return min(self.position / self.total, 1.0) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how long it will take yet; None while that cannot be told."""
        if self.state != "running" or not 0 < self.share < 1:
            return None
        return (time.monotonic() - self.started) * (1 - self.share) / self.share

    def cancel(self) -> None:
        """Stop after the rows under way; what was scored stays stored."""
        self._stop.set()


class Jobs:
    """The jobs of one console, the latest first."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._lock = threading.Lock()

    def list(self) -> tuple[Job, ...]:
        """All jobs since the console started."""
        with self._lock:
            return tuple(reversed(self._jobs))

    def start(self, path: Path, *, url: str, profile: str, options: RunOptions) -> Job:
        """Score a file in a thread of its own; the file is removed afterwards."""
        job = Job(id=uuid.uuid4().hex, name=options.name or path.name, profile=profile)
        with self._lock:
            self._jobs.append(job)
        thread = threading.Thread(
            target=_run, args=(job, path, url, options), name=f"job-{job.id}", daemon=True
        )
        thread.start()
        return job


def profiles() -> list[str]:
    """The profiles that ship with Proofdesk."""
    return profile_names()


def save_upload(name: str, content: bytes) -> Path:
    """Write an uploaded file where it can be read row by row; only the ending of its name is kept.

    Raises
    ------
    InputError
        For an ending that no reader knows.
    """
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise InputError("no reader for this file", got=name[:80], expected=", ".join(_ENDINGS))
    with tempfile.NamedTemporaryFile(prefix="proofdesk-", suffix=ending, delete=False) as file:
        file.write(content)
    return Path(file.name)


def preview(path: Path, mapping: FieldMapping | None = None) -> Preview:
    """How a file would be read.

    Raises
    ------
    InputError
        When it cannot be read at all.
    """
    options = ReadOptions(mapping=mapping)
    source = open_file(path, options)
    first = next(pieces(source, options, size=PREVIEW_ROWS), None)
    if first is None:
        raise InputError("no rows", where=path.name, cure="a file without answers cannot be judged")
    errors = tuple(error.replace(f"{path}", "the file") for error in first.errors)
    return Preview(mapping=source.mapping, samples=first.samples, errors=errors)


def errors_csv(errors: Sequence[str]) -> str:
    """Row errors as CSV, place and cause; cells that a spreadsheet would compute get an apostrophe before."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(["row", "problem"])
    for error in errors:
        place, _, problem = error.partition(": ")
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in (place, problem)])
    return lines.getvalue()


def _run(job: Job, path: Path, url: str, options: RunOptions) -> None:
    def advance(report: FileReport, source: Source, piece: Piece) -> None:
        job.report = report
        job.total = source.total_rows_hint or source.size_bytes
        job.position = report.n_rows if source.total_rows_hint else piece.position
        if job._stop.is_set():
            raise KeyboardInterrupt

    try:
        store = open_store(url)
        try:
            job.report = evaluate_file(store, make_evaluator(job.profile), path, options, progress=advance)
        finally:
            store.close()
        job.state = "done"
    except Interrupted as stopped:
        job.problem = f"{stopped.n_stored:,} answers are stored; the same file goes on from there"
        job.state = "cancelled"
    except ProofdeskError as error:
        job.problem = str(error).replace(f"{path}", "the file")
        job.state = "failed"
    except Exception as error:  # noqa: BLE001 - a thread's end has nobody else to tell
        job.problem = f"{type(error).__name__}: {error}"
        job.state = "failed"
    finally:
        if job.report is not None:
            for kind, texts in job.report.messages.items():
                job.report.messages[kind] = [text.replace(f"{path}", "the file") for text in texts]
        path.unlink(missing_ok=True)
