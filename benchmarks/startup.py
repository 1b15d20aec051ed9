"""What a command costs before its first answer: ``python -m benchmarks.startup [--repeats N]``.

Every row is timed in a process of its own, started by this one, so that nothing is loaded already: the whole
of ``proofdesk evaluate`` on one answer (into a new database and into one that has the answer), and the two
imports a caller pays for, with whether torch came along. The model's ONNX export is made first if it is not
there; with torch as the only runtime the first row is that of sentence-transformers.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANSWER = {
    "id": "q-1",
    "question": "Which fuse protects the pump?",
    "contexts": ["Fuse F3 (10 A) protects the pump."],
    "answer": "Fuse F3 protects the pump.",
}
LIMIT = "under 3 s"

_IMPORT = """
import sys, time
start = time.perf_counter()
{statement}
print(time.perf_counter() - start, "torch" in sys.modules)
"""


def time_command(arguments: list[str]) -> float:
    """Seconds from starting ``proofdesk`` to its end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "cli", *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def time_import(statement: str) -> tuple[float, bool]:
    """Seconds a statement takes in a fresh interpreter, and whether torch was imported by it."""
    code = _IMPORT.format(statement=statement)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, torch = done.stdout.split()
    return float(seconds), torch == "True"


def print_row(title: str, seconds: list[float], note: str) -> None:
    """One line of the table."""
    print(f"{title:52} {min(seconds):8.2f} {statistics.median(seconds):9.2f}  {note}")


def main() -> None:
    """Time every row and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5, help="processes a row")
    repeats = parser.parse_args().repeats
    time_command(["model", "prepare"])
    print(f"{'start to end':52} {'best s':>8} {'median s':>9}")
    with tempfile.TemporaryDirectory(prefix="proofdesk-bench-") as name:
        folder = Path(name)
        file = folder / "one.jsonl"
        file.write_text(json.dumps(ANSWER) + "\n", encoding="utf-8")
        new = [time_command(["evaluate", str(file), "--db", f"{folder}/{n}.db"]) for n in range(repeats)]
        print_row("proofdesk evaluate, one answer, new database", new, LIMIT)
        again = [time_command(["evaluate", str(file), "--db", f"{folder}/0.db"]) for _ in range(repeats)]
        print_row("proofdesk evaluate, one answer, stored before", again, LIMIT)
        listed = [time_command(["results", "list", "--db", f"{folder}/0.db"]) for _ in range(repeats)]
        print_row("proofdesk results list", listed, "")
    for statement, limit in (("import evalcore", "under 0.3 s, "), ("from evalcore import Evaluator", "")):
        timed = [time_import(statement) for _ in range(repeats)]
        torch = "torch imported" if any(imported for _, imported in timed) else "no torch"
        print_row(statement, [seconds for seconds, _ in timed], limit + torch)


if __name__ == "__main__":
    main()
