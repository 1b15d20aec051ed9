"""``proofdesk results`` and ``proofdesk label``: look at stored results and judge them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.terminal import (
    MAX_NUMBER,
    AsJson,
    Db,
    add_row,
    cut,
    emit,
    new_table,
    print_json,
    say,
    show,
    show_text,
    write,
    write_new_file,
)
from evalcore.errors import InputError
from workflows import export, review
from workflows.store import open_store

results_app = typer.Typer(help="Look at stored results.", no_args_is_help=True)


OfDecision = Annotated[
    Literal["ACCEPT", "REVIEW", "REJECT"] | None,
    typer.Option(case_sensitive=False, help="Only this decision."),
]
OfFailureType = Annotated[str | None, typer.Option(help="Only this failure type.")]
OfRun = Annotated[
    int | None, typer.Option(min=1, max=MAX_NUMBER, help="Only results of the run with this number.")
]


@results_app.command("list")
def list_results(
    db: Db = None,
    decision: OfDecision = None,
    failure_type: OfFailureType = None,
    run: OfRun = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 20,
    after: Annotated[
        int | None, typer.Option(min=1, max=MAX_NUMBER, help="Go on after this result's number.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List results, latest first."""
    where = review.ResultFilter(decision=decision, failure_type=failure_type, run_id=run)
    with closing(open_store(db, create=False)) as store:
        page = review.list_results(store, where, after=after, limit=limit)
    if as_json:
        print_json(
            {
                "results": [
                    {
                        "result": row.id,
                        "id": row.external_id,
                        "query": row.query,
                        "decision": row.decision,
                        "failure_type": row.failure_type,
                        "rule_id": row.rule_id,
                        "final": row.final,
                        "risk": row.risk,
                        "run": row.run_id,
                        "fingerprint": row.fingerprint_id,
                        "created_at": row.created_at.isoformat(),
                    }
                    for row in page.items
                ],
                "next_after": page.next_after,
            }
        )
        return
    table = new_table("result", "id", "decision", "failure type", "final", "question")
    for row in page.items:
        final = "-" if row.final is None else f"{row.final:.3f}"
        add_row(
            table,
            row.id,
            cut(row.external_id, 32),
            row.decision,
            row.failure_type,
            final,
            cut(row.query, 60),
        )
    show(table)
    if not page.items:
        say("no results")
    if page.next_after is not None:
        say(f"more: --after {page.next_after}")


@results_app.command("export")
def export_results(
    db: Db = None,
    form: Annotated[
        export.Form, typer.Option("--format", case_sensitive=False, help="The shape to write.")
    ] = "jsonl",
    decision: OfDecision = None,
    failure_type: OfFailureType = None,
    run: OfRun = None,
    output: Annotated[Path | None, typer.Option(help="Write to this new file instead of stdout.")] = None,
) -> None:
    """Write results as JSONL, CSV, or what Ragas, DeepEval, Argilla and Label Studio read."""
    where = review.ResultFilter(decision=decision, failure_type=failure_type, run_id=run)
    with closing(open_store(db, create=False)) as store:
        lines = export.export_results(store, where, form=form)
        if output is None:
            for line in lines:
                write(line)
            return
        n = write_new_file(output, lines)
    say(f"{output}: {n} bytes written")


@results_app.command("show")
def show_result(
    which: Annotated[str, typer.Argument(help="The id of a sample, or a result's number as #12.")],
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Show one result whole: decision, reason, sentences with evidence, labels."""
    with closing(open_store(db, create=False)) as store:
        found = review.item(store, review.resolve(store, which))
    document = found.result.to_dict()
    labels = [
        {
            "label": label.id,
            "reviewer": label.reviewer,
            "verdict": label.verdict,
            "failure_type": label.failure_type,
            "note": label.note,
            "created_at": label.created_at.isoformat(),
            "supersedes": label.supersedes,
        }
        for label in found.labels
    ]
    if as_json:
        sample = {
            "id": found.sample.id,
            "query": found.sample.query,
            "contexts": list(found.sample.contexts),
            "response": found.sample.response,
            "reference": found.sample.reference,
        }
        print_json(
            {
                "result": found.id,
                "run": found.run.name,
                "created_at": found.created_at.isoformat(),
                "sample": sample,
                "evaluation": document,
                "labels": labels,
            }
        )
        return
    show_text(f"  result {found.id}, run {found.run.name}", found.sample.id)
    show_text(f"Question  {found.sample.query}")
    show_text(f"Answer    {found.sample.response}\n")
    confidence = document["confidence_pct"]
    margin = f", confidence {confidence}%" if confidence is not None else ""
    show_text(f" ({document['failure_type']}, rule {document['rule_id']}{margin})", document["decision"])
    show_text(document["explanations"]["reason"])
    show_text(f"Next: {document['next_action']}. {document['action_why']}")
    for warning in document["warnings"]:
        show_text(f"Warning: {warning}")
    scores = new_table("score", "value")
    for name, value in document["scores"].items():
        add_row(scores, name, f"{value:.4f}" if value is not None else f"- ({document['score_notes'][name]})")
    show(scores)
    for sentence in found.result.sentences:
        low = sentence.status == "low_confidence"
        if low or sentence.findings:
            show_text(f"{'!' if low else '?'} {sentence.text}  (support {sentence.support})")
        for message in dict.fromkeys(finding.message for finding in sentence.findings):
            show_text(f"  finding: {message}")
        for evidence in sentence.evidence[: int(low)]:
            show_text(f"  nearest, passage {evidence.passage + 1}: {evidence.text}")
    for label in found.labels:
        show_text(f"{label.reviewer}: {label.verdict} {label.note}")


def label(
    which: Annotated[str, typer.Argument(help="The id of a sample, or a result's number as #12.")],
    verdict: Annotated[Literal["accept", "reject", "unsure"], typer.Argument()],
    reviewer: Annotated[str, typer.Option(help="Who says so.", envvar="PROOFDESK_REVIEWER")],
    note: Annotated[str, typer.Option(help="Why.")] = "",
    failure_type: Annotated[str | None, typer.Option(help="What is wrong with it.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Change your own earlier label.")] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Label a result. Labels are only ever added: a change is a new one that supersedes the old."""
    with closing(open_store(db, create=False)) as store:
        result_id = review.resolve(store, which)
        person = review.sign_in(store, reviewer)
        current = review.current_label(store, result_id, person.id)
        if current is not None and not replace:
            raise InputError(
                f"already labelled by {person.name}",
                where=f"result {result_id}",
                got=f"label {current.id}, {current.verdict}",
                cure="change it with --replace",
            )
        stored = review.add_label(
            store,
            result_id=result_id,
            reviewer_id=person.id,
            verdict=verdict,
            failure_type=failure_type,
            note=note,
            replaces=current.id if current else None,
        )
    if as_json:
        print_json(
            {"label": stored.id, "result": result_id, "verdict": verdict, "supersedes": stored.supersedes}
        )
    else:
        emit(f"label {stored.id}: {verdict} on result {result_id} by {stored.reviewer}")
