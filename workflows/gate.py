"""The gate in CI: new answers to a baseline's questions, scored, compared and judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from db.engine import Store
from db.repositories.baselines import Baselines
from db.repositories.results import ResultFilter, Results
from evalcore.errors import InputError
from evalcore.evaluator import Evaluator
from evalcore.regression.baseline import Baseline, case_of, differing, make_baseline
from evalcore.regression.config import GateConfig, gate_config
from evalcore.regression.judge import Bound, GateReport, Pair, judge
from evalcore.regression.report import lists, mean_delta, number, to_junit, to_markdown, wrong_accepts
from evalcore.result import EvalResult, Fingerprint
from evalcore.sample import Sample
from workflows.baselines import find_run, load, read_file
from workflows.evaluate import make_evaluator
from workflows.ingest import ReadOptions, open_file, pieces

__all__ = [
    "Bound",
    "GateConfig",
    "GateReport",
    "Pair",
    "find_baseline",
    "gate_answers",
    "gate_file",
    "gate_run",
    "lists",
    "mean_delta",
    "number",
    "read_config",
    "to_junit",
    "to_markdown",
    "wrong_accepts",
]

_PIECE = 64


def read_config(path: Path | None) -> GateConfig:
    """The bounds in a YAML file; the published ones without a file."""
    if path is None:
        return GateConfig()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the gate's bounds cannot be read", where=str(path), got=str(error)[:200]) from error
    return gate_config(text, str(path))


def find_baseline(store: Store | None, which: str) -> Baseline:
    """A baseline by the path of an exported file, or by name from the store."""
    if which.endswith(".jsonl"):
        return read_file(Path(which))
    if store is None:
        raise InputError(
            "a baseline by name needs a database", got=which[:80], cure="name a .jsonl file, or --db"
        )
    return load(store, which)


def gate_file(
    baseline: Baseline,
    answers: str | Path,
    config: GateConfig,
    *,
    profile: str | None = None,
    rescore: bool = False,
    read: ReadOptions | None = None,
    store: Store | None = None,
) -> GateReport:
    """Score a file of answers with the baseline's profile, or another, and judge it.

    Rows that cannot be read are told in the report, which is then no pass. With a ``store`` that holds the
    baseline the run is kept.
    """
    options = read or ReadOptions()
    source = open_file(answers, options)
    samples: list[Sample] = []
    errors: list[str] = []
    for piece in pieces(source, options, size=_PIECE):
        samples += piece.samples
        errors += piece.errors
    report = gate_answers(baseline, samples, config, profile=profile, rescore=rescore)
    if errors:
        report = replace(
            report,
            outcome="incomplete" if report.outcome == "pass" else report.outcome,
            reasons=(*report.reasons, f"{len(errors)} rows of the answers could not be read"),
            warnings=(*report.warnings, *errors[:20]),
        )
    _keep(store, baseline, report, str(answers))
    return report


def gate_answers(
    baseline: Baseline,
    samples: Sequence[Sample],
    config: GateConfig,
    *,
    profile: str | None = None,
    rescore: bool = False,
) -> GateReport:
    """Score answers that are at hand, and judge them."""
    evaluator = make_evaluator(profile or baseline.fingerprint.profile)
    fingerprint = evaluator.fingerprint
    anew = None
    if differing(baseline.fingerprint, fingerprint):
        if not rescore:
            return judge(baseline, [], config, fingerprint)
        anew = _rescored(baseline, evaluator)
    results = evaluator.evaluate_many(samples)
    return judge(baseline, list(zip(samples, results, strict=True)), config, fingerprint, rescored=anew)


def gate_run(store: Store, baseline: Baseline, which: str, config: GateConfig) -> GateReport:
    """Judge the stored results of a run; they are not scored again."""
    run = find_run(store, which)
    with store.read() as session:
        where = ResultFilter(run_id=run.id, fingerprint_id=run.fingerprint_id)
        answers = [
            (stored.sample, EvalResult.from_dict(stored.document))
            for stored in Results(session).iter_documents(where)
        ]
    fingerprint: Fingerprint = run.fingerprint
    report = judge(baseline, answers, config, fingerprint)
    _keep(store, baseline, report, f"run {run.name}")
    return report


def _rescored(baseline: Baseline, evaluator: Evaluator) -> Baseline:
    samples = [case.sample for case in baseline.cases]
    results = evaluator.evaluate_many(samples)
    cases = [
        case_of(case.sample, result, gold=case.gold, gold_source=case.gold_source)
        for case, result in zip(baseline.cases, results, strict=True)
    ]
    return make_baseline(baseline.name, baseline.version, evaluator.fingerprint, cases, note=baseline.note)


def _keep(store: Store | None, baseline: Baseline, report: GateReport, answers: str) -> None:
    if store is None:
        return
    with store.write() as session:
        baselines = Baselines(session)
        same = [row for row in baselines.all() if row.hash == baseline.hash and row.name == baseline.name]
        if not same:
            return
        baselines.keep_run(
            {
                "created_at": datetime.now(UTC),
                "baseline_id": same[0].id,
                "answers": answers[:500],
                "outcome": report.outcome,
                "n_shared": len(report.pairs),
                "n_worse": len(report.regressions),
                "report": json.dumps(report.to_dict(), ensure_ascii=False, allow_nan=False),
            }
        )
