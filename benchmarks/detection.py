"""How well the gate finds unsupported answers, measured on people's judgements.

``python -m benchmarks.detection [--data FILE ...] [--profile P ...] [--limit N] [--json OUT]``

Every file of the shared data folder by default. For each file and way: AUROC and average precision of
"unsupported"; balanced accuracy and F1 at the profile's own threshold (all that is not an ACCEPT counts as
flagged) and at the threshold that is best on the other files; the share of answers that may pass unread at
95% precision of "supported"; the expected calibration error of 1 - risk; the AUROC of single sentences where
people judged those; the median latency. 95% intervals are by bootstrap over documents.

Ways: the profiles; ``word overlap``, the smallest share of a sentence's words that the context holds; ``fuzzy
match``, the worst sentence's best partial match with the context.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz
from rich.console import Console
from rich.table import Table

from benchmarks import detection_metrics as metrics
from benchmarks.detection_metrics import Estimate, Flags, Floats
from benchmarks.judged import SHARED, JudgedAnswer, read_judged, sample_documents
from db.mapping import risk_of
from evalcore import Evaluator
from evalcore.result import Verdict
from evalcore.text import sentences, words

NOT_JUDGED = ("classic_golden", "classic_parity", "feedbackqa_two_raters", "summacoz_negatives_train")
BASELINES = ("word overlap", "fuzzy match")

SentenceRisk = tuple[int, int, float]


@dataclass(frozen=True)
class Judgement:
    """What one way says of one answer: its risk, the risk of its sentences (start, end, risk), whether it
    flags the answer by a threshold of its own, and how long it took."""

    risk: float
    sentences: tuple[SentenceRisk, ...]
    flagged: bool | None
    milliseconds: float


def main() -> None:
    """Parse the command line, judge, print."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=style)
    parser.add_argument("--data", type=Path, nargs="+", help="JSONL in the shared schema")
    parser.add_argument("--profile", action="append", help="default and classic if none is named")
    parser.add_argument("--limit", type=int, default=300, help="answers a file, by whole documents; 0 is all")
    parser.add_argument("--repeats", type=int, default=300, help="bootstrap resamples")
    parser.add_argument("--json", type=Path, help="write every figure here")
    arguments = parser.parse_args()
    files = arguments.data or [p for p in sorted(SHARED.glob("*.jsonl")) if p.stem not in NOT_JUDGED]
    if not files:
        print(f"{SHARED} holds no judged answers; name files with --data")
        return
    gates = {name: Evaluator.from_profile(name) for name in arguments.profile or ("default", "classic")}
    answers = {}
    said: dict[str, dict[str, list[Judgement]]] = {}
    for path in files:
        read = read_judged(path)
        answers[path.stem] = sample_documents(read, arguments.limit) if arguments.limit else read
        said[path.stem] = {}
        for way in (*gates, *BASELINES):
            print(f"{path.stem}: {way}", file=sys.stderr)
            said[path.stem][way] = judge(way, gates.get(way), answers[path.stem])
    figures = {
        name: {way: measure(name, way, answers, said, arguments.repeats) for way in said[name]}
        for name in answers
    }
    console = Console(width=118)
    for name, rows in figures.items():
        console.print(file_table(name, answers[name], rows))
    console.print(mean_table(figures))
    if arguments.json:
        document = {
            n: {w: {k: asdict(e) for k, e in row.items()} for w, row in rows.items()}
            for n, rows in figures.items()
        }
        arguments.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def judge(way: str, gate: Evaluator | None, answers: Sequence[JudgedAnswer]) -> list[Judgement]:
    """One way's word on every answer."""
    if gate is not None:
        return [_by_gate(gate, answer) for answer in answers]
    of_sentence = _word_overlap if way == "word overlap" else _fuzzy_match
    return [_by_sentence(of_sentence, answer) for answer in answers]


def measure(
    name: str,
    way: str,
    answers: dict[str, list[JudgedAnswer]],
    said: dict[str, dict[str, list[Judgement]]],
    repeats: int,
) -> dict[str, Estimate]:
    """Every measure of one way on one file, by column."""
    documents = [answer.document for answer in answers[name]]
    unsupported = _flags(not answer.supported for answer in answers[name])
    judged = said[name][way]
    risk = np.array([j.risk for j in judged])
    cut = _threshold_elsewhere(name, way, answers, said)
    own = _flags(bool(j.flagged) for j in judged) if judged and judged[0].flagged is not None else None
    other = risk >= cut if cut is not None else None

    def interval(of: Callable[[Floats, Flags], float | None]) -> Estimate:
        return metrics.bootstrap(documents, lambda i: of(risk[i], unsupported[i]), repeats=repeats)

    def at(flagged: Flags | None, of: Callable[[Flags, Flags], float | None]) -> Estimate:
        if flagged is None:
            return Estimate(None)
        return metrics.bootstrap(documents, lambda i: of(flagged[i], unsupported[i]), repeats=repeats)

    return {
        "AUROC": interval(metrics.auroc),
        "average precision": interval(metrics.average_precision),
        "balanced accuracy": at(own, metrics.balanced_accuracy),
        "F1": at(own, metrics.f1),
        "bal. acc., other data's cut": at(other, metrics.balanced_accuracy),
        "F1, other data's cut": at(other, metrics.f1),
        "unread at 95%": interval(metrics.coverage_at_precision),
        "ECE": interval(metrics.calibration_error),
        "sentence AUROC": _sentence_auroc(answers[name], judged, repeats),
        "p50 ms": Estimate(statistics.median(j.milliseconds for j in judged)),
    }


