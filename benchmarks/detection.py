"""How well the gate finds unsupported answers, measured on people's judgements.

``python benchmarks/detection.py [--data FILE ...] [--profile P ...] [--peers] [--limit N] [--json OUT]``

For each file and way: AUROC and average precision of "unsupported"; balanced accuracy and F1 at the way's own
threshold (a profile flags what it suspects of hallucination) and at the threshold that is best on the
other files; the share of answers that may pass unread at 95% precision of "supported"; the expected
calibration error of 1 - risk; the AUROC of single sentences where people judged those; the median latency.
95% intervals are by bootstrap over documents. An answer that a way fails on counts as risk 1, and the number
of those is shown.

Files: unless named, the shared files that are for measuring, whole; of those that training uses, only the
documents it leaves alone. A file of any other name is measured whole.

Ways: the profiles; ``word overlap``, the smallest share of a sentence's words that the context holds; ``fuzzy
match``, the worst sentence's best partial match with the context; with ``--peers`` small published checks,
each in an environment of its own under the cache folder, installed at first use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

if not __package__:
    # Run as a file: the repository, not this folder, is where imports begin.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from rich.console import Console
from rich.table import Table

from benchmarks.detection_metrics import Estimate
from benchmarks.detection_rows import Row, mean_auroc, measure
from benchmarks.detection_ways import Column, Way, fuzzy_match, gate_way, peer_way, word_overlap
from benchmarks.judged import (
    SHARED,
    JudgedAnswer,
    default_files,
    held_out,
    is_trained_on,
    read_judged,
    sample_documents,
)
from benchmarks.peers.process import pinned_peers
from evalcore import Evaluator
from evalcore.errors import ProofdeskError


@dataclass(frozen=True)
class Measured:
    """The answers of a file that are measured, and whether they are only its held-out documents."""

    answers: list[JudgedAnswer]
    part: bool


def main() -> None:
    """Parse the command line, judge, print."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("--data", type=Path, nargs="+", action="extend", help="JSONL in the shared schema")
    parser.add_argument("--profile", nargs="+", action="extend", help="default and classic if none is named")
    parser.add_argument("--peers", action="store_true", help="small published checks as further columns")
    parser.add_argument("--limit", type=int, default=300, help="answers a file, by whole documents; 0 is all")
    parser.add_argument("--repeats", type=int, default=300, help="bootstrap resamples; 0 for no interval")
    parser.add_argument("--json", type=Path, help="write every figure here")
    arguments = parser.parse_args()
    files = arguments.data or default_files()
    if not files:
        print(f"{SHARED} holds no judged answers; name files with --data")
        return
    try:
        measured = read_files(files, arguments.limit)
        ways = ways_of(arguments.profile or ["default", "classic"], peers=arguments.peers)
    except ProofdeskError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    said: dict[str, dict[str, Column]] = {}
    for name, file in measured.items():
        said[name] = {}
        for way, judge in ways.items():
            print(f"{name}: {way}", file=sys.stderr)
            said[name][way] = judge(file.answers)
            for failure in said[name][way].failures[:3]:
                print(f"  not judged: {failure}", file=sys.stderr)
    answers = {name: file.answers for name, file in measured.items()}
    figures = {
        name: {way: measure(name, way, answers, said, arguments.repeats) for way in ways} for name in measured
    }
    console = Console(width=max(118, 32 + 21 * len(ways)))
    for name, rows in figures.items():
        console.print(file_table(name, measured[name], rows, said[name]))
    console.print(mean_table(figures))
    if arguments.json:
        text = json.dumps(document_of_figures(figures, measured, said), indent=1, ensure_ascii=False)
        arguments.json.write_text(text + "\n", encoding="utf-8")


def read_files(files: list[Path], limit: int) -> dict[str, Measured]:
    """What is measured of every file, by its name: all are read before the first answer is judged.

    Raises
    ------
    InputError
        For a file or line that cannot be used.
    """
    measured: dict[str, Measured] = {}
    for path in files:
        answers = read_judged(path)
        part = is_trained_on(path)
        if part:
            answers = held_out(answers)
        if not answers:
            print(f"{path}: no document is held out, left out", file=sys.stderr)
            continue
        name = path.stem if path.stem not in measured else str(path)
        measured[name] = Measured(sample_documents(answers, limit) if limit else answers, part)
    return measured


def ways_of(profiles: list[str], *, peers: bool) -> dict[str, Way]:
    """The columns, by their titles.

    Raises
    ------
    ConfigError, EncoderError, VerifierError
        When a profile or what it needs cannot be loaded: that is no fault of an answer.
    """
    ways: dict[str, Way] = {}
    for name in profiles:
        gate = Evaluator.from_profile(name)
        print(f"{name}: {gate.fingerprint.id}", file=sys.stderr)
        ways[name] = gate_way(gate)
    ways |= {"word overlap": word_overlap(), "fuzzy match": fuzzy_match()}
    if peers:
        ways |= {name: peer_way(name, pin) for name, pin in pinned_peers().items()}
    return ways


def file_table(name: str, file: Measured, rows: Mapping[str, Row], columns: Mapping[str, Column]) -> Table:
    """One file's figures: a measure a row, a way a column."""
    bad = sum(not answer.supported for answer in file.answers)
    documents = len({answer.document for answer in file.answers})
    title = f"{name}: {len(file.answers)} answers of {documents} documents, {bad} unsupported"
    if file.part:
        title += "; held-out documents only"
    missing = [f"{way} was not measured: {c.missing}" for way, c in columns.items() if c.missing]
    table = Table(
        title=title, title_justify="left", caption="\n".join(missing) or None, caption_justify="left"
    )
    table.add_column("measure")
    for way in rows:
        table.add_column(way, justify="right")
    for measure_name in next(iter(rows.values())):
        table.add_row(measure_name, *(str(row[measure_name]) for row in rows.values()))
    table.add_row(
        "answers not judged", *("all" if c.missing else str(len(c.failures)) for c in columns.values())
    )
    return table


def mean_table(figures: Mapping[str, Mapping[str, Row]]) -> Table:
    """Mean AUROC over the files where it is defined."""
    table = Table(title="mean AUROC over files", title_justify="left")
    table.add_column("way")
    table.add_column("files", justify="right")
    table.add_column("AUROC", justify="right")
    for way in next(iter(figures.values()), {}):
        mean, files = mean_auroc([rows[way] for rows in figures.values()])
        table.add_row(way, str(files), str(Estimate(mean)))
    return table


def document_of_figures(
    figures: Mapping[str, Mapping[str, Row]],
    measured: Mapping[str, Measured],
    said: Mapping[str, Mapping[str, Column]],
) -> dict[str, dict[str, dict[str, object]]]:
    """The figures as JSON values, by file, way and measure, and the numbers of answers."""
    document: dict[str, dict[str, dict[str, object]]] = {}
    for name, rows in figures.items():
        file = measured[name]
        document[name] = {
            way: {
                "answers": len(file.answers),
                "documents": len({answer.document for answer in file.answers}),
                "unsupported": sum(not answer.supported for answer in file.answers),
                "held-out documents only": file.part,
                "not judged": said[name][way].failures,
                "missing": said[name][way].missing,
                **{measure_name: asdict(estimate) for measure_name, estimate in row.items()},
            }
            for way, row in rows.items()
        }
    return document


if __name__ == "__main__":
    main()
