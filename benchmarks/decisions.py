"""What a profile's ACCEPT is worth on answers people have judged.

``python -m benchmarks.decisions [--data FILE] [--profile P ...]`` prints, a profile a row: answers, share
accepted, and the share of the accepted that people call supported, with its 95% Wilson interval, beside that
share among all answers. Where the two hardly differ, the gate says nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.table import Table
from scipy.stats import binomtest

from benchmarks.judged import read_judged
from benchmarks.speed import DATA
from evalcore import Evaluator
from evalcore.result import Verdict


def main() -> None:
    """Parse the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSONL in the shared schema")
    parser.add_argument("--profile", action="append", help="classic and default if none is named")
    arguments = parser.parse_args()
    if not arguments.data.is_file():
        print(f"{arguments.data} is missing: this benchmark needs answers that people have judged")
        return
    answers = read_judged(arguments.data)
    supported = {answer.sample.id: answer.supported for answer in answers}
    table = Table(title=arguments.data.name, title_justify="left")
    for column in ("profile", "answers", "accepted", "supported of accepted", "95% interval", "of all"):
        table.add_column(column, justify="left" if column == "profile" else "right")
    for profile in arguments.profile or ("classic", "default"):
        results = list(Evaluator.from_profile(profile).evaluate_many(answer.sample for answer in answers))
        accepted = [r for r in results if r.decision.verdict is Verdict.ACCEPT]
        good = sum(supported[r.sample_id] for r in accepted)
        interval = "-"
        if accepted:
            bounds = binomtest(good, len(accepted)).proportion_ci(method="wilson")
            interval = f"{bounds.low:.1%} to {bounds.high:.1%}"
        table.add_row(
            profile,
            str(len(results)),
            f"{len(accepted)} ({len(accepted) / len(results):.1%})",
            f"{good / len(accepted):.1%}" if accepted else "-",
            interval,
            f"{sum(supported.values()) / len(supported):.1%}",
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
