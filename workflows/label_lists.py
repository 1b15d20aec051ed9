"""All labels: searched, paged, exported; and what each reviewer did."""

from __future__ import annotations

import csv
import io
import itertools
import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from db.engine import Store
from db.repositories.label_list import LabelFilter, LabelList, LabelPage, ListedLabel, ReviewerCounts
from db.repositories.reviewers import Reviewers
from workflows.rights import need_lead

__all__ = [
    "ExportFormat",
    "LabelFilter",
    "LabelPage",
    "ListedLabel",
    "ReviewerFigures",
    "count_labels",
    "csv_line",
    "export_labels",
    "list_labels",
    "own_figures",
    "reviewer_figures",
]

ExportFormat: TypeAlias = Literal["jsonl", "csv"]

SITTING_SECONDS = 900
"""A longer gap between two labels is a break, not the time one took."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS = (
    "label",
    "result",
    "id",
    "content_hash",
    "run",
    "fingerprint",
    "reviewer",
    "verdict",
    "failure_type",
    "note",
    "corrected_answer",
    "created_at",
    "supersedes",
    "undoes",
    "stands",
    "seen",
    "after_reveal",
    "picked",
    "inclusion_probability",
    "gate_decision",
    "gate_failure_type",
    "gate_risk",
)


@dataclass(frozen=True, kw_only=True)
class ReviewerFigures:
    """What a reviewer did and how fast.

    ``seconds`` is the median time from one label to the next within a sitting, None before the second.
    ``unsure_share``, ``changed_share`` and ``agreement`` are None where there is nothing to divide by.
    """

    counts: ReviewerCounts
    seconds: float | None

    @property
    def unsure_share(self) -> float | None:
        """Which part of the labels that stand is unsure."""
        return _share(self.counts.unsure, self.counts.current)

    @property
    def changed_share(self) -> float | None:
        """Changes of mind after the reveal, to each label that stands."""
        return _share(self.counts.changed_after_reveal, self.counts.current)

    @property
    def agreement(self) -> float | None:
        """Which part of the labels that can be compared says what the gold label says."""
        return _share(self.counts.agreed, self.counts.compared)


def list_labels(
    store: Store, where: LabelFilter | None = None, *, after: int | None = None, limit: int = 50
) -> LabelPage:
    """A page of labels, latest first."""
    with store.read() as session:
        return LabelList(session).page(where or LabelFilter(), after=after, limit=limit)


def count_labels(store: Store, where: LabelFilter | None = None) -> int:
    """How many labels the filter leaves."""
    with store.read() as session:
        return LabelList(session).count(where or LabelFilter())


def export_labels(store: Store, where: LabelFilter | None = None, *, form: ExportFormat) -> Iterator[str]:
    """Labels in the order they were made, a line a piece; ``current=False`` gives the whole history.

    In CSV, a cell that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    if form == "csv":
        yield csv_line(_COLUMNS)
    with store.read() as session:
        for listed in LabelList(session).iterate(where or LabelFilter()):
            fields = _exported(listed)
            if form == "csv":
                yield csv_line(["" if fields[name] is None else fields[name] for name in _COLUMNS])
            else:
                yield json.dumps(fields, ensure_ascii=False, allow_nan=False) + "\n"


def reviewer_figures(store: Store, by: int) -> tuple[ReviewerFigures, ...]:
    """What each reviewer did, by name.

    Raises
    ------
    RoleError
        When ``by`` is no lead.
    """
    need_lead(store, by)
    return _figures(store)


def own_figures(store: Store, reviewer_id: int) -> ReviewerFigures:
    """What one reviewer did, for their own eyes.

    Raises
    ------
    StoreError
        When there is no such reviewer.
    """
    with store.read() as session:
        Reviewers(session).get(reviewer_id)
    return _figures(store, only=reviewer_id)[0]


def _figures(store: Store, only: int | None = None) -> tuple[ReviewerFigures, ...]:
    with store.read() as session:
        labels = LabelList(session)
        return tuple(
            ReviewerFigures(counts=counts, seconds=_pace(labels.times(counts.reviewer_id)))
            for counts in labels.by_reviewer()
            if only is None or counts.reviewer_id == only
        )


def _pace(times: Sequence[datetime]) -> float | None:
    gaps = [(after - before).total_seconds() for before, after in itertools.pairwise(times)]
    within = [gap for gap in gaps if gap <= SITTING_SECONDS]
    return statistics.median(within) if within else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _exported(listed: ListedLabel) -> dict[str, object]:
    label = listed.label
    return {
        "label": label.id,
        "result": label.result_id,
        "id": listed.external_id,
        "content_hash": listed.content_hash,
        "run": listed.run_id,
        "fingerprint": listed.fingerprint_id,
        "reviewer": label.reviewer,
        "verdict": label.verdict,
        "failure_type": label.failure_type,
        "note": label.note,
        "corrected_answer": label.corrected_answer,
        "created_at": label.created_at.isoformat(),
        "supersedes": label.supersedes,
        "undoes": label.undoes,
        "stands": listed.stands,
        "seen": label.seen,
        "after_reveal": label.after_reveal,
        "picked": label.picked,
        "inclusion_probability": label.inclusion_probability,
        "gate_decision": listed.decision,
        "gate_failure_type": listed.gate_failure_type,
        "gate_risk": listed.risk,
    }


def csv_line(cells: Sequence[object]) -> str:
    """A line of CSV; a cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    line = io.StringIO()
    csv.writer(line).writerow([_defused(cell) for cell in cells])
    return line.getvalue()


def _defused(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
