"""``proofdesk gate``: are new answers to a baseline's questions worse?"""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal import AsJson, Db, add_row, cut, emit, new_table, print_json, say, show
from evalcore.errors import InputError
from workflows import gate as gates
from workflows.gate import GateReport
from workflows.store import Store, open_store

_TITLES = {
    "pass": "PASS",
    "regression": "REGRESSION",
    "incomplete": "INCOMPLETE",
    "not_comparable": "NOT COMPARABLE",
}
_SHOWN_IDS = 10


def gate(
    baseline: Annotated[str, typer.Option(help="NAME[@VERSION] in the database, or a .jsonl file.")],
    answers: Annotated[str | None, typer.Option(help="The new answers: JSONL, CSV, TSV or Parquet.")] = None,
    run: Annotated[str | None, typer.Option(help="Or a stored run, by name or #number.")] = None,
    config: Annotated[Path | None, typer.Option(help="Bounds in YAML; the published ones without.")] = None,
    profile: Annotated[str | None, typer.Option(help="Score with another profile.")] = None,
    rescore: Annotated[
        bool, typer.Option("--rescore", help="Score the baseline's own answers anew where the gate changed.")
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the report as Markdown too.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the report as JUnit XML too.")] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Compare new answers with a baseline, case by case.

    Exit codes: 0 pass; 1 regression; 2 bad usage or unreadable input; 3 inconclusive: cases are missing,
    changed or unmeasured, too few are shared, or the gate changed and --rescore was not given.
    """
    if (answers is None) == (run is None):
        raise InputError("one of --answers and --run", cure="name the new answers")
    bounds = gates.read_config(config)
    with ExitStack() as stack:
        store: Store | None = None
        if run is not None or db is not None or not baseline.endswith(".jsonl"):
            store = stack.enter_context(closing(open_store(db, create=False)))
        found = gates.find_baseline(store, baseline)
        if answers is not None:
            report = gates.gate_file(found, answers, bounds, profile=profile, rescore=rescore, store=store)
        else:
            assert store is not None
            assert run is not None
            if rescore or profile:
                raise InputError(
                    "a stored run has its scores", got="--rescore or --profile", cure="give --answers"
                )
            report = gates.gate_run(store, found, run, bounds)
    for path, text in ((markdown, gates.to_markdown), (junit, gates.to_junit)):
        if path is not None:
            path.write_text(text(report), encoding="utf-8")
    if as_json:
        print_json(report.to_dict())
    else:
        _print(report)
    raise typer.Exit(report.exit_code)


def _print(report: GateReport) -> None:
    emit(f"{_TITLES[report.outcome]}: baseline {report.baseline}@{report.version}")
    emit(
        f"{len(report.pairs)} shared cases, {len(report.regressions)} worse; mean change of the final score "
        f"{gates.mean_delta(report)}; wrong accepts {gates.wrong_accepts(report)}"
    )
    for reason in report.reasons:
        emit(f"- {reason}")
    if report.regressions:
        table = new_table("case", "before", "after", "change", "decision", "rule", "what is worse")
        for pair in report.regressions:
            add_row(
                table,
                cut(pair.id, 40),
                gates.number(pair.before),
                gates.number(pair.after),
                gates.number(pair.delta, "+.4f"),
                f"{pair.decision_before} > {pair.decision_after}",
                f"{pair.rule_before} > {pair.rule_after}",
                "; ".join(pair.problems),
            )
        show(table)
    for name, ids in gates.lists(report):
        more = f" … {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else ""
        emit(f"{name} ({len(ids)}): {', '.join(cut(i, 40) for i in ids[:_SHOWN_IDS])}{more}")
    for bound in report.bounds:
        emit(f"{bound.name}: {bound.found:g} of n = {bound.n}, allowed {bound.allowed:g}")
    for warning in report.warnings:
        say(f"note: {warning}")