def file_table(name: str, answers: Sequence[JudgedAnswer], rows: dict[str, dict[str, Estimate]]) -> Table:
    """One file's figures: a measure a row, a way a column."""
    bad = sum(not answer.supported for answer in answers)
    documents = len({answer.document for answer in answers})
    title = f"{name}: {len(answers)} answers of {documents} documents, {bad} unsupported"
    table = Table(title=title, title_justify="left")
    table.add_column("measure")
    for way in rows:
        table.add_column(way, justify="right")
    for name in next(iter(rows.values())):
        table.add_row(name, *(str(row[name]) for row in rows.values()))
    return table


def mean_table(figures: dict[str, dict[str, dict[str, Estimate]]]) -> Table:
    """Mean AUROC over the files where it is defined."""
    table = Table(title="mean AUROC over files", title_justify="left")
    table.add_column("way")
    table.add_column("files", justify="right")
    table.add_column("AUROC", justify="right")
    for way in next(iter(figures.values())):
        values = [v for rows in figures.values() if (v := rows[way]["AUROC"].value) is not None]
        table.add_row(way, str(len(values)), f"{statistics.mean(values):.3f}" if values else "-")
    return table


def _by_gate(gate: Evaluator, answer: JudgedAnswer) -> Judgement:
    result = gate.evaluate_sample(answer.sample)
    return Judgement(
        risk=risk_of(result),
        sentences=tuple((s.start, s.end, 1 - s.support) for s in result.sentences if s.support is not None),
        flagged=result.decision.verdict is not Verdict.ACCEPT,
        milliseconds=result.latency_ms,
    )


def _by_sentence(support: Callable[[str, str, frozenset[str]], float], answer: JudgedAnswer) -> Judgement:
    started = time.perf_counter()
    context = answer.sample.contexts[0]
    known = frozenset(words(context))
    risks = tuple(
        (span.start, span.end, 1 - support(span.text, context, known))
        for span in sentences(answer.sample.response)
    )
    return Judgement(
        risk=max((risk for _, _, risk in risks), default=1.0),
        sentences=risks,
        flagged=None,
        milliseconds=(time.perf_counter() - started) * 1000,
    )


def _word_overlap(sentence: str, context: str, known: frozenset[str]) -> float:
    own = frozenset(words(sentence))
    return len(own & known) / len(own) if own else 1.0


def _fuzzy_match(sentence: str, context: str, known: frozenset[str]) -> float:
    return fuzz.partial_ratio(sentence, context) / 100


def _threshold_elsewhere(
    name: str,
    way: str,
    answers: dict[str, list[JudgedAnswer]],
    said: dict[str, dict[str, list[Judgement]]],
) -> float | None:
    others = [other for other in answers if other != name]
    if not others:
        return None
    risk = np.array([j.risk for other in others for j in said[other][way]])
    return metrics.best_threshold(risk, _flags(not a.supported for o in others for a in answers[o]))


def _sentence_auroc(answers: Sequence[JudgedAnswer], judged: Sequence[Judgement], repeats: int) -> Estimate:
    """AUROC over the stretches people judged; a stretch is as risky as the riskiest sentence it touches."""
    documents, risks, bad = [], [], []
    for answer, judgement in zip(answers, judged, strict=True):
        for stretch in answer.sentences:
            touched = [
                r for start, end, r in judgement.sentences if start < stretch.end and end > stretch.start
            ]
            if touched:
                documents.append(answer.document)
                risks.append(max(touched))
                bad.append(not stretch.supported)
    if not risks:
        return Estimate(None)
    risk, unsupported = np.array(risks), _flags(bad)
    return metrics.bootstrap(documents, lambda i: metrics.auroc(risk[i], unsupported[i]), repeats=repeats)


def _flags(values: Iterable[bool]) -> Flags:
    return np.array(list(values), dtype=bool)


if __name__ == "__main__":
    main()
