"""What labels of its own give the gate: ``python -m benchmarks.learning [--data FILE] [--splits N]``.

Whole documents are drawn until there are 0, 50, 100 or 200 labelled answers; the head is refitted to them and
measured on all other documents of the file. Figures are means over the splits, with the 2.5% and 97.5%
quantiles of the splits.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.detection_metrics import auroc, calibration_error, coverage_at_precision
from benchmarks.judged import SHARED, read_judged
from evalcore.evaluator import Evaluator
from evalcore.verifier.fit import LabelledAnswer, fit_head
from workflows.verifier import JudgedSample, answers_of, head_of

LABELS = (0, 50, 100, 200)


def main() -> None:
    """Parse the command line and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=SHARED / "ragtruth_qa_dev.jsonl")
    parser.add_argument("--splits", type=int, default=20)
    arguments = parser.parse_args()
    gate = Evaluator.from_profile("default")
    judged = [JudgedSample(sample=a.sample, supported=a.supported) for a in read_judged(arguments.data)]
    answers = list(answers_of(gate, judged))
    table = Table(
        title=f"{arguments.data.stem}: {len(answers)} answers, {arguments.splits} splits",
        title_justify="left",
    )
    for column in ("labels", "AUROC", "unread at 95%", "ECE"):
        table.add_column(column, justify="right")
    for wanted in LABELS:
        rows = [_measure(gate, answers, wanted, seed) for seed in range(arguments.splits)]
        cells = []
        for values in zip(*rows, strict=True):
            low, high = np.quantile(values, [0.025, 0.975])
            cells.append(f"{np.mean(values):.3f} [{low:.2f}, {high:.2f}]")
        table.add_row(str(wanted), *cells)
    Console(width=110).print(table)


def _measure(
    gate: Evaluator, answers: Sequence[LabelledAnswer], wanted: int, seed: int
) -> tuple[float, float, float]:
    """AUROC, coverage at 95% precision and calibration error on the documents that were not drawn."""
    documents = sorted({answer.document for answer in answers})
    random.Random(seed).shuffle(documents)
    # The same documents are left to measure on, whatever the number of labels.
    pool: list[LabelledAnswer] = []
    left = list(documents)
    while len(pool) < max(LABELS):
        document = left.pop()
        pool += [answer for answer in answers if answer.document == document]
    rest = [answer for answer in answers if answer.document in set(left)]
    start = head_of(gate)
    head = fit_head(pool[:wanted], start) if wanted else start
    risk = np.array([head.risk(answer.features) for answer in rest])
    bad = np.array([not answer.supported for answer in rest])
    return (
        auroc(risk, bad) or 0.0,
        coverage_at_precision(risk, bad) or 0.0,
        calibration_error(risk, bad) or 0.0,
    )


if __name__ == "__main__":
    main()
