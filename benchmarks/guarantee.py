"""What may pass unread, by labels: ``python -m benchmarks.guarantee [--data FILE] [--shuffles N]``.

Labels are revealed in random order, 50, 100 and 200 at a time. From them a threshold is chosen so that at
most alpha of the answers it passes are unsupported, with 95% confidence; the share it passes and their true
error are taken over all answers of the file. Figures are means over the shuffles; ``broken`` is the share of
shuffles in which the true error is above alpha, of which at most 5% are promised.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.detection_ways import gate_way
from benchmarks.judged import SHARED, read_judged
from evalcore.evaluator import Evaluator
from evalcore.stats.risk_control import auto_accept

LABELS = (50, 100, 200)
ALPHAS = (0.10, 0.05)
DELTA = 0.05


def main() -> None:
    """Parse the command line and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=SHARED / "ragtruth_qa_dev.jsonl")
    parser.add_argument("--shuffles", type=int, default=200)
    parser.add_argument("--profile", nargs="+", default=["default", "classic"])
    arguments = parser.parse_args()
    judged = read_judged(arguments.data)
    wrong = np.array([not answer.supported for answer in judged])
    table = Table(
        title=f"{arguments.data.stem}: {len(judged)} answers, {wrong.mean():.0%} unsupported, "
        f"{arguments.shuffles} shuffles",
        title_justify="left",
    )
    for column in ("profile", "alpha", "labels", "a threshold in", "may pass unread", "true error", "broken"):
        table.add_column(column, justify="left" if column == "profile" else "right")
    for name in arguments.profile:
        said = gate_way(Evaluator.from_profile(name))(judged).judgements
        risk = np.array([judgement.risk for judgement in said])
        for alpha in ALPHAS:
            for n in LABELS:
                table.add_row(name, f"{alpha:.0%}", str(n), *_row(risk, wrong, n, alpha, arguments.shuffles))
    Console(width=110).print(table)


def _row(
    risk: NDArray[np.float64], wrong: NDArray[np.bool_], n: int, alpha: float, shuffles: int
) -> list[str]:
    found, coverage, errors = 0, [], []
    for seed in range(shuffles):
        drawn = np.random.default_rng(seed).permutation(len(risk))[:n]
        chosen = auto_accept(
            risk[drawn].tolist(), wrong[drawn].tolist(), risk.tolist(), alpha=alpha, delta=DELTA
        )
        coverage.append(chosen.coverage or 0.0)
        if chosen.threshold is not None:
            found += 1
            errors.append(float(wrong[risk <= chosen.threshold].mean()))
    broken = sum(error > alpha for error in errors) / shuffles
    mean = f"{np.mean(errors):.1%}" if errors else "-"
    return [f"{found / shuffles:.0%}", f"{np.mean(coverage):.1%}", mean, f"{broken:.1%}"]


if __name__ == "__main__":
    main()
